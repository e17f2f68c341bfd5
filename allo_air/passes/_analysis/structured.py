"""The loops of linalg operations, and the part of each operand that a tile of the loops touches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from allo_air.mlir import AnyOp, ir

_OTHERS = ("index", "yield", "softmax", "pack", "unpack", *(f"winograd_{w}_transform" for w in ("filter", "input", "output")))
"""Operations of linalg without indexing maps."""


def is_structured(op: AnyOp) -> bool:
    """Whether `op` is a linalg operation with loops and indexing maps."""
    return op.name.startswith("linalg.") and op.name.removeprefix("linalg.") not in _OTHERS


def indexing_maps(op: ir.Operation | ir.OpView) -> list[ir.AffineMap]:
    """The indexing maps of a structured operation's operands."""
    from allo_air.mlir import linalg

    return [a.value for a in linalg.get_indexing_maps(op)]


def reassociation(reshape: AnyOp) -> list[list[int]]:
    """For each dimension of the smaller shape of a tensor.expand_shape or tensor.collapse_shape: those of the larger shape."""
    return [[n.value for n in group] for group in reshape.attributes["reassociation"]]


def reductions(op: AnyOp) -> list[bool]:
    """For each loop of a structured operation, whether it is a reduction. A loop of a named operation is a reduction if no
    result depends on it.
    """
    if "iterator_types" in op.attributes:
        return ["reduction" in str(kind) for kind in op.attributes["iterator_types"]]
    result = indexing_maps(op)
    results = result[first_output(op) :]
    used = {d for m in results for e in m.results for d in loops_in(e)}
    return [d not in used for d in range(result[0].n_dims)]


def first_output(op: AnyOp) -> int:
    """The number of the first operand that a structured operation writes to."""
    if "operandSegmentSizes" in op.attributes:
        return int(op.attributes["operandSegmentSizes"][0])
    return len(op.operands) // 2 if op.name == "linalg.reduce" else len(op.operands) - 1


def loop_extents(op: ir.Operation) -> list[int]:
    """The extents of the loops of a structured operation on static shapes; -1 for a loop that indexes operands only in sums
    with other loops.
    """
    result = indexing_maps(op)
    extents = [-1] * result[0].n_dims
    for operand, indexing in zip(op.operands, result, strict=True):
        for position, expression in enumerate(indexing.results):
            if isinstance(expression, ir.AffineDimExpr):
                extents[ir.AffineDimExpr(expression).position] = operand.type.shape[position]
    return extents


def spans(indexing: ir.AffineMap, sizes: Sequence[int]) -> list[int]:
    """For each dimension of an operand: the number of elements from the first to the last that a tile of `sizes` touches."""
    return span_function(indexing)(sizes)


def span_function(indexing: ir.AffineMap) -> Callable[[Sequence[int]], list[int]]:
    """`spans` of one map, for many tiles."""
    results = [_last(expression) for expression in indexing.results]
    return lambda sizes: [last(sizes) + 1 for last in results]


def _last(expression: ir.AffineExpr) -> Callable[[Sequence[int]], int]:
    """The largest value of an expression over a tile that begins at 0, or an upper bound if there is a mod or ceildiv; the
    coefficients must not be negative.
    """
    if isinstance(expression, ir.AffineDimExpr):
        position = ir.AffineDimExpr(expression).position
        return lambda sizes: sizes[position] - 1
    if isinstance(expression, ir.AffineConstantExpr):
        value = int(ir.AffineConstantExpr(expression).value)
        return lambda sizes: value
    both = ir.AffineBinaryExpr(expression)
    left, right = _last(both.lhs), _last(both.rhs)
    if isinstance(expression, ir.AffineAddExpr):
        return lambda sizes: left(sizes) + right(sizes)
    if isinstance(expression, ir.AffineMulExpr):
        return lambda sizes: left(sizes) * right(sizes)
    if isinstance(expression, ir.AffineFloorDivExpr):
        return lambda sizes: left(sizes) // right(sizes)
    return left


def loop_of(expression: ir.AffineExpr) -> int:
    """The loop that an expression of an indexing map equals; -1 for other expressions."""
    return ir.AffineDimExpr(expression).position if isinstance(expression, ir.AffineDimExpr) else -1


def loops_in(expression: ir.AffineExpr) -> set[int]:
    """The loops that an expression of an indexing map depends on."""
    if isinstance(expression, ir.AffineDimExpr):
        return {ir.AffineDimExpr(expression).position}
    if isinstance(expression, ir.AffineConstantExpr):
        return set()
    both = ir.AffineBinaryExpr(expression)
    return loops_in(both.lhs) | loops_in(both.rhs)
