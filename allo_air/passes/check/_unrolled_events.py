"""Unrolls an AIR function into events: every instance, iteration and branch that constants decide.

Only operations that wait or are waited for become events: transfers, hierarchies, tokens, and computations as whole steps. A
loop without transfers is one step. Operations that depend on unknown values, such as a bound from an argument, are recorded
in `open`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.loops import Dim, Loop
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.check._channels import Bundle
from allo_air.passes.check._events import Agent, Event, Program
from allo_air.passes.check._touches import AccessTracker
from allo_air.passes.check._values import FOLLOWED, SIDES, TRANSFERS, Values

if TYPE_CHECKING:
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp

_NOTHING: frozenset[int] = frozenset()


class TooLong(Exception):
    """The program has more steps than the limit."""


def unroll(function: ir.Operation, channels: dict[str, Bundle], most: int, *, running: bool = False) -> Program:
    """The events of `function`, at most `most` steps; if there are more, the function is recorded in `open`. With `running`,
    herds wait for no token.
    """
    run = _Unfolding(function.context, channels, most, running)
    try:
        run.run(function.regions[0].blocks[0])
    except TooLong:
        run.open.append((function, f"what comes after its first {most:,} steps (option max-steps)"))
    return Program(function, run.events, run.open, run.outside)


def unroll_all(module: AnyOp, channels: dict[str, Bundle], most: int) -> list[Program]:
    """The programs of `functions(module)`."""
    return [unroll(f, channels, most) for f in functions(module)]


def functions(module: AnyOp) -> list[Any]:
    """The functions in `module` that move data or start hierarchies."""
    return [f for f in walk_named(module, "func.func") if len(f.regions[0].blocks) and walk_named(f, *FOLLOWED)]


class _Unfolding(Values):
    """Unrolls blocks in program order; `self.over` has the events that must end before the next operation begins."""

    def __init__(self, context: ir.Context, channels: dict[str, Bundle], most: int, running: bool) -> None:
        super().__init__(context)
        self.channels, self.most, self.running = channels, most, running
        self.events: list[Event] = []
        self.open: list[tuple[Any, str]] = []
        self.over = _NOTHING
        self.agent: Agent = ()
        self.core: tuple[int, ...] = ()
        self.times = 1
        self.outside: list[tuple[Any, Bundle, list[int]]] = []
        self.touches = AccessTracker(IndexValues(), self.known)
        self._steps = 0

    def run(self, block: ir.Block) -> list[Any]:
        self._count()
        return super().run(block)

    def _count(self) -> None:
        self._steps += 1
        if self._steps > self.most:
            raise TooLong

    def step(self, op: ir.Operation) -> None:
        self._count()
        if len(op.regions) and op.name in self.CONTROL and not self.is_followed(op):
            self._compute(op)
        else:
            super().step(op)

    def operation(self, op: ir.Operation) -> None:
        name = op.name
        if name in TRANSFERS or name == "air.dma_memcpy_nd":
            self._transfer(op)
        elif name in HIERARCHIES:
            self._hierarchy(op)
        elif name == "air.execute":
            self._execute(op)
        elif name == "air.wait_all":
            self._finish(op, [self._join(op, self._waits(op))])
        elif name == "memref.alloc":
            self.touches.allocate(op)
        elif len(op.regions) and self.is_followed(op):
            self.undecided(op)
        elif not is_pure(op):
            self._compute(op)

    def undecided(self, op: ir.Operation, why: str = "") -> None:
        is_loop = self.CONTROL.get(op.name) == "loop"
        reason = "its bounds are not known" if is_loop else "whether, or how often, it runs is not known"
        self.open.append((op, f"what happens inside: {reason}"))
        done = self._waits(op)
        self.assign(op.results, [done if r.type == self.token else None for r in op.results])

    # Events.

    def _event(self, op: ir.Operation, after: frozenset[int]) -> Event:
        event = Event(len(self.events), op, self.agent, after, self.times)
        self.events.append(event)
        return event

    def _waits(self, op: ir.Operation) -> frozenset[int]:
        """The events that `op` waits for: those of its tokens, and `self.over`."""
        ends = self.over
        for operand in op.operands:
            if operand.type == self.token:
                ends |= self.ends(operand)
        return ends

    def _join(self, op: ir.Operation, after: frozenset[int]) -> frozenset[int]:
        return after if len(after) <= 1 else frozenset((self._event(op, after).number,))

    def _finish(self, op: ir.Operation, ends: list[frozenset[int]]) -> None:
        """Ends `op` after the events `ends`. If it has tokens, they represent these events; otherwise the next operation
        waits for them.
        """
        done = frozenset().union(*ends)
        tokens = [r for r in op.results if r.type == self.token]
        for token in tokens:
            self.known[token] = done
        if not tokens:
            self.over = done

    def _transfer(self, op: ir.Operation) -> None:
        event = self._event(op, self._waits(op))
        view = op.opview
        for side in SIDES[op.name]:
            lists = [list(getattr(view, f"{side}_{part}")) for part in ("offsets", "sizes", "strides")]
            memref = getattr(view, side)
            event.touches.append(self.touches.transfer(op, memref, lists, self.core, writes=side == "dst"))
        if op.name in TRANSFERS:
            event.is_put = op.name == "air.channel.put"
            event.element = self._element(op, view, event.is_put)
            event.bytes = self._bytes(view, SIDES[op.name][0])
        self._finish(op, [frozenset((event.number,))])

    def _element(self, op: AnyOp, view: ChannelGetOp | ChannelPutOp, is_put: bool) -> Any:
        bundle = self.channels.get(view.chan_name)
        if bundle is None:
            return None
        numbers = [self.number(i) for i in view.indices]
        if None in numbers:
            self.open.append((op, f"which channel of @{bundle.name} it uses: an index is not known"))
            return None
        constants = [n for n in numbers if n is not None]
        filled = bundle.filled(constants, is_put=is_put)
        if filled is None:
            self.outside.append((op, bundle, constants))
            return None
        return bundle.name, filled

    def _bytes(self, view: AnyOp, side: str) -> int | None:
        memref = getattr(view, side)
        sizes = [self.number(v) for v in getattr(view, f"{side}_sizes")]
        bits = element_bits(memref.type)
        if not sizes and memref.type.has_static_shape:
            sizes = list(memref.type.shape)
        if bits is None or None in sizes or (not sizes and memref.type.rank):
            return None
        pads = [(getattr(view, name, None) or []) for name in ("pad_before", "pad_after")]
        for pad in pads:
            sizes = [s + p for s, p in zip(sizes, pad, strict=True)] if len(pad) == len(sizes) else sizes
        return prod(s for s in sizes if s is not None) * -(-bits // 8)

    def _compute(self, op: ir.Operation) -> None:
        touches = [self.touches.access(a, self.core) for a in accesses(op) if a.kind != "free"]
        for alloc in walk_named(op, "memref.alloc"):
            self.touches.allocate(alloc)
        if touches:
            event = self._event(op, self._waits(op))
            event.touches = touches
            self._finish(op, [frozenset((event.number,))])

    # Operations with bodies.

    def _execute(self, op: ir.Operation) -> None:
        """Unrolls the body of an `air.execute`, and joins its last events at the operation's token."""
        body = op.regions[0].blocks[0]
        waits, outer = self._waits(op), self.over
        start = len(self.events)
        self.over = waits
        yielded = self.run(body)
        ends, self.over = self.over | self._sinks(start), outer
        self.assign(op.results, [self._join(op, ends), *yielded])

    def _sinks(self, start: int) -> frozenset[int]:
        """The events from number `start` on for which no later event waits."""
        events = self.events[start:]
        waited = frozenset().union(*(e.after for e in events)) if events else _NOTHING
        return frozenset(e.number for e in events) - waited

    def _hierarchy(self, op: ir.Operation) -> None:
        view = op.opview
        sizes = [self.number(s) for s in view.sizes]
        self.assign(view.body_args, [self.get(v) for v in view.args])
        if None in sizes:
            self.open.append((op, "what its instances do: a size is not known"))
            return
        constants = [s for s in sizes if s is not None]
        self.assign(view.size_args, constants)
        waits, outer_over, outer_agent = self._join(op, self._waits(op)), self.over, self.agent
        if self.running and op.name == "air.herd":
            waits = _NOTHING
        times = self.times
        start = len(self.events)
        points: Iterable[tuple[int, ...]] = product(*map(range, constants))
        if op.name == "air.launch" and not self.decides(op, list(view.ids)):
            self.times, points = times * prod(constants), islice(points, 1)
        for point in points:
            self.agent = (*outer_agent, *_label(op, point))
            self.core = point if op.name == "air.herd" else ()
            self.touches.rank = point if op.name == "air.rank" else self.touches.rank
            self.over = waits | (self._sinks(start) if op.name == "air.launch" else _NOTHING)
            self.assign(view.ids, point)
            self.run(view.block)
            waits = waits | (self.over if op.name == "air.launch" else _NOTHING)
        self.agent, self.core, self.over, self.times = outer_agent, (), outer_over, times
        self.touches.rank = () if op.name == "air.rank" else self.touches.rank
        ends = frozenset((self._event(op, waits | self._sinks(start)).number,))
        self._finish(op, [ends])

    def parallel(self, loop: Loop, dims: Sequence[Dim]) -> None:
        op, before, agent, ends = loop.op, self.over, self.agent, []
        reduced = [self.ends(v) for v in loop.inits]
        for point in product(*(dim.values for dim in dims)):
            self.over, self.agent = before, (*agent, *_label(op, point))
            self.assign(loop.ivs, point)
            yielded = self.run(loop.block)
            ends.append(self.over)
            reduced = [r | v if isinstance(v, frozenset) else r for r, v in zip(reduced, yielded, strict=False)]
        self.agent = agent
        self.over = self._join(op, before.union(*ends)) if any(e != before for e in ends) else before
        for result, done in zip(op.results, reduced, strict=True):
            if result.type == self.token:
                self.known[result] = self._join(op, done)


def _label(op: ir.Operation, point: tuple[int, ...]) -> Agent:
    """The name and ids of an instance; without ids if a hierarchy has no grid."""
    kind = op.name.split(".", 1)[1]
    name = f"@{op.attributes['sym_name'].value}" if "sym_name" in op.attributes else f"the {kind}"
    return ((name, tuple(map(str, point))),)
