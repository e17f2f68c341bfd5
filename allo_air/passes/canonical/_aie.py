"""Canonicalizes operations of AIE, AIEX and AIEVec: contiguous transfers become linear, and operations without an effect are
erased.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op, walk_named
from allo_air.dialects._enums import LOCK_ACTION
from allo_air.dialects._places import size_stride_pairs
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMABDOp
    from allo_air.dialects._aie_tiles import UseLockOp
    from allo_air.dialects._aiex_npu import NpuDmaMemcpyNdOp

_LOCK, _BD, _COPY = "aie.use_lock", "aie.dma_bd", "aiex.npu.dma_memcpy_nd"
_CONVERSIONS = ("aievec.cast", "aievec.ups", "aievec.srs", "aievec.pack", "aievec.unpack")
_INVERSE = {
    "aievec.cast": "aievec.cast",
    "aievec.ups": "aievec.srs",
    "aievec.srs": "aievec.ups",
    "aievec.pack": "aievec.unpack",
    "aievec.unpack": "aievec.pack",
}
_PADDING = tuple(f"d{i}_zero_{side}" for i in range(3) for side in ("before", "after"))
_TASK, _TASK_OF_SHIM = "aiex.dma_configure_task", "aiex.dma_configure_task_for"
_GREATER_EQUAL = LOCK_ACTION.cases["AcquireGreaterEqual"]


def canonical_aie(root: ir.Operation) -> bool:
    """Applies these rewrites in `root`; returns whether anything changed."""
    changed = False
    context = root.context
    if context.is_dialect_loaded("aie"):
        for op in walk_named(root, _LOCK, _BD, _COPY):
            view: Any = op.opview
            changed = _REWRITES[op.name](view) or changed
    if context.is_dialect_loaded("aievec"):
        for op in walk_named(root, *_CONVERSIONS):
            changed = _remove_inverse_conversion(op) or changed
    return changed


def _takes_nothing(op: UseLockOp) -> bool:
    """Erases an acquire of 0."""
    value = op.value if op.value is not None or op.amount is None else constant_of(op.amount)
    if op.action != _GREATER_EQUAL or value != 0:
        return False
    op.operation.erase()
    return True


def _linear_bd(op: DMABDOp) -> bool:
    """Removes the dimension list of a BD in a shim's task if it visits its elements once, in order."""
    if op.dimensions is None or not op.is_static or op.pad_dimensions is not None or op.iteration is not None:
        return False
    dims = size_stride_pairs(op.dimensions)
    size = prod(n for n, _ in dims)
    if op.len != size or not _is_contiguous(dims) or not _is_in_shim_task(op):
        return False
    del op.attributes["dimensions"]
    return True


def _is_in_shim_task(op: DMABDOp) -> bool:
    parent = op.operation.parent
    if parent is None or parent.name not in (_TASK, _TASK_OF_SHIM):
        return False
    if parent.name == _TASK_OF_SHIM:
        return True
    tile = defining_op(parent.operands[0])
    return tile is not None and "row" in tile.attributes and ir.IntegerAttr(tile.attributes["row"]).value == 0


def _is_contiguous(dims: list[tuple[int, int]]) -> bool:
    """Whether sizes and strides, outermost first, visit consecutive elements."""
    step = 1
    for size, stride in reversed(dims):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


def _linear_copy(op: NpuDmaMemcpyNdOp) -> bool:
    """Replaces the three inner dimensions of a transfer by one, if they visit consecutive elements."""
    if len(op.operands) != 1 or any(getattr(op, name) for name in _PADDING):
        return False
    offsets, sizes, strides = list(op.static_offsets), list(op.static_sizes), list(op.static_strides)
    inner = list(zip(sizes[1:], strides[1:], strict=True))
    if sizes[1] == sizes[2] == 1 or not _is_contiguous(inner):
        return False
    start = sum(offset * stride for offset, stride in zip(offsets[1:], strides[1:], strict=True))
    op.static_offsets = [offsets[0], 0, 0, start]
    op.static_sizes = [sizes[0], 1, 1, prod(sizes[1:])]
    op.static_strides = [strides[0], 0, 0, 1]
    return True


def _remove_inverse_conversion(op: ir.Operation) -> bool:
    """Removes a conversion that undoes the conversion of its operand, if neither shifts."""
    before = defining_op(op.operands[0])
    if before is None or before.name != _INVERSE[op.name]:
        return False
    if before.operands[0].type != op.results[0].type or not (_is_plain(op) and _is_plain(before)):
        return False
    if op.name in ("aievec.ups", "aievec.unpack"):
        return _loses_nothing(op, before)
    if op.name == "aievec.cast" and op.opview.isResAcc == before.opview.isResAcc:
        return False
    op.results[0].replace_all_uses_with(before.operands[0])
    op.erase()
    return True


def _loses_nothing(op: ir.Operation, before: ir.Operation) -> bool:
    """Whether the narrow value that `op` widens was widened from as many bits; then `op` is replaced."""
    origin = defining_op(before.operands[0])
    if origin is None or origin.name != op.name or not _is_plain(origin):
        return False
    if origin.operands[0].type != op.operands[0].type:
        return False
    op.results[0].replace_all_uses_with(origin.results[0])
    op.erase()
    return True


def _is_plain(op: ir.Operation) -> bool:
    if op.name == "aievec.srs":
        return constant_of(op.operands[1]) == 0
    shift = op.attributes.get("shift")
    return shift is None or ir.IntegerAttr(shift).value == 0


_REWRITES: dict[str, Any] = {_LOCK: _takes_nothing, _BD: _linear_bd, _COPY: _linear_copy}
