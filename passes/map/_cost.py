"""Cycles of a kernel's tiles: cores, streams, external memory, and what each launch adds."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from allo_air.arch import arch_of
from allo_air.mlir import ir
from allo_air.passes.map._demand import Demand
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._search import Space, bits_of

LANES = 16
STEP = 60
"""Cycles of a core around a tile: locks, and the start of its loops."""


@dataclass(frozen=True)
class Cost:
    """Estimated cycles, what bounds them, and bytes to and from external memory."""

    cycles: float
    bound: str
    moved: float

    def __str__(self) -> str:
        return f"about {self.cycles:.3g} cycles, bound by {self.bound} ({self.moved / 1e6:.3g} MB to and from external memory)"


def cost(found: Space, tiles: Tiles, needed: Demand) -> Cost:
    """The cost of `tiles`: in each launch cores compute one tile while the next one comes and the last one leaves."""
    columns, rows = tiles.cores
    arch = arch_of(found.device)
    stream = arch.stream_bytes
    rate = arch.memory_gigabytes * 1000 / arch.nominal_mhz
    along = _rows_dimension(found, tiles)
    each = {v: prod(needed.values[v]) * bits_of(v) / 8 for v in (*found.inputs, *found.outputs) if v in needed.values}
    launch = {v: size * columns * (rows if along is None or along in found.dimensions.of(v) else 1) for v, size in each.items()}
    compute = sum(prod(sizes) * _price(op) for op, sizes in needed.loops.items()) + STEP
    read = sum(launch.get(v, 0) for v in found.inputs)
    write = sum(launch.get(v, 0) for v in found.outputs)
    shim = found.device.tiles["shim_noc"].channels
    feed = max(read / (columns * shim[1]), write / (columns * shim[0]), max(each.values())) / stream
    outside = (read + write) / rate
    parts = {"the cores": compute, "the streams": feed, "external memory": outside}
    bound = max(parts, key=parts.__getitem__)
    first = (read / columns + write / columns) / stream
    return Cost(tiles.launches * (parts[bound] + STEP) + compute + first, bound, tiles.launches * (read + write))


def _rows_dimension(found: Space, tiles: Tiles) -> int | None:
    return tiles.cut.dimension if tiles.cut is not None else None


def _price(op: ir.Operation) -> float:
    """Cycles of a core for one iteration of an operation."""
    if op.name == "linalg.fill":
        return 1 / LANES
    body = [o.operation.name for o in op.regions[0].blocks[0].operations][:-1]
    return sum(_OPERATIONS.get(name, 4 if name.startswith("math.") else 1) for name in body) / LANES + 1 / LANES


_OPERATIONS = {"arith.divf": 16, "arith.constant": 0, "arith.extf": 1, "arith.truncf": 1}
