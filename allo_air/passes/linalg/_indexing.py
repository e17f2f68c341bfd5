"""Indexing maps of linalg operations."""

from __future__ import annotations

from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps


def positions(indexing: ir.AffineMap) -> list[int]:
    """The loops that are the results of a projected permutation."""
    return [ir.AffineDimExpr(e).position for e in indexing.results]


def loops_of(indexing: ir.AffineMap) -> tuple[int | None, ...] | None:
    """The loop of each dimension, None for one that is constant 0; None for other maps."""
    loops: list[int | None] = []
    for e in indexing.results:
        if isinstance(e, ir.AffineDimExpr):
            loops.append(ir.AffineDimExpr(e).position)
        elif isinstance(e, ir.AffineConstantExpr) and ir.AffineConstantExpr(e).value == 0:
            loops.append(None)
        else:
            return None
    return tuple(loops)


def result_dimensions(contraction: ir.Operation) -> tuple[int, int]:
    """The dimensions of a contraction's result that are its rows and its columns."""
    *_, indexing = indexing_maps(contraction)
    dims = positions(indexing)
    return dims.index(indexing.n_dims - 3), dims.index(indexing.n_dims - 2)
