"""Simplifies reductions of which only the last iteration has an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone_body
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import composed_map, extents, generic, generics
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
