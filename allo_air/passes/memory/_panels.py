"""L2 buffers that are filled once and read several times, and how they can be split along the order of reading."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from allo_air.access.dims import span, volume
from allo_air.core.constants import constant_of
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import ir
from allo_air.passes._analysis.box import is_row_major
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer
from allo_air.passes._analysis.channel_ends import MULTIPLEXED


@dataclass(frozen=True)
class Reading:
    """A put of the whole panel, repeated `times` times, in `steps` equal steps along the panel's axis, each reading `walk`
    from `offset` on.

    `walk` holds (size, stride) pairs, the steps first. `again` are equal puts that follow it; they count as well.
    """

    put_op: Any
    times: int
    offset: int
    walk: tuple[tuple[int, int], ...]
    again: tuple[Any, ...] = ()

    @property
    def steps(self) -> int:
        return self.walk[0][0]


@dataclass(frozen=True)
class _Read:
    """A buffer with two dimensions larger than 1: filled by `get` from what `far` puts, and read along dimension `axis` by
    `readings`.
    """

    buffer: Buffer
    axis: int
    shape: tuple[int, int]
    get: Any
    far: ir.Operation
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class Panel(_Read):
    """A buffer that each reading traverses independently."""

    def parts(self, most: int) -> list[int]:
        """The numbers of equal parts, up to `most`, at whose borders all readings can be split."""
        return [n for n in range(1, max(most, 1) + 1) if all(r.steps % n == 0 for r in self.readings)]


@dataclass(frozen=True)
class Steps(_Read):
    """A buffer that its readings traverse one after another, an equal step each."""

    def parts(self, most: int) -> list[int]:
        """The numbers of equal parts, up to `most`, of whole steps."""
        return [n for n in range(1, max(most, 1) + 1) if len(self.readings) % n == 0]


def panel_of(buffer: Buffer, module: ir.Operation) -> Panel | None:
    """`buffer` as a panel; None if it is not filled once and read several times, along one dimension."""
    panel = _filled(buffer, module, 2)
    if panel is None or panel.get.block != buffer.block or not all(_is_repeated(r, buffer) for r in panel.readings):
        return None
    return panel


def piece_of(buffer: Buffer, module: ir.Operation) -> Panel | None:
    """`buffer` as a panel that each transfer reads once per fill, in the block in which it is filled; None otherwise."""
    panel = _filled(buffer, module, 0)
    if panel is None or any(r.times > 1 or r.put_op.block != panel.get.block for r in panel.readings):
        return None
    return panel


def steps_of(buffer: Buffer, module: ir.Operation) -> Steps | None:
    """`buffer` as one that transfers of one channel read in equal steps, in the block in which it is filled; None otherwise."""
    shape, (gets, puts) = _plain_shape(buffer), _gets_and_puts(buffer)
    if shape is None or len(gets) != 1 or len(puts) < 2 or any(lists_of(gets[0])) or len({p.block for p in (*gets, *puts)}) > 1:
        return None
    far = _far_put(gets[0], module, shape, 0)
    if far is None or len({(str(p.opview.chan_name), str(_channel(p))) for p in puts}) > 1:
        return None
    for axis in (0, 1):
        each = shape[axis] // len(puts)
        readings = [_reading(put_op, shape, (axis, n * each, each)) for n, put_op in enumerate(puts)]
        results = tuple(r for axis_read, r in filter(None, readings) if axis_read == axis)
        if len(results) == len(puts) and each * len(puts) == shape[axis]:
            return Steps(buffer, axis, (shape[0], shape[1]), gets[0], far, results)
    return None


def _gets_and_puts(buffer: Buffer) -> tuple[list[Any], list[Any]]:
    """The gets and the puts of a buffer."""
    return ([t for t in buffer.transfers if t.name == name] for name in ("air.channel.get", "air.channel.put"))  # type: ignore


def _plain_shape(buffer: Buffer) -> list[int] | None:
    """The two extents of a buffer that are not 1; None if there are more of them, or the buffer has a layout."""
    kind = buffer.value.type
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape:
        return None
    shape = [n for n in kind.shape if n != 1]
    return shape if kind.layout.value == ir.AffineMap.get_identity(kind.rank) and len(shape) == 2 else None


def _filled(buffer: Buffer, module: ir.Operation, ends: int) -> Panel | None:
    """`buffer` as a panel if one get fills it, over a channel with `ends` transfers (0: any number), and all puts read it along
    one dimension; else None.
    """
    shape, (gets, puts) = _plain_shape(buffer), _gets_and_puts(buffer)
    if shape is None or len(gets) != 1 or not puts or any(lists_of(gets[0])):
        return None
    far = _far_put(gets[0], module, shape, ends)
    result = _joined([_reading(put_op, shape) for put_op in puts])
    axes = {axis for axis, _ in filter(None, result)}
    if far is None or None in result or len(axes) != 1:
        return None
    readings = tuple(reading for _, reading in filter(None, result))
    return Panel(buffer, axes.pop(), (shape[0], shape[1]), gets[0], far, readings)


def _is_repeated(reading: Reading, buffer: Buffer) -> bool:
    return reading.times > 1 or _is_deeper(reading.put_op, buffer)


def _joined(items: list[tuple[int, Reading] | None]) -> list[tuple[int, Reading] | None]:
    """The readings; equal readings on the same channel are joined."""
    unjoined: list[tuple[int, Reading] | None] = []
    for each in items:
        index = next(
            (
                n
                for n, joined_reading in enumerate(unjoined)
                if each and joined_reading and _is_again(joined_reading[1], each[1])
            ),
            None,
        )
        if index is None or each is None or (first := unjoined[index]) is None:
            unjoined.append(each)
            continue
        axis, reading = first
        unjoined[index] = axis, replace(reading, times=reading.times + each[1].times, again=(*reading.again, each[1].put_op))
    return unjoined


def _is_again(first: Reading, second: Reading) -> bool:
    first_put, second_put = first.put_op, second.put_op
    same = (first.offset, first.walk) == (second.offset, second.walk) and first_put.block == second_put.block
    place = _channel(first_put)
    return (
        same
        and None not in place
        and (first_put.opview.chan_name, place) == (second_put.opview.chan_name, _channel(second_put))
    )


def _is_deeper(put_op: ir.Operation, buffer: Buffer) -> bool:
    """Whether a loop that does not contain the buffer's allocation repeats `put_op`."""
    ancestors = [p for p in parents(put_op) if p.name in ("scf.for", "scf.parallel")]
    outer = list(parents(buffer.home))
    return any(buffer.block not in [b for r in p.regions for b in r.blocks] and p not in outer for p in ancestors)


