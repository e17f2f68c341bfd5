"""Helpers that reshape a tensor, take a part of it, or insert a part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from allo_air.mlir import arith, ir
from allo_air.passes._analysis.kernels import IN_PLACE
from allo_air.passes._ir.tensors import zero_of


def corner(value: ir.Value, shape: list[int]) -> Any:
    """The leading corner of `value` with this shape."""
    from allo_air.mlir import tensor

    kind, rank = ir.RankedTensorType.get(shape, value.type.element_type), len(shape)
    return tensor.ExtractSliceOp(kind, value, [], [], [], [0] * rank, shape, [1] * rank).result


def zero_tensor(kind: ir.ShapedType) -> Any:
    """A constant tensor of zeros."""
    return constant(kind, zero_of(kind.element_type))


def constant(kind: ir.Type, value: ir.Attribute) -> Any:
    """A constant tensor whose elements all equal `value`."""
    attribute = ir.DenseElementsAttr.get_splat(kind, value)
    return arith.constant(kind, attribute)


def leading(flat: ir.Value, size: int) -> Any:
    """The first `size` elements of a tensor of one dimension."""
    from allo_air.mlir import tensor

    if flat.type.shape[0] == size:
        return flat
    kind = ir.RankedTensorType.get([size], flat.type.element_type)
    return tensor.ExtractSliceOp(kind, flat, [], [], [], [0], [size], [1]).result


def insert_at_start(flat: ir.Value, into: ir.Value) -> Any:
    """`into` with `flat` inserted at the start; both are one-dimensional."""
    from allo_air.mlir import tensor

    if flat.type == into.type:
        return flat
    return tensor.InsertSliceOp(flat, into, [], [], [], [0], list(flat.type.shape), [1]).result


def joined_in_place(parts: Sequence[ir.Value], shape: list[int]) -> Any:
    """A tensor of `shape` in whose buffer `parts` are one after another."""
    from allo_air.mlir import bufferization, tensor

    element, offset = parts[0].type.element_type, 0
    flat = bufferization.alloc_tensor(ir.RankedTensorType.get([math.prod(shape)], element), [])
    for part in parts:
        size = math.prod(part.type.shape)
        inserted = tensor.InsertSliceOp(reshape(part, [size]), flat, [], [], [], [offset], [size], [1])
        inserted.operation.attributes[IN_PLACE] = ir.UnitAttr.get()
        flat, offset = inserted.result, offset + size
    return reshape(flat, shape)


def reshape(value: ir.Value, shape: list[int]) -> Any:
    """`value` reshaped to a shape with the same number of elements, through a one-dimensional tensor."""
    from allo_air.mlir import tensor

    kind, element = value.type, value.type.element_type
    if list(kind.shape) == shape:
        return value
    size = math.prod(shape)
    if len(kind.shape) != 1:
        flat = ir.RankedTensorType.get([size], element)
        groups = [list(range(len(kind.shape)))] if kind.shape else []
        value = (
            tensor.CollapseShapeOp(flat, value, groups).result
            if kind.shape
            else tensor.ExpandShapeOp(flat, value, [], [], [1]).result
        )
    if len(shape) != 1:
        type_ = ir.RankedTensorType.get(shape, element)
        if not shape:
            return tensor.CollapseShapeOp(type_, value, []).result
        value = tensor.ExpandShapeOp(type_, value, [list(range(len(shape)))], [], shape).result
    return value
