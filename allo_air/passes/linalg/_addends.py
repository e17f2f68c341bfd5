"""Rewrites the terms that a function adds to a matrix product as elementwise operations after the product, on arguments of the
function.
"""

from __future__ import annotations

from allo_air.core.walking import defining_op, is_result_of
from allo_air.mlir import arith, ir, linalg
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.generic import generic, maps_attr
from allo_air.passes._ir.named import ELEMENTWISE, generalize_named
from allo_air.passes._ir.tensors import empty, zero_of
from allo_air.passes.linalg._elementwise import dependent_operations
from allo_air.passes.linalg._indexing import loops_of


def generalize(function: ir.Operation, matmul: ir.Operation) -> None:
    """Rewrites the named elementwise operations on the result of `matmul` as linalg.generic."""
    generalize_named(
        function, [op for op in dependent_operations(matmul, {"linalg.generic", *ELEMENTWISE}) if op.name in ELEMENTWISE]
    )


def add_later(matmul: ir.Operation) -> None:
    """Makes `matmul` start at zero, and adds its former initial value to the result, unless that is a linalg.fill.

    For integers the result is equal; floats are added in another order.

    Before:

        %c = linalg.matmul ins(%a, %b) outs(%init)

    After:

        %zeros = linalg.fill ins(%zero) outs(%empty)
        %r = linalg.matmul ins(%a, %b) outs(%zeros)
        %c = linalg.generic ins(%r, %init) outs(%empty) { arith.addf }
    """
    init = matmul.operands[2]
    if is_result_of(init, "linalg.fill"):
        return
    kind = init.type
    if not isinstance(kind, ir.RankedTensorType) or not kind.has_static_shape:
        return
    element, rank = kind.element_type, len(kind.shape)
    is_float = isinstance(element, ir.FloatType)
    with ir.InsertionPoint(matmul), matmul.location:
        zero = zero_of(element)
        start = arith.constant(element, zero)
        out = empty(kind)
        matmul.operands[2] = linalg.fill(start, outs=[out])
    with ir.InsertionPoint.after(matmul), matmul.location:
        add = arith.addf if is_float else arith.addi
        maps, iterators = [ir.AffineMap.get_identity(rank)] * 3, ["parallel"] * rank
        total = generic([matmul.results[0], init], [out], maps, iterators, lambda values: [add(*values[:2])])
    matmul.results[0].replace_all_uses_except(total.results[0], total)


def fold_broadcasts(matmul: ir.Operation) -> None:
    """Makes the elementwise operations after `matmul` read the source of a broadcast, by another indexing map."""
    for op in dependent_operations(matmul):
        indexing = indexing_maps(op)
        for number in range(len(op.operands) - 1):
            while (folded := _unbroadcast(op.operands[number], indexing[number])) is not None:
                op.operands[number], indexing[number] = folded
        op.attributes["indexing_maps"] = maps_attr(indexing)


def _unbroadcast(value: ir.Value, indexing: ir.AffineMap) -> tuple[ir.BlockArgument, ir.AffineMap] | None:
    """The source of the broadcast `value`, and the map to it; None if it is not a broadcast."""
    result = defining_op(value)
    if result is None:
        return None
    results = list(indexing.results)
    if result.name == "linalg.broadcast":
        added = list(result.attributes["dimensions"])
        exprs = [e for d, e in enumerate(results) if d not in added]
        return result.operands[0], ir.AffineMap.get(indexing.n_dims, 0, exprs)
    if result.name != "linalg.generic" or len(result.operands) != 2 or len(result.results) != 1:
        return None
    [block] = result.regions[0].blocks
    only = next(iter(block.operations)).operation
    inner, outer = indexing_maps(result)
    follows = loops_of(inner)
    copies = only.name == "linalg.yield" and list(only.operands) == [block.arguments[0]]
    if not copies or outer != ir.AffineMap.get_identity(outer.n_dims) or follows is None:
        return None
    exprs = [ir.AffineConstantExpr.get(0) if d is None else results[d] for d in follows]
    return result.operands[0], ir.AffineMap.get(indexing.n_dims, 0, exprs)
