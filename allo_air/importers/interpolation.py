"""Interpolation along one dimension as a weighted sum of selections: the neighbours of each element and their weights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from numpy import ndarray
    from torch import Tensor

LINEAR, CUBIC = "linear", "cubic"


def neighbours(
    package: ModuleType,
    places: ndarray | Tensor,
    old: int,
    mode: str = LINEAR,
    *,
    cubic: float = -0.75,
    scale: float = 1.0,
    inside_only: bool = False,
) -> list[tuple[Any, Any]]:
    """For each of `places` among `old` elements: indices of the neighbours, and their weights in float64, which sum to 1.

    The list has a pair of arrays for each neighbour, of `package`, which is numpy or torch. `cubic` is the coefficient of cubic
    interpolation. A `scale` below 1 widens the window by its inverse (antialiasing). Neighbours outside repeat the border; with
    `inside_only`, they do not count.

    A product with a matrix of weights would be faster, but it multiplies infinite elements by 0, which gives NaN.
    """
    if mode == LINEAR and scale >= 1:
        places = package.clip(places, 0, None)
        low = package.clip(_whole(places), 0, old - 1)
        second = package.clip(places - low, 0, 1)
        return [(low, 1 - second), (package.clip(low + 1, 0, old - 1), second)]
    scale, reach = min(scale, 1.0), 1 if mode == LINEAR else 2
    low = _whole(package.floor(places))
    first = math.floor(-reach / scale) + 1
    indices = [low + offset for offset in range(first, 2 - first)]
    weights = []
    for index in indices:
        distance = package.abs(index - places) * scale
        weight = package.clip(1 - distance, 0, None) if mode == LINEAR else _cubic(package, distance, cubic)
        weights.append(weight * ((index >= 0) & (index < old)) if inside_only else weight)
    total = sum(weights)
    return [(package.clip(i, 0, old - 1), w / total) for i, w in zip(indices, weights, strict=True)]


def _whole(places: Any) -> Any:
    return places.astype("int64") if hasattr(places, "astype") else places.long()


def _cubic(package: ModuleType, distance: Any, a: float) -> Any:
    """The weight of an element at `distance` by Keys' cubic convolution with coefficient `a`."""
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return package.where(distance <= 1, near, package.where(distance < 2, far, 0.0))
