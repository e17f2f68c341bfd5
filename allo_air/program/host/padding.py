"""Arrays with zeros around them, as the device moves them where shapes do not divide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pad(array: Any, shape: Sequence[int]) -> Any:
    """A contiguous copy of `array` at the beginning of an array of `shape`, zeros elsewhere."""
    import numpy as np

    if array.shape == tuple(shape):
        return np.array(array, order="C", copy=True)
    padded = np.zeros(shape, array.dtype)
    padded[corner(array.shape)] = array
    return padded


def corner(shape: Sequence[int]) -> tuple[slice, ...]:
    """What an array of `shape` takes of a padded one."""
    return tuple(slice(0, size) for size in shape)
