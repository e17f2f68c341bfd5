"""Convolutions that differ only in a tensor that is added become one kernel: where nothing is added, callers add zeros."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from allo_air.core.functions import call_function
from allo_air.core.names import function_type_of, set_function_type, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.kernels import KERNEL, calls_of, content_of
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.map._convolution import Convolution, convolution_of
from allo_air.plan.schema import PLAN


def share_convolutions(module: AnyOp, is_worth: Callable[[Convolution, Convolution, int, int], bool]) -> None:
    """Replaces kernels of convolutions by equal ones that add one more tensor, to which callers pass zeros, if `is_worth` of
    the convolution with the tensor, the one without, the number of calls of the latter, and of changes from one to the other.

    In a residual network, all convolutions of a stage are then one kernel, for which one configuration is loaded.
    """
    callees = [op.attributes["callee"].value for op in walk_named(module, "func.call")]
    kernels = [f for f in walk_named(module, "func.func") if len(f.regions[0].blocks) and KERNEL in f.attributes]
    unplanned = ((f, convolution_of(f)) for f in kernels if PLAN not in f.attributes)
    convolutions = {content_of(f): (f, conv) for f, conv in unplanned if conv is not None}
    for content in list(convolutions):
        if content not in convolutions:
            continue  # it became another
        function, conv = convolutions[content]
        for op in conv.epilogue:
            addend = _addend(op)
            text = "" if addend is None else _content_without(function, conv, op)
            if text not in convolutions:
                continue
            twin, without = convolutions[text]
            names = sym_name_of(function), sym_name_of(twin)
            calls = [name for name in callees if name in names]
            if is_worth(conv, without, calls.count(names[1]), sum(a != b for a, b in pairwise(calls))):
                del convolutions[text]
                _call_with_zeros(twin, function, addend)
                twin.erase()
                break


def _addend(op: Any) -> Any:
    """The argument that `op` adds to the result before it, element by element; None if it does something else."""
    identity = ir.AffineMap.get_identity(op.results[0].type.rank)
    names = [o.operation.name for o in op.regions[0].blocks[0].operations]
    if names not in (["arith.addf", "linalg.yield"], ["arith.addi", "linalg.yield"]) or len(op.operands) != 3:
        return None
    arguments = [v for v in list(op.operands)[:2] if isinstance(v, ir.BlockArgument)]
    if any(m != identity for m in indexing_maps(op)) or len(arguments) != 1 or len(list(arguments[0].uses)) != 1:
        return None
    return arguments[0] if arguments[0].type == op.results[0].type else None


def _content_without(function: ir.Operation, conv: Convolution, op: Any) -> str:
    """The content of `function` without `op`, which adds an argument."""
    number = [conv.op, *conv.epilogue].index(op)
    copy = function.clone(ip=ir.InsertionPoint.after(function)).operation
    try:
        same = convolution_of(copy)
        assert same is not None, "a copy of a convolution"
        removed = same.epilogue[number - 1]
        [argument] = [v for v in list(removed.operands)[:2] if isinstance(v, ir.BlockArgument)]
        [value] = [v for v in list(removed.operands)[:2] if v != argument]
        removed.results[0].replace_all_uses_with(value)
        removed.erase()
        copy.regions[0].blocks[0].erase_argument(argument.arg_number)
        set_function_type(copy)
        return content_of(copy)
    finally:
        copy.erase()


def _call_with_zeros(twin: ir.Operation, function: ir.Operation, addend: Any) -> None:
    """Makes the callers of `twin` call `function` with zeros for the argument `addend`."""
    for call in calls_of(twin):
        with call.location, ir.InsertionPoint(call):
            element = addend.type.element_type
            zero = ir.FloatAttr.get(element, 0) if isinstance(element, ir.FloatType) else ir.IntegerAttr.get(element, 0)
            zeros = arith.ConstantOp(addend.type, ir.DenseElementsAttr.get_splat(addend.type, zero)).result
            operands = list(call.operands)
            operands.insert(addend.arg_number, zeros)
            new = call_function(sym_name_of(function), function_type_of(function).results, operands)
        call.results[0].replace_all_uses_with(new.results[0])
        call.erase()
