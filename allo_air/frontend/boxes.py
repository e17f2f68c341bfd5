"""Boxes of tensors in L2: where the parts of a group of channels lie in one buffer, and the DMA that fills or empties it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from allo_air.frontend.transfers import MEMTILE, Channel, Group


@dataclass(frozen=True)
class Axis:
    """One dimension of a box: it has `count` parts of `size` elements, which lie `step` apart in the tensor from `start` on."""

    start: int
    count: int
    step: int
    size: int

    @property
    def extent(self) -> int:
        """In the box, where parts lie side by side."""
        return self.count * self.size

    @property
    def dense(self) -> bool:
        """Whether parts lie side by side in the tensor as well."""
        return self.count == 1 or self.step == self.size


@dataclass(frozen=True)
class Box:
    """The buffer of some channels of a group."""

    channels: tuple[Channel, ...]
    axes: tuple[Axis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(a.extent for a in self.axes)

    def place(self, channel: Channel) -> tuple[int, ...]:
        """Where the channel's part begins in the box."""
        starts = channel.parts[0].start
        return tuple((s - a.start) // a.step * a.size if a.count > 1 else 0 for s, a in zip(starts, self.axes, strict=True))


EVEN = 4
"""Boxes for a multiple of as many channels, up to the square of it, are left to air-split-l2-memref, which cuts them evenly."""


def boxes_of(group: Group, crowded: bool = False) -> list[Box]:
    """One box for all channels, or several where they are too many for a memtile; one for each where parts fill no box."""
    found: list[Box] = []
    for channels in _cut(group.channels, crowded):
        whole = _box(channels)
        found += [whole] if whole is not None else [box for c in channels if (box := _box((c,))) is not None]
    return found


def mixed_boxes(channels: Sequence[Channel]) -> list[tuple[tuple[Channel, ...], list[dict[str, Box]]]]:
    """Channels that carry parts of several tensors, a memtile's worth at a time; for each place in their order, their boxes."""
    alike: dict[object, list[Channel]] = {}
    for channel in channels:
        alike.setdefault((channel.reads, tuple((p.tensor, p.sizes) for p in channel.parts)), []).append(channel)
    found = []
    for group in alike.values():
        for piece in _pieces(tuple(group), EVEN) if len(group) > EVEN else [tuple(group)]:
            places = []
            for at in range(len(piece[0].parts)):
                single = [replace(c, parts=(c.parts[at],)) for c in piece]
                whole = _box(single)
                boxes = [whole] if whole is not None else [box for c in single if (box := _box((c,))) is not None]
                places.append({c.name: box for box in boxes for c in box.channels})
            found.append((piece, places))
    return found


def _cut(channels: tuple[Channel, ...], crowded: bool) -> list[tuple[Channel, ...]]:
    """Channels in groups for one memtile."""
    even = len(channels) % EVEN == 0
    if len(channels) <= MEMTILE or (even and len(channels) <= EVEN * EVEN and not crowded):
        return [channels]
    return _pieces(channels, EVEN if even else MEMTILE)


def _pieces(channels: tuple[Channel, ...], most: int) -> list[tuple[Channel, ...]]:
    """Up to `most` channels together, by where their first parts lie along the dimension that has most of them."""
    starts = [c.parts[0].start for c in channels]
    axis = max(range(len(starts[0])), key=lambda d: len({s[d] for s in starts}))
    places = sorted({s[axis] for s in starts})
    across = -(-len(channels) // len(places))
    size = max(1, most // across)
    size = -(-len(places) // -(-len(places) // size))
    pieces = [places[at : at + size] for at in range(0, len(places), size)]
    return [tuple(c for c in channels if c.parts[0].start[axis] in piece) for piece in pieces]


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
    """Of a row-major array."""
    strides, size = [], 1
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return strides[::-1]
