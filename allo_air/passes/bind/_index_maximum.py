"""Computes the maximum of an index from the extents of hierarchies and loops, through sums and products."""

from __future__ import annotations

from typing import Any

from allo_air.core.affine import compiled
from allo_air.core.constants import constant_of
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import ir


def furthest(value: ir.Value) -> int | None:
    """The maximum of an index that is never negative; None if it is not known."""
    if (number := constant_of(value)) is not None:
        return number
    if isinstance(value, ir.BlockArgument):
        return _argument(value)
    op = value.owner.operation
    inner = [furthest(v) for v in op.operands]
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


def _argument(value: Any) -> int | None:
    owner = value.owner.owner.operation
    if owner.name in HIERARCHIES:
        deps, rank, *_ = owner.attributes["operandSegmentSizes"]
        number = value.arg_number
        size = furthest(owner.operands[deps + number % rank]) if number < 2 * rank else None
        if number < rank:
            return None if size is None else size - 1
        return size if number < 2 * rank else furthest(owner.operands[deps + number - rank])
    if owner.name == "scf.for" and value.arg_number == 0:
        return _last(*map(constant_of, list(owner.operands)[:3]))
    if owner.name == "scf.parallel":
        rank = len(value.owner.arguments)
        bounds = [owner.operands[value.arg_number + k * rank] for k in range(3)]
        return _last(*map(constant_of, bounds))
    return None


def _last(begin: int | None, end: int | None, step: int | None) -> int | None:
    """The last value of a loop's variable."""
    if begin is None or end is None or not step or end <= begin:
        return None
    return begin + (end - 1 - begin) // step * step
