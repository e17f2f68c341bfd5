"""Finds which of many parts of tensors overlap, without comparing all pairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Generic, TypeVar

from allo_air.frontend.instances import Part

T = TypeVar("T")


@dataclass
class Parts(Generic[T]):
    """Parts of tensors with their owners, in the order in which they were added.

    Layouts divide tensors into parts of equal size, at multiples of that size: the cells of a grid.
    """

    grids: dict[tuple[int, tuple[int, ...]], dict[tuple[int, ...], list[tuple[int, Part, T]]]] = field(default_factory=dict)
    count: int = 0

    def add(self, part: Part, owner: T) -> None:
        """Adds a part, whose offset is a multiple of its size."""
        assert all(start % size == 0 for start, size in zip(part.start, part.sizes, strict=True))
        cells = self.grids.setdefault((part.tensor, part.sizes), {})
        cells.setdefault(_cell(part.start, part.sizes), []).append((self.count, part, owner))
        self.count += 1

    def shared(self, part: Part) -> Iterator[tuple[int, Part, T]]:
        """The parts that overlap `part`, each with its number and its owner."""
        for (tensor, sizes), cells in self.grids.items():
            if tensor != part.tensor:
                continue
            ranges = [range(s // n, -(-(s + m) // n)) for s, m, n in zip(part.start, part.sizes, sizes, strict=True)]
            if prod(map(len, ranges)) <= len(cells):
                for cell in itertools.product(*ranges):
                    yield from cells.get(cell, ())
            else:
                for cell, item in cells.items():
                    if all(c in r for c, r in zip(cell, ranges, strict=True)):
                        yield from item


def _cell(start: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(s // n for s, n in zip(start, sizes, strict=True))
