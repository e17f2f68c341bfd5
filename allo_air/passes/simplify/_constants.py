"""Folds operations on constant tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from allo_air.core.elements import elements_attr
from allo_air.core.walking import body_of
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.generic import Generic
from allo_air.passes.simplify._evaluate import can_evaluate, constant_array, evaluate

_SMALL = 256
"""Largest table of indices that becomes a constant."""


def fold_constants(function: AnyOp, *, copies: bool = False) -> None:
    """Evaluates elementwise generics, gathers and movements of constants, if the result is not larger than its sources.

    With `copies`, only operations that move elements, such as the transposition of a weight: others may still be fused into
    their users, and a narrow constant with an extension is better than a wide one. A mask of two indices stays: its operands
    are smaller.

    Before:

        %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
        %t = linalg.generic ins(%w) outs(%e) { yield %in }   // transposed

    After:

        %t = arith.constant dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
    """
    for op in body_of(function):
        if not (copies and op.name == "linalg.generic" and Generic.of(op).body):
            fold(op)


def fold(op: AnyOp, largest: int = 0) -> None:
    """Replaces `op` by constants if its operands are constants and its result has at most `largest` elements, or is not larger
    than its sources.
    """
    arrays = _generic(op, largest) if op.name == "linalg.generic" and op.results else _reshaped_constant(op)
    if arrays is None:
        return
    with ir.InsertionPoint(op), op.location:
        for result, array in zip(op.results, arrays, strict=True):
            result.replace_all_uses_with(arith.constant(result.type, elements_attr(array, result.type)))
    op.erase()


def _generic(op: AnyOp, largest: int) -> list[Any] | None:
    result = Generic.of(op)
    if not result.is_elementwise or not can_evaluate(result):
        return None
    inputs = [constant_array(v) for v in result.inputs]
    if any(a is None for a in inputs):
        return None
    if any(not isinstance(e, ir.AffineDimExpr | ir.AffineConstantExpr) for m in result.maps for e in m.results):
        return None
    shape = list(op.results[0].type.shape)
    size = int(np.prod(shape))
    tables = [constant_array(o.operands[0]) for o in result.body if o.name == "tensor.extract"]
    if any(t is None or t.size == 0 for t in tables):
        return None
    if size > max([largest, _SMALL if len(shape) < 2 else 0, *(a.size for a in (*inputs, *tables))]):
        return None
    return evaluate(result, inputs, shape)


def _reshaped_constant(op: AnyOp) -> list[Any] | None:
    """The result of reshapes, slices and paddings of a constant, and of concatenations and insertions of constants."""
    if op.name == "tensor.concat":
        arrays = [constant_array(v) for v in op.operands]
        return None if any(a is None for a in arrays) else [np.concatenate(arrays, op.attributes["dim"].value)]
    if op.name == "tensor.insert_slice":
        part, whole = (constant_array(v) for v in list(op.operands)[:2])
        box = _box(op)
        if part is None or whole is None or box is None:
            return None
        array = np.array(whole)
        array[box] = part.reshape(array[box].shape)
        return [array]
    if op.name == "tensor.pad":
        return _padded(op)
    if op.name not in ("tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice", "tensor.cast"):
        return None
    array = constant_array(op.operands[0])
    type_ = op.results[0].type
    if array is None or len(op.operands) != 1 or not type_.has_static_shape:
        return None
    if op.name == "tensor.extract_slice":
        box = _box(op)
        if box is None:
            return None
        array = array[box]
    return [array.reshape(type_.shape)]


def _padded(op: AnyOp) -> list[Any] | None:
    """The result of a padding of a constant by one number, if it is small or not larger than two sources."""
    array, fill = constant_array(op.operands[0]), constant_array(op.regions[0].blocks[0].operations[-1].operands[0])
    low, high = (list(op.attributes[f"static_{n}"]) for n in ("low", "high"))
    if array is None or fill is None or any(n < 0 for n in (*low, *high)):
        return None
    if math.prod(op.results[0].type.shape) > max(_SMALL, 2 * array.size):
        return None
    return [np.pad(array, list(zip(low, high, strict=True)), constant_values=fill)]


def _box(op: AnyOp) -> tuple[slice, ...] | None:
    """The elements that an extraction or insertion of a slice touches; None if an offset, size or stride is dynamic."""
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    if any(o < 0 for o in offsets) or any(n < 1 for n in (*sizes, *strides)):
        return None
    return tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(offsets, sizes, strides, strict=True))
