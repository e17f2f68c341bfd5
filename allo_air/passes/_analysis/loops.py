"""The loops around an operation, and the range of an index over their iterations."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.access.linear import Linear
from allo_air.core.loops import Dim, dim_of
from allo_air.core.walking import parents
from allo_air.mlir import ir

NO_PING_PONG = "air.disable_ping_pong"
"""Attribute of a loop: neither it, nor loops in it or around it, may be double-buffered (ping-pong)."""


def loops_between(op: ir.Operation, block: ir.Block, through: Sequence[str] = ()) -> list[Dim] | None:
    """The `scf.for` loops around `op` inside `block`, outermost first.

    None if another operation is in between (except those named in `through`), or a loop has an unknown bound.
    """
    dims: list[Dim] = []
    inner = op.operation
    for outer in parents(op):
        if inner.block == block:
            return dims[::-1]
        dim = dim_of(outer) if outer.name == "scf.for" else None
        if dim is not None:
            dims.append(dim)
        elif outer.name not in through:
            return None
        inner = outer
    return None


def interval(part: Linear, loops: list[Dim]) -> tuple[Linear, int]:
    """Over all iterations of `loops`: the minimum of `part` without the loop variables, and the distance from it to the
    maximum.

    Every loop must have an iteration.
    """
    least, reach = Linear(part.constant), 0
    ranges = {loop.iv: (loop.lower, loop.last) for loop in loops}
    for value, factor in part.terms:
        if value not in ranges:
            least = least + Linear(0, ((value, factor),))
            continue
        ends = [factor * end for end in ranges[value]]
        least = least + Linear(min(ends))
        reach += max(ends) - min(ends)
    return least, reach
