"""Candidates for the tiles of a kernel, and the limits that they keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.columns import is_alone
from allo_air.passes._analysis.structured import loop_extents
from allo_air.passes.map._demand import EXCESS, Demand, Model
from allo_air.passes.map._dimensions import Dimensions, indexed
from allo_air.passes.map._heads import is_head
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._plan import Cut, Tiles


@dataclass(frozen=True)
class Tensor:
    """A tensor of a kernel: its number in the model, bits of an element, its dimensions and their extents."""

    number: int
    bits: int
    dimensions: tuple[int, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Space:
    """What a search knows of a kernel: of each loop of the root its dimension, its extent, and whether its tiles can be
    computed apart; the tensors that come, those that leave, and those that stay inside."""

    kernel: Kernel
    model: Model
    device: Device
    loops: tuple[int, ...]
    rigid: tuple[bool, ...]
    extents: tuple[int, ...]
    apart: tuple[bool, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    inside: tuple[Tensor, ...]
    indexed: frozenset[int]
    """Dimensions whose indices a body computes with."""
    arguments: frozenset[int] = frozenset()
    """The numbers of the kernel's arguments, which are made longer where one that no tile cuts is no whole words."""
    is_alone: bool = False
    """Whether the kernel has the whole array."""


def space(kernel: Kernel, device: Device, excess: float = EXCESS) -> Space:
    """The Space of a kernel with a root; its tiles may do so much of the work again, as a share of all."""
    assert kernel.root is not None
    model, dimensions = Model(kernel), Dimensions(kernel)

    def tensors(values: Iterable[ir.Value]) -> tuple[Tensor, ...]:
        ranked = [v for v in values if v in model.number]
        return tuple(Tensor(model.number[v], bits_of(v), tuple(dimensions.of(v)), tuple(v.type.shape)) for v in ranked)

    returned = kernel.returned
    ops = [op for op in (*kernel.ops, *kernel.others) if op.name != "linalg.fill"]
    inside = [r for op in ops for r in op.results if r not in returned]
    loops = tuple(dimensions.loops(kernel.root))
    repeated = dimensions.repeated
    rigid = tuple(dimensions.all[d].rigid or d in repeated for d in loops)
    extents, apart = tuple(loop_extents(kernel.root)), tuple(model.tileable(excess))
    heads = [op for op in kernel.others if is_head(op)]
    sliced = {op.operands[0] for op in heads if all(use.owner in heads for use in op.operands[0].uses)}
    came = [*(a for a in kernel.block.arguments if a not in sliced), *(op.results[0] for op in heads)]
    inside = [v for v in inside if v not in came]
    used = {dimensions.loops(op)[loop] for op in kernel.ops for loop in indexed(op)}
    parts = tensors(came), tensors(returned), tensors(inside)
    given = frozenset(model.number[a] for a in kernel.block.arguments if a in model.number)
    return Space(kernel, model, device, loops, rigid, extents, apart, *parts, frozenset(used), given, is_alone(kernel.function))


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
    for rows in _rows(found, dimension):
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
                if not _fits(found, needed, sizes, {dimension: padded}):
                    continue
                launch = [*sizes[:loop], columns, inner, *sizes[loop + 1 :]]
                herd = [*sizes[:loop], 1, tile, *sizes[loop + 1 :]]
                many = padded // (inner * columns) * _count(found, rest)
                yield Tiles(tuple(launch), tuple(herd), (columns, rows), many, Cut(dimension, padded, inner), dimension), needed


def _pairs(found: Space, x: int, y: int | None) -> Iterator[tuple[Tiles, Demand]]:
    """Loop `x` over columns of cores, loop `y` over their rows."""
    loops = found.loops
    for rows in _rows(found, loops[y]) if y is not None else (1,):
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
                        if not _fits(found, needed, sizes, {}):
                            continue
                        launch = list(sizes)
                        launch[x] = tile_x * columns
                        if y is not None:
                            launch[y] = tile_y * rows
                        if not _splits(found, needed, sizes, x, columns):
                            continue
                        if not _shares(found, needed, sizes, {x: columns, **({} if y is None else {y: rows})}):
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
        for size in _divisors(found.extents[largest])[:-1]:
            yield {i: size if i == largest else 1 for i in free}


