"""Expands asynchronous IR into the operations that it runs, and knows which of them certainly come before which."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count, product
from typing import Any

import pytest

from allo_air.core.walking import walk_named
from allo_air.mlir import ir

LOADED = 1
"""What every load gives: an offset that fits everywhere."""


@dataclass
class Event:
    """One run of an operation: what comes before it (bits), the addresses it touches, and the parallel iterations it is in."""

    tag: str
    before: int
    reads: set[Any] = field(default_factory=set)
    writes: set[Any] = field(default_factory=set)
    path: tuple[tuple[int, Any], ...] = ()

    def meets(self, other: "Event") -> bool:
        mine, theirs = dict(self.path), dict(other.path)
        if any(mine[p] != theirs[p] for p in mine.keys() & theirs.keys()):
            return False
        return bool(self.writes & (other.reads | other.writes) or self.reads & other.writes)


@dataclass(frozen=True)
class Number:
    """An index or integer, and the events that make it."""

    value: int
    made: int = 0


@dataclass(frozen=True)
class Buffer:
    """A view: element [i0, i1, ...] is at `start + sum(i * stride)` of buffer `name`."""

    name: Any
    shape: tuple[int, ...]
    start: int
    strides: tuple[int, ...]

    def addresses(self, offsets: Any = (), sizes: Any = (), strides: Any = ()) -> set[Any]:
        first = self.start + sum(o * s for o, s in zip(offsets, strides, strict=True))
        sizes, strides = (sizes, strides) if sizes else (self.shape, self.strides)
        return {
            (self.name, first + sum(i * s for i, s in zip(at, strides, strict=True)))
            for at in product(*(range(n) for n in sizes))
        }


class Machine:
    """Runs one function in the order of its text; `events` are in that order, which is the sequential program's."""

    def __init__(self, function: Any):
        self.events: list[Event] = []
        self.values: dict[Any, Any] = {}
        self.issued = 0  # events that have come before anything issued from now on
        self.path: tuple[tuple[int, Any], ...] = ()
        self.names = count()
        self.inside: Event | None = None  # the event of the air.execute that runs
        block = function.regions[0].blocks[0]
        for argument in block.arguments:
            self.values[argument] = self.fresh(argument.type) if isinstance(argument.type, ir.MemRefType) else Number(1)
        self.block(block)

    def fresh(self, kind: Any) -> Buffer:
        strides, _ = kind.get_strides_and_offset()
        return Buffer(next(self.names), tuple(kind.shape), 0, tuple(strides))

    def block(self, block: Any) -> list[Any]:
        for view in block.operations:
            op = view.operation
            if op.name in ("scf.yield", "air.affine_yield", "scf.reduce", "scf.reduce.return", "air.execute_terminator"):
                return [self.values[v] for v in op.operands]
            if op.name.endswith(("terminator", "return", "in_parallel")):
                return []
            results = getattr(self, op.name.replace(".", "_"))(op, *[self.values[v] for v in op.operands])
            self.values.update(zip(op.results, results, strict=True))
        raise AssertionError("no terminator")

    def event(self, op: Any, deps: int, reads: set[Any] = frozenset(), writes: set[Any] = frozenset()) -> Event:
        """Records that `op` runs after `deps`; what it takes must be there by then."""
        tag = str(op.attributes["tag"].value) if "tag" in op.attributes else op.name
        made = Event(tag, self.issued | deps, set(reads), set(writes), self.path)
        if self.inside is not None:
            self.inside.tag = tag
            self.inside.reads |= reads
            self.inside.writes |= writes
            self.check(op, self.done())
            return self.inside
        self.check(op, made.before)
        self.events.append(made)
        if not any(str(v.type) == "!air.async.token" for v in op.results):
            self.issued |= self.done()
        return made

    def check(self, op: Any, there: int) -> None:
        for value in op.operands:
            found = self.values[value]
            if isinstance(found, Number):
                assert not found.made & ~there, f"{op.name} takes a value before it is made"

    def done(self) -> int:
        """The event recorded last, and what comes before it."""
        return self.events[-1].before | 1 << (len(self.events) - 1)

    def pure(self, op: Any, value: int) -> list[Any]:
        """A number that is there once all that it is computed from is."""
        made = self.done() if self.inside is not None else 0
        for operand in op.operands:
            made |= self.values[operand].made
        return [Number(value, made)]

    # Tokens.

    def air_wait_all(self, op: Any, *tokens: int) -> list[Any]:
        if len(op.results):
            return [self.joined(tokens)]
        self.issued = self.joined(tokens)
        return []

    def air_execute(self, op: Any, *tokens: int) -> list[Any]:
        self.events.append(Event("execute", self.joined(tokens), path=self.path))
        self.inside = self.events[-1]
        yielded = self.block(op.regions[0].blocks[0])
        self.inside = None
        return [self.done(), *(Number(v.value, self.done() | v.made) if isinstance(v, Number) else v for v in yielded)]

    def joined(self, tokens: Any) -> int:
        joined = self.issued
        for token in tokens:
            joined |= token
        return joined

    def air_herd(self, op: Any, *given: Any) -> list[Any]:
        view = op.opview
        deps = self.joined(self.values[t] for t in view.deps)
        self.check(op, deps)
        sizes = [self.values[v] for v in view.sizes]
        args = [self.values[v] for v in view.args]
        args = [Number(a.value) if isinstance(a, Number) else a for a in args]
        outer, path, first = self.issued, self.path, len(self.events)
        which = next(self.names)
        for point in product(*(range(s.value) for s in sizes)):
            self.issued, self.path = deps, (*path, (which, point))
            self.values.update(zip(view.block.arguments, [*map(Number, point), *sizes, *args], strict=True))
            self.block(view.block)
        self.issued, self.path = outer, path
        done = deps
        for number in range(first, len(self.events)):
            done |= 1 << number
        if len(op.results):
            return [done]
        self.issued = done
        return []

    air_segment = air_launch = air_herd

    # Control flow.

    def scf_for(self, op: Any, lower: Number, upper: Number, step: Number, *state: Any) -> list[Any]:
        self.needs_now(lower, upper, step)
        carried = list(state)
        block = op.regions[0].blocks[0]
        for i in range(lower.value, upper.value, step.value):
            self.values.update(zip(block.arguments, [Number(i), *carried], strict=True))
            carried = self.block(block)
        return carried

    def scf_parallel(self, op: Any, *given: Any) -> list[Any]:
        block = op.regions[0].blocks[0]
        rank = len(block.arguments)
        self.needs_now(*given[: 3 * rank])
        bounds = [[n.value for n in given[k * rank : (k + 1) * rank]] for k in range(3)]
        states = list(given[3 * rank :])
        which, path, issued = next(self.names), self.path, self.issued
        after = issued
        for point in product(*(range(*b) for b in zip(*bounds, strict=True))):
            self.path, self.issued = (*path, (which, point)), issued
            self.values.update(zip(block.arguments, map(Number, point), strict=True))
            parts = self.block(block)
            after |= self.issued
            last = list(block.operations)[-1].operation
            for n, (region, part) in enumerate(zip(last.regions, parts, strict=True)):
                combine = region.blocks[0]
                self.values.update(zip(combine.arguments, [states[n], part], strict=True))
                [states[n]] = self.block(combine)
        self.path, self.issued = path, after
        return states

    def scf_forall(self, op: Any, *given: Any) -> list[Any]:
        block = op.regions[0].blocks[0]
        which, path, issued = next(self.names), self.path, self.issued
        after = issued
        for i in range(op.attributes["staticUpperBound"][0]):
            self.path, self.issued = (*path, (which, i)), issued
            self.values[block.arguments[0]] = Number(i)
            self.block(block)
            after |= self.issued
        self.path, self.issued = path, after
        return []

    def scf_if(self, op: Any, condition: Number) -> list[Any]:
        self.needs_now(condition)
        region = op.regions[0 if condition.value else 1]
        return self.block(region.blocks[0]) if len(region.blocks) else []

    def scf_index_switch(self, op: Any, chosen: Number) -> list[Any]:
        self.needs_now(chosen)
        cases = list(op.attributes["cases"])
        region = op.regions[1 + cases.index(chosen.value) if chosen.value in cases else 0]
        return self.block(region.blocks[0])

    def needs_now(self, *numbers: Number) -> None:
        there = self.done() if self.inside is not None else self.issued
        assert all(not n.made & ~there for n in numbers), "control flow takes a value before it is made"

    # Values and buffers.

    def arith_constant(self, op: Any) -> list[Any]:
        return [Number(op.attributes["value"].value)]

    def affine_apply(self, op: Any, number: Number) -> list[Any]:
        return self.pure(op, number.value + op.opview.map.value.results[0].rhs.value)

    def arith_index_cast(self, op: Any, number: Number) -> list[Any]:
        return self.pure(op, number.value)

    def arith_addi(self, op: Any, left: Number, right: Number) -> list[Any]:
        return self.pure(op, left.value + right.value)

    def arith_muli(self, op: Any, left: Number, right: Number) -> list[Any]:
        return self.pure(op, left.value * right.value)

    def arith_andi(self, op: Any, left: Number, right: Number) -> list[Any]:
        return self.pure(op, left.value & right.value)

    def arith_ori(self, op: Any, left: Number, right: Number) -> list[Any]:
        return self.pure(op, left.value | right.value)

    def arith_xori(self, op: Any, left: Number, right: Number) -> list[Any]:
        return self.pure(op, left.value ^ right.value)

    def arith_select(self, op: Any, condition: Number, yes: Number, no: Number) -> list[Any]:
        return self.pure(op, (yes if condition.value else no).value)

    def arith_cmpi(self, op: Any, left: Number, right: Number) -> list[Any]:
        return self.pure(op, int(left.value == right.value))

    def memref_alloc(self, op: Any) -> list[Any]:
        made = self.fresh(op.results[0].type)
        self.event(op, 0, writes=made.addresses())
        return [made]

    def memref_dealloc(self, op: Any, buffer: Buffer) -> list[Any]:
        self.event(op, 0, writes=Buffer(buffer.name, (64,), 0, (1,)).addresses())
        return []

    def memref_load(self, op: Any, buffer: Buffer, *at: Number) -> list[Any]:
        self.event(op, 0, reads=buffer.addresses([n.value for n in at], [1] * len(at), buffer.strides))
        return [Number(LOADED, self.done())]

    def memref_store(self, op: Any, value: Number, buffer: Buffer, *at: Number) -> list[Any]:
        self.event(op, 0, writes=buffer.addresses([n.value for n in at], [1] * len(at), buffer.strides))
        return []

    def memref_subview(self, op: Any, buffer: Buffer, *given: Number) -> list[Any]:
        view = op.opview
        dynamic = iter(given)
        offsets = [next(dynamic).value if o == ir.ShapedType.get_dynamic_size() else o for o in view.static_offsets]
        start = buffer.start + sum(o * s for o, s in zip(offsets, buffer.strides, strict=True))
        return [Buffer(buffer.name, tuple(view.static_sizes), start, buffer.strides)]

    def linalg_fill(self, op: Any, value: Number, buffer: Buffer) -> list[Any]:
        self.event(op, 0, writes=buffer.addresses())
        return []

    def linalg_copy(self, op: Any, source: Buffer, target: Buffer) -> list[Any]:
        self.event(op, 0, reads=source.addresses(), writes=target.addresses())
        return []

    def memref_copy(self, op: Any, source: Buffer, target: Buffer) -> list[Any]:
        return self.linalg_copy(op, source, target)

    # Transfers.

    def air_dma_memcpy_nd(self, op: Any, *_: Any) -> list[Any]:
        return self.transfer(op, reads=self.walked(op, "src"), writes=self.walked(op, "dst"))

    def air_channel_put(self, op: Any, *_: Any) -> list[Any]:
        return self.transfer(op, reads=self.walked(op, "src"), writes=self.end(op))

    def air_channel_get(self, op: Any, *_: Any) -> list[Any]:
        return self.transfer(op, reads=set(), writes=self.walked(op, "dst") | self.end(op))

    def end(self, op: Any) -> set[Any]:
        return {(op.name, op.opview.chan_name, tuple(self.values[i].value for i in op.opview.indices))}

    def transfer(self, op: Any, reads: set[Any], writes: set[Any]) -> list[Any]:
        deps = self.joined(self.values[t] for t in op.opview.deps)
        engine = ("engine", str(op.attributes["tag"].value))
        self.event(op, deps, reads, writes | {engine})
        return [self.done()] if len(op.results) else []

    def walked(self, op: Any, side: str) -> set[Any]:
        view = op.opview
        lists = ([self.values[v].value for v in getattr(view, f"{side}_{part}")] for part in ("offsets", "sizes", "strides"))
        return self.values[getattr(view, side)].addresses(*lists)


def _lost(events: list[Event]) -> list[tuple[str, str]]:
    """The pairs of events that meet and are not in the order of the sequential program."""
    return [
        (first.tag, second.tag)
        for j, second in enumerate(events)
        for i, first in enumerate(events[:j])
        if not second.before >> i & 1 and first.meets(second)
    ]


@pytest.fixture
def lost() -> Callable[[Any], list[tuple[str, str]]]:
    """`lost(module)`: the pairs of operations of its one function whose order the tokens do not keep."""
    return lambda module: _lost(Machine(walk_named(module, "func.func")[-1]).events)


@pytest.fixture
def trace() -> Callable[[Any], list[Event]]:
    """`trace(module)`: the events of its one function, in sequential order."""
    return lambda module: Machine(walk_named(module, "func.func")[-1]).events
