"""The shapes of plans: how many cores compute how large tiles of the result, in the two directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from allo_air.device import Device
from allo_air.passes.linalg._memtile_pairs import halves_columns
from allo_air.passes.linalg._plan import round_up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import Kernel
from allo_air.passes.linalg._sizes import Sizes

MAX_TILE = 256
"""Largest number of rows or columns of a core's tile: a larger tile leaves L1 no room for a step of k that pays."""
MIN_ASPECT = 4
"""Smallest ratio of the result's dimensions for which all cores may lie along the longer one; for small squares the estimate is
too inexact.
"""
FEW_MICRO_TILES = 16
"""Largest number of micro-tiles per core and dimension for which fewer cores than the array has are tried, to save padding."""


class Shape(NamedTuple):
    """Cores and their tiles: cores_m x cores_n cores compute a tile of herd_m x herd_n elements each."""

    cores_m: int
    herd_m: int
    cores_n: int
    herd_n: int


def shapes(problem: Problem, device: Device, kernel: Kernel, sizes: Sizes) -> Iterator[Shape]:
    """The shapes to try: m along the columns of the array and n along its rows, or all cores along one of both."""
    rows = len(device.core_rows)
    m_unit, n_unit, _ = kernel.micro
    # A device of one column may have two cores along m: air-collapse-herd lays a herd of 2 x 2 cores along the column.
    counts_m = {1, 2} if device.columns == 1 else {device.columns}
    along_n = _cores_and_tiles(problem.n, {rows, rows // 2}, n_unit, sizes.cores_n, sizes.herd_n)
    for cores_m, herd_m in _cores_and_tiles(problem.m, counts_m, m_unit, sizes.cores_m, sizes.herd_m):
        for cores_n, herd_n in along_n:
            yield Shape(cores_m, herd_m, cores_n, herd_n)
    yield from _spread_shapes(problem, device, kernel, sizes)


def _spread_shapes(problem: Problem, device: Device, kernel: Kernel, sizes: Sizes) -> Iterator[Shape]:
    """The shapes with all cores along the longer dimension of the result, and a single tile along the other one."""
    cores, (m_unit, n_unit, _) = device.columns * len(device.core_rows), kernel.micro
    channels = device.columns * device.tiles["shim_noc"].channels[1]
    repeats_slices = problem.looped and problem.epilogue  # each iteration would need the slices of epilogue operands again
    if not spread_columns(1, cores, device) or 0 < sizes.channels < channels or repeats_slices:
        return
    if sizes.cores_m in (0, 1) and sizes.cores_n in (0, cores):
        tile = sizes.herd_m or round_up(problem.m, m_unit)
        if problem.m <= tile <= MAX_TILE and problem.m * MIN_ASPECT <= problem.n:
            for _, herd_n in _cores_and_tiles(problem.n, {cores}, n_unit, cores, sizes.herd_n):
                yield Shape(1, tile, cores, herd_n)
            # Half of the cores, with tiles twice as large: whole rows of B come to two columns over the channels of four.
            half = Shape(1, tile, cores // 2, round_up(-(-problem.n // (cores // 2)), n_unit))
            if (
                sizes.allows_pairs(device)
                and half.herd_n <= MAX_TILE
                and spread_columns(1, half.cores_n, device) < device.columns
            ):
                yield half
    if sizes.cores_n in (0, 1) and sizes.cores_m in (0, cores):
        tile = sizes.herd_n or round_up(problem.n, n_unit)
        if problem.n <= tile <= MAX_TILE and problem.n * MIN_ASPECT <= problem.m:
            for _, herd_m in _cores_and_tiles(problem.m, {cores}, m_unit, cores, sizes.herd_m):
                yield Shape(cores, herd_m, 1, tile)


def spread_columns(cores_m: int, cores_n: int, device: Device) -> int:
    """The number of columns over which cores along one dimension of the result are spread, equally many in each column; 0 if
    the cores lie along both dimensions, or fit along one side of the array.
    """
    cores, rows = cores_m * cores_n, len(device.core_rows)
    is_spread = min(cores_m, cores_n) == 1 and cores > max(device.columns, rows)
    if is_spread and cores_m == 1 and cores % rows == 0 and halves_columns(cores // rows, device):
        return cores // rows
    return device.columns if is_spread and cores % device.columns == 0 else 0


def _cores_and_tiles(extent: int, counts: set[int], unit: int, cores: int, tile: int) -> list[tuple[int, int]]:
    """The numbers of cores and the tiles to try along one dimension of the result with `extent` elements.

    Tiles are multiples of `unit`, the micro-tile. For each number of cores and of launches, these are the smallest tiles that
    cover the extent. `counts` are the numbers of cores for large extents; `cores` and `tile` are the user's choices, or 0.
    """
    pairs: set[tuple[int, int]] = set()
    # At least two, even for a single micro-tile: a herd of one row has no more channels from external memory than one core.
    most = max(2, min(max(counts), -(-extent // unit)))
    is_small = extent <= FEW_MICRO_TILES * unit * max(counts)
    for count in {cores} if cores else set(range(1, most + 1)) if is_small else counts:
        if tile:
            pairs.add((count, tile))
            continue
        largest = min(MAX_TILE, round_up(-(-extent // count), unit))
        for size in range(unit, largest + 1, unit):
            launches = -(-extent // (count * size))
            # In one, two and four micro-tiles: a register block of several shares the loaded operands.
            pairs |= {(count, round_up(-(-extent // (count * launches)), block * unit)) for block in (1, 2, 4)}
    return sorted(pairs)
