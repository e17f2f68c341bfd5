"""A number for each element of a buffer, stored once as long as all are equal, as in most tiles of cores."""

from __future__ import annotations

from typing import Any

import numpy as np


class ElementNumbers:
    """`size` numbers, 0 at first."""

    __slots__ = ("_each", "_same", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._same: int | None = 0
        self._each: Any = None

    @property
    def each(self) -> Any:
        """The numbers as an array, to be changed."""
        if self._same is not None:
            if self._each is None:
                self._each = np.zeros(self._size, np.int32)
            self._each.fill(self._same)
            self._same = None
        return self._each

    def set(self, view: Any, only: np.ndarray | slice | None, number: int) -> None:
        """Gives the elements of `view` (where `only` is true) that number."""
        if only is None and view.is_whole:
            self._same = number
        else:
            view.over(self.each)[... if only is None else only] = number

    def replace(self, view: Any, only: np.ndarray | None, old: int, new: int) -> None:
        """Gives the elements of `view` (where `only` is true) that have number `old` number `new`."""
        if self._same == old and only is None and view.is_whole:
            self._same = new
            return
        part = view.over(self.each)
        part[(part == old) if only is None else (part == old) & only] = new

    def numbers(self, view: Any, only: np.ndarray | None = None) -> Any:
        """The different numbers of the elements of `view` (where `only` is true), lowest first."""
        if self._same is not None:
            return (self._same,) if view.size and (only is None or only.any()) else ()
        part = view.over(self._each)
        return _unique(part if only is None else part[only])

    def all_numbers(self) -> Any:
        """The different numbers, lowest first."""
        if self._same is not None:
            return (self._same,) if self._size else ()
        return _unique(self._each)

    def are_set(self, view: Any) -> Any:
        """Which elements of `view` have another number than 0."""
        if self._same is not None:
            return np.full(view.sizes, self._same != 0)
        return view.over(self._each) != 0


def _unique(numbers: np.ndarray) -> Any:
    """The different entries, lowest first; most views have one."""
    if not numbers.size:
        return ()
    low, high = int(numbers.min()), int(numbers.max())
    if low == high:
        return (low,)
    return [int(n) for n in np.flatnonzero(np.bincount(np.ravel(numbers)))]
