"""The model of a device: what each tile holds and does, as built from AIR and as printed to the AIE dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from allo_air.passes.to_aie._bundles import Key
from allo_air.passes.to_aie._walks import Walk

Place = tuple[int, int]
"""A tile's column and row."""

Port = tuple[Place, bool, int]
"""A DMA channel: its tile, whether it sends (MM2S), its number."""


RTP = "__air_herd_rtp_"
"""Prefix of the buffers of runtime parameters, before column and row of their core."""


@dataclass(frozen=True)
class Buffer:
    """A buffer of type `type`, made by `op`."""

    number: int
    type: Any
    op: Any

    @property
    def bytes(self) -> int:
        return prod(self.type.shape) * max(1, getattr(self.type.element_type, "width", 64) // 8)


@dataclass(frozen=True, eq=False)
class Transfer:
    """A put or get of the program of a tile: `op` moves `walk` of buffer `buffer` through channel `key`."""

    op: Any
    key: Key
    put: bool
    buffer: int
    walk: Walk
    lane: tuple[Key, bool] | None = None
    """The stream whose DMA channel of the tile it shares, if that is not its own."""

    @property
    def stream(self) -> tuple[Key, bool]:
        """The key of the DMA channel of the tile: transfers with the same key share one."""
        return self.lane or (self.key, self.put)

    @property
    def what(self) -> tuple[Any, ...]:
        """Equal for transfers that one BD can do."""
        return self.key, self.put, self.buffer, self.walk


@dataclass(frozen=True)
class Lock:
    """A counting lock; `init` is its value at start."""

    number: int
    init: int


@dataclass(frozen=True)
class Hold:
    """The locks of an access: (lock number, amount) acquired before it and released after it, or None."""

    acquire: tuple[int, int] | None = None
    release: tuple[int, int] | None = None


@dataclass(frozen=True)
class BD:
    """A buffer descriptor; `home` is the tile of its buffer and its locks, where that is not its own."""

    buffer: int
    walk: Walk
    dims: tuple[tuple[int, int], ...]
    hold: Hold
    location: Any = field(default=None, compare=False)
    """The location of the put or get that it moves data for."""
    home: Place | None = None
    key: Key | None = None
    """The channel that its data goes over."""


@dataclass(frozen=True)
class Ring:
    """The BDs that a DMA channel goes round."""

    sends: bool
    channel: int
    bds: tuple[BD, ...]


def in_text_order(rings: Sequence[Ring]) -> list[Ring]:
    """`rings` in the order in which mlir-air writes them: those that send before those that receive, by channel."""
    return sorted(rings, key=lambda ring: (not ring.sends, ring.channel))


@dataclass(frozen=True)
class TileProgram:
    """The locks and DMA programs of a tile."""

    place: Place
    locks: tuple[Lock, ...]
    rings: tuple[Ring, ...]


@dataclass(frozen=True)
class Flow:
    """A stream from one DMA channel to others, for channel `key`; of packets with one of `ids`, if there are any."""

    key: Key
    source: Port
    dests: tuple[Port, ...]
    ids: tuple[int, ...] = ()
    keeps_headers: bool = False

    @property
    def packets(self) -> list[tuple[int, Port]]:
        """The id and the end of each packet flow: one id for all destinations, one for each, or all for the only one."""
        if len(self.ids) < 2 or len(self.dests) == 1:
            return [(number, dest) for dest in self.dests for number in self.ids]
        return list(zip(self.ids, self.dests, strict=True))
