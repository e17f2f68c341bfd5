"""The enumerations of the aie dialect; members print as in its assembly."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from allo_air.dialects._enums import DEVICES


class _Word(IntEnum):
    def __str__(self) -> str:
        return self.name


class DMAChannelDir(_Word):
    """DMA directions: S2MM writes memory, MM2S reads it."""

    S2MM = 0
    MM2S = 1


class LockAction(_Word):
    """Actions of use_lock."""

    Acquire = 0
    Release = 1
    AcquireGreaterEqual = 2


class ObjectFifoPort(_Word):
    """The ends of an objectFifo."""

    Produce = 0
    Consume = 1


class WireBundle(_Word):
    """The ports of tiles."""

    Core = 0
    DMA = 1
    FIFO = 2
    South = 3
    West = 4
    North = 5
    East = 6
    PLIO = 7
    NOC = 8
    Trace = 9
    TileControl = 10


class AIETileType(_Word):
    """The kinds of tiles."""

    CoreTile = 0
    MemTile = 1
    ShimNOCTile = 2
    ShimPLTile = 3


class CascadeDir(_Word):
    """The directions of a cascade."""

    South = 3
    West = 4
    North = 5
    East = 6


class LockBlocking(_Word):
    """Whether use_lock waits."""

    NonBlocking = 0
    Blocking = 1


class TraceMode(_Word):
    """The data that a trace unit records with each event: the time, the program counter, or the executed instructions."""

    EventTime = 0
    EventPC = 1
    Execution = 2


class TracePacketType(_Word):
    """The modules that send packets of traces."""

    Core = 0
    Mem = 1
    ShimTile = 2
    MemTile = 3


class ComboLogic(_Word):
    """How two events are combined into one."""

    AND = 0
    AND_NOT = 1
    OR = 2
    OR_NOT = 3


class EdgeTrigger(_Word):
    """The edges that raise an edge event."""

    RISING = 1
    FALLING = 2
    BOTH = 3


class AIEArch(_Word):
    """The generations of arrays."""

    AIE1 = 1
    AIE2 = 2
    AIE2p = 3


AIEDevice: Any = _Word("AIEDevice", DEVICES)  # type: ignore
