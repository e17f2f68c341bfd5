"""Replaces reshapes of slices by slices of reshapes, since a reshape of a whole tensor in memory is free."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, ir, tensor

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
    groups = [[int(d) for d in g] for g in op.attributes["reassociation"]]
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


def _box(op: AnyOp) -> Box | None:
    """The box of a `tensor.extract_slice` with unit strides that keeps all dimensions."""
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    shape = list(op.operands[0].type.shape)
    is_forward = min((*offsets, *sizes, *strides), default=0) >= 0
    if not is_forward or set(strides) - {1} or len(op.results[0].type.shape) != len(sizes):
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
