"""Layouts of host arrays on the device: which element of the one stands where in the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Layout:
    """For each dimension of the host's array its index as an affine function of the device's: the constant, then a factor each.

    Elements whose place is outside of the host's array are `outside` on the device, and are not seen when results come back.
    An element of the host may stand in several places; in a result it stands in one, a number without dimensions in the first.
    """

    rows: tuple[tuple[int, ...], ...]
    outside: int | float = 0

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], outside: int | float = 0) -> Layout:
        """The layout of any sequences of numbers."""
        return cls(tuple(tuple(int(n) for n in row) for row in rows), outside)

    def pack(self, array: Any, shape: Sequence[int]) -> Any:
        """The device's array of `shape` for the host's `array`."""
        import numpy as np

        if not array.size:
            return np.full(shape, self.outside, array.dtype)
        places, inside = self._places(array.shape, shape)
        clipped = tuple(np.clip(place, 0, size - 1) for place, size in zip(places, array.shape, strict=True))
        found = np.broadcast_to(array[clipped], shape)
        return np.where(inside, found, np.asarray(self.outside).astype(array.dtype))

    def unpack(self, device: Any, array: Any) -> None:
        """Writes what `device` holds of the host's `array` into it."""
        import numpy as np

        if not array.ndim:
            array[...] = device.flat[0]
            return
        places, inside = self._places(array.shape, device.shape)
        chosen = np.broadcast_to(inside, device.shape)
        array[tuple(np.broadcast_to(place, device.shape)[chosen] for place in places)] = device[chosen]

    def _places(self, host: Sequence[int], device: Sequence[int]) -> tuple[list[Any], Any]:
        """The host's index in each dimension, and whether it is inside; of shapes that broadcast to the device's."""
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