def _far_put(get: ir.Operation, module: ir.Operation, shape: list[int], transfers: int) -> ir.Operation | None:
    """The only put on the channel of `get`, if it moves a box of the buffer's `shape`, and the channel has as many `transfers`
    (0: any number); else None.

    Multiplexed transfers (`allo.multiplexed`) of the channel count separately.
    """
    own_channel = _channel(get)
    name = get.attributes["chan_name"]
    ends = [op for op in walk_named(module, *CHANNEL_OPS) if op.attributes["chan_name"] == name]
    if None in own_channel or any(None in _channel(end) for end in ends):
        return None
    same = [end for end in ends if _channel(end) == own_channel and _multiplexing(end) == _multiplexing(get)]
    puts = [end for end in same if end.name == "air.channel.put"]
    if len(puts) != 1 or (transfers and len(same) != transfers):
        return None
    put_op = puts[0]
    if "pad_before" in put_op.attributes:
        return None
    offsets, sizes, strides = lists_of(put_op)
    if not offsets:
        kind = memref_of(put_op).type
        return put_op if list(kind.shape) == shape and is_row_major(kind) else None
    fits = len(offsets) == 2 and [constant_of(v) for v in sizes] == shape and constant_of(strides[1]) == 1
    return put_op if fits else None


def _multiplexing(end: ir.Operation) -> int:
    """The number of channels that a multiplexed transfer is to be divided among; 0 if it is not multiplexed."""
    return int(end.attributes[MULTIPLEXED].value) if MULTIPLEXED in end.attributes else 0


def _channel(end: ir.Operation) -> list[int | None]:
    return [constant_of(v) for v in end.opview.indices]


def _reading(put_op: ir.Operation, shape: list[int], step: tuple[int, int, int] | None = None) -> tuple[int, Reading] | None:
    """The axis along which `put_op` reads, and its reading: of the whole buffer, or with `step` of this step along the axis;
    None for any other access.
    """
    offsets, sizes, strides = ([constant_of(v) for v in values] for values in lists_of(put_op))
    if not sizes and "pad_before" not in put_op.attributes and step is None:
        return 0, Reading(put_op, 1, 0, ((shape[0], shape[1]), (shape[1], 1)))
    if not sizes or None in (*offsets, *sizes, *strides) or strides[-1] != 1 or "pad_before" in put_op.attributes:
        return None
    dims = [(n or 0, s or 0) for n, s in zip(sizes, strides, strict=True)]
    offset = sum((o or 0) * s for o, (_, s) in zip(offsets, dims, strict=True))
    walk = [d for d in dims if d[0] != 1]
    repeats = [d for d in walk if d[1] == 0]
    if walk[: len(repeats)] != repeats or len(walk) == len(repeats):
        return None
    walk = walk[len(repeats) :]
    row = shape[1]
    axis, start, each = step or (0, 0, 0)
    long = [each if step and axis == d else extent for d, extent in enumerate(shape)]
    count, stride = walk[0]
    reading = Reading(put_op, volume(repeats), offset, tuple(walk))
    more = offset - (start * row if axis == 0 else start)
    if stride % row == 0 and stride // row * count == long[0] and 0 <= more < row and span(walk[1:], more)[1] < stride:
        return 0, reading
    inside = [(n, s) for n, s in walk[1:] if s < row]
    along_rows = all(s % row == 0 for _, s in walk[1:] if s >= row)
    if stride * count == long[1] and more % row == 0 and along_rows and span(inside)[1] < stride:
        return 1, reading
    return None
