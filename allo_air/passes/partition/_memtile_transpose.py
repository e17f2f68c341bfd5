"""Plans transpositions in memtiles, for copies whose source and result are contiguous along different dimensions.

The data is cut into bands of the source's rows, and bands into tiles. A tile arrives in a memtile in the order of the source
and leaves in the order of the result. All columns of the array work on different bands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, prod

from allo_air.access.fields import WORD
from allo_air.arch import arch_of, machine_of
from allo_air.device import Device
from allo_air.passes._analysis.moves import Transfer, Walk
from allo_air.passes.partition._streams import WRAP, Box, Schedule

MAX_TRANSFERS = 64
"""Largest number of bands per column; each band is a transfer."""
MAX_SLOWDOWN = 1.6
"""Largest factor by which short runs may slow down external memory, compared with contiguous transfers."""
RUNS = 256, 512
"""Bytes of the contiguous runs of source and result if cores transpose the tiles instead."""


def transposed_in_memtiles(boxes: Sequence[Box], sources: int, bits: int, device: Device) -> Schedule | None:
    """The cheapest schedule; None if the boxes have an unsupported form, or if cores transpose faster.

    Supported is a single box of 32-bit elements whose source and result are contiguous along different dimensions. `sources` is
    the number of source arguments.
    """
    if len(boxes) != 1 or boxes[0].source is None or bits != WORD:
        return None
    [box] = boxes
    source_dim = next((n for n, (_, step, _) in enumerate(box.dims) if step == 1), None)
    if source_dim in (None, len(box.dims) - 1) or not box.dims or box.dims[-1][2] != 1:
        return None
    assert source_dim is not None
    schedules = [_schedule(box, source_dim, *tile, sources, device) for tile in _tiles(box, source_dim, device)]
    possible = [schedule for schedule in schedules if schedule is not None]
    best = min(possible, key=lambda s: (s.cycles, s.slowdown), default=None)
    return best if best is not None and best.cycles <= _cycles_on_cores(box, device) else None


def _cycles_on_cores(box: Box, device: Device) -> float:
    """Cycles of a transposition by cores: external memory, the start of the launches, and the end of the sequence."""
    arch = arch_of(device)
    return box.count * WORD / 8 * sum(map(arch.memory_share, RUNS)) / arch.memory_bytes + 2 * machine_of(device).tail


def _tiles(box: Box, source_dim: int, device: Device) -> Iterator[tuple[int, int]]:
    """Tile extents along the contiguous dimensions of source and result; a memtile holds two tiles."""
    max_elements = machine_of(device).l2 * 8 // WORD // 2
    for along, across in product(_divisors(box.dims[source_dim][0]), _divisors(box.dims[-1][0])):
        if max(along, across) <= WRAP and along * across <= max_elements:
            yield along, across


def _schedule(box: Box, source_dim: int, along: int, across: int, sources: int, device: Device) -> Schedule | None:
    """The schedule with tiles of `along` x `across` elements; None if it has too many transfers or too short runs."""
    arch, machine, size = arch_of(device), machine_of(device), WORD // 8
    rows, (length, step, _) = box.dims[source_dim], box.dims[-1]
    outer = [d for n, d in enumerate(box.dims[:-1]) if n != source_dim]
    bands = prod(n for n, _, _ in outer) * (rows[0] // along)
    count = min(device.columns, bands)
    per_column = ceil(bands / count)
    slowdown = sum(arch.memory_share(n * size) for n in (along, across)) / 2
    if per_column > MAX_TRANSFERS or slowdown > MAX_SLOWDOWN:
        return None
    memory = 2 * box.count * size * slowdown / arch.memory_bytes
    slowest = (per_column * length * along + 2 * along * across) * size / arch.channel_bytes
    cycles = max(memory, slowest, 2 * bands * machine.task) + machine.tail
    loads: list[list[Transfer]] = [[] for _ in range(count)]
    for number, (*places, band) in enumerate(product(*(range(n) for n, _, _ in outer), range(rows[0] // along))):
        first = box.first + band * along + sum(p * stride for p, (_, stride, _) in zip(places, outer, strict=True))
        target = box.target + band * along * rows[2] + sum(p * stride for p, (_, _, stride) in zip(places, outer, strict=True))
        source = Walk(box.source or 0, first, ((length, step), (along, 1)))
        result = Walk(sources, target, ((length // across, across), (along, rows[2]), (across, 1)))
        loads[number % count].append(Transfer(source, result, ((along, 1), (across, along))))
    return Schedule(tuple(map(tuple, loads)), (), cycles, slowdown)


def _divisors(size: int) -> list[int]:
    """The divisors of `size` that a dimension of a descriptor can count."""
    return [n for n in range(1, min(size, WRAP) + 1) if size % n == 0]
