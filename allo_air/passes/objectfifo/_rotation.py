"""Selects objects at run time by loop-carried values: the position in each FIFO, and the number of held objects."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, PassManager, ir
from allo_air.passes.objectfifo._bounds import Bounds
from allo_air.passes.objectfifo._counters import Counters
from allo_air.passes.objectfifo._trace import ACQUIRE, RELEASE, key_of

HINT = "aie.unroll_hint"
"""Attribute of a loop: the number of iterations after which its FIFOs are at the same objects again."""


class Rotation(Counters):
    """The position and the number of held objects of each FIFO and port of a core, in allocas that `finish` promotes to
    values."""

    is_static = False

    def __init__(self, trace: Bounds, before: AnyOp):
        used = [o.opview for o in walk_named(trace.core, ACQUIRE, RELEASE)]
        self.where = trace.core.location
        self.trace = trace
        keys = list(dict.fromkeys(map(key_of, used)))
        depths = {key_of(o): trace.end(o).objects for o in used}
        turning = [key for key in keys if depths[key] > 1]
        self.slot = {key: i for i, key in enumerate(turning)}
        self.held = {key: len(turning) + i for i, key in enumerate(keys if trace.design.counting else sorted(trace.uncertain))}
        self.cells: list[Any] = []
        self.hints = [self._hint(loop) for loop in walk_named(trace.core, "scf.for")]

    def _hint(self, loop: AnyOp) -> int:
        own = (o for o in walk_named(loop, ACQUIRE) if _loop_of(o) == loop)
        return lcm(*(self.trace.end(o.opview).objects for o in own))

    def start(self, core: ir.Operation, ip: ir.InsertionPoint) -> None:
        kind = ir.MemRefType.get([], self._type)
        segments = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
        self.cells = [self._op("memref.alloca", [kind], [], ip, segments) for _ in range(len(self.slot) + len(self.held))]
        super().start(core, ip)

    def wait(self, op: Any, missing: list[int], ip: ir.InsertionPoint, lock: Callable[[Any, Any], None]) -> None:
        held_count = self._load(slot := self.held[key_of(op)], ip)
        lacks = self._op("arith.subi", [self._type], [self._i32(op.size, ip), held_count], ip)
        amount = self._op("arith.maxsi", [self._type], [lacks, self._i32(0, ip)], ip)
        lock(amount, ip)
        self._store(self._op("arith.addi", [self._type], [held_count, amount], ip), slot, ip)

    def finish(self, core: ir.Operation) -> None:
        """Promotes the allocas to values, and records the periods of loops."""
        manager = PassManager.parse("any(mem2reg)")
        manager.enable_verifier(False)
        manager.run(core.parent)  # the whole device, since a core is not isolated from above
        for loop, hint in zip(walk_named(core, "scf.for"), self.hints, strict=True):
            if hint > 1:
                loop.attributes[HINT] = ir.IntegerAttr.get(self._type, hint)

    def _load(self, slot: int, ip: ir.InsertionPoint) -> ir.Value:
        return self._op("memref.load", [self._type], [self.cells[slot]], ip)

    def _store(self, value: ir.Value, slot: int, ip: ir.InsertionPoint) -> None:
        self._op("memref.store", [], [value, self.cells[slot]], ip)


def _loop_of(op: AnyOp) -> Any:
    """The innermost loop around `op`."""
    while op.name not in ("scf.for", "aie.core"):
        op = op.parent.operation
    return op
