"""Enumerates candidates for the tiles of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt, prod

from allo_air.passes.map._demand import Demand
from allo_air.passes.map._limits import fits_l1, shares, splits
from allo_air.passes.map._plan import SplitDimension, Tiles
from allo_air.passes.map._space import Space, Tensor

Filter = Callable[[tuple[int, int], int, Demand | None], bool]
"""Whether tiles for these cores and this number of launches are worth pricing. The needs of a core may be known already."""


def candidates(space: Space, is_worth: Filter = lambda *_: True) -> Iterator[tuple[Tiles, Demand]]:
    """Tiles that respect the limits of L1 and of 32-bit words, the largest first, each with the needs of a core's tile.

    `legal` checks the channels of a column. Launches do not divide a loop whose index a body uses: all launches run the same
    code, which knows the position of its core but not the launch. `is_worth` filters candidates.
    """
    whole = [(i, e) for i, (d, e) in enumerate(zip(space.loops, space.extents, strict=True)) if d in space.indexed]
    for tiles, needed in _candidates(space, is_worth):
        cut = len(space.loops) if tiles.cut is None else space.loops.index(tiles.cut.dimension)
        if all(tiles.launch[i + (i > cut)] in (0, e) for i, e in whole):
            yield tiles, needed


def legal(space: Space, tiles: Tiles, needed: Demand) -> bool:
    """Whether the channels of columns and cores suffice, for tiles that do not split a loop."""
    if tiles.cut is not None:
        return True
    columns, rows = tiles.cores
    y = None if tiles.rows_along is None else space.loops.index(tiles.rows_along)
    x = next((i for i, core in enumerate(tiles.herd) if core and i != y and core < tiles.launch[i]), None)
    if x is not None and not splits(space, tiles.launch, x, columns):
        return False
    return shares(space, needed, tiles.herd, {loop: n for loop, n in ((x, columns), (y, rows)) if loop is not None})


def _candidates(space: Space, is_worth: Filter) -> Iterator[tuple[Tiles, Demand]]:
    free = [i for i, is_independent in enumerate(space.independent) if is_independent]
    if len(free) == 1 and space.rigid[free[0]]:
        yield from _two_loop_tiles(space, free[0], None, is_worth)
    for x in reversed(free):
        for y in reversed(free):
            if x < y:
                yield from _two_loop_tiles(space, x, y, is_worth)
    for loop in reversed(free):
        if not space.rigid[loop]:
            yield from _cuts(space, loop, is_worth)


def _cuts(space: Space, loop: int, is_worth: Filter) -> Iterator[tuple[Tiles, Demand]]:
    """Tiles with loop `loop` split in two, for columns and rows of cores; padded if it is outermost in all tensors that have
    it, and no operation reduces it.
    """
    dimension = space.loops[loop]
    extent = space.extents[loop]
    pads = not space.recomputing[loop] and all(_is_leading(v, dimension) for v in (*space.inputs, *space.outputs))
    other_tiles = [(rest, _count(space, rest)) for rest in _tiles_of_other_loops(space, {loop})]
    for rows in reversed(_rows(space, loop)):
        for tile in reversed(_sizes(extent)):
            inner = rows * tile
            columns = min(_columns(space), -(-extent // inner))
            if not pads:
                columns = next((c for c in range(columns, 0, -1) if extent % (inner * c) == 0), 0)
            if not columns:
                continue
            padded = _round_up(extent, inner * columns)
            for rest, count in other_tiles:
                launches = padded // (inner * columns) * count
                if not is_worth((columns, rows), launches, None):
                    continue
                sizes = [rest.get(i, 0) for i in range(len(space.extents))]
                sizes[loop] = tile
                needed = space.model.demand(sizes)
                if not is_worth((columns, rows), launches, needed) or not fits_l1(space, needed, sizes, {dimension: padded}):
                    continue
                launch = [*sizes[:loop], columns, inner, *sizes[loop + 1 :]]
                herd = [*sizes[:loop], 1, tile, *sizes[loop + 1 :]]
                yield (
                    Tiles(
                        tuple(launch),
                        tuple(herd),
                        (columns, rows),
                        launches,
                        SplitDimension(dimension, padded, inner),
                        dimension,
                    ),
                    needed,
                )


def _two_loop_tiles(space: Space, x: int, y: int | None, is_worth: Filter) -> Iterator[tuple[Tiles, Demand]]:
    """Tiles with loop `x` divided among columns of cores and loop `y` among rows of cores."""
    along = space.loops[y] if y is not None else None
    other_tiles = [(rest, _count(space, rest)) for rest in _tiles_of_other_loops(space, {x, y} if y is not None else {x})]
    across = [c for c in range(_columns(space), 0, -1) if space.extents[x] % c == 0][:2]
    for rows in reversed(_rows(space, y)) if y is not None else (1,):
        for columns in reversed(across):
            if y is not None and space.extents[y] % rows:
                continue
            for tile_x in reversed(_divisors(space.extents[x] // columns)):
                for tile_y in reversed(_divisors(space.extents[y] // rows)) if y is not None else (0,):
                    outer = (
                        space.extents[x] // (tile_x * columns) * (space.extents[y] // (tile_y * rows) if y is not None else 1)
                    )
                    for rest, count in other_tiles:
                        if not is_worth((columns, rows), outer * count, None):
                            continue
                        sizes = [rest.get(i, 0) for i in range(len(space.extents))]
                        sizes[x] = tile_x
                        if y is not None:
                            sizes[y] = tile_y
                        needed = space.model.demand(sizes)
                        if not is_worth((columns, rows), outer * count, needed) or not fits_l1(space, needed, sizes, {}):
                            continue
                        launch = list(sizes)
                        launch[x] = tile_x * columns
                        if y is not None:
                            launch[y] = tile_y * rows
                        yield Tiles(tuple(launch), tuple(sizes), (columns, rows), outer * count, None, along), needed


def _tiles_of_other_loops(space: Space, used: set[int]) -> Iterator[dict[int, int]]:
    """Tiles of the other loops: whole loops, or parts of the longest one."""
    free = [i for i, is_independent in enumerate(space.independent) if is_independent and i not in used]
    if free:
        largest = max(free, key=lambda i: space.extents[i])
        for size in reversed(_divisors(space.extents[largest])):
            if size < space.extents[largest]:
                yield {i: size if i == largest else 1 for i in free}
    yield {}


def _count(space: Space, rest: dict[int, int]) -> int:
    return prod(space.extents[i] // s for i, s in rest.items() if s)


def _columns(space: Space) -> int:
    """Columns of cores whose shims have channels for all results."""
    inputs, _ = space.device.tiles["shim_noc"].channels
    return max(1, space.device.columns * min(len(space.outputs), inputs) // max(len(space.outputs), 1))


def _rows(space: Space, loop: int) -> list[int]:
    """Numbers of rows of cores for which a memtile has channels: one for each part of an input that differs by row, and one for
    each result.
    """
    inputs, out = space.device.tiles["mem"].channels
    core, _ = space.device.tiles["core"].channels
    tiles = [[n if i == loop else 0 for i in range(len(space.extents))] for n in (1, 2)]
    variants_of = space.model.variants(tiles)
    variants = [(v.number, variant) for v in space.inputs for variant in variants_of[v.number] or {((), ())}]
    differs = [one != two for number, (one, two) in variants for _ in range(space.model.offset_counts.get(number, 1))]
    differing, shared = sum(differs), len(differs) - sum(differs)
    each = differing if len(differs) <= core else min(differing, core - min(shared, 1))
    result = len(space.outputs)
    most = len(space.device.core_rows)
    fits = [
        rows
        for rows in range(1, most + 1)
        if rows * each + shared + result <= out and rows * result + len(space.inputs) <= inputs
    ]
    return [r for r in (4, 3, 2, 1) if r in fits and (r != 3 or each < differing)] or [1]


def _is_leading(tensor: Tensor, dimension: int) -> bool:
    return dimension not in tensor.dimensions or tensor.dimensions[0] == dimension


def _sizes(extent: int) -> list[int]:
    """Tile sizes of a loop that may be padded: powers of two and divisors."""
    powers = [1 << p for p in range(15) if 1 << p < 2 * extent]
    return sorted({*powers, *_divisors(extent, 16384)})


def _divisors(extent: int, most: int = 65536) -> list[int]:
    """The divisors of `extent` up to `most`; L1 has no room for more elements along a loop."""
    low = [d for d in range(1, min(isqrt(extent), most) + 1) if extent % d == 0]
    return sorted(d for d in {*low, *(extent // d for d in low)} if d <= most)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
