"""Computes how many launches one buffer descriptor can serve if several operands share a channel."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, prod

from allo_air.device import SHIM_BD
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._space import Space, Tensor


def launches_served(space: Space, tiles: Tiles) -> int:
    """The number of consecutive launches over which each input advances by a constant distance, as a descriptor's iteration
    does.
    """
    served, distances = 1, [0] * len(space.inputs)
    for dimension, step, count in reversed(list(_launches(space, tiles))):
        steps = [step * _stride(tensor, dimension) for tensor in space.inputs]
        if served == 1:
            distances = steps
        elif steps != [served * d for d in distances]:
            break
        served *= count
    return min(served, SHIM_BD.max_iterations)


def _launches(space: Space, tiles: Tiles) -> Iterator[tuple[int, int, int]]:
    """For each loop that launches divide: its dimension, the elements by which a launch advances, and the number of
    launches.
    """
    for (dimension, extent, unit), size in zip(_loops(space, tiles), tiles.launch, strict=True):
        if size and size < extent:
            yield dimension, size * unit, ceil(extent / size)


def _loops(space: Space, tiles: Tiles) -> Iterator[tuple[int, int, int]]:
    """For each loop: its dimension, its extent and its stride in elements."""
    for dimension, extent in zip(space.loops, space.extents, strict=True):
        if tiles.cut is not None and dimension == tiles.cut.dimension:
            yield dimension, tiles.cut.extent // tiles.cut.inner, tiles.cut.inner
            yield dimension, tiles.cut.inner, 1
        else:
            yield dimension, extent, 1


def _stride(tensor: Tensor, dimension: int) -> int:
    if dimension not in tensor.dimensions:
        return 0
    return prod(tensor.shape[tensor.dimensions.index(dimension) + 1 :])
