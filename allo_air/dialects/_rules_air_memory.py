"""Rules of AIR's memories: a segment allocates in L2 or L1, a herd in L1, and a core loads and stores in L1 only."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.dialects._rules import Report, enclosing, rule
from allo_air.dialects.air import L1, L2, HerdOp
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import ir

_LEAST = {"air.herd": (L1, "L1 (memory space 2)"), "air.segment": (L2, "L2 or L1 (memory space 1 or 2)")}
_HIERARCHIES = ("air.herd", "air.segment", "air.launch", "air.rank", "gpu.func")
_ACCESSED = {
    "memref.load": 0, "memref.store": 1, "affine.load": 0, "affine.store": 1, "vector.transfer_read": 0,
    "vector.transfer_write": 1, "vector.load": 0, "vector.store": 1,
}  # fmt: skip
"""Operations that touch memory element by element, and which operand is the memref."""


@rule("memref.alloc")
def allocation(op: ir.Operation, report: Report) -> None:
    """A segment has no external memory, a herd has its cores' memory only."""
    space = space_of(op.results[0].type, report)
    if space is None or space >= L1:
        return
    hierarchy = _hierarchy(op, report)
    if hierarchy is not None and hierarchy.name in _LEAST:
        least, required = _LEAST[hierarchy.name]
        if space < least:
            report.error(
                op,
                f"in '{hierarchy.name}' must allocate in {required}, found {op.results[0].type}; "
                f"give the memref that memory space, or allocate outside",
            )


@rule("air.herd")
def core_access(herd: HerdOp, report: Report) -> None:
    """A core reaches other memories through its DMA only."""
    for op in walk_named(herd, *_ACCESSED):
        memref = op.operands[_ACCESSED[op.name]].type
        space = space_of(memref, report)
        if space is not None and space < L1 and _hierarchy(op, report) == herd.operation:
            report.error(
                op,
                f"AIE core tiles can only access L1 (memory space 2), found {memref}; "
                "copy it in with air.dma_memcpy_nd or a channel",
            )


def space_of(memref: ir.Type, report: Report) -> int | None:
    """The memory space as a number (0 by default); None for other types and for other kinds of memory space."""
    spaces = report.memo.setdefault("spaces", {})
    if memref not in spaces:
        spaces[memref] = memory_space(memref)
    return spaces[memref]


def _hierarchy(op: ir.Operation, report: Report) -> ir.Operation | None:
    """The innermost AIR hierarchy around `op`."""
    hierarchy: ir.Operation | None = report.once(_HIERARCHIES, op, lambda: enclosing(op, *_HIERARCHIES))
    return hierarchy
