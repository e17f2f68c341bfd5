"""Replaces reshapes of slices by slices of reshapes, since a reshape of a whole tensor in memory is free, and slices of
transpositions by transpositions of slices, which operations that read them do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes._analysis.structured import reassociation
from allo_air.passes._ir.generic import Generic, generic
from allo_air.passes._ir.kernel_calls import reshape_to
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._kinds import is_copy, is_elementwise
from allo_air.passes.partition._parts_in_place import is_run
from allo_air.passes.partition._roles import VIEWS

Box = list[tuple[int, int, int]]
"""For each dimension of a slice: its offset, its size, and the size of the source."""


def reshape_first(op: AnyOp, _: int = 0) -> Any:
    """The result of a reshape of a slice as a slice of a reshape; None if the slice cuts a dimension that is reshaped.

    Before:

        %s = tensor.extract_slice %x[0, 64] [16, 64] [1, 1] : tensor<16x192xf32> to tensor<16x64xf32>
        %r = tensor.expand_shape %s [[0], [1, 2]] output_shape [16, 4, 16] : tensor<16x64xf32> into tensor<16x4x16xf32>

    After:

        %w = tensor.expand_shape %x [[0], [1, 2]] output_shape [16, 12, 16] : tensor<16x192xf32> into tensor<16x12x16xf32>
        %r = tensor.extract_slice %w[0, 4, 0] [16, 4, 16] [1, 1, 1] : tensor<16x12x16xf32> to tensor<16x4x16xf32>
    """
    owner = defining_op(op.operands[0], "tensor.extract_slice")
    if owner is None:
        return None
    box = _box(owner)
    if box is None:
        return None
    groups = reassociation(op)
    expands = op.name == "tensor.expand_shape"
    result = _expanded(box, groups, op.results[0].type.shape) if expands else _collapsed(box, groups)
    if result is None:
        return None
    source = owner.operands[0]
    shape = [e for _, _, e in result]
    kind = ir.RankedTensorType.get(shape, source.type.element_type)
    wide = (
        tensor.ExpandShapeOp(kind, source, groups, [], shape) if expands else tensor.CollapseShapeOp(kind, source, groups)
    ).result
    offsets, sizes = [o for o, _, _ in result], [n for _, n, _ in result]
    return tensor.ExtractSliceOp(op.results[0].type, wide, [], [], [], offsets, sizes, [1] * len(result)).result


def slice_first(op: AnyOp, _: int = 0) -> Any:
    """The result of a slice of a transposition as a transposition of a slice, which elementwise operations on it can do.

    None if other operations read it, or if it is one run of the transposed tensor, where kernels read it.

    Before:

        %t = linalg.transpose ins(%x : tensor<64x4x32xf32>) outs(%e : tensor<4x64x32xf32>) permutation = [1, 0, 2]
        %s = tensor.extract_slice %t[0, 0, 16] [4, 64, 16] [1, 1, 1] : tensor<4x64x32xf32> to tensor<4x64x16xf32>

    After:

        %c = tensor.extract_slice %x[0, 0, 16] [64, 4, 16] [1, 1, 1] : tensor<64x4x32xf32> to tensor<64x4x16xf32>
        %s = linalg.transpose ins(%c : tensor<64x4x16xf32>) outs(%f : tensor<4x64x16xf32>) permutation = [1, 0, 2]
    """
    box, value = _whole_box(op), op.operands[0]
    expand = defining_op(value, "tensor.expand_shape")
    if expand is not None and box is not None:
        box, value = _squeezed(box, reassociation(expand)), expand.operands[0]
    transposition = defining_op(value, "linalg.generic")
    if box is None or transposition is None or not is_copy(transposition) or len(transposition.operands) != 2:
        return None
    first, last = Generic.of(transposition).maps
    if first.n_dims != len(first.results) or not first.is_permutation or last != ir.AffineMap.get_identity(last.n_dims):
        return None
    if is_run(op) or not _is_for_elements(op.results[0]):
        return None
    part = [box[ir.AffineDimExpr(e).position] for e in first.results]
    source, element = transposition.operands[0], op.results[0].type.element_type
    outer = defining_op(source, "tensor.extract_slice")
    outer_box = _box(outer) if outer is not None else None
    if outer is not None and outer_box is not None:
        part = [(start + o, n, extent) for (o, n, _), (start, _, extent) in zip(part, outer_box, strict=True)]
        source = outer.operands[0]
    offsets, sizes = [o for o, _, _ in part], [n for _, n, _ in part]
    cut = tensor.ExtractSliceOp(
        ir.RankedTensorType.get(sizes, element), source, [], [], [], offsets, sizes, [1] * len(part)
    ).result
    out = empty(ir.RankedTensorType.get([n for _, n, _ in box], element))
    result = generic([cut], [out], [first, last], ["parallel"] * first.n_dims, lambda values: values[:1]).results[0]
    return reshape_to(result, op.results[0].type)


def _is_for_elements(value: ir.Value) -> bool:
    """Whether only elementwise operations read `value` or slices of it, or concatenations that become such operations."""
    users = [u.owner.operation for u in value.uses]
    return all(
        (u.name in (*VIEWS, "tensor.extract_slice") and _is_for_elements(u.results[0]))
        or is_elementwise(u)
        or (u.name == "tensor.concat" and len({v.type for v in u.operands}) == 1)
        for u in users
    )


def _squeezed(box: Box, groups: Sequence[Sequence[int]]) -> Box | None:
    """A box without the dimensions of one element that an expansion to `groups` added; None if it added others."""
    boxes: Box = []
    for group in groups:
        long = [box[d] for d in group if box[d][2] != 1]
        if len(long) > 1:
            return None
        boxes += long or [(0, 1, 1)]
    return boxes


def _box(op: AnyOp) -> Box | None:
    """The box of a `tensor.extract_slice` with unit strides that keeps all dimensions."""
    return _whole_box(op) if len(op.results[0].type.shape) == len(op.operands[0].type.shape) else None


def _whole_box(op: AnyOp) -> Box | None:
    """The box of a `tensor.extract_slice` with unit strides, also of the dimensions that its result is without."""
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    shape = list(op.operands[0].type.shape)
    is_forward = min((*offsets, *sizes, *strides), default=0) >= 0
    if not is_forward or set(strides) - {1}:
        return None
    return list(zip(offsets, sizes, shape, strict=True))


def _expanded(box: Box, groups: Sequence[Sequence[int]], shape: Sequence[int]) -> Box | None:
    boxes: Box = []
    for (offset, size, extent), group in zip(box, groups, strict=True):
        inner = prod(shape[d] for d in group[1:])
        if offset % inner or size % inner or extent % inner:
            return None
        boxes.append((offset // inner, size // inner, extent // inner))
        boxes += [(0, shape[d], shape[d]) for d in group[1:]]
    return boxes


def _collapsed(box: Box, groups: Sequence[Sequence[int]]) -> Box | None:
    boxes: Box = []
    for group in groups:
        members = [box[d] for d in group]
        while len(members) > 1 and members[0] == (0, 1, 1):
            members.pop(0)
        if any((o, n) != (0, e) for o, n, e in members[1:]):
            return None
        inner = prod(e for _, _, e in members[1:])
        offset, size, extent = members[0]
        boxes.append((offset * inner, size * inner, extent * inner))
    return boxes
