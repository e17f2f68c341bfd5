"""Simplifies reductions of which only one iteration has an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone_body
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import composed_map, extents, generic, generics, iterators_attr, maps_attr
from allo_air.passes.simplify._scalars import constant

if TYPE_CHECKING:
    from allo_air.passes._ir.generic import Generic


def drop_dead_iterations(function: AnyOp) -> None:
    """Keeps only the last iteration of reduction loops if the body does not read its destination: each iteration overwrites
    it.

    Before:

        %y = linalg.generic {(i, k) -> (i, k), (i, k) -> (i)} ins(%x : tensor<4x8xf32>) { yield %in }

    After:

        %y = linalg.generic {(i) -> (i, 7), (i) -> (i)} ins(%x : tensor<4x8xf32>) { yield %in }
    """
    for generic_op in generics(function):
        if generic_op.is_parallel or generic_op.reads_outs:
            continue
        shape = extents(generic_op)
        kept_loops = [n for n, kind in enumerate(generic_op.iterators) if kind == "parallel"]
        exprs = [
            ir.AffineDimExpr.get(kept_loops.index(n)) if n in kept_loops else ir.AffineConstantExpr.get(shape[n] - 1)
            for n in range(len(shape))
        ]
        loop_map = ir.AffineMap.get(len(kept_loops), 0, exprs)
        maps = [composed_map(m, loop_map) for m in generic_op.maps]

        def body(
            values: list[ir.Value], generic_op: Generic = generic_op, dims: list[int] = kept_loops, shape: list[int] = shape
        ) -> list[Any]:
            copies, yielded = clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))
            for op in copies:
                if op.name == "linalg.index":
                    yielded = _element_index(op, dims, shape, yielded)
            return yielded

        with ir.InsertionPoint(generic_op.op), generic_op.op.location:
            result = generic(generic_op.inputs, generic_op.outs, maps, ["parallel"] * len(kept_loops), body)
        for old, new in zip(generic_op.op.results, result.results, strict=True):
            old.replace_all_uses_with(new)
        generic_op.op.erase()


def reduce_without_units(function: AnyOp) -> None:
    """Makes reduction loops of one iteration parallel, if each result has a dimension of one element for them. Tiling takes no
    constants in the maps of results.

    Before:

        linalg.generic {(n, c, i) -> (n, c, i), (n, c, i) -> (0, c)} ins(%x : tensor<1x4x8xf32>) outs(%z : tensor<1x4xf32>)

    After:

        linalg.generic {(n, c, i) -> (n, c, i), (n, c, i) -> (n, c)} ins(%x : tensor<1x4x8xf32>) outs(%z : tensor<1x4xf32>)
    """
    zero = ir.AffineConstantExpr.get(0)
    for generic_op in generics(function):
        count, iterators, maps = len(generic_op.inputs), list(generic_op.iterators), list(generic_op.maps)
        for loop, (kind, extent) in enumerate(zip(iterators, extents(generic_op), strict=True)):
            results = [list(m.results) for m in maps[count:]]
            if kind != "reduction" or extent != 1 or not all(zero in exprs for exprs in results):
                continue
            for exprs in results:
                exprs[exprs.index(zero)] = ir.AffineDimExpr.get(loop)
            maps[count:] = [ir.AffineMap.get(len(iterators), 0, exprs) for exprs in results]
            iterators[loop] = "parallel"
        if iterators != list(generic_op.iterators):
            generic_op.op.attributes["indexing_maps"] = maps_attr(maps)
            generic_op.op.attributes["iterator_types"] = iterators_attr(iterators)


def _element_index(op: AnyOp, dims: list[int], shape: list[int], yielded: list[ir.Value]) -> list[Any]:
    """The index of a remaining loop, or the last one of a removed loop; or the yielded value."""
    loop = int(op.attributes["dim"].value)
    if loop in dims:
        op.attributes["dim"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dims.index(loop))
        return yielded
    with ir.InsertionPoint(op), op.location:
        last = constant(shape[loop] - 1, ir.IndexType.get())
    results = [last if v == op.results[0] else v for v in yielded]
    op.results[0].replace_all_uses_with(last)
    op.erase()
    return results
