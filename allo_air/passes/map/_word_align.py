"""Pads tensors whose size is not a multiple of 32 bits, since DMAs move whole 32-bit words."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from allo_air.core.names import function_type_of, set_function_type
from allo_air.mlir import arith, ir, tensor
from allo_air.passes._ir.kernel_calls import pad, reshape
from allo_air.passes._ir.tensors import filled, zero_of
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._promote import CUT
from allo_air.passes.map._space import bits_of


def pad_to_words(kernel: Kernel, arguments: Sequence[ir.Value], *, results: bool) -> None:
    """Pads `arguments`, and the results if requested, in their first dimension to whole words, and updates calls.

    If results are padded (in kernels without tiles), these arguments and results are flattened to one dimension.
    """
    function = kernel.function
    if results:
        _flatten(kernel, arguments)
    before = function_type_of(function)
    for argument in arguments:
        if _is_odd(argument):
            kind = argument.type
            uses = [(u.owner.operation, u.operand_number) for u in argument.uses]
            argument.set_type(_word_aligned(argument))
            with ir.InsertionPoint.at_block_begin(kernel.block), function.location:
                cut = _slice(kind, argument)
            for owner, number in uses:
                owner.operands[number] = argument if CUT in owner.attributes else cut
    last = kernel.block.operations[-1].operation
    for number, value in enumerate(last.operands if results else ()):
        if _is_odd(value):
            wide = _word_aligned(value)
            with ir.InsertionPoint(last), last.location:
                ones = [1] * len(wide.shape)
                sizes = list(value.type.shape) or [1]
                blank = filled(arith.constant(wide.element_type, zero_of(wide.element_type)), wide)
                last.operands[number] = tensor.insert_slice(value, blank, [], [], [], [0] * len(ones), sizes, ones)
    set_function_type(function)
    pad(function, before)


def _flatten(kernel: Kernel, arguments: Sequence[ir.Value]) -> None:
    """Flattens tensors that are not whole words to one dimension, where the padding is smallest; calls reshape them."""
    function = kernel.function
    before = function_type_of(function)
    for argument in arguments:
        if _is_odd(argument) and len(argument.type.shape) > 1:
            kind, uses = argument.type, [(u.owner.operation, u.operand_number) for u in argument.uses]
            argument.set_type(_flat_type(kind))
            groups = [list(range(len(kind.shape)))]
            with ir.InsertionPoint.at_block_begin(kernel.block), function.location:
                shaped = tensor.ExpandShapeOp(kind, argument, groups, [], list(kind.shape)).result
            for owner, number in uses:
                owner.operands[number] = shaped
    last = kernel.block.operations[-1].operation
    for number, value in enumerate(last.operands):
        if _is_odd(value) and len(value.type.shape) > 1:
            groups = [list(range(len(value.type.shape)))]
            with ir.InsertionPoint(last), last.location:
                last.operands[number] = tensor.CollapseShapeOp(_flat_type(value.type), value, groups).result
    set_function_type(function)
    reshape(function, before)


def _flat_type(kind: ir.RankedTensorType) -> ir.RankedTensorType:
    return ir.RankedTensorType.get([prod(kind.shape)], kind.element_type)


def _is_odd(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and prod(value.type.shape) * bits_of(value) % 32 != 0


def _word_aligned(value: ir.Value) -> ir.RankedTensorType:
    """The type of `value` with the fewest added rows that make it whole words."""
    first, *rest = value.type.shape or [1]
    while first * prod(rest) * bits_of(value) % 32:
        first += 1
    return ir.RankedTensorType.get([first, *rest], value.type.element_type)


def _slice(kind: ir.RankedTensorType, argument: ir.Value) -> ir.Value:
    rank = len(argument.type.shape)
    sizes = list(kind.shape) or [1]
    op = tensor.ExtractSliceOp(kind, argument, [], [], [], [0] * rank, sizes, [1] * rank)
    op.operation.attributes[CUT] = ir.UnitAttr.get()
    return op.result
