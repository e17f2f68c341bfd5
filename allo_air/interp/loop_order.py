"""Orders the loops of reductions on the host so that the innermost one goes along the rows of the result."""

from __future__ import annotations

from allo_air.core.affine import compiled
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, PassManager, ir

_NAMED = (
    "linalg.matmul",
    "linalg.batch_matmul",
    "linalg.conv_1d_ncw_fcw",
    "linalg.conv_2d_nchw_fchw",
    "linalg.depthwise_conv_2d_nchw_chw",
)
"""Named operations whose loops are in another order than their elements in memory."""


def go_along_rows(module: AnyOp) -> None:
    """Makes the parallel loop along the last dimension of the result the innermost one of each reduction whose operands it
    walks by neighbours, if at all. Each result is summed in the same order as before.
    """
    if walk_named(module, *_NAMED):
        PassManager.parse("builtin.module(func.func(linalg-generalize-named-ops))").run(module)
    for op in walk_named(module, "linalg.generic"):
        _order(op)


def _order(op: ir.Operation) -> None:
    maps = [a.value for a in op.attributes["indexing_maps"]]
    kinds = list(op.attributes["iterator_types"])
    is_reduction = ["reduction" in str(kind) for kind in kinds]
    last = maps[-1].results[-1] if len(maps[-1].results) else None
    if not any(is_reduction) or not isinstance(last, ir.AffineDimExpr) or walk_named(op, "linalg.index"):
        return
    row, count = ir.AffineDimExpr(last).position, len(kinds)
    if row == count - 1 or is_reduction[row] or not all(_is_walked_by_neighbours(m, row) for m in maps):
        return
    order = [d for d in range(count) if d != row] + [row]
    moved = ir.AffineMap.get(count, 0, [ir.AffineDimExpr.get(order.index(d)) for d in range(count)])
    new = [ir.AffineMap.get(count, 0, [e.compose(moved) for e in m.results]) for m in maps]
    op.attributes["indexing_maps"] = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in new])
    op.attributes["iterator_types"] = ir.ArrayAttr.get([kinds[d] for d in order])


def _is_walked_by_neighbours(indexing: ir.AffineMap, dim: int) -> bool:
    """Whether loop `dim` walks the elements in the last dimension, one after another, or stays at one element."""
    evaluate, zeros = compiled(indexing), [0] * (indexing.n_dims + indexing.n_symbols)
    first, second = evaluate(zeros), evaluate([*zeros[:dim], 1, *zeros[dim + 1 :]])
    steps = [b - a for a, b in zip(first, second, strict=True)]
    return not any(steps[:-1]) and (not steps or steps[-1] in (0, 1))
