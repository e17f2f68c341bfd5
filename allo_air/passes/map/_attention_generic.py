"""Helpers of attention's code: they build linalg.generic operations, selections between values, and sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.mlir import arith, ir, linalg


def generic(
    ins: Sequence[ir.Value], out: ir.Value, axes: Sequence[Sequence[int]], loops: int, body: Callable[..., ir.Value]
) -> Any:
    """A linalg.generic with `loops` loops. `axes` gives for each operand, `out` last, the loops that index it. Loops without
    `out` are reductions.

    `body` gets the elements of the operands and returns the result's element.
    """
    dims = [ir.AffineDimExpr.get(n) for n in range(loops)]
    maps = [ir.AffineMapAttr.get(ir.AffineMap.get(loops, 0, [dims[n] for n in follows])) for follows in axes]
    kinds = ["parallel" if n in axes[-1] else "reduction" for n in range(loops)]
    iterators = ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{k}>") for k in kinds])
    op = linalg.GenericOp([out.type], list(ins), [out], ir.ArrayAttr.get(maps), iterators)
    types = [v.type.element_type for v in (*ins, out)]
    block = op.regions[0].blocks.append(*types, arg_locs=[op.location] * len(types))
    with ir.InsertionPoint(block):
        linalg.YieldOp([body(*block.arguments)])
    return op.results[0]


def filled(out: ir.Value, number: float) -> Any:
    """`out` with `number` in each element."""
    element = out.type.element_type
    return linalg.fill(arith.constant(element, ir.FloatAttr.get(element, number)), outs=[out])


def added(values: Sequence[ir.Value]) -> Any:
    """The sum of one or two numbers."""
    first, *rest = values
    return arith.addf(first, rest[0]) if rest else first
