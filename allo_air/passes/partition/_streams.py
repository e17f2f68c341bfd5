"""Plans transfers that move the boxes of a tensor from external memory over streams back to external memory, and estimates
their cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from math import ceil, prod

from allo_air.access.dims import row_major
from allo_air.access.fields import WORD
from allo_air.arch import arch_of, machine_of
from allo_air.device import Device
from allo_air.passes._analysis.moves import Streams, Transfer, Walk
from allo_air.passes.partition._pieces import Piece

WRAP = 1023
"""Largest wrap of a shim's descriptor; for the innermost dimension, it counts words (docs/sources.md#device)."""
DIMENSIONS = 3
"""Dimensions of a shim's buffer descriptor, without its iteration dimension."""
LEAST = 1 << 14
"""Smallest result, in bytes, that streams move; a core moves smaller ones, together with the adjacent operations."""
_MOST_ORDERED = 7
"""Dimensions of a box up to which all orders are compared."""
_MOST_TASKS = 1024
"""Largest number of tasks of a schedule, since the control processor's program grows with them."""
REPEATED = 64
"""Largest repetition count of a task."""
MOST_WALKED = DIMENSIONS + 1
"""Dimensions of a transfer that becomes one task: those of its descriptor, and its repetitions."""
FILL_BYTES = 1 << 16
"""Longest row of a constant in external memory, which is read repeatedly. Longer rows gain nothing."""


@dataclass(frozen=True)
class Box:
    """A piece to move. `dims` gives for each dimension the size, the stride in the source and the stride in the result.

    `fill` is the number of the constant row that it reads; None if it reads a source.
    """

    source: int | None
    fill: int | None
    first: int
    target: int
    dims: tuple[tuple[int, int, int], ...]

    @property
    def count(self) -> int:
        return prod(n for n, _, _ in self.dims)

    def split(self, dim: int, sizes: Sequence[int]) -> list[Box]:
        """Boxes whose dimension `dim` has these sizes, which add up to that of this box."""
        results, start = [], 0
        _, near, far = self.dims[dim]
        for size in sizes:
            dims = (*self.dims[:dim], (size, near, far), *self.dims[dim + 1 :])
            kept_dims = tuple(d for d in dims if d[0] > 1)
            results.append(Box(self.source, self.fill, self.first + start * near, self.target + start * far, kept_dims))
            start += size
        return results

    def run(self, side: int) -> int:
        """Contiguous elements in the source (`side` 1) or in the result (`side` 2)."""
        count = 1
        for dim in reversed(self.dims):
            if dim[side] != count:
                break
            count *= dim[0]
        return count


@dataclass(frozen=True)
class Schedule:
    """Transfers over streams.

    `fills` are the elements of each constant's row, for any number of columns. `cycles` is an estimate. `slowdown` is the
    factor by which external memory is slower than with contiguous transfers of the same bytes.
    """

    streams: Streams
    fills: tuple[int, ...]
    cycles: float
    slowdown: float


