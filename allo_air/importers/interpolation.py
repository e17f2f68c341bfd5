"""Interpolation along one dimension as a weighted sum of selections: the neighbours of each element and their weights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

LINEAR, CUBIC = "linear", "cubic"


def neighbours(
    places: np.ndarray,
    old: int,
    mode: str = LINEAR,
    *,
    cubic: float = -0.75,
    scale: float = 1.0,
    inside_only: bool = False,
) -> list[tuple[Any, Any]]:
    """For each of `places` among `old` elements: indices of the neighbours, and their weights in float64, which sum to 1.

    The list has a pair of arrays for each neighbour. `cubic` is the coefficient of cubic interpolation. A `scale` below 1
    widens the window by its inverse (antialiasing). Neighbours outside repeat the border; with `inside_only`, they do not
    count.

    A product with a matrix of weights would be faster, but it multiplies infinite elements by 0, which gives NaN.
    """
    import numpy as np

    if mode == LINEAR and scale >= 1:
        places = np.maximum(places, 0)
        low = np.minimum(places.astype(np.int64), old - 1)
        second = np.minimum(places - low, 1)
        return [(low, 1 - second), (np.minimum(low + 1, old - 1), second)]
    scale, reach = min(scale, 1.0), 1 if mode == LINEAR else 2
    low = np.floor(places).astype(np.int64)
    first = math.floor(-reach / scale) + 1
    indices = [low + offset for offset in range(first, 2 - first)]
    distances = [np.abs(index - places) * scale for index in indices]
    weights = np.stack([np.clip(1 - d, 0, None) if mode == LINEAR else _cubic(d, cubic) for d in distances])
    if inside_only:
        weights *= np.stack([(index >= 0) & (index < old) for index in indices])
    weights /= weights.sum(0)
    return [(np.clip(i, 0, old - 1), w) for i, w in zip(indices, weights, strict=True) if w.any()]


def _cubic(distance: np.ndarray, a: float) -> Any:
    """The weight of an element at `distance` by Keys' cubic convolution with coefficient `a`."""
    import numpy as np

    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0.0))
