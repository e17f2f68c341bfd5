"""Candidates for the tiles of a kernel, and the limits that they keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from allo_air.arch.limits import STACK_BYTES
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import loop_extents
from allo_air.passes.map._demand import Demand, demand, tileable
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._plan import Cut, Tiles


@dataclass(frozen=True)
class Space:
    """What a search knows of a kernel."""

    kernel: Kernel
    dimensions: Dimensions
    device: Device
    extents: tuple[int, ...]
    apart: tuple[bool, ...]
    """Of each loop of the root: its extent, and whether its tiles can be computed apart."""

    @property
    def inputs(self) -> list[ir.Value]:
        return [a for a in self.kernel.block.arguments if isinstance(a.type, ir.RankedTensorType)]

    @property
    def outputs(self) -> list[ir.Value]:
        return self.kernel.returned


def space(kernel: Kernel, device: Device) -> Space:
    """The Space of a kernel with a root."""
    assert kernel.root is not None
    return Space(kernel, Dimensions(kernel), device, tuple(loop_extents(kernel.root)), tuple(tileable(kernel)))


def candidates(found: Space) -> Iterator[tuple[Tiles, Demand]]:
    """Tiles that keep the limits of L1, of channels, and of 32-bit words; with each what a core's tile needs."""
    for loop, apart in enumerate(found.apart):
        if apart and _can_cut(found, loop):
            yield from _cuts(found, loop)
    free = [i for i, apart in enumerate(found.apart) if apart]
    for x in free:
        for y in free:
            if x < y:
                yield from _pairs(found, x, y)
    if len(free) == 1 and not _can_cut(found, free[0]):
        yield from _pairs(found, free[0], None)


def whole_fits(found: Kernel, device: Device) -> bool:
    """Whether all of a kernel fits into one core's L1."""
    values = [v for v in Dimensions(found).values if isinstance(v.owner, ir.Block) or v.owner.name != "tensor.empty"]
    return sum(_bytes(v, list(v.type.shape)) for v in values) <= _room(device)


def _can_cut(found: Space, loop: int) -> bool:
    assert found.kernel.root is not None
    return not found.dimensions.all[found.dimensions.loops(found.kernel.root)[loop]].rigid


