"""Helpers of attention's code: they build linalg.generic operations, selections between values, and sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.mlir import arith, ir, linalg
from allo_air.passes._ir.generic import generic as linalg_generic


def generic(
    ins: Sequence[ir.Value], out: ir.Value, axes: Sequence[Sequence[int]], loops: int, body: Callable[..., ir.Value]
) -> Any:
    """A linalg.generic with `loops` loops. `axes` gives for each operand, `out` last, the loops that index it. Loops without
    `out` are reductions.

    `body` gets the elements of the operands and returns the result's element.
    """
    dims = [ir.AffineDimExpr.get(n) for n in range(loops)]
    maps = [ir.AffineMap.get(loops, 0, [dims[n] for n in follows]) for follows in axes]
    kinds = ["parallel" if n in axes[-1] else "reduction" for n in range(loops)]
    return linalg_generic(ins, [out], maps, kinds, lambda values: [body(*values)]).results[0]


def filled(out: ir.Value, number: float) -> Any:
    """`out` with `number` in each element."""
    element = out.type.element_type
    return linalg.fill(arith.constant(element, ir.FloatAttr.get(element, number)), outs=[out])


def added(values: Sequence[ir.Value]) -> Any:
    """The sum of one or two numbers."""
    first, *rest = values
    return arith.addf(first, rest[0]) if rest else first
