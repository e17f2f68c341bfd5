"""Iteration spaces: the ranges of a launch, a segment or a herd."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING

from allo_air.air.api.errors import NotImplementedError, TypeError, ValueError
from allo_air.errors import counted

if TYPE_CHECKING:
    from allo_air.mlir import ir

_AXES = 2


@dataclass(frozen=True)
class Grid:
    """Counts of tiles along each axis, and the tiles' sizes, which are the steps of the ranges."""

    counts: tuple[int, ...]
    steps: tuple[int, ...]


def grid_of(ranges: object, who: str) -> Grid:
    """The grid of a range, a list of ranges, or `itertools.product` of ranges; `who` is launch, segment or herd."""
    if isinstance(ranges, range):
        return _of_ranges([ranges], who)
    if isinstance(ranges, product):
        return _of_points(list(ranges), who)
    if isinstance(ranges, list | tuple) and ranges and all(isinstance(r, range) for r in ranges):
        return _of_ranges(list(ranges), who)
    raise TypeError(f"{who}: the grid is a range, a list of ranges, or itertools.product of ranges, got {ranges!r}")


def _of_ranges(ranges: list[range], who: str) -> Grid:
    _check_rank(len(ranges), who)
    for axis, each in enumerate(ranges):
        if each.start != 0:
            raise NotImplementedError(f"{who}: axis {axis} of the grid starts at {each.start}; ranges start at 0")
        if each.step < 0 or each.stop <= 0:
            raise ValueError(f"{who}: axis {axis} of the grid, {each}, is empty")
        if each.stop % each.step:
            raise ValueError(
                f"{who}: axis {axis} of the grid, {each}, ends in a partial tile: the step {each.step} does not divide the "
                f"extent {each.stop}"
            )
    return Grid(tuple(len(r) for r in ranges), tuple(r.step for r in ranges))


def _of_points(points: list[tuple[ir.Value, ...]], who: str) -> Grid:
    if not points or not points[0]:
        raise ValueError(f"{who}: the grid is empty")
    _check_rank(len(points[0]), who)
    return _of_ranges([_recovered(sorted(set(axis)), i, who) for i, axis in enumerate(zip(*points, strict=True))], who)


def _recovered(values: list[int], axis: int, who: str) -> range:
    """The range of which an exhausted `itertools.product` is made."""
    if not all(isinstance(v, int) for v in values):
        raise TypeError(f"{who}: axis {axis} of the grid has values that are not integers; give ranges")
    if len(values) == 1:
        raise ValueError(
            f"{who}: axis {axis} of the product has one value, {values[0]}, so its step is unknown; "
            f"give a list of ranges instead of itertools.product"
        )
    step = values[1] - values[0]
    if any(b - a != step for a, b in pairwise(values)):
        raise ValueError(f"{who}: axis {axis} of the grid has steps that are not uniform: {values}")
    return range(values[0], values[-1] + step, step)


def _check_rank(rank: int, who: str) -> None:
    if rank > _AXES:
        raise NotImplementedError(f"{who}: the grid has {counted(rank, 'dimension')}; at most {_AXES} are there")
