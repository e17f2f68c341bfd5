"""Uses of a buffer as boxes of it: transfers, subviews and vector transfers, and the same uses of a smaller buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.access.box import Step, Walk
from allo_air.access.dims import row_major
from allo_air.access.linear import ZERO, Linear
from allo_air.access.pattern import kept_dims
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._analysis.box import is_row_major
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Nest, walk_of_transfer
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.linear import of_mixed
from allo_air.passes._analysis.loops import loops_between
from allo_air.passes._analysis.parallel import CONDITIONS
from allo_air.passes._ir.constants import Indices
from allo_air.passes.memory._relaid import is_view_of_view, relay_views
from allo_air.passes.memory._transfers import with_walk

_VECTOR = {"vector.transfer_read": 0, "vector.transfer_write": 1}
"""Vector transfers, and which operand is the memref."""

_ANY_LAYOUT = ("memref.copy", "memref.load", "memref.store", *_VECTOR)
"""Operations other than transfers and linalg operations that accept a memref of any layout."""


def use_of(op: ir.Operation, block: ir.Block, indices: IndexValues) -> Nest | None:
    """The part of the buffer that `op` uses, and the loops around it in `block`; None if that is not known."""
    loops = loops_between(op, block, ("air.execute", *CONDITIONS))
    if loops is None or any(loop.trips < 1 for loop in loops):
        return None
    if op.name in CHANNEL_OPS:
        walk = walk_of_transfer(op, indices)
    elif op.name == "memref.subview":
        walk = _subview(op.opview, indices)
    else:
        walk = _vector(op, indices) if op.name in _VECTOR else None
    return None if walk is None else Nest(op, tuple(loops), walk)


def can_move(op: AnyOp, shape: Sequence[int]) -> bool:
    """Whether a use keeps its type in a buffer of `shape` if it must: the operands of calls keep their strides."""
    if op.name != "memref.subview" or not _is_called(op):
        return True
    view = op.opview
    strides = row_major(list(shape))
    kind = view.result.type
    if not isinstance(kind.layout, ir.StridedLayoutAttr):
        return False
    layout = ir.StridedLayoutAttr(kind.layout)
    old, shown = layout.strides, kept_dims(view.static_sizes, kind.shape)
    moves = layout.offset == ir.ShapedType.get_dynamic_stride_or_offset()
    pairs = zip(kind.shape, old, (strides[d] for d in shown), strict=True)
    return moves and all(extent == 1 or stride == new for extent, stride, new in pairs)


def _is_called(view: AnyOp) -> bool:
    """Whether a call takes the result of subview `view`, or a view of that."""
    users = [use.owner.operation for use in view.results[0].uses]
    return any(u.name == "func.call" or (is_view_of_view(u) and _is_called(u)) for u in users)


def moved_use(op: ir.Operation, value: ir.Value, walk: Walk) -> Any:
    """Replaces `op` by the same use of buffer `value`, at the box `walk`; returns the new operation."""
    if op.name in CHANNEL_OPS:
        return with_walk(op, value, walk)
    constants = Indices()
    starts = [step.offset.scaled(step.step) for step in walk.steps]
    if op.name == "memref.subview":
        return _moved_subview(op, value, walk, starts, constants)
    number = _VECTOR[op.name]
    op.operands[number] = value
    for n, start in enumerate(starts):
        op.operands[number + 1 + n] = constants.value(start, op)
    return op


def _subview(view: memref.SubViewOp, indices: IndexValues) -> Walk | None:
    kind = view.source.type
    if not is_row_major(kind) or not all(_takes_any_layout(use.owner.operation) for use in view.result.uses):
        return None
    offsets = of_mixed(view.static_offsets, view.offsets)
    sizes = of_mixed(view.static_sizes, view.sizes)
    steps = of_mixed(view.static_strides, view.strides)
    if not all(s.is_(1) for s in steps) or not all(s.is_constant for s in sizes):
        return None
    starts = [indices.resolved(o) or o for o in offsets]
    return Walk(tuple(kind.shape), tuple(Step(d, s.constant, 1, o) for d, (s, o) in enumerate(zip(sizes, starts, strict=True))))


def _takes_any_layout(user: AnyOp) -> bool:
    """Whether `user` accepts a memref of any layout; a view does if all of its users do."""
    if is_view_of_view(user):
        return all(_takes_any_layout(use.owner.operation) for use in user.results[0].uses)
    return (
        user.name in _ANY_LAYOUT
        or user.name.startswith("linalg.")
        or user.name in (*CHANNEL_OPS, "air.dma_memcpy_nd", "func.call")
    )


def _moved_subview(op: ir.Operation, value: ir.Value, walk: Walk, starts: list[Linear], constants: Indices) -> ir.Operation:
    view, rank = op.opview, len(walk.shape)
    strides = row_major(walk.shape)
    first = sum((start.scaled(stride) for start, stride in zip(starts, strides, strict=True)), ZERO)
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    old = view.result.type
    if _is_called(op):
        return _recast(op, value, first, constants)
    shown = kept_dims(view.static_sizes, old.shape)
    layout = ir.StridedLayoutAttr.get(first.constant if first.is_constant else dynamic, [strides[d] for d in shown])
    kind = ir.MemRefType.get(old.shape, old.element_type, layout, old.memory_space)
    moving = [constants.value(start, op) for start in starts if not start.is_constant]
    attributes = dict(op.attributes.items())
    fixed = [s.constant if s.is_constant else ir.ShapedType.get_dynamic_size() for s in starts]
    attributes["static_offsets"] = ir.DenseI64ArrayAttr.get(fixed)
    attributes["static_sizes"] = ir.DenseI64ArrayAttr.get([s.size for s in walk.steps])
    attributes["static_strides"] = ir.DenseI64ArrayAttr.get([1] * rank)
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, len(moving), 0, 0])
    result = ir.Operation.create(op.name, [kind], [value, *moving], attributes, loc=op.location, ip=ir.InsertionPoint(op))
    op.results[0].replace_all_uses_with(result.results[0])
    op.erase()
    relay_views(result.results[0])
    return result


def _recast(op: AnyOp, value: ir.Value, first: Linear, constants: Indices) -> ir.Operation:
    """The subview `op`, an operand of calls, as a view of the same type of buffer `value`, from element `first` on."""
    kind = op.results[0].type
    layout = ir.StridedLayoutAttr(kind.layout)
    start = [constants.value(first, op)]
    with ir.InsertionPoint(op), op.location:
        result = memref.ReinterpretCastOp(
            kind,
            value,
            start,
            [],
            [],
            [layout.offset],
            list(kind.shape),
            layout.strides,
        )
    op.results[0].replace_all_uses_with(result.result)
    op.erase()
    return result.operation


def _vector(op: ir.Operation, indices: IndexValues) -> Walk | None:
    """A vector transfer without broadcast, transposition, mask or padding."""
    number = _VECTOR[op.name]
    memref = op.operands[number]
    if not is_row_major(memref.type):
        return None
    rank = memref.type.rank
    vector = (op.results[0] if op.results else op.operands[0]).type
    minor = ir.AffineMap.get_minor_identity(rank, vector.rank)
    in_bounds = [bool(b) for b in ir.ArrayAttr(op.attributes["in_bounds"])] if "in_bounds" in op.attributes else []
    if op.attributes["permutation_map"].value != minor or not all(in_bounds) or len(in_bounds) != vector.rank:
        return None
    if op.attributes["operandSegmentSizes"][len(op.attributes["operandSegmentSizes"]) - 1]:
        return None
    sizes = [1] * (rank - vector.rank) + list(vector.shape)
    starts = [indices.value(v) for v in list(op.operands)[number + 1 : number + 1 + rank]]
    steps = tuple(Step(d, n, 1, o) for d, (n, o) in enumerate(zip(sizes, starts, strict=True)))
    return Walk(tuple(memref.type.shape), steps)
