"""Updates the types of views after a change of their source's layout."""

from __future__ import annotations

from allo_air.access.pattern import kept_dims
from allo_air.mlir import AnyOp, ir

_DYNAMIC = ir.ShapedType.get_dynamic_stride_or_offset()


def is_view_of_view(op: AnyOp) -> bool:
    """Whether `op` is a subview, with constant strides, of a memref with a strided layout; or a collapse_shape whose groups
    have at most one dimension larger than 1.
    """
    if op.name == "memref.subview":
        view = op.opview
        return isinstance(view.source.type.layout, ir.StridedLayoutAttr) and not list(view.strides)
    return op.name == "memref.collapse_shape" and all(len(g) < 2 for g in _dims_above_one(op))


def relay_views(source: ir.Value) -> None:
    """Sets the types of the views of `source`, whose type has changed, and of their views."""
    for use in list(source.uses):
        op = use.owner.operation
        if not is_view_of_view(op):
            continue
        old = op.results[0].type
        layout = _layout_of_subview(op.opview) if op.name == "memref.subview" else _layout_of_collapsed(op, source.type)
        op.results[0].set_type(ir.MemRefType.get(old.shape, old.element_type, layout, old.memory_space))
        relay_views(op.results[0])


def _layout_of_subview(view: ir.OpView) -> ir.StridedLayoutAttr:
    source = ir.StridedLayoutAttr(view.source.type.layout)
    strides = [_times(a, b) for a, b in zip(source.strides, view.static_strides, strict=True)]
    moves = [_times(a, b) for a, b in zip(source.strides, view.static_offsets, strict=True)]
    is_static = source.offset != _DYNAMIC and _DYNAMIC not in moves
    shown = kept_dims(view.static_sizes, view.result.type.shape)
    return ir.StridedLayoutAttr.get(source.offset + sum(moves) if is_static else _DYNAMIC, [strides[d] for d in shown])


def _layout_of_collapsed(op: AnyOp, source: ir.MemRefType) -> ir.StridedLayoutAttr:
    """The layout of a collapse_shape. A group has the stride of its dimension that is larger than 1, else of its first one."""
    layout = ir.StridedLayoutAttr(source.layout)
    groups = [[int(d) for d in g] for g in ir.ArrayAttr(op.attributes["reassociation"])]
    dims = [(long or group)[0] for long, group in zip(_dims_above_one(op), groups, strict=True)]
    return ir.StridedLayoutAttr.get(layout.offset, [layout.strides[d] for d in dims])


def _dims_above_one(op: AnyOp) -> list[list[int]]:
    """For each group of a collapse_shape, its dimensions that are larger than 1."""
    shape = op.operands[0].type.shape
    return [[int(d) for d in g if shape[int(d)] != 1] for g in ir.ArrayAttr(op.attributes["reassociation"])]


def _times(stride: int, number: int) -> int:
    return 0 if number == 0 else _DYNAMIC if _DYNAMIC in (stride, number) else stride * number
