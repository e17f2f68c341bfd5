"""The model of a device: the buffers, locks and DMA programs of each tile, built from AIR and emitted in the AIE dialect."""

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
    """A buffer of type `type`, allocated by `op`."""

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
    """The stream whose DMA channel it shares; None if it has its own."""

    @property
    def stream(self) -> tuple[Key, bool]:
        """The key of the DMA channel of the tile: transfers with the same key share one."""
        return self.lane or (self.key, self.put)

    @property
    def bd_key(self) -> tuple[Any, ...]:
        """The key of its BD; equal for transfers that one BD can do."""
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
    """A buffer descriptor; `home` is the tile of its buffer and locks, if that is not its own tile."""

    buffer: int
    walk: Walk
    dims: tuple[tuple[int, int], ...]
    hold: Hold
    location: Any = field(default=None, compare=False)
    """The location of its put or get."""
    home: Place | None = None
    key: Key | None = None
    """The channel of its data."""


@dataclass(frozen=True)
class Ring:
    """The ring of BDs of a DMA channel."""

    sends: bool
    channel: int
    bds: tuple[BD, ...]


def in_text_order(rings: Sequence[Ring]) -> list[Ring]:
    """`rings` in mlir-air's order: sending ones before receiving ones, by channel."""
    return sorted(rings, key=lambda ring: (not ring.sends, ring.channel))


@dataclass(frozen=True)
class TileProgram:
    """The locks and DMA programs of a tile."""

    place: Place
    locks: tuple[Lock, ...]
    rings: tuple[Ring, ...]


@dataclass(frozen=True)
class Flow:
    """A stream from one DMA channel to others, for channel `key`; a packet stream if it has `ids`."""

    key: Key
    source: Port
    dests: tuple[Port, ...]
    ids: tuple[int, ...] = ()
    keeps_headers: bool = False

    @property
    def packets(self) -> list[tuple[int, Port]]:
        """The id and the destination of each packet flow: one id for all destinations, one for each, or all ids for a single
        destination."""
        if len(self.ids) < 2 or len(self.dests) == 1:
            return [(number, dest) for dest in self.dests for number in self.ids]
        return list(zip(self.ids, self.dests, strict=True))
