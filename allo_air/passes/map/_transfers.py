"""Checks whether buffer descriptors can address the tiles of a kernel's tensors."""

from __future__ import annotations

from math import prod

from allo_air.access.dims import merged, row_major
from allo_air.access.fit import Limits, split
from allo_air.passes.map._demand import Demand
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._space import Space

MOST = 8
"""Largest number of descriptors for one core's tile of a tensor. A memtile has 48 for all rows of cores and all tensors."""


def walkable(space: Space, tiles: Tiles, needed: Demand) -> bool:
    """Whether a few memtile descriptors can move each tensor's tile to or from a core, as a part of the tiles of its row of
    cores.

    A size that exceeds a field is split into factors. A long column of prime length has no factors, and would need one
    descriptor per row.
    """
    form = space.device.tiles["mem"].bd
    assert form is not None
    for tensor in (*space.inputs, *space.outputs):
        part = needed.pieces[tensor.number]
        if part is None or not part:
            continue
        row_sizes = [n * (tiles.cores[1] if d == tiles.rows_along else 1) for n, d in zip(part, tensor.dimensions, strict=True)]
        dims = merged([(n, s) for n, s in zip(part, row_major(row_sizes), strict=True) if n > 1])
        outer, _ = split(dims, Limits.of_program(form, max(tensor.bits, 8)))
        if prod([n for n, _ in outer]) > MOST:
            return False
    return True
