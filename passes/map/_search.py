"""Candidates for the tiles of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt, prod

from allo_air.passes.map._demand import Demand
from allo_air.passes.map._limits import fits, shares, splits
from allo_air.passes.map._plan import Cut, Tiles
from allo_air.passes.map._space import Space, Tensor


def candidates(found: Space) -> Iterator[tuple[Tiles, Demand]]:
    """Tiles that keep the limits, and with each what a core's tile needs; launches cut no loop whose index a body uses.

    All launches run the same code, which knows the place of its core, and not the launch's.
    """
    whole = [(i, e) for i, (d, e) in enumerate(zip(found.loops, found.extents, strict=True)) if d in found.indexed]
    for tiles, needed in _candidates(found):
        cut = len(found.loops) if tiles.cut is None else found.loops.index(tiles.cut.dimension)
        if all(tiles.launch[i + (i > cut)] in (0, e) for i, e in whole):
            yield tiles, needed


def _candidates(found: Space) -> Iterator[tuple[Tiles, Demand]]:
    """Tiles that keep the limits of L1, of channels, and of 32-bit words; with each what a core's tile needs."""
    for loop, apart in enumerate(found.apart):
        if apart and not found.rigid[loop]:
            yield from _cuts(found, loop)
    free = [i for i, apart in enumerate(found.apart) if apart]
    for x in free:
        for y in free:
            if x < y:
                yield from _pairs(found, x, y)
    if len(free) == 1 and found.rigid[free[0]]:
        yield from _pairs(found, free[0], None)


def _cuts(found: Space, loop: int) -> Iterator[tuple[Tiles, Demand]]:
    """Loop `loop` cut in two, for columns and rows of cores; padded where it stands in front of all tensors that have it."""
    dimension = found.loops[loop]
    extent = found.extents[loop]
    pads = all(_leads(v, dimension) for v in (*found.inputs, *found.outputs))
    for rows in _rows(found, loop):
        for tile in _sizes(extent):
            inner = rows * tile
            columns = min(_columns(found), -(-extent // inner))
            if not pads:
                columns = next((c for c in range(columns, 0, -1) if extent % (inner * c) == 0), 0)
            if not columns:
                continue
            padded = _up(extent, inner * columns)
            for rest in _rests(found, {loop}):
                sizes = [rest.get(i, 0) for i in range(len(found.extents))]
                sizes[loop] = tile
                needed = found.model.demand(sizes)
                if not fits(found, needed, sizes, {dimension: padded}):
                    continue
                launch = [*sizes[:loop], columns, inner, *sizes[loop + 1 :]]
                herd = [*sizes[:loop], 1, tile, *sizes[loop + 1 :]]
                many = padded // (inner * columns) * _count(found, rest)
                yield Tiles(tuple(launch), tuple(herd), (columns, rows), many, Cut(dimension, padded, inner), dimension), needed


def _pairs(found: Space, x: int, y: int | None) -> Iterator[tuple[Tiles, Demand]]:
    """Loop `x` over columns of cores, loop `y` over their rows."""
    loops = found.loops
    for rows in _rows(found, y) if y is not None else (1,):
        for columns in sorted({c for c in range(1, _columns(found) + 1) if found.extents[x] % c == 0}, reverse=True)[:2]:
            if y is not None and found.extents[y] % rows:
                continue
            for tile_x in _divisors(found.extents[x] // columns):
                for tile_y in _divisors(found.extents[y] // rows) if y is not None else (0,):
                    for rest in _rests(found, {x, y} if y is not None else {x}):
                        sizes = [rest.get(i, 0) for i in range(len(found.extents))]
                        sizes[x] = tile_x
                        if y is not None:
                            sizes[y] = tile_y
                        needed = found.model.demand(sizes)
                        if not fits(found, needed, sizes, {}):
                            continue
                        launch = list(sizes)
                        launch[x] = tile_x * columns
                        if y is not None:
                            launch[y] = tile_y * rows
                        if not splits(found, launch, x, columns):
                            continue
                        if not shares(found, needed, sizes, {x: columns, **({} if y is None else {y: rows})}):
                            continue
                        many = prod(e // s for e, s in zip(found.extents, launch, strict=True) if s)
                        along = loops[y] if y is not None else None
                        yield Tiles(tuple(launch), tuple(sizes), (columns, rows), many, None, along), needed


def _rests(found: Space, taken: set[int]) -> Iterator[dict[int, int]]:
    """Tiles of the other loops: all of them, or parts of the one that has most."""
    free = [i for i, apart in enumerate(found.apart) if apart and i not in taken]
    yield {}
    if free:
        largest = max(free, key=lambda i: found.extents[i])
        for size in _divisors(found.extents[largest]):
            if size < found.extents[largest]:
                yield {i: size if i == largest else 1 for i in free}


def _count(found: Space, rest: dict[int, int]) -> int:
    return prod(found.extents[i] // s for i, s in rest.items() if s)


def _columns(found: Space) -> int:
    """Columns of cores whose shims have channels for all results."""
    into, _ = found.device.tiles["shim_noc"].channels
    return max(1, found.device.columns * min(len(found.outputs), into) // max(len(found.outputs), 1))


def _rows(found: Space, loop: int) -> list[int]:
    """Rows of cores whose channels a memtile has: one for each part of an input that differs by row, and each result."""
    into, out = found.device.tiles["mem"].channels
    core, _ = found.device.tiles["core"].channels
    tiles = [[n if i == loop else 0 for i in range(len(found.extents))] for n in (1, 2)]
    asked = found.model.ways(tiles)
    ways = [(v.number, way) for v in found.inputs for way in asked[v.number] or {((), ())}]
    differs = [one != two for number, (one, two) in ways for _ in range(found.model.places.get(number, 1))]
    every, shared = sum(differs), len(differs) - sum(differs)
    each = every if len(differs) <= core else min(every, core - min(shared, 1))
    made = len(found.outputs)
    most = len(found.device.core_rows)
    fits = [
        rows for rows in range(1, most + 1) if rows * each + shared + made <= out and rows * made + len(found.inputs) <= into
    ]
    return [r for r in (4, 3, 2, 1) if r in fits and (r != 3 or each < every)] or [1]


def _leads(tensor: Tensor, dimension: int) -> bool:
    return dimension not in tensor.dimensions or tensor.dimensions[0] == dimension


def _sizes(extent: int) -> list[int]:
    """Tiles of a loop that may be padded: powers of two and divisors."""
    powers = [1 << p for p in range(15) if 1 << p < 2 * extent]
    return sorted({*powers, *_divisors(extent, 16384)})


def _divisors(extent: int, most: int = 65536) -> list[int]:
    """Divisors up to `most`: a core has no room for more elements along a loop."""
    low = [d for d in range(1, min(isqrt(extent), most) + 1) if extent % d == 0]
    return sorted(d for d in {*low, *(extent // d for d in low)} if d <= most)


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