def _cuts(found: Space, loop: int) -> Iterator[tuple[Tiles, Demand]]:
    """Loop `loop` cut in two, for columns and rows of cores; padded where it stands in front of all tensors that have it."""
    dimension = found.dimensions.loops(found.kernel.root)[loop]  # type: ignore[arg-type]
    extent = found.extents[loop]
    pads = all(_leads(found, v, dimension) for v in (*found.inputs, *found.outputs))
    for rows in _rows(found, dimension):
        for tile in _sizes(extent):
            inner = rows * tile
            columns = min(found.device.columns, -(-extent // inner))
            padded = _up(extent, inner * columns)
            if padded != extent and not pads:
                continue
            for rest in _rests(found, {loop}):
                sizes = [rest.get(i, 0) for i in range(len(found.extents))]
                sizes[loop] = tile
                needed = demand(found.kernel, [s or e for s, e in zip(sizes, found.extents, strict=True)])
                if not _fits(found, needed, {dimension: tile}, {dimension: padded}):
                    continue
                launch = [*sizes[:loop], columns, inner, *sizes[loop + 1 :]]
                herd = [*sizes[:loop], 1, tile, *sizes[loop + 1 :]]
                many = padded // (inner * columns) * _count(found, rest)
                yield Tiles(tuple(launch), tuple(herd), (columns, rows), many, Cut(dimension, padded, inner)), needed


def _pairs(found: Space, x: int, y: int | None) -> Iterator[tuple[Tiles, Demand]]:
    """Loop `x` over columns of cores, loop `y` over their rows."""
    loops = found.dimensions.loops(found.kernel.root)  # type: ignore[arg-type]
    for rows in _rows(found, loops[y]) if y is not None else (1,):
        for columns in sorted({c for c in range(1, found.device.columns + 1) if found.extents[x] % c == 0}, reverse=True)[:2]:
            if y is not None and found.extents[y] % rows:
                continue
            for tile_x in _divisors(found.extents[x] // columns):
                for tile_y in _divisors(found.extents[y] // rows) if y is not None else (0,):
                    for rest in _rests(found, {x, y} if y is not None else {x}):
                        sizes = [rest.get(i, 0) for i in range(len(found.extents))]
                        sizes[x] = tile_x
                        if y is not None:
                            sizes[y] = tile_y
                        needed = demand(found.kernel, [s or e for s, e in zip(sizes, found.extents, strict=True)])
                        tiles = {loops[i]: s for i, s in enumerate(sizes) if s}
                        if not _fits(found, needed, tiles, {}):
                            continue
                        launch = list(sizes)
                        launch[x] = tile_x * columns
                        if y is not None:
                            launch[y] = tile_y * rows
                        many = prod(e // s for e, s in zip(found.extents, launch, strict=True) if s)
                        yield Tiles(tuple(launch), tuple(sizes), (columns, rows), many), needed


def _rests(found: Space, taken: set[int]) -> Iterator[dict[int, int]]:
    """Tiles of the other loops: all of them, or parts of the one that has most."""
    free = [i for i, apart in enumerate(found.apart) if apart and i not in taken]
    yield {}
    if free:
        largest = max(free, key=lambda i: found.extents[i])
        for size in _divisors(found.extents[largest])[:-1]:
            yield {i: size if i == largest else 1 for i in free}


def _count(found: Space, rest: dict[int, int]) -> int:
    return prod(found.extents[i] // s for i, s in rest.items() if s)


def _rows(found: Space, along: int) -> list[int]:
    """Rows of cores whose channels a memtile has: one for each input that differs from row to row, and for each result."""
    into, out = found.device.tiles["mem"].channels
    every = [v for v in found.inputs if along in found.dimensions.of(v)]
    shared = len(found.inputs) - len(every)
    made = len(found.outputs)
    most = len(found.device.core_rows)
    fits = [
        rows
        for rows in range(1, most + 1)
        if rows * len(every) + shared + made <= out and rows * made + len(found.inputs) <= into
    ]
    return [r for r in (4, 2, 1) if r in fits] or [1]


def _fits(found: Space, needed: Demand, tiles: dict[int, int], padded: dict[int, int]) -> bool:
    """Whether a core's tile fits into L1, and its transfers are whole 32-bit words."""
    outside = [*found.inputs, *found.outputs]
    size = 2 * sum(_bytes(v, needed.values[v]) for v in outside if v in needed.values)
    ops = (*found.kernel.ops, *found.kernel.others)
    inner = [v for op in ops for v in op.results if v not in outside and v in needed.values]
    size += sum(_bytes(v, needed.values[v]) for v in inner if v.owner.name != "linalg.fill")
    if size > _room(found.device):
        return False
    return all(_is_in_words(found, v, needed.values[v], tiles, padded) for v in outside if v in needed.values)


def _is_in_words(found: Space, value: ir.Value, tile: Sequence[int], tiles: dict[int, int], padded: dict[int, int]) -> bool:
    """Whether each run of a tile of `value` begins and ends at a 32-bit word, in external memory and in L2."""
    bits = bits_of(value)
    if bits % 32 == 0:
        return True
    own = found.dimensions.of(value)
    shape = [padded.get(d, e) for d, e in zip(own, value.type.shape, strict=True)]
    run, stride, merged = 1, 1, True
    for extent, size in reversed(list(zip(shape, tile, strict=True))):
        if merged:
            run *= size
            merged = size == extent
            if not merged and run * bits % 32:
                return False
        elif stride * bits % 32:
            return False
        stride *= extent
    return run * bits % 32 == 0


def _bytes(value: ir.Value, sizes: Sequence[int]) -> int:
    return prod(sizes) * max(bits_of(value), 8) // 8


def bits_of(value: ir.Value) -> int:
    """Bits of an element of a tensor."""
    bits = element_bits(value.type)
    assert bits is not None
    return bits


def _room(device: Device) -> int:
    return device.tiles["core"].memory - STACK_BYTES


def _leads(found: Space, value: ir.Value, dimension: int) -> bool:
    own = found.dimensions.of(value)
    return dimension not in own or own[0] == dimension


def _sizes(extent: int) -> list[int]:
    """Tiles of a loop that may be padded: powers of two and divisors."""
    powers = [1 << p for p in range(15) if 1 << p < 2 * extent]
    return sorted({*powers, *(d for d in _divisors(extent) if d <= 16384)})


def _divisors(extent: int) -> list[int]:
    low = [d for d in range(1, int(extent**0.5) + 1) if extent % d == 0]
    return sorted({*low, *(extent // d for d in low)})


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
