"""Keeps the calls of a kernel in step with its signature, whose tensors became larger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.mlir import ir
from allo_air.passes.linalg._kernels import calls_of


def pad_calls(function: ir.Operation, zeros: Sequence[bool]) -> None:
    """Lets each call of `function` pass and take tensors of its padded types; operand i is padded with zeros if `zeros[i]`.

    What lies beyond the rows of another operand is never looked at, so that its longer buffer begins with the same bytes.

    Before:

        %c = call @k(%a, %b) : (tensor<7x5xbf16>, tensor<7x16xbf16>) -> tensor<7x16xf32>

    After:

        %wide = tensor.pad %a low[0, 0] high[1, 3] { zero }
        %long = tensor.insert_slice %b into (tensor.empty() : tensor<8x16xbf16>)[0, 0] [7, 16] [1, 1]
        %all = call @k(%wide, %long) : (tensor<8x8xbf16>, tensor<8x16xbf16>) -> tensor<8x16xf32>
        %c = tensor.extract_slice %all[0, 0] [7, 16] [1, 1]
    """
    kind = function.attributes["function_type"].value
    for call in calls_of(function):
        with ir.InsertionPoint(call), call.location:
            given = [_padded(v, t, z) for v, t, z in zip(call.operands, kind.inputs, zeros, strict=True)]
            new = ir.Operation.create("func.call", kind.results, given, {"callee": call.attributes["callee"]})
            for old, result in zip(call.results, new.results, strict=True):
                old.replace_all_uses_with(_corner(result, old.type))
        call.erase()


def _padded(value: Any, kind: Any, zeros: bool) -> Any:
    """`value` in the corner of a tensor of type `kind`: of zeros, or of what there is where only rows are added."""
    from allo_air.mlir import tensor

    if value.type == kind:
        return value
    shape, rank = list(value.type.shape), len(kind.shape)
    if not zeros and shape[1:] == list(kind.shape)[1:]:
        empty = tensor.empty(list(kind.shape), kind.element_type)
        return tensor.InsertSliceOp(value, empty, [], [], [], [0] * rank, shape, [1] * rank).result
    high = [new - old for new, old in zip(kind.shape, shape, strict=True)]
    pad = tensor.PadOp(kind, value, [], [], [0] * rank, high)
    index = ir.IndexType.get()
    block = pad.region.blocks.append(*[index] * rank)
    element = kind.element_type
    zero = ir.FloatAttr.get(element, 0.0) if isinstance(element, ir.FloatType) else ir.IntegerAttr.get(element, 0)
    with ir.InsertionPoint(block):
        constant = ir.Operation.create("arith.constant", [element], [], {"value": zero}).results[0]
        tensor.YieldOp(constant)
    return pad.result


def _corner(value: Any, kind: Any) -> Any:
    """The first elements of `value` in each dimension, as type `kind`."""
    from allo_air.mlir import tensor

    if value.type == kind:
        return value
    rank = len(kind.shape)
    return tensor.ExtractSliceOp(kind, value, [], [], [], [0] * rank, list(kind.shape), [1] * rank).result
