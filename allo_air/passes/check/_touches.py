"""The part of a buffer that an event touches, for the values of that execution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from allo_air.access.footprint import Footprint
from allo_air.access.linear import Linear
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import Access
from allo_air.passes._analysis.footprint import visited
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.check._events import PartAccess

Core = tuple[int, ...]
"""The ids of the current core; () outside of herds. An L1 buffer that is passed to a herd is private to each core."""

_L1 = 2
_PACKS = ("linalg.pack", "linalg.unpack")
"""Operations that read their first operand and overwrite their second."""


class AccessTracker:
    """Tracks buffers during one unrolled execution: each execution of an allocation makes a new buffer.

    `rank` is the current instance of `air.rank`. Instances are devices with separate memories.
    """

    def __init__(self, indices: IndexValues, numbers: dict[ir.Value, int]) -> None:
        self._indices, self._numbers = indices, numbers
        self._made: dict[Any, int] = {}
        self._count = 0
        self.rank: tuple[int, ...] = ()
        self._symbolic: dict[tuple[Any, int], tuple[Any, Footprint | None]] = {}

    def allocate(self, op: ir.Operation) -> None:
        """Records that the allocation `op` runs."""
        self._count += 1
        self._made[op.results[0]] = self._count

    def transfer(
        self, op: AnyOp, memref: ir.MemRefType, lists: list[list[ir.Value]], core: Core, *, writes: bool
    ) -> PartAccess:
        """The part of `memref` that a transfer reads or writes."""
        return self._touch((op, int(writes)), memref, lists, core, writes)

    def access(self, access: Access, core: Core) -> PartAccess:
        """The part of a buffer that an operation reads or writes: all of it if the access is opaque."""
        writes = access.kind != "read"
        if access.op.name in _PACKS:
            writes = access.memref == access.op.operands[1]
        touch = self._touch((access.op, hash(access.memref)), access.memref, None, core, writes)
        return replace(touch, footprint=None) if access.is_opaque else touch

    def _touch(
        self, key: tuple[AnyOp, int], memref: ir.MemRefType, lists: list[list[ir.Value]] | None, core: Core, writes: bool
    ) -> PartAccess:
        if key not in self._symbolic:
            self._symbolic[key] = (root_of(memref), visited(memref, lists, self._indices))
        root, symbolic = self._symbolic[key]
        place = core if is_in(root.type, _L1) else ()
        footprint = self._evaluated(symbolic) if is_sure(root) else None
        return PartAccess((root, self._made.get(root, 0), self.rank, place), root, footprint, writes)

    def _evaluated(self, symbolic: Footprint | None) -> Footprint | None:
        if symbolic is None:
            return None
        try:
            return Footprint(Linear(symbolic.first.evaluate(self._numbers)), symbolic.steps)
        except KeyError:
            return None


def is_sure(root: ir.Value) -> bool:
    """Whether `root` is certainly a different buffer from other roots: an allocation, or an argument of a function."""
    if isinstance(root, ir.BlockArgument):
        return bool(root.owner.owner.operation.name == "func.func")
    return root.owner.name in ("memref.alloc", "memref.alloca")
