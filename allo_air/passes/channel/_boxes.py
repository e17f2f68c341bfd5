"""Boxes of points in a grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

Point = tuple[int, ...]


@dataclass(frozen=True)
class Box:
    """The points from `lower` on, below `upper`."""

    lower: Point
    upper: Point

    @property
    def shape(self) -> Point:
        return tuple(u - low for low, u in zip(self.lower, self.upper, strict=True))

    def points(self) -> Iterable[Point]:
        """All points, the last dimension running fastest."""
        return product(*map(range, self.lower, self.upper))


def grid(shape: Point) -> Box:
    """The points from 0 on, below `shape`."""
    return Box((0,) * len(shape), shape)


def boxes(points: Iterable[Point]) -> list[Box]:
    """Boxes that together contain each of `points` once. Each box extends as far as possible along the last dimension, then
    along the others.
    """
    uncovered = set(points)
    results = []
    while uncovered:
        box = _largest_box(min(uncovered), uncovered)
        uncovered -= set(box.points())
        results.append(box)
    return results


def _largest_box(first: Point, points: set[Point]) -> Box:
    upper = [n + 1 for n in first]
    for d in reversed(range(len(first))):
        while all(p in points for p in _slab(first, upper, d)):
            upper[d] += 1
    return Box(first, tuple(upper))


def _slab(first: Point, upper: list[int], d: int) -> Iterable[Point]:
    """The points that extend a box from `first` to `upper` by one along dimension `d`."""
    return Box((*first[:d], upper[d], *first[d + 1 :]), (*upper[:d], upper[d] + 1, *upper[d + 1 :])).points()
