"""Checks the places that the program sets: they are kept if they are on the grid and free, otherwise dropped with a warning."""

from __future__ import annotations

from dataclasses import replace

from allo_air.core.diagnostics import warn_at
from allo_air.passes.place._blocks import Block, Grid, overlap


def valid_pins(blocks: list[Block], grid: Grid) -> list[Block]:
    """`blocks`, without places that are outside of `grid` or on the cores of an earlier block.

    Before: air.herd @h ... attributes {x_loc = 9 : i64, y_loc = 2 : i64} on a grid of four columns
    After: a warning, and the herd goes to a free place.
    """
    honoured: list[Block] = []
    for block in blocks:
        why = _violation(block, grid, honoured)
        if why:
            pin = ", ".join(f"{n} = {v}" for n, v in (("x_loc", block.x), ("y_loc", block.y)) if v is not None)
            warn_at(block.herds[0], f"ignoring user-pinned x_loc/y_loc: {block.name} ({block.size}) at {pin} {why}")
            block = replace(block, x=None, y=None)
        honoured.append(block)
    return honoured


def _violation(block: Block, grid: Grid, before: list[Block]) -> str:
    if block.x is None and block.y is None:
        return ""
    place = (grid.column if block.x is None else block.x, grid.row if block.y is None else block.y)
    if not grid.holds(block, place) and grid.columns >= block.width and grid.rows >= block.height:
        return f"is outside the {grid}"
    for earlier in before:
        if None not in (block.x, block.y, earlier.x, earlier.y) and overlap(
            block, place, earlier, (earlier.x or 0, earlier.y or 0)
        ):
            return f"overlaps {earlier.name}"
    return ""
