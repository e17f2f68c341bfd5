"""Building `affine.for` loops with constant bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.mlir import ir

LABEL = "affine_opt_label"


def affine_for(
    lower: tuple[ir.AffineMap, Sequence[ir.Value]],
    upper: tuple[ir.AffineMap, Sequence[ir.Value]],
    step: int,
    attributes: dict[str, ir.StringAttr] | None = None,
) -> ir.Operation:
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


def body_of(loop: ir.Operation) -> ir.Block:
    """The block of a loop."""
    return loop.regions[0].blocks[0]
