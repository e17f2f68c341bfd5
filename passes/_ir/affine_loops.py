"""Building and reading `affine.for` loops with constant bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.mlir import ir
from allo_air.passes._analysis.arithmetic import apply_map, evaluate

LABEL = "affine_opt_label"


def affine_for(
    lower: tuple[Any, Sequence[Any]], upper: tuple[Any, Sequence[Any]], step: int, attributes: dict[str, Any] | None = None
) -> Any:
    """An `affine.for` without results at the insertion point, its body empty; a bound is a map and its operands."""
    (low, low_args), (up, up_args) = lower, upper
    index = ir.IndexType.get()
    made = ir.Operation.create(
        "affine.for",
        [],
        [*low_args, *up_args],
        {
            **(attributes or {}),
            "lowerBoundMap": ir.AffineMapAttr.get(low),
            "upperBoundMap": ir.AffineMapAttr.get(up),
            "step": ir.IntegerAttr.get(index, step),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(low_args), len(up_args), 0]),
        },
        regions=1,
    )
    block = made.regions[0].blocks.append(index, arg_locs=[made.location])
    ir.Operation.create("affine.yield", ip=ir.InsertionPoint(block), loc=made.location)
    return made


def constant(number: int) -> tuple[Any, Sequence[Any]]:
    """A constant bound."""
    return ir.AffineMap.get_constant(number), ()


def body_of(loop: Any) -> Any:
    """The block of a loop."""
    return loop.regions[0].blocks[0]


def bounds(loop: Any) -> tuple[int, int, int] | None:
    """Lower bound, upper bound and step of an `affine.for`, constants followed; None where a bound is not constant."""
    counts = list(loop.attributes["operandSegmentSizes"])
    values = [_number(v) for v in loop.operands]
    lower = apply_map(loop.attributes["lowerBoundMap"].value, values[: counts[0]])
    upper = apply_map(loop.attributes["upperBoundMap"].value, values[counts[0] : counts[0] + counts[1]])
    if any(r is None or not r.is_constant for r in (*lower, *upper)):
        return None
    low, up = (choose(r.constant for r in bound if r is not None) for choose, bound in ((max, lower), (min, upper)))
    return low, up, loop.attributes["step"].value


def number(value: Any) -> int | None:
    """The number that constants and arithmetic on them give `value`; None where it is not known."""
    known = _number(value)
    return known.constant if known is not None and known.is_constant else None


def _number(value: Any) -> Any:
    if not isinstance(value, ir.OpResult):
        return None
    owner = value.owner.operation if hasattr(value.owner, "operation") else value.owner
    if not owner.name.startswith("arith.") and owner.name not in ("affine.apply", "affine.min", "affine.max"):
        return None
    return evaluate(owner, [_number(v) for v in owner.operands])
