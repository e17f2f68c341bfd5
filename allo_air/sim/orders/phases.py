"""Describes a core by its steps that other agents can observe: locks, streams and cascades in loops, and the buffers that it
reads and writes between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.loops import Dim, Loop
from allo_air.core.names import callee_of
from allo_air.core.walking import walk_named
from allo_air.core_model.nodes import SYNCHRONIZING
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.raised_loops import raise_blocks
from allo_air.sim.cores.rounds import Item, Rounds, Undecided
from allo_air.sim.orders.steps import (
    ACQUIRE,
    ACQUIRE_EQUAL,
    GET,
    PUT,
    READ,
    RELEASE,
    WRITE,
    append_flat,
    looped,
    without_positions,
)

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import CoreOp

_MOST = 20_000
_RELEASES, _GREATER = 1, 2
_SILENT = ("memref.dealloc", "memref.assume_alignment", "memref.dim", "aie.event")
_MEETS = tuple(name for name in SYNCHRONIZING if name != "aie.event")


class Phases(Rounds):
    """Follows the control flow of a core. `lock_of`, `port_of` and `buffer_of` assign numbers to locks, ports and buffers."""

    def __init__(
        self,
        core: CoreOp,
        lock_of: Callable[[ir.Value], int],
        port_of: Callable[[str, int], int | None],
        buffer_of: Callable[[ir.Value], int | None],
        bodies: Callable[[str], ir.Operation | None],
    ) -> None:
        super().__init__({})
        self.sites: list[Any] = []
        self._core, self._lock_of, self._port_of = core, lock_of, port_of
        self._buffer_of, self._bodies = buffer_of, bodies
        self._quiet: dict[Any, bool] = {}
        self._written = 0
        self._roots: dict[Any, Any] = {}

    def steps(self) -> list[tuple[int, int, int, int]]:
        """The steps of the core."""
        core = self._core.operation
        if len(core.regions[0].blocks) == 1:
            self.body(core)
        else:
            self._follow_copy(core.clone(ip=False))
        steps: list[tuple[int, int, int, int]] = []
        append_flat(self.items, steps)
        return steps

    def _follow_copy(self, core: ir.Operation) -> None:
        """Follows a copy of the core without branches among blocks, and erases it, since it uses values of the module and must
        not outlive them.
        """
        try:
            raise_blocks(core)
            self.body(core)
        except Undecided as why:
            place = why.op if isinstance(why.op, ir.Location) else why.op.operation.location
            raise Undecided(place, why.why) from None
        finally:
            core.erase()

    def write(self, op: AnyOp, kind: int, a: int, b: int) -> None:
        self._written += 1
        if self._written > 4 * _MOST:
            raise Undecided(op, f"is one of more than {counted(4 * _MOST, 'different step')}")
        self.sites.append(op.location)
        item = (kind, a, b, len(self.sites) - 1)
        if kind in (READ, WRITE):
            for last in reversed(self.items):
                if last[0] not in (READ, WRITE):
                    break
                if last[:2] == item[:2]:
                    return
        self.items.append(item)

    def endless(self, start: int) -> None:
        self.items[start:] = looped(self.items[start:], -1)

    def run(self, block: ir.Block) -> list[Any]:
        operations = list(block.operations)
        if operations and operations[-1].operation.name == "aie.end":
            for view in operations[:-1]:
                self.step(view.operation)
            return []
        return super().run(block)

    # Loops and branches.

    def quiet(self, op: AnyOp) -> bool:
        """Whether no operation in `op` can be observed by another agent."""
        if op not in self._quiet:
            self._quiet[op] = not any(self._meets(o) for o in walk_named(op, *_MEETS))
        return self._quiet[op]

    def _meets(self, op: AnyOp) -> bool:
        if op.name != "func.call":
            return True
        called = self._bodies(callee_of(op))
        return called is not None and any(self._meets(o) for o in walk_named(called, *_MEETS))

    def rounds(self, loop: Loop, dims: Sequence[Dim]) -> None:
        trips = 1
        for dim in dims:
            trips *= dim.trips
        if trips == 0:
            self.assign(loop.op.results, [self.get(v) for v in loop.inits])
            return
        if self.quiet(loop.op):
            self._touch(loop.op)
            return
        if trips > 1:
            self.rounds_of(loop, dims, trips)
        else:
            self.each(loop, dims)

    def plain(self, items: Sequence[Item]) -> list[Item]:
        return without_positions(items)

    def repeat(self, items: list[Item], times: int) -> None:
        self.items += looped(items, times)

    def parallel(self, loop: Loop, dims: Sequence[Dim]) -> None:
        if self.quiet(loop.op):
            self._touch(loop.op)
        else:
            super().parallel(loop, dims)

    def loop(self, op: AnyOp) -> None:
        if self.quiet(op):
            self._touch(op)
        else:
            super().loop(op)

    def loop_while(self, op: AnyOp) -> None:
        if self.quiet(op):
            self._touch(op)
        else:
            super().loop_while(op)

    def branch(self, op: AnyOp) -> None:
        if self.chosen(op) is not None:
            super().branch(op)
            return
        if not self.quiet(op):
            raise Undecided(op, "has a condition on data")
        self._touch(op)

    # Operations.

    def operation(self, op: AnyOp) -> None:
        match op.name:
            case "func.call":
                self._call(op)
            case "aie.use_lock":
                self._use(op)
            case "aie.get_stream" | "aie.put_stream":
                self._stream(op)
            case "aie.get_cascade" | "aie.put_cascade" | "aie.get_wss" | "aie.put_wms":
                self._port(op, "get" if "get" in op.name else "put", "cascade", 0, 1)
            case _ if list(op.regions) and not self.quiet(op):
                raise Undecided(op, "is unsupported control flow")
            case _ if list(op.regions):
                self._touch(op)
            case _:
                self._access(op)

    def _use(self, op: AnyOp) -> None:
        view = op.opview
        lock = self._lock_of(view.lock)
        amount = view.value
        if len(op.operands) > 1:
            amount = self.number(op.operands[1])
            if amount is None:
                raise Undecided(op, "takes an amount that is not known")
        amount = 1 if amount is None else amount
        action = view.action
        self.write(op, RELEASE if action == _RELEASES else ACQUIRE if action == _GREATER else ACQUIRE_EQUAL, lock, amount)

    def _stream(self, op: AnyOp) -> None:
        channel = self.number(op.operands[0])
        if channel is None:
            raise Undecided(op, "uses a stream that is not known")
        value = op.results[0] if op.name == "aie.get_stream" else op.operands[1]
        self._port(op, "get" if op.name == "aie.get_stream" else "put", "Core", channel, _word_count(value.type))

    def _port(self, op: AnyOp, end: str, name: str, channel: int, words: int) -> None:
        link = self._port_of(f"{name}:{end}", channel)
        if link is None:
            raise Undecided(op, "uses a stream or cascade that leads nowhere")
        self.write(op, GET if end == "get" else PUT, link, words)

    def _call(self, op: AnyOp) -> None:
        called = self._bodies(callee_of(op))
        if called is None:
            self._access(op)
            return
        if self.quiet(op) and not self._meets(op):
            self.assign_arguments(called, op)
            self._touch(called)
            return
        self.assign_arguments(called, op)
        self.body(called)

    def assign_arguments(self, called: AnyOp, op: AnyOp) -> None:
        arguments = called.regions[0].blocks[0].arguments
        self.assign(arguments, [self.get(v) for v in op.operands])
        for argument, value in zip(arguments, op.operands, strict=True):
            self._roots[argument] = self._root(value)

    # Memory.

    def _touch(self, op: AnyOp) -> None:
        """Records the reads and writes of `op`'s body, which has no locks, streams or other waits."""
        for region in op.regions:
            for block in region.blocks:
                for view in block.operations:
                    inner = view.operation
                    if inner.name == "func.call" and (called := self._bodies(callee_of(inner))) is not None:
                        self.assign_arguments(called, inner)
                        self._touch(called)
                        continue
                    self._access(inner)
                    if list(inner.regions) and not inner.name.startswith("linalg."):
                        self._touch(inner)

    def _access(self, op: AnyOp) -> None:
        name = op.name
        memrefs = [v for v in op.operands if isinstance(v.type, ir.MemRefType)]
        if not memrefs:
            return
        if any(isinstance(r.type, ir.MemRefType) for r in op.results):
            for result in op.results:
                self._roots[result] = self._root(memrefs[0])
            return
        if name in _SILENT:
            return
        reads, writes = memrefs, memrefs
        if "load" in name or name.endswith(("transfer_read", "gather")):
            writes = []
        elif "store" in name or name.endswith(("transfer_write", "scatter")):
            reads = []
        elif name == "memref.copy":
            reads, writes = memrefs[:1], memrefs[1:]
        elif name == "linalg.fill":
            reads = []
        elif name.startswith("linalg.") and "operandSegmentSizes" in op.attributes:
            ins = next(iter(op.attributes["operandSegmentSizes"]))
            writes = [v for v in list(op.operands)[ins:] if isinstance(v.type, ir.MemRefType)]
        for value in reads:
            if (buffer := self._root(value)) is not None:
                self.write(op, READ, buffer, 0)
        for value in writes:
            if (buffer := self._root(value)) is not None:
                self.write(op, WRITE, buffer, 0)

    def _root(self, value: ir.Value) -> int | None:
        """The buffer that a memref is of, or a view of."""
        if value in self._roots:
            return self._roots[value]
        entry = self.known.get(value)
        if isinstance(entry, _Memory):
            return entry.buffer
        return self._buffer_of(value)

    def get(self, value: Any) -> Any:
        result = super().get(value)
        if result is None and isinstance(value.type, ir.MemRefType):
            root = self._root(value)
            return None if root is None else _Memory(root)
        return result


class _Memory:
    """The buffer that a value represents."""

    def __init__(self, buffer: int) -> None:
        self.buffer = buffer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Memory) and other.buffer == self.buffer

    def __hash__(self) -> int:
        return self.buffer


def _word_count(kind: ir.Type) -> int:
    """32-bit words of a value on a stream."""
    width = 1
    if isinstance(kind, ir.VectorType):
        for d in kind.shape:
            width *= d
        kind = kind.element_type
    bits = getattr(kind, "width", 32)
    return max(1, width * bits // 32)
