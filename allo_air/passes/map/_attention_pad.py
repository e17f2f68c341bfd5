"""Pads the arguments of attention to whole tiles of queries and keys."""

from __future__ import annotations

from allo_air.core.names import function_type_of, set_function_type
from allo_air.dialects.host_shapes import HOST_SHAPES
from allo_air.mlir import ir, tensor
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.kernel_calls import corner, update_calls, with_zeros
from allo_air.passes._ir.tensors import empty
from allo_air.passes.map._attention import Attention, axes_of
from allo_air.passes.map._attention_choice import padded_shapes
from allo_air.passes.map._attention_plan import AttentionPlan


def pad_function(function: ir.Operation, group: Attention, plan: AttentionPlan) -> None:
    """Gives the arguments and the result their padded types; the computation uses only the leading corners."""
    [block] = function.regions[0].blocks
    end = block.operations[-1].operation
    before = function_type_of(function)
    shapes = padded_shapes(group, plan)
    assert shapes is not None, "a plan fits only where all can be padded"
    with ir.InsertionPoint.at_block_begin(block), function.location:
        for value, shape in shapes.items():
            old = value.type
            if shape == list(old.shape):
                continue
            users = [(use.owner, use.operand_number) for use in value.uses]
            value.set_type(ir.RankedTensorType.get(shape, old.element_type))
            rank = len(shape)
            cut = tensor.ExtractSliceOp(old, value, [], [], [], [0] * rank, list(old.shape), [1] * rank).result
            for user, number in users:
                user.operation.operands[number] = cut
    kind = padded_result(group, plan)
    if kind != group.result.type:
        with ir.InsertionPoint(end), function.location:
            shape, rank = list(group.result.type.shape), len(kind.shape)
            end.operands[0] = tensor.InsertSliceOp(group.result, empty(kind), [], [], [], [0] * rank, shape, [1] * rank).result
    _finish(function, before)


def padded_result(group: Attention, plan: AttentionPlan) -> ir.RankedTensorType:
    """The type of the result with padded queries, which then are a dimension of their own."""
    if plan.padded[0] == group.extent(group.q):
        return group.result.type
    axes = axes_of(group.out, {group.q, group.v} - {None}) or []
    sizes = zip(axes, group.result.type.shape, strict=True)
    shape = [plan.padded[0] if a is not None and a == group.q else n for a, n in sizes]
    return ir.RankedTensorType.get(shape, group.result.type.element_type)


def _finish(function: ir.Operation, before: ir.FunctionType) -> None:
    """Updates the function's type, and its callers or the host's arrays, to the types of its arguments and results."""
    set_function_type(function)
    if function_type_of(function) == before:
        return
    if KERNEL in function.attributes:
        update_calls(function, with_zeros, corner)
        return
    host = [*before.inputs, *before.results]
    function.attributes[HOST_SHAPES] = ir.ArrayAttr.get([ir.DenseI64ArrayAttr.get(list(t.shape)) for t in host])
