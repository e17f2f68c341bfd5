"""Nests of `scf.for` over the elements, or the vectors, of a shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from allo_air.air.api.values import constant
from allo_air.mlir import ir, scf


def nest(extents: Sequence[int], steps: Sequence[int], body: Callable[[list[ir.Value]], None]) -> None:
    """Loops from 0 to each extent, the first outermost; `body` gets the induction variables."""
    bounds = [(constant(0), constant(extent), constant(step)) for extent, step in zip(extents, steps, strict=True)]
    _loops(bounds, [], body)


def _loops(
    bounds: list[tuple[ir.Value, ir.Value, ir.Value]], indices: list[ir.Value], body: Callable[[list[ir.Value]], None]
) -> None:
    if not bounds:
        body(indices)
        return
    loop = scf.ForOp(*bounds[0])
    with ir.InsertionPoint(loop.body):
        _loops(bounds[1:], [*indices, loop.induction_variable], body)
        scf.YieldOp([])