def boxes_of(
    pieces: Sequence[Piece], sources: Sequence[object], numbers: Sequence[object], shape: Sequence[int], bits: int
) -> list[Box] | None:
    """The pieces of a tensor of `shape` as boxes; their sources and fills are positions in `sources` and `numbers`.

    None if a piece is not whole words.
    """
    boxes = [part for piece in pieces for part in _boxes(piece, sources, numbers, shape, bits)]
    return boxes if boxes and all(_has_whole_words(box, WORD // bits) for box in boxes) else None


def schedule(boxes: Sequence[Box], sources: int, numbers: int, bits: int, device: Device, channels: int = 0) -> Schedule | None:
    """The transfers that move the boxes of a tensor, on this number of `channels` in each direction, or 0 for all of `device`;
    None if they would be too many.

    The arguments of the function are `sources` arrays, a row for each of `numbers` constants, and the result.
    """
    machine = machine_of(device)
    count = channels or machine.columns * machine.shim_channels
    cost = {box: _contiguous_bytes(box, bits, device) for box in boxes}
    whole = sum(cost.values())
    counts = {box: max(ceil(count * cost[box] / whole - 1e-9), _fewest_parts(box)) for box in boxes}
    equal = [part for box in boxes for part in _parts(box, counts[box], WORD // bits)]
    parts = [_ordered(walked, bits) for part in equal for walked in _walkable_boxes(part)]
    loads: list[tuple[float, list[Box]]] = [(0.0, []) for _ in range(min(count, len(parts)))]
    for part in sorted(parts, key=lambda b: (-_contiguous_bytes(b, bits, device), b.target)):
        channel = min(range(len(loads)), key=lambda n: (loads[n][0], n))
        loads[channel] = (loads[channel][0] + _contiguous_bytes(part, bits, device), [*loads[channel][1], part])
    fills = tuple(min(FILL_BYTES * 8 // bits, max(b.count for b in boxes if b.fill == n)) for n in range(numbers))
    tasks = sum(_tasks(b, bits) for b in parts)
    if tasks > _MOST_TASKS:
        return None
    streams = tuple(tuple(_transfer(b, sources, sources + numbers, bits) for b in load) for _, load in loads)
    slowest = max(sum(b.count for b in load) for _, load in loads) * bits / 8 / machine.channel_bytes
    cycles = max(whole / machine.memory_bytes, slowest, tasks * machine.task) + machine.tail
    moved = sum(b.count * (1 if b.source is None else 2) for b in boxes) * bits / 8
    return Schedule(streams, fills, cycles, whole / moved)


def _boxes(piece: Piece, sources: Sequence[object], numbers: Sequence[object], shape: Sequence[int], bits: int) -> list[Box]:
    strides = row_major(shape)
    dims = _merged([d for d in zip(piece.sizes, piece.steps, strides, strict=True) if d[0] > 1], piece.source is None)
    target = sum(n * s for n, s in zip(piece.low, strides, strict=True))
    source = None if piece.source is None else sources.index(piece.source)
    box = Box(source, None if source is not None else numbers.index(piece.number), piece.first, target, tuple(dims))
    return [b for piece in _split_to_wraps(box, WORD // bits) for b in _row_boxes(piece, bits)]


def _merged(dims: Sequence[tuple[int, int, int]], fills: bool) -> list[tuple[int, int, int]]:
    """Merges adjacent dimensions that are contiguous in both source and result."""
    results: list[tuple[int, int, int]] = []
    for size, near, far in reversed(dims):
        if results and far == results[0][0] * results[0][2] and (fills or near == results[0][0] * results[0][1]):
            results[0] = (results[0][0] * size, *results[0][1:])
        else:
            results.insert(0, (size, near, far))
    return results


def _split_to_wraps(box: Box, unit: int) -> list[Box]:
    """Splits the innermost dimension until its size is at most WRAP words, or a product of two such numbers."""
    if len(box.dims) < 2:
        return [box]
    size = box.dims[-1][0] // unit
    if box.dims[-1][0] % unit or _fits_wraps(size):
        return [box]
    half = size // 2 * unit
    return [b for part in box.split(len(box.dims) - 1, [half, size * unit - half]) for b in _split_to_wraps(part, unit)]


def _fits_wraps(words: int) -> bool:
    """Whether one wrap, or the product of two wraps, can be this number of words."""
    return words <= WRAP or any(words % n == 0 and words // n <= WRAP for n in range(2, WRAP + 1))


def _row_boxes(box: Box, bits: int) -> list[Box]:
    """A constant box as boxes that read its row, or a part of it, repeatedly."""
    if box.source is not None or _row(box, bits) * bits // 8 >= min(1 << 10, box.count * bits // 8):
        return [box]
    inner = prod(n for n, _, _ in box.dims[1:])
    most = max(1, FILL_BYTES * 8 // bits // inner)
    whole = box.dims[0][0] // most * most
    if not 0 < whole < box.dims[0][0]:
        return [box]
    return box.split(0, [whole, box.dims[0][0] - whole])


def _row(box: Box, bits: int) -> int:
    """Elements of the constant row that a box reads repeatedly."""
    most = FILL_BYTES * 8 // bits
    if box.count <= most:
        return box.count
    unit = WORD // bits
    return next((n for n in range(most // unit * unit, 0, -unit) if box.count % n == 0), unit)


def _has_whole_words(box: Box, unit: int) -> bool:
    """Whether both sides of a box are runs of whole words. Boxes of 32-bit elements may have any strides."""
    if unit == 1:
        return True
    filled = box.source is None
    if box.target % unit or (not filled and box.first % unit) or not box.dims:
        return False
    *outer, (size, near, far) = box.dims
    if size % unit or far != 1 or (not filled and near != 1):
        return False
    return all(b % unit == 0 and (filled or a % unit == 0) for _, a, b in outer)


def _contiguous_bytes(box: Box, bits: int, device: Device) -> float:
    """Bytes that external memory could move with contiguous transfers in the time of this box."""
    share = arch_of(device).memory_share
    size = box.count * bits / 8
    read = size * (1 if box.source is None else share(box.run(1) * bits / 8))
    return read + size * share(box.run(2) * bits / 8)


def _parts(box: Box, count: int, unit: int) -> list[Box]:
    """The box as about `count` boxes of about equal size."""
    if count <= 1 or not box.dims:
        return [box]
    size = box.dims[0][0]
    step = unit * 16 if len(box.dims) == 1 else 1
    pieces = min(count, max(1, size // step))
    if pieces < 2:
        return [box]
    ends = [n * size // pieces // step * step for n in range(pieces)] + [size]
    boxes = box.split(0, [b - a for a, b in pairwise(ends)])
    return [part for b in boxes for part in _parts(b, count // pieces, unit)]


def _fewest_parts(box: Box) -> int:
    """The parts of a box whose first dimension is repeated, if it is longer than a task's largest repeat count."""
    return ceil(box.dims[0][0] / REPEATED) if len(box.dims) > DIMENSIONS else 1


def _walkable_boxes(box: Box) -> list[Box]:
    """The box, or one for each index of its shortest dimensions, so that each side has no more than MOST_WALKED dimensions.

    Runs stay as long as they are if other dimensions can be split.
    """
    sides = [_merged_on([(dim[0], dim[side]) for dim in box.dims]) for side in (1, 2) if side == 2 or box.source is not None]
    if max(map(len, sides)) <= MOST_WALKED:
        return [box]
    splits = [box.split(n, [1] * size) for n, (size, _, _) in enumerate(box.dims[:-1])]
    runs = box.run(1), box.run(2)
    best = min(splits, key=lambda parts: ((parts[0].run(1), parts[0].run(2)) != runs, len(parts)))
    return [part for box in best for part in _walkable_boxes(box)]


def _ordered(box: Box, bits: int) -> Box:
    """The box with its dimensions in the order that takes the fewest tasks; runs stay as long as they are."""
    if _tasks(box, bits) <= 2 or not 2 < len(box.dims) <= _MOST_ORDERED:
        return box
    orders = (replace(box, dims=(*outer, box.dims[-1])) for outer in permutations(box.dims[:-1]))
    equal_runs = (b for b in orders if (b.run(1), b.run(2)) == (box.run(1), box.run(2)))
    return min(equal_runs, key=lambda b: _tasks(b, bits))


def _tasks(box: Box, bits: int) -> int:
    """An upper bound of the shim tasks that a box takes, on both sides together.

    A descriptor has DIMENSIONS dimensions, and is repeated along one more.
    """
    unit, tasks = WORD // bits, 0
    for side in (1, 2):
        if (side == 1 and box.source is None) or box.run(side) == box.count:
            tasks += 1
            continue
        dims = _merged_on([(n, d) for n, *steps in box.dims for d in [steps[side - 1]]])
        used_dims, outer, is_repeated = 0, 1, False
        for number, (size, _) in enumerate(reversed(dims)):
            words = size // unit if number == 0 else size
            needs = 1 if words <= WRAP else 2
            if used_dims + needs <= DIMENSIONS and _fits_wraps(words):
                used_dims += needs
            elif not is_repeated and size <= REPEATED * 4:
                outer, is_repeated = outer * ceil(size / REPEATED), True
            else:
                outer *= size
        tasks += outer
    return tasks


def _merged_on(dims: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(n, s) for n, s, _ in _merged([(n, s, s) for n, s in dims], False)]


def _transfer(box: Box, sources: int, result: int, bits: int) -> Transfer:
    target = Walk(result, box.target, tuple((n, far) for n, _, far in box.dims))
    if box.source is not None:
        return Transfer(Walk(box.source, box.first, tuple((n, near) for n, near, _ in box.dims)), target)
    assert box.fill is not None
    row = _row(box, bits)
    return Transfer(Walk(sources + box.fill, 0, ((box.count // row, 0), (row, 1))), target)