def _count(found: Space, rest: dict[int, int]) -> int:
    return prod(found.extents[i] // s for i, s in rest.items() if s)


def _columns(found: Space) -> int:
    """Columns of cores whose shims have channels for all results."""
    into, _ = found.device.tiles["shim_noc"].channels
    return max(1, found.device.columns * min(len(found.outputs), into) // max(len(found.outputs), 1))


def _rows(found: Space, along: int) -> list[int]:
    """Rows of cores whose channels a memtile has: one for each input that differs from row to row, and for each result."""
    into, out = found.device.tiles["mem"].channels
    every = [v for v in found.inputs if along in v.dimensions]
    shared = len(found.inputs) - len(every)
    made = len(found.outputs)
    most = len(found.device.core_rows)
    fits = [
        rows
        for rows in range(1, most + 1)
        if rows * len(every) + shared + made <= out and rows * made + len(found.inputs) <= into
    ]
    return [r for r in (4, 2, 1) if r in fits] or [1]


def _fits(found: Space, needed: Demand, sizes: Sequence[int], padded: dict[int, int]) -> bool:
    """Whether a core's tile fits into L1, and its transfers are whole 32-bit words."""
    size = 0
    for tensors, times in ((found.inputs, 2), (found.outputs, 2), (found.inside, 2 if found.model.in_parts else 1)):
        for tensor in tensors:
            part = needed.pieces[tensor.number]
            size += 0 if part is None else times * prod(part) * max(tensor.bits, 8) // 8
    if size > core_room(found.device):
        return False
    if found.model.in_parts and not _parts_in_turn(found, needed):
        return False
    brief = [t for t in (*found.inputs, *found.outputs) if t.bits % 32]
    if brief and not _steps_in_words(found, needed, sizes, brief):
        return False
    return all(
        _is_in_words(tensor, part, padded)
        for tensor in (*found.inputs, *found.outputs)
        for part in (needed.parts[tensor.number], needed.pieces[tensor.number])
        if tensor.bits % 32 and part is not None and not (tensor.number in found.arguments and tuple(part) == tensor.shape)
    )


def _parts_in_turn(found: Space, needed: Demand) -> bool:
    """Whether a core has buffer descriptors for parts that share a channel with other operands: one for each in turn."""
    core = found.device.tiles["core"]
    if len(found.inputs) <= core.channels[0]:
        return True
    both = [(needed.parts[t.number] or [1], needed.pieces[t.number] or [1]) for t in found.inputs]
    return sum(-(-prod(part) // prod(piece)) for part, piece in both) + len(found.outputs) <= core.bds


def _splits(found: Space, needed: Demand, sizes: Sequence[int], x: int, columns: int) -> bool:
    """Whether each operand's part of a launch can be cut for the columns' memtiles: the pieces of neighbours do not overlap."""
    if columns == 1:
        return True
    together = found.model.demand([s * columns if i == x else s for i, s in enumerate(sizes)])
    pairs = [(needed.parts[t.number], together.parts[t.number]) for t in found.inputs]
    return all(b in (a, a * columns) for one, all_ in pairs if one and all_ for a, b in zip(one, all_, strict=True))


def _shares(found: Space, needed: Demand, sizes: Sequence[int], times: dict[int, int]) -> bool:
    """Whether a core's channels are enough: operands share one that all come to the same cores."""
    into, _ = found.device.tiles["core"].channels
    if len(found.inputs) <= into:
        return True
    wider = [
        found.model.demand([s * count if i == loop else s for i, s in enumerate(sizes)])
        for loop, count in times.items()
        if count > 1
    ]
    ways = {tuple(w.parts[t.number] == needed.parts[t.number] for w in wider) for t in found.inputs}
    return len(ways) <= into


def fits_l2(found: Space, tiles: Tiles, needed: Demand) -> bool:
    """Whether what the cores of a column take and make in a launch fits into a memtile."""
    size = 0
    for tensor in (*found.inputs, *found.outputs):
        rows = tiles.cores[1] if tiles.rows_along is None or tiles.rows_along in tensor.dimensions else 1
        size += rows * prod(needed.parts[tensor.number] or [0]) * max(tensor.bits, 8) // 8
    return size <= found.device.tiles["mem"].memory


def _is_in_words(tensor: Tensor, tile: Sequence[int], padded: dict[int, int]) -> bool:
    """Whether each run of a tile of a tensor begins and ends at a 32-bit word, in external memory and in L2."""
    shape = [padded.get(d, e) for d, e in zip(tensor.dimensions, tensor.shape, strict=True)]
    run, stride, merged = 1, 1, True
    for extent, size in reversed(list(zip(shape, tile, strict=True))):
        if merged:
            run *= size
            merged = size == extent
            if not merged and run * tensor.bits % 32:
                return False
        elif stride * tensor.bits % 32:
            return False
        stride *= extent
    return run * tensor.bits % 32 == 0


def _steps_in_words(found: Space, needed: Demand, sizes: Sequence[int], brief: Sequence[Tensor]) -> bool:
    """Whether tiles of tensors begin at 32-bit words; with windows and sums of loops a step is not as long as the tile."""
    steps = [[s * (1 + (i == loop)) for i, s in enumerate(sizes)] for loop, s in enumerate(sizes) if s and found.model.has_sums]
    for longer in steps or [[2 * s for s in sizes]]:
        twice = found.model.demand(longer).parts
        for tensor in brief:
            one, two = needed.parts[tensor.number], twice[tensor.number]
            for d, (size, both) in enumerate(zip(one or (), two or (), strict=True)):
                if size < both and both < 2 * size and (both - size) * prod(tensor.shape[d + 1 :]) * tensor.bits % 32:
                    return False
    return True


def bytes_of(value: ir.Value, sizes: Sequence[int]) -> int:
    return prod(sizes) * max(bits_of(value), 8) // 8


def bits_of(value: ir.Value) -> int:
    """Bits of an element of a tensor."""
    bits = element_bits(value.type)
    assert bits is not None
    return bits


def _leads(tensor: Tensor, dimension: int) -> bool:
    return dimension not in tensor.dimensions or tensor.dimensions[0] == dimension


def _sizes(extent: int) -> list[int]:
    """Tiles of a loop that may be padded: powers of two and divisors."""
    powers = [1 << p for p in range(15) if 1 << p < 2 * extent]
    return sorted({*powers, *(d for d in _divisors(extent) if d <= 16384)})


def _divisors(extent: int) -> list[int]:
    low = [d for d in range(1, int(extent**0.5) + 1) if extent % d == 0]
    return sorted({*low, *(extent // d for d in low)})


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
