"""The objectFifos of a device as data: each FIFO with its ends, and the storage that linked ends share."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir

PRODUCE, CONSUME = 0, 1
"""Values of `port`."""

Place = tuple[int, int]
Dims = list[tuple[int, int]]
"""Sizes and strides, or paddings before and after; outermost first."""


@dataclass
class Storage:
    """The buffers of a FIFO's end, with locks. Each piece of an object has a pair of locks: the number of free buffers, and the
    number of full ones.

    `away` are the neighbouring tiles of `tile` that contain some of the objects, by number. If locks do not count, each object
    has a lock in `flags` instead, which says whether it is full.
    """

    name: str
    tile: Any
    element: ir.MemRefType
    away: dict[int, Any] = field(default_factory=dict)
    buffers: list[Any] = field(default_factory=list)
    locks: list[tuple[Any, Any]] = field(default_factory=list)
    flags: list[Any] = field(default_factory=list)


@dataclass
class End:
    """One end of a FIFO, or both if they share memory: the tile whose core accesses objects there, and the storage.

    `pieces` are (offset, length, lock pair) in elements of the storage: the part of an object that each BD of this end moves.
    """

    name: str
    op: Any
    tile: Any
    place: Place
    depth: int
    element: ir.MemRefType
    produces: bool
    dims: Dims = field(default_factory=list)
    pads: Dims = field(default_factory=list)
    channel: int = -1
    pin: int | None = None  # the channel that the text asks for
    port: int | None = None  # the core's stream port that is this end: no objects, locks or DMA
    storage: Storage | None = None
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    takes: int = 1  # by how much a BD changes its locks
    times: int = 1  # how often each object is moved
    iterations: int | None = None  # runs of the chain of BDs; None: endless
    external: list[Any] = field(default_factory=list)
    link: Any = None

    @property
    def objects(self) -> int:
        """The number of buffers after which the core at this end accesses the first one again."""
        return len(self.storage.buffers) if self.storage and self.storage.buffers else self.depth


@dataclass
class Fifo:
    """An `aie.objectfifo`. If both tiles can access its memory, `shared` is its only end; otherwise DMAs connect two ends."""

    op: Any
    name: str
    element: ir.MemRefType
    repeat: int
    synchronized: bool
    producer: End | None = None
    consumers: list[End] = field(default_factory=list)
    shared: End | None = None

    def end(self, port: int, tile: ir.Value) -> End | None:
        """The end that the core of `tile` accesses through `port`."""
        if self.shared is not None:
            return self.shared
        if port == PRODUCE:
            return self.producer
        return next((end for end in self.consumers if end.tile == tile), None)


@dataclass
class Link:
    """An `aie.objectfifo.link`: its ends share one storage, that of `target`."""

    op: Any
    ins: list[End]
    outs: list[End]
    target: End

    @property
    def parts(self) -> list[End]:
        """The ends of parts of an object, in the order of their offsets; if there are no parts, all ends of the whole
        object.
        """
        return self.ins if len(self.ins) > 1 else self.outs


@dataclass
class Design:
    """All FIFOs of a device. Locks are `counting`, or flags (AIE1)."""

    device: Device
    op: Any
    block: Any
    fifos: dict[str, Fifo]
    links: list[Link] = field(default_factory=list)
    counting: bool = True


def element_of(kind: ir.Type) -> ir.MemRefType:
    """The memref type in `!aie.objectfifo<...>`."""
    text = str(kind)
    return ir.Type.parse(text[text.find("<") + 1 : text.rfind(">")])


def count(element: ir.MemRefType) -> int:
    """Elements of a memref."""
    return prod(element.shape)


def bits(element: ir.MemRefType) -> int:
    """Bits of a whole memref."""
    return count(element) * width(element)


def width(element: ir.MemRefType) -> int:
    """Bits of a memref's element."""
    return element_bits(element, index=32) or 0


def place_of(tile: ir.Value) -> Place | None:
    """Column and row of a tile; None if it is not placed."""
    attributes = tile.owner.attributes
    if "col" not in attributes or "row" not in attributes:
        return None
    return attributes["col"].value, attributes["row"].value
