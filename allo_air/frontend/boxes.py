"""Boxes: the buffers in L2 that hold the parts of a group of channels, and the DMA channel that fills or drains each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from allo_air.frontend.transfers import MEMTILE, Channel, Group, Plan


@dataclass(frozen=True)
class Axis:
    """One dimension of a box: `count` parts of `size` elements. In the tensor, the parts begin at `start` and are `step`
    apart.
    """

    start: int
    count: int
    step: int
    size: int

    @property
    def extent(self) -> int:
        """The extent of this dimension in the box, where parts are contiguous."""
        return self.count * self.size

    @property
    def dense(self) -> bool:
        """Whether parts are contiguous in the tensor, too."""
        return self.count == 1 or self.step == self.size


@dataclass(frozen=True)
class Box:
    """The buffer in L2 for the parts of some channels of a group."""

    channels: tuple[Channel, ...]
    axes: tuple[Axis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(a.extent for a in self.axes)

    @property
    def tensor(self) -> int:
        return self.channels[0].parts[0].tensor

    def place(self, channel: Channel) -> tuple[int, ...]:
        """The offset of the channel's part in the box."""
        starts = channel.parts[0].start
        return tuple((s - a.start) // a.step * a.size if a.count > 1 else 0 for s, a in zip(starts, self.axes, strict=True))


EVEN = 4
"""A box for a multiple of EVEN channels, up to its square, is not cut here, since air-split-l2-memref cuts it evenly."""


@dataclass(frozen=True)
class MixedChannels:
    """Channels that carry parts of several tensors. For each position of the parts, the box that contains each channel's
    part.
    """

    channels: tuple[Channel, ...]
    places: tuple[dict[str, Box], ...]

    def boxes(self, index: int) -> list[Box]:
        """The boxes of all channels at position `index`."""
        return list({id(b): b for b in self.places[index].values()}.values())


@dataclass(frozen=True)
class Boxes:
    """All boxes of a plan."""

    grouped: tuple[tuple[Group, Box], ...]
    mixed: tuple[MixedChannels, ...]
    final: bool = False
    """Whether the boxes fit memtiles without being split, so that no pass should split them."""
    joined: bool = False
    """Whether a single channel fills (or empties) all boxes of mixed channels."""
    bins: tuple[int, ...] = ()
    """For each of `mixed`, the number of the channel that fills or empties its boxes, if several share one."""

    def bin(self, number: int) -> int:
        """The number of the channel for the boxes of `mixed[number]`."""
        return self.bins[number] if self.bins else number

    @property
    def is_straight(self) -> bool:
        """Whether the boxes of a group, or of a position, are adjacent along one dimension.

        Boxes that are adjacent in two dimensions interleave in memory, so that the host waits for one before the next.
        """
        groups: dict[object, list[Box]] = {}
        for group, box in self.grouped:
            groups.setdefault(id(group), []).append(box)
        for mixed in self.mixed:
            for index in range(len(mixed.places)):
                groups.setdefault((mixed.channels[0].reads, index, mixed.boxes(index)[0].tensor), []).extend(mixed.boxes(index))
        return all(
            sum(len(set(places)) > 1 for places in zip(*(b.axes for b in boxes), strict=True)) < 2 for boxes in groups.values()
        )


def boxes_of(plan: Plan) -> Boxes:
    """One box for the channels of a group, or several if a memtile has too few channels."""
    grouped = [(g, box) for g in plan.groups for part in _cut(g.channels, plan.crowded) for box in _split_unless_filled(part)]
    return Boxes(tuple(grouped), tuple(_mixed_boxes(plan.mixed, EVEN, EVEN)))


def cut_boxes(plan: Plan, reads: int, writes: int, joined: bool, across: bool) -> Boxes:
    """Boxes for at most the given number of channels, if the positions of the parts allow it.

    `across`: cut along the dimension with the fewest parts instead of the most.
    """
    most = {True: reads, False: writes}
    grouped = [
        (g, box)
        for g in plan.groups
        for part in _pieces(g.channels, most[g.reads], across)
        for box in _split_unless_filled(part)
    ]
    return Boxes(tuple(grouped), tuple(_mixed_boxes(plan.mixed, reads, writes, joined, across)), final=True, joined=joined)


def binned_boxes(plan: Plan) -> Boxes:
    """The fewest channels that fill and drain all boxes, those of a memtile one after another."""
    channels = [c for g in plan.groups for c in g.channels] + list(plan.mixed)
    channels.sort(key=lambda c: not c.reads)
    mixed = tuple(_mixed_boxes(channels, MEMTILE, MEMTILE, joined=True))
    room: dict[int, tuple[bool, int]] = {}
    bins = []
    for box in mixed:
        reads, size = box.channels[0].reads, len(box.channels)
        result = next((n for n, (direction, free) in room.items() if direction is reads and free >= size), len(room))
        room[result] = reads, room.get(result, (reads, MEMTILE))[1] - size
        bins.append(result)
    return Boxes((), mixed, final=True, joined=True, bins=tuple(bins))


def _split_unless_filled(channels: tuple[Channel, ...]) -> list[Box]:
    """One box, or one for each channel if their parts do not fill one."""
    whole = _box(channels)
    return [whole] if whole is not None else [box for c in channels if (box := _box((c,))) is not None]


def _mixed_boxes(
    channels: Sequence[Channel], reads: int, writes: int, joined: bool = False, across: bool = False
) -> Iterator[MixedChannels]:
    """Channels with parts of several tensors, some at a time: an even number if one channel fills all boxes."""
    by_kind: dict[object, list[Channel]] = {}
    for channel in channels:
        kind = tuple((p.tensor, p.sizes, s) for p, s in zip(channel.parts, channel.shifts, strict=True))
        by_kind.setdefault((channel.reads, kind), []).append(channel)
    for group in by_kind.values():
        most = reads if group[0].reads else writes
        for piece in _runs(tuple(group), most) if joined else _pieces(tuple(group), most, across):
            places = []
            for index in range(len(piece[0].parts)):
                boxes = _split_unless_filled(tuple(c.single(index) for c in piece))
                places.append({c.name: box for box in boxes for c in box.channels})
            yield MixedChannels(piece, tuple(places))


def _cut(channels: tuple[Channel, ...], crowded: bool) -> list[tuple[Channel, ...]]:
    """Channels grouped for one memtile."""
    even = len(channels) % EVEN == 0
    if len(channels) <= MEMTILE or (even and len(channels) <= EVEN * EVEN and not crowded):
        return [channels]
    return _pieces(channels, EVEN if even else MEMTILE)


def _pieces(channels: tuple[Channel, ...], most: int, least: bool = False) -> list[tuple[Channel, ...]]:
    """At most `most` channels together, ordered by the dimension in which the positions of their parts differ most (or
    least).
    """
    if len(channels) <= most:
        return [channels]
    starts = {c.name: [s for part in c.parts for s in part.start] for c in channels}
    counts = [len({s[d] for s in starts.values()}) for d in range(len(starts[channels[0].name]))]
    axis = max(
        range(len(counts)), key=lambda d: counts[d] if not least else -counts[d] if counts[d] > 1 else -len(channels) - 1
    )
    places = sorted({s[axis] for s in starts.values()})
    if len(places) < 2:
        return [channels[first : first + most] for first in range(0, len(channels), most)]
    across = -(-len(channels) // len(places))
    size = max(1, most // across)
    size = -(-len(places) // -(-len(places) // size))
    pieces = [set(places[first : first + size]) for first in range(0, len(places), size)]
    return [p for piece in pieces for p in _pieces(tuple(c for c in channels if starts[c.name][axis] in piece), most, least)]


def _runs(channels: tuple[Channel, ...], most: int) -> list[tuple[Channel, ...]]:
    """At most `most` channels together, in order, in runs of equal length."""
    size = -(-len(channels) // -(-len(channels) // most))
    return [channels[first : first + size] for first in range(0, len(channels), size)]


def _box(channels: Sequence[Channel]) -> Box | None:
    starts = [c.parts[0].start for c in channels]
    axes = []
    for values, size in zip(zip(*starts, strict=True), channels[0].parts[0].sizes, strict=True):
        places = sorted(set(values))
        gaps = {b - a for a, b in itertools.pairwise(places)}
        if len(gaps) > 1 or any(gap < size for gap in gaps):
            return None
        axes.append(Axis(places[0], len(places), gaps.pop() if gaps else size, size))
    cells = 1
    for axis in axes:
        cells *= axis.count
    return Box(tuple(channels), tuple(axes)) if cells == len(set(starts)) else None


def strides_of(shape: Sequence[int]) -> list[int]:
    """The strides of a row-major array."""
    strides, size = [], 1
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return strides[::-1]
