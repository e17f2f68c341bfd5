"""Replaces linalg.index in bodies by tensors of indices, so that launches can divide the loops."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.elements import elements_attr
from allo_air.core.names import function_type_of, set_function_type
from allo_air.mlir import AnyOp, arith, func, ir
from allo_air.passes._analysis.kernels import calls_of
from allo_air.passes._ir.generic import Generic, extents, generic
from allo_air.passes.map._kernel import Kernel, kernel_of


def uses_indices(kernel: Kernel) -> bool:
    """Whether a body uses the index of a loop (linalg.index)."""
    return any(_indices(op) for op in _generics(kernel))


def indices_as_operands(kernel: Kernel) -> Kernel:
    """Adds an argument for each loop whose index a body uses: a tensor of the numbers 0, 1, 2, ... Callers pass constants.

    Before:

        func.func private @k(%a: tensor<31x512xf32>) { linalg.generic ins(%a) { ... linalg.index 1 ... } }

    After:

        func.func private @k(%a: tensor<31x512xf32>, %n: tensor<512xi32>) {
          linalg.generic {..., (i, j) -> (j), ...} ins(%a, %n) { ... arith.index_cast %in_1 : i32 to index ... }
    """
    import numpy as np

    values: dict[int, Any] = {}
    for op in _generics(kernel):
        if _indices(op):
            with ir.InsertionPoint(op), op.location:
                _rewrite(kernel, Generic.of(op), values)
    function = kernel.function
    set_function_type(function)
    results = function_type_of(function).results
    for call in calls_of(function):
        with ir.InsertionPoint(call), call.location:
            numbers = [arith.constant(a.type, elements_attr(np.arange(n, dtype=np.int32), a.type)) for n, a in values.items()]
            result = func.CallOp(results, call.attributes["callee"], [*call.operands, *numbers])
            for old, new in zip(call.results, result.operation.results, strict=True):
                old.replace_all_uses_with(new)
        call.erase()
    return kernel_of(function)


def _generics(kernel: Kernel) -> list[AnyOp]:
    return [o.operation for o in kernel.block.operations if o.operation.name == "linalg.generic"]


def _indices(op: AnyOp) -> list[Any]:
    return [o.operation for o in op.regions[0].blocks[0].operations if o.operation.name == "linalg.index"]


def _rewrite(kernel: Kernel, generic_op: Generic, values: dict[int, ir.Value]) -> None:
    """Replaces `generic_op` by one that reads indices from operands; `values` are the new arguments, by number of elements."""
    shape, i32 = extents(generic_op), ir.IntegerType.get_signless(32)
    loops = sorted({int(o.attributes["dim"].value) for o in _indices(generic_op.op)})
    for loop in loops:
        if shape[loop] not in values:
            kind = ir.RankedTensorType.get([shape[loop]], i32)
            values[shape[loop]] = kernel.block.add_argument(kind, kernel.function.location)
    count = len(generic_op.inputs)
    inputs = [*generic_op.inputs, *(values[shape[loop]] for loop in loops)]
    walked = [ir.AffineMap.get(len(shape), 0, [ir.AffineDimExpr.get(loop)]) for loop in loops]
    maps = [*generic_op.maps[:count], *walked, *generic_op.maps[count:]]

    def body(arguments: list[ir.Value]) -> list[Any]:
        old = [*arguments[:count], *arguments[count + len(loops) :]]
        places = {loop: arith.index_cast(ir.IndexType.get(), arguments[count + n]) for n, loop in enumerate(loops)}
        copies, yielded = clone_body(generic_op.block, dict(zip(generic_op.arguments, old, strict=True)))
        for op in copies:
            if op.name == "linalg.index":
                value = places[int(op.attributes["dim"].value)]
                yielded = [value if y == op.results[0] else y for y in yielded]
                op.results[0].replace_all_uses_with(value)
                op.erase()
        return yielded

    result = generic(inputs, generic_op.outs, maps, generic_op.iterators, body)
    for old_result, new in zip(generic_op.op.results, result.results, strict=True):
        old_result.replace_all_uses_with(new)
    generic_op.op.erase()
