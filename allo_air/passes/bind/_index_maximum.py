"""Computes the extremes of an index from the extents of hierarchies and loops, through sums and products."""

from __future__ import annotations

from typing import Any

from allo_air.core.affine import compiled
from allo_air.core.constants import constant_of
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import ir


def furthest(value: ir.Value) -> int | None:
    """The maximum of an index that is never negative; None if it is not known."""
    return _extreme(value, last=True)


def nearest(value: ir.Value) -> int | None:
    """The minimum of an index that is never negative; None if it is not known."""
    return _extreme(value, last=False)


def _extreme(value: ir.Value, *, last: bool) -> int | None:
    if (number := constant_of(value)) is not None:
        return number
    if isinstance(value, ir.BlockArgument):
        return _argument(value, last=last)
    op = value.owner.operation
    inner = [_extreme(v, last=last) for v in op.operands]
    if any(n is None or n < 0 for n in inner):
        return None
    match op.name:
        case "arith.index_cast" | "arith.extsi" | "arith.trunci":
            return inner[0]
        case "arith.addi":
            return inner[0] + inner[1]  # type: ignore[operator]
        case "arith.muli":
            return inner[0] * inner[1]  # type: ignore[operator]
        case "affine.apply":
            return _applied(op, inner)
    return None


def is_of_blocks(value: ir.Value) -> bool:
    """Whether an index follows from the place in a hierarchy or loop: from an id or a loop's variable."""
    if not isinstance(value, ir.BlockArgument):
        return any(is_of_blocks(v) for v in value.owner.operation.operands)
    owner = value.owner.owner.operation
    if owner.name not in HIERARCHIES:
        return owner.name != "func.func"
    deps, rank, *_ = owner.attributes["operandSegmentSizes"]
    number = value.arg_number
    return number < rank or (number >= 2 * rank and is_of_blocks(owner.operands[deps + number - rank]))


def _applied(op: ir.Operation, most: list[Any]) -> int | None:
    """The result of a map on the maxima of its operands, if the map is monotonic in each; else None."""
    apply = compiled(op.attributes["map"].value)
    (zero, *_) = apply([0] * len(most))
    for place in range(len(most)):
        (coefficient, *_) = apply([int(n == place) for n in range(len(most))])
        if coefficient < zero:
            return None
    (last, *_) = apply(most)
    return int(last)


def _argument(value: Any, *, last: bool) -> int | None:
    owner = value.owner.owner.operation
    if owner.name in HIERARCHIES:
        deps, rank, *_ = owner.attributes["operandSegmentSizes"]
        number = value.arg_number
        size = furthest(owner.operands[deps + number % rank]) if number < 2 * rank else None
        if number < rank:
            return None if size is None else (size - 1) * last
        return size if number < 2 * rank else _extreme(owner.operands[deps + number - rank], last=last)
    if owner.name == "scf.for" and value.arg_number == 0:
        return _loop_bound_value(*map(constant_of, list(owner.operands)[:3]), last=last)
    if owner.name == "scf.parallel":
        rank = len(value.owner.arguments)
        bounds = [owner.operands[value.arg_number + k * rank] for k in range(3)]
        return _loop_bound_value(*map(constant_of, bounds), last=last)
    return None


def _loop_bound_value(begin: int | None, end: int | None, step: int | None, *, last: bool) -> int | None:
    """The first or last value of a loop's variable."""
    if begin is None or end is None or not step or end <= begin:
        return None
    if not last:
        return begin
    return begin + (end - 1 - begin) // step * step
