"""Transposes boxes in the memtiles if the rows of the source and of the result are along different dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, prod

from allo_air.access.fields import WORD
from allo_air.arch import arch_of, machine_of
from allo_air.device import Device
from allo_air.passes._analysis.moves import Transfer, Walk
from allo_air.passes.partition._streams import WRAP, Box, Schedule

MOST = 64
"""Transfers of a stream."""
SLOWER = 1.6
"""How many times longer than for contiguous transfers memory may take."""
RUNS = 256, 512
"""Bytes of the runs of tiles that cores turn instead."""


def transposed_in_memtiles(boxes: Sequence[Box], sources: int, bits: int, device: Device) -> Schedule | None:
    """How memtiles transpose a box, band by band of its rows, with a stream for each column; None if the box has another form.

    A tile arrives in rows of the source, is double-buffered, and leaves in rows of the result; a descriptor moves whole words.
    """
    if len(boxes) != 1 or boxes[0].source is None or bits != WORD:
        return None
    [box] = boxes
    near = next((n for n, (_, step, _) in enumerate(box.dims) if step == 1), None)
    if near in (None, len(box.dims) - 1) or not box.dims or box.dims[-1][2] != 1:
        return None
    assert near is not None
    tiles = [s for tile in _tiles(box, near, device) if (s := _schedule(box, near, *tile, sources, device)) is not None]
    best = min(tiles, key=lambda s: (s.cycles, s.times), default=None)
    return best if best is not None and best.cycles <= _by_cores(box, device) else None


def _by_cores(box: Box, device: Device) -> float:
    """Cycles of a transposition by cores: external memory, the start of the launches, and the end of the sequence."""
    arch = arch_of(device)
    return box.count * WORD / 8 * sum(map(arch.memory_share, RUNS)) / arch.memory_bytes + 2 * machine_of(device).tail


def _tiles(box: Box, near: int, device: Device) -> Iterator[tuple[int, int]]:
    """Tile extents along the rows of the source and of the result; a memtile holds two tiles."""
    most = machine_of(device).l2 * 8 // WORD // 2
    for along, across in product(_divisors(box.dims[near][0]), _divisors(box.dims[-1][0])):
        if max(along, across) <= WRAP and along * across <= most:
            yield along, across


def _schedule(box: Box, near: int, along: int, across: int, sources: int, device: Device) -> Schedule | None:
    arch, machine, size = arch_of(device), machine_of(device), WORD // 8
    rows, (length, step, _) = box.dims[near], box.dims[-1]
    outer = [d for n, d in enumerate(box.dims[:-1]) if n != near]
    bands = prod(n for n, _, _ in outer) * (rows[0] // along)
    count = min(device.columns, bands)
    each = ceil(bands / count)
    times = sum(arch.memory_share(n * size) for n in (along, across)) / 2
    if each > MOST or times > SLOWER:
        return None
    bus = 2 * box.count * size * times / arch.memory_bytes
    slowest = (each * length * along + 2 * along * across) * size / arch.channel_bytes
    cycles = max(bus, slowest, 2 * bands * machine.task) + machine.tail
    loads: list[list[Transfer]] = [[] for _ in range(count)]
    for number, (*places, band) in enumerate(product(*(range(n) for n, _, _ in outer), range(rows[0] // along))):
        first = box.first + band * along + sum(p * near_by for p, (_, near_by, _) in zip(places, outer, strict=True))
        target = box.target + band * along * rows[2] + sum(p * far for p, (_, _, far) in zip(places, outer, strict=True))
        source = Walk(box.source or 0, first, ((length, step), (along, 1)))
        result = Walk(sources, target, ((length // across, across), (along, rows[2]), (across, 1)))
        loads[number % count].append(Transfer(source, result, ((along, 1), (across, along))))
    return Schedule(tuple(map(tuple, loads)), (), cycles, times)


def _divisors(size: int) -> list[int]:
    """The divisors that a descriptor can count."""
    return [n for n in range(1, min(size, WRAP) + 1) if size % n == 0]
