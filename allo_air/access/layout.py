"""Layouts of host arrays on the device: the correspondence between the elements of the two arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Layout:
    """The index in each dimension of the host's array, as an affine function of the device's indices: the constant, then the
    factors.

    Device elements with an index outside of the host's array have the value `outside`, and are ignored when results are
    copied back. A host element may have several copies on the device. In a result it has one, except that an array without
    dimensions is read from the first.
    """

    rows: tuple[tuple[int, ...], ...]
    outside: int | float = 0

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], outside: int | float = 0) -> Layout:
        """The layout of any sequences of numbers."""
        return cls(tuple(tuple(int(n) for n in row) for row in rows), outside)

    @classmethod
    def identity(cls, rank: int, outside: int | float = 0) -> Layout:
        """The layout of an unchanged array."""
        return cls(tuple((0, *(int(d == axis) for d in range(rank))) for axis in range(rank)), outside)

    def then(self, other: Layout) -> Layout:
        """The layout of an array packed by this one and, all of it, by `other`, which adds nothing from outside."""
        rows = []
        for constant, *factors in self.rows:
            parts = [[f * n for n in row] for f, row in zip(factors, other.rows, strict=True)]
            sums = [sum(column) for column in zip(*parts, strict=True)]
            rows.append((constant + sums[0], *sums[1:]))
        return Layout(tuple(rows), self.outside)

    def stays_inside(self, host: Sequence[int], device: Sequence[int]) -> bool:
        """Whether all elements of a device's array of shape `device` are in the host's of shape `host`."""
        for (constant, *factors), size in zip(self.rows, host, strict=True):
            ends = [f * (n - 1) for f, n in zip(factors, device, strict=True)]
            least, most = constant + sum(min(e, 0) for e in ends), constant + sum(max(e, 0) for e in ends)
            if least < 0 or most >= size:
                return False
        return True

    @property
    def permutation(self) -> list[int] | None:
        """For each dimension of the host's array the equal one of the device's; None if the layout is not a permutation."""
        results = []
        for constant, *factors in self.rows:
            if constant or sorted(factors) != [0] * (len(factors) - 1) + [1]:
                return None
            results.append(factors.index(1))
        return results if sorted(results) == list(range(len(self.rows[0]) - 1 if self.rows else 0)) else None

    def pack(self, array: np.ndarray, shape: Sequence[int]) -> Any:
        """The device's array of `shape` for the host's `array`."""
        import numpy as np

        if not array.size:
            return np.full(shape, self.outside, array.dtype)
        places, inside = self._places(array.shape, shape)
        clipped = tuple(np.clip(place, 0, size - 1) for place, size in zip(places, array.shape, strict=True))
        result = np.broadcast_to(array[clipped], shape)
        return np.where(inside, result, np.asarray(self.outside).astype(array.dtype))

    def unpack(self, device: np.ndarray, array: np.ndarray) -> None:
        """Copies the elements of the host's `array` from `device` into it."""
        import numpy as np

        if not array.ndim:
            array[...] = device.flat[0]
            return
        places, inside = self._places(array.shape, device.shape)
        chosen = np.broadcast_to(inside, device.shape)
        array[tuple(np.broadcast_to(place, device.shape)[chosen] for place in places)] = device[chosen]

    def _places(self, host: Sequence[int], device: Sequence[int]) -> tuple[list[Any], Any]:
        """The host's index in each dimension, and whether it is inside of the host's array; all broadcast to the device's
        shape.
        """
        import numpy as np

        grid = np.ogrid[tuple(slice(size) for size in device)]
        inside: Any = np.ones([1] * len(device), bool)
        places = []
        for (constant, *factors), size in zip(self.rows, host, strict=True):
            place: Any = np.full([1] * len(device), constant)
            for factor, index in zip(factors, grid, strict=True):
                if factor:
                    place = place + factor * index
            inside = inside & (place >= 0) & (place < size)
            places.append(place)
        return places, inside
