"""Doubles the buffers of a loop: iterations become pairs, with four loop-carried tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.walking import is_defined_in, is_unused
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._analysis.memory import HOIST
from allo_air.passes._ir.tokens import deps_of, distinct, with_deps
from allo_air.passes.schedule._ping_pong_body import Body, Role
from allo_air.passes.schedule._ping_pong_buffers import UNROLL, Buffer, freed_by
from allo_air.passes.schedule._ping_pong_waiting import add_waits, join


@dataclass(frozen=True)
class CarriedTokens:
    """The loop-carried tokens: ping buffers free, pong buffers free, last work done, last filling done."""

    ping: ir.Value
    pong: ir.Value
    consumers: Any
    producers: tuple[Any, ...]

    def joined(self, ip: ir.InsertionPoint, location: ir.Location) -> list[ir.Value]:
        """One token each, joined at `ip`."""
        return [self.ping, self.pong, self.consumers, join(self.producers, ip, location)]


@dataclass(frozen=True)
class Ring:
    """The ping and pong buffers of a loop, the token after which they are free, and the operations that deallocate them."""

    sets: list[list[Any]]
    end: Any
    frees: list[Any]


def transform(loop: ir.Operation, buffers: Sequence[Buffer], keep_dealloc: bool, ring: Ring | None = None) -> Ring:
    """Replaces `loop`, an asynchronous scf.for that can have ping-pong buffers, by its ping-pong form.

    Iterations run in pairs, the first of each on the ping buffers and the second on the pong buffers. The filling of a buffer
    waits for the previous filling and for the last work on the same buffer; work waits for the previous work, and for its
    buffers. With `ring`, the loop uses the buffers of that earlier loop. Returns the ring of this loop.
    """
    return _PingPong(loop, buffers, keep_dealloc).run(ring)


class _PingPong:
    def __init__(self, loop: AnyOp, buffers: Sequence[Buffer], keep_dealloc: bool) -> None:
        self.loop, self.buffers, self.keep = loop, buffers, keep_dealloc
        self.body = Body(loop, buffers)
        self.ping_stays = False
        """Whether a single pair precedes a last iteration. Canonicalization inlines such a loop, and a mark would then free a
        buffer that is used again.
        """
        self.ip, self.location = ir.InsertionPoint(loop), loop.location
        self.inits = Loop(loop).inits
        self.arguments = Loop(loop).iter_args

    def run(self, ring: Ring | None) -> Ring:
        lower, upper, step = list(self.loop.operands)[:3]
        start = join([v for v in self.inits if is_token(v)], self.ip, self.location)
        hoisted, tokens = self._hoist(start) if ring is None else self._take_buffers(ring, start)
        values = [v for v in self.inits if not is_token(v)]
        split = self._split(lower, upper, step)
        is_even = split == upper
        self.ping_stays = Loop(self.loop).trips() == 3
        tokens, values = self._emit(lower, split, step, tokens, values, hoisted)
        self.ping_stays = False
        if not is_even:
            tokens, values = self._emit(split, upper, step, tokens, values, hoisted[:1])
        done = [tokens.pong if is_even else tokens.consumers]
        if not self.body.consumers_wait_for_producers():
            done.extend(tokens.producers)
        end = join(done, self.ip, self.location)
        frees = [] if self.keep else self._free(hoisted, end)
        rest = iter(values)
        for result in self.loop.results:
            result.replace_all_uses_with(end if is_token(result) else next(rest))
        ring = Ring([[values[b.value] for b in self.buffers] for values in hoisted], end, frees)
        self.loop.erase()
        return ring

    def _take_buffers(self, ring: Ring, start: ir.Value) -> tuple[list[dict[Any, Any]], CarriedTokens]:
        """Uses the buffers of `ring`, which are freed after this loop instead."""
        for free in ring.frees:
            free.results[0].replace_all_uses_with(ring.end)
            free.erase()
        tokens = {b.execute.results[0]: ring.end for b in self.buffers}
        sets = [tokens | dict(zip((b.value for b in self.buffers), values, strict=True)) for values in ring.sets]
        return sets, CarriedTokens(ring.end, ring.end, start, (start,))

    def _hoist(self, start: ir.Value) -> tuple[list[dict[ir.Value, ir.Value]], CarriedTokens]:
        """Allocates two sets of buffers before the loop; returns the replacements of the body's values.

        The order of the allocations is mlir-air's: the pong buffers, the last one first; the ping buffers from the last one to
        the third; then the first and the second ping buffer. Each allocation waits for the previous one, but the last two wait
        for the same one.
        """
        ping: dict[ir.Value, ir.Value] = {}
        pong: dict[ir.Value, ir.Value] = {}
        last = start
        for buffer in reversed(self.buffers):
            last = self._allocate(buffer, last, pong)
        for buffer in reversed(self.buffers[2:]):
            last = self._allocate(buffer, last, ping)
        first = [self._allocate(buffer, last, ping) for buffer in self.buffers[:2]]
        both = join(first, self.ip, self.location)
        return [ping, pong], CarriedTokens(first[0], first[-1], both, (both,))

    def _allocate(self, buffer: Buffer, after: ir.Value, values: dict[ir.Value, ir.Value]) -> Any:
        """Allocates `buffer` before the loop, after token `after` and the outer dependences of its alloc; returns the token."""
        new = buffer.execute.clone(ip=self.ip)
        new = with_deps(new, distinct([*(d for d in deps_of(new) if not is_defined_in(d, self.loop)), after]))
        alloc = new.regions[0].blocks[0].operations[0].operation
        if HOIST in alloc.attributes:
            del alloc.attributes[HOIST]
        values.update(zip(buffer.execute.results, new.results, strict=True))
        return new.results[0]

    def _split(self, lower: ir.Value, upper: ir.Value, step: ir.Value) -> Any:
        """The end of the loop over pairs: `upper`, or one iteration less for an odd number of iterations."""
        count = Loop(self.loop).trips()
        if count is None:
            return self._dynamic_split(lower, upper, step)
        if count % 2 == 0:
            return upper
        first, width = constant_of(lower), constant_of(step)
        assert first is not None and width is not None
        return self._constant(first + (count - 1) * width)

    def _dynamic_split(self, lower: ir.Value, upper: ir.Value, step: ir.Value) -> Any:
        with self.ip, self.location:
            count = arith.ceildivsi(arith.subi(upper, lower), step)
            pairs = arith.divsi(count, self._constant(2))
            return arith.addi(lower, arith.muli(pairs, arith.muli(step, self._constant(2))))

    def _constant(self, number: int) -> ir.Value:
        return arith.ConstantOp(self.loop.operands[0].type, number, ip=self.ip, loc=self.location).result

    def _emit(
        self,
        lower: ir.Value,
        upper: ir.Value,
        step: ir.Value,
        tokens: CarriedTokens,
        values: list[ir.Value],
        hoisted: list[dict[ir.Value, ir.Value]],
    ) -> tuple[CarriedTokens, list[Any]]:
        """A loop from `lower` to `upper` whose body is one iteration on each of `hoisted`; returns its results."""
        width = constant_of(step)
        wide = step
        if len(hoisted) == 2 and width is not None:
            wide = self._constant(2 * width)
        elif len(hoisted) == 2:
            wide = arith.MulIOp(step, self._constant(2), ip=self.ip, loc=self.location).result
        loop = scf.ForOp(lower, upper, wide, [*tokens.joined(self.ip, self.location), *values], ip=self.ip, loc=self.location)
        for name, attribute in self.loop.attributes.items():
            if name != UNROLL:
                loop.operation.attributes[name] = attribute
        block = loop.regions[0].blocks[0]
        end = ir.InsertionPoint(block)
        iv: ir.Value
        iv, *carried = block.arguments
        ping, pong, work, fill, *fills = carried
        inside, now = CarriedTokens(ping, pong, work, (fill,)), list[Any](fills)
        for i, names in enumerate(hoisted):
            if i and not is_unused(Loop(self.loop).ivs[0]):
                iv = arith.AddIOp(iv, step, ip=end, loc=self.location).result
            inside, now = self._iteration(end, iv, inside, now, names, is_pong=bool(i))
        scf.YieldOp([*inside.joined(end, self.location), *now], ip=end, loc=self.location)
        done = list[Any](loop.results)
        return CarriedTokens(done[0], done[1], done[2], (done[3],)), done[4:]

    def _iteration(
        self,
        end: ir.InsertionPoint,
        iv: ir.Value,
        tokens: CarriedTokens,
        carried: Sequence[ir.Value],
        hoisted: dict[ir.Value, ir.Value],
        *,
        is_pong: bool,
    ) -> tuple[CarriedTokens, list[Any]]:
        """Appends one iteration; returns the tokens that it passes on."""
        void = join([], end, self.location)  # a placeholder for the carried token until each operation has its own
        value = iter(carried)
        values = {Loop(self.loop).ivs[0]: iv, **hoisted}
        values.update((a, void if is_token(a) else next(value)) for a in self.arguments)
        first = {
            Role.PRODUCER: (
                [*tokens.producers[::-1], tokens.pong, tokens.consumers] if is_pong else [*tokens.producers, tokens.ping]
            ),
            Role.CONSUMER: [tokens.consumers],
        }
        body = self.body
        for i, (op, role) in enumerate(zip(body.ops, body.roles, strict=True)):
            if role is Role.ALLOCATION:
                continue
            if role is Role.RELEASE and (not self.keep or (self.ping_stays and not is_pong)):
                deps = [values.get(d, d) for d in deps_of(op)]
                values[op.results[0]] = join([d for d in deps if d != void], end, op.location)
                continue
            new = add_waits(clone(op, values, end), first.get(role, []) if body.is_first(i) else [], void)
            values.update(zip(op.results, new.results, strict=True))
        filled = self._last(Role.PRODUCER, values) or tokens.producers
        worked = join(self._last(Role.CONSUMER, values) or filled, end, self.location)
        if self.body.may_skip(Role.CONSUMER):
            worked = join([worked, tokens.consumers], end, self.location)
        yielded = [values.get(v, v) for v in body.terminator.operands if not is_token(v)]
        if is_unused(void):
            void.owner.erase()
        ping, pong = (tokens.ping, worked) if is_pong else (worked, tokens.pong)
        return CarriedTokens(ping, pong, worked, filled), yielded

    def _last(self, role: Role, values: dict[ir.Value, ir.Value]) -> tuple[Any, ...]:
        """The tokens of operations of `role` for which no other operation of `role` waits."""
        return tuple(values[r] for i in self.body.sinks(role) for r in self.body.ops[i].results if is_token(r))

    def _free(self, hoisted: Sequence[dict[ir.Value, ir.Value]], end: ir.Value) -> list[Any]:
        """Deallocates after the loop the buffers that were deallocated in it; returns these operations."""
        freed = [op for op, role in zip(self.body.ops, self.body.roles, strict=True) if role is Role.RELEASE]
        return [
            with_deps(clone(op, {freed_by(op): values[freed_by(op)]}, self.ip), [end]) for values in hoisted for op in freed
        ]
