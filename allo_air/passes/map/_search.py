"""Candidates for the tiles of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt, prod

from allo_air.passes.map._demand import Demand
from allo_air.passes.map._limits import fits, shares, splits
from allo_air.passes.map._plan import Cut, Tiles
from allo_air.passes.map._space import Space, Tensor

Question = Callable[[tuple[int, int], int, Demand | None], bool]
"""Whether tiles for these cores with so many launches are worth looking at, of which a core's needs may be known."""


def candidates(found: Space, may: Question = lambda *_: True) -> Iterator[tuple[Tiles, Demand]]:
    """Tiles that respect the limits of L1 and of words, the largest first, each with the needs of a core's tile.

    `legal` says whether the channels of a column suffice. Launches do not cut a loop whose index a body uses: all launches run
    the same code, which knows the position of its core but not of the launch. `may` filters candidates.
    """
    whole = [(i, e) for i, (d, e) in enumerate(zip(found.loops, found.extents, strict=True)) if d in found.indexed]
    for tiles, needed in _candidates(found, may):
        cut = len(found.loops) if tiles.cut is None else found.loops.index(tiles.cut.dimension)
        if all(tiles.launch[i + (i > cut)] in (0, e) for i, e in whole):
            yield tiles, needed


def legal(found: Space, tiles: Tiles, needed: Demand) -> bool:
    """Whether the channels of columns and cores suffice, for tiles that do not split a loop."""
    if tiles.cut is not None:
        return True
    columns, rows = tiles.cores
    y = None if tiles.rows_along is None else found.loops.index(tiles.rows_along)
    x = next((i for i, core in enumerate(tiles.herd) if core and i != y and core < tiles.launch[i]), None)
    if x is not None and not splits(found, tiles.launch, x, columns):
        return False
    return shares(found, needed, tiles.herd, {loop: n for loop, n in ((x, columns), (y, rows)) if loop is not None})


def _candidates(found: Space, may: Question) -> Iterator[tuple[Tiles, Demand]]:
    free = [i for i, apart in enumerate(found.apart) if apart]
    if len(free) == 1 and found.rigid[free[0]]:
        yield from _pairs(found, free[0], None, may)
    for x in reversed(free):
        for y in reversed(free):
            if x < y:
                yield from _pairs(found, x, y, may)
    for loop in reversed(free):
        if not found.rigid[loop]:
            yield from _cuts(found, loop, may)


def _cuts(found: Space, loop: int, may: Question) -> Iterator[tuple[Tiles, Demand]]:
    """Loop `loop` split in two for columns and rows of cores; padded if it is outermost in all tensors that have it."""
    dimension = found.loops[loop]
    extent = found.extents[loop]
    pads = all(_is_leading(v, dimension) for v in (*found.inputs, *found.outputs))
    rests = [(rest, _count(found, rest)) for rest in _rests(found, {loop})]
    for rows in reversed(_rows(found, loop)):
        for tile in reversed(_sizes(extent)):
            inner = rows * tile
            columns = min(_columns(found), -(-extent // inner))
            if not pads:
                columns = next((c for c in range(columns, 0, -1) if extent % (inner * c) == 0), 0)
            if not columns:
                continue
            padded = _up(extent, inner * columns)
            for rest, count in rests:
                many = padded // (inner * columns) * count
                if not may((columns, rows), many, None):
                    continue
                sizes = [rest.get(i, 0) for i in range(len(found.extents))]
                sizes[loop] = tile
                needed = found.model.demand(sizes)
                if not may((columns, rows), many, needed) or not fits(found, needed, sizes, {dimension: padded}):
                    continue
                launch = [*sizes[:loop], columns, inner, *sizes[loop + 1 :]]
                herd = [*sizes[:loop], 1, tile, *sizes[loop + 1 :]]
                yield Tiles(tuple(launch), tuple(herd), (columns, rows), many, Cut(dimension, padded, inner), dimension), needed


def _pairs(found: Space, x: int, y: int | None, may: Question) -> Iterator[tuple[Tiles, Demand]]:
    """Loop `x` over columns of cores, loop `y` over their rows."""
    along = found.loops[y] if y is not None else None
    rests = [(rest, _count(found, rest)) for rest in _rests(found, {x, y} if y is not None else {x})]
    across = [c for c in range(_columns(found), 0, -1) if found.extents[x] % c == 0][:2]
    for rows in reversed(_rows(found, y)) if y is not None else (1,):
        for columns in reversed(across):
            if y is not None and found.extents[y] % rows:
                continue
            for tile_x in reversed(_divisors(found.extents[x] // columns)):
                for tile_y in reversed(_divisors(found.extents[y] // rows)) if y is not None else (0,):
                    outer = (
                        found.extents[x] // (tile_x * columns) * (found.extents[y] // (tile_y * rows) if y is not None else 1)
                    )
                    for rest, count in rests:
                        if not may((columns, rows), outer * count, None):
                            continue
                        sizes = [rest.get(i, 0) for i in range(len(found.extents))]
                        sizes[x] = tile_x
                        if y is not None:
                            sizes[y] = tile_y
                        needed = found.model.demand(sizes)
                        if not may((columns, rows), outer * count, needed) or not fits(found, needed, sizes, {}):
                            continue
                        launch = list(sizes)
                        launch[x] = tile_x * columns
                        if y is not None:
                            launch[y] = tile_y * rows
                        yield Tiles(tuple(launch), tuple(sizes), (columns, rows), outer * count, None, along), needed


def _rests(found: Space, taken: set[int]) -> Iterator[dict[int, int]]:
    """Tiles of the other loops: whole loops, or parts of the longest one."""
    free = [i for i, apart in enumerate(found.apart) if apart and i not in taken]
    if free:
        largest = max(free, key=lambda i: found.extents[i])
        for size in reversed(_divisors(found.extents[largest])):
            if size < found.extents[largest]:
                yield {i: size if i == largest else 1 for i in free}
    yield {}


def _count(found: Space, rest: dict[int, int]) -> int:
    return prod(found.extents[i] // s for i, s in rest.items() if s)


def _columns(found: Space) -> int:
    """Columns of cores whose shims have channels for all results."""
    into, _ = found.device.tiles["shim_noc"].channels
    return max(1, found.device.columns * min(len(found.outputs), into) // max(len(found.outputs), 1))


def _rows(found: Space, loop: int) -> list[int]:
    """Rows of cores for which a memtile has channels: one for each part of an input that differs by row, and for each
    result.
    """
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


def _is_leading(tensor: Tensor, dimension: int) -> bool:
    return dimension not in tensor.dimensions or tensor.dimensions[0] == dimension


def _sizes(extent: int) -> list[int]:
    """Tile sizes of a loop that may be padded: powers of two and divisors."""
    powers = [1 << p for p in range(15) if 1 << p < 2 * extent]
    return sorted({*powers, *_divisors(extent, 16384)})


def _divisors(extent: int, most: int = 65536) -> list[int]:
    """Divisors up to `most`: L1 has no room for more elements along a loop."""
    low = [d for d in range(1, min(isqrt(extent), most) + 1) if extent % d == 0]
    return sorted(d for d in {*low, *(extent // d for d in low)} if d <= most)


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
