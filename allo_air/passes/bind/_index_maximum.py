"""Computes the extremes of an index from the extents of hierarchies and loops, through sums and products."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import ir

Bounds = tuple[int, int]
"""The least and the greatest value of an index that is never negative."""
Choose = Callable[[ir.Value, Bounds, int], Bounds]
"""A function that restricts the range of an id or a loop variable: from the value, its full range, and its trip count less 1.
"""


def greatest(value: ir.Value) -> int | None:
    """The maximum of an index that is never negative; None if it is not known."""
    bounds = bounds_of(value)
    return bounds and bounds[1]


def least(value: ir.Value) -> int | None:
    """The minimum of an index that is never negative; None if it is not known."""
    bounds = bounds_of(value)
    return bounds and bounds[0]


def _end_of(leaf: ir.Value, value: ir.Value, bounds: Bounds, _steps: int) -> Bounds:
    """The greatest value of `leaf`, and the least of any other value."""
    bound = bounds[1] if value == leaf else bounds[0]
    return bound, bound


def start_of_last_block(value: ir.Value) -> int | None:
    """The index at which the last of the outer blocks begins; None if it is not known.

    There, the id or loop variable that contributes the largest step has its greatest value, and all others have their least.
    Ids of cores do not count as outer.
    """
    leaves: dict[ir.Value, int] = {}

    def first(leaf: ir.Value, bounds: Bounds, steps: int) -> Bounds:
        leaves[leaf] = 0 if ir.BlockArgument(leaf).owner.owner.name == "air.herd" else steps
        return bounds[0], bounds[0]

    start = bounds_of(value, first)
    if start is None:
        return None
    ends = []
    for leaf in [leaf for leaf, steps in leaves.items() if steps]:
        end = bounds_of(value, partial(_end_of, leaf))
        if end is None:
            return None
        ends.append(((end[1] - start[1]) / leaves[leaf], end[1]))
    return max(ends)[1] if ends else start[1]


def bounds_of(value: ir.Value, choose: Choose = lambda _value, bounds, _steps: bounds) -> Bounds | None:
    """The extremes of an index that is never negative; None if they are not known."""
    if (number := constant_of(value)) is not None:
        return (number, number)
    if isinstance(value, ir.BlockArgument):
        return _argument(value, choose)
    op = value.owner.operation
    parts = [bounds_of(v, choose) for v in op.operands]
    inner = [part for part in parts if part is not None and part[0] >= 0]
    if not parts or len(inner) < len(parts):
        return None
    match op.name:
        case "arith.index_cast" | "arith.extsi" | "arith.trunci":
            return inner[0]
        case "arith.addi":
            return inner[0][0] + inner[1][0], inner[0][1] + inner[1][1]
        case "arith.muli":
            return inner[0][0] * inner[1][0], inner[0][1] * inner[1][1]
        case "arith.remsi" | "arith.remui" if inner[1][0] == inner[1][1] > 0:
            return _remainder(inner[0], inner[1][0])
        case "arith.divsi" | "arith.divui" | "arith.floordivsi" if inner[1][0] > 0:
            return inner[0][0] // inner[1][1], inner[0][1] // inner[1][0]
        case "affine.apply":
            map_ = op.attributes["map"].value
            return _expression(map_.results[0], inner[: map_.n_dims], inner[map_.n_dims :])
    return None


def depends_on_ids(value: ir.Value) -> bool:
    """Whether an index is computed from an id of a hierarchy or from a loop variable."""
    if not isinstance(value, ir.BlockArgument):
        return any(depends_on_ids(v) for v in value.owner.operation.operands)
    owner = value.owner.owner.operation
    if owner.name not in HIERARCHIES:
        return owner.name != "func.func"
    deps, rank, *_ = owner.attributes["operandSegmentSizes"]
    number = value.arg_number
    return number < rank or (number >= 2 * rank and depends_on_ids(owner.operands[deps + number - rank]))


def _expression(expression: Any, dims: list[Bounds], symbols: list[Bounds]) -> Bounds | None:
    """The extremes of an affine expression whose terms are independent; None if it may be negative."""
    match expression:
        case ir.AffineConstantExpr():
            return expression.value, expression.value
        case ir.AffineDimExpr():
            return dims[expression.position]
        case ir.AffineSymbolExpr():
            return symbols[expression.position]
    left, right = (_expression(part, dims, symbols) for part in (expression.lhs, expression.rhs))
    if left is None or right is None:
        return None
    match expression:
        case ir.AffineAddExpr():
            return left[0] + right[0], left[1] + right[1]
        case ir.AffineMulExpr():
            ends = [a * b for a in left for b in right]
            return min(ends), max(ends)
    if right[0] != right[1] or right[0] <= 0:
        return None
    divisor = right[0]
    match expression:
        case ir.AffineModExpr():
            return _remainder(left, divisor)
        case ir.AffineFloorDivExpr():
            return left[0] // divisor, left[1] // divisor
    return -(-left[0] // divisor), -(-left[1] // divisor)


def _remainder(bounds: Bounds, divisor: int) -> Bounds:
    """The extremes of the remainder: 0 and `divisor` - 1 if a multiple of the divisor is between the values."""
    first, last = bounds
    return (first % divisor, last % divisor) if first // divisor == last // divisor else (0, divisor - 1)


def _argument(value: ir.BlockArgument, choose: Choose) -> Bounds | None:
    owner = value.owner.owner.operation
    if owner.name in HIERARCHIES:
        deps, rank, *_ = owner.attributes["operandSegmentSizes"]
        number = value.arg_number
        if number >= 2 * rank:
            return bounds_of(owner.operands[deps + number - rank], choose)
        size = bounds_of(owner.operands[deps + number % rank])
        return size and (choose(value, (0, size[1] - 1), size[1] - 1) if number < rank else size)
    bounds: list[int | None] = []
    if owner.name == "scf.for" and value.arg_number == 0:
        bounds = [constant_of(v) for v in list(owner.operands)[:3]]
    elif owner.name == "scf.parallel":
        rank = len(value.owner.arguments)
        bounds = [constant_of(owner.operands[value.arg_number + k * rank]) for k in range(3)]
    if len(bounds) < 3 or (ends := _loop_bounds(*bounds)) is None:
        return None
    return choose(value, ends, (ends[1] - ends[0]) // (bounds[2] or 1))


def _loop_bounds(begin: int | None, end: int | None, step: int | None) -> Bounds | None:
    """The first and the last value of a loop variable."""
    if begin is None or end is None or not step or end <= begin:
        return None
    return begin, begin + (end - 1 - begin) // step * step
