"""Routes of streams: their ports, connections and latencies.

A route leads from one source port to one or more destinations, for all words (a circuit) or for packets of one id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Port = tuple[int, int, str, int]
"""Column, row, bundle, channel."""

SHIM_SOURCES = {("South", 3): ("DMA", 0), ("South", 7): ("DMA", 1)}
"""Slave ports of a shim's switch at which its DMA's MM2S channels arrive through the multiplexer (mlir-aie's target model)."""

SHIM_DESTINATIONS = {("South", 2): ("DMA", 0), ("South", 3): ("DMA", 1)}
"""Master ports of a shim's switch that lead to its DMA's S2MM channels."""

SWITCH_CYCLES, LOCAL_CYCLES = 4, 3
"""A switch takes 2 cycles at the slave and 2 at an external master, 1 at a local one (AM020, in docs/sources.md#timing)."""

SWITCH_WORDS, LOCAL_WORDS = 8, 6
"""Words that a switch holds: 4 at the slave, 4 at an external master, 2 at a local one (AM020, in docs/sources.md#timing)."""


@dataclass(frozen=True)
class Destination:
    """The end of a route; `switches` is the number of stream switches on the path."""

    port: Port
    switches: int
    keep_header: bool = False
    op: Any = None

    @property
    def latency(self) -> int:
        """Cycles from the source port to the destination."""
        return (self.switches - 1) * SWITCH_CYCLES + LOCAL_CYCLES

    @property
    def fifo(self) -> int:
        """Number of words that the switches on the path hold."""
        return (self.switches - 1) * SWITCH_WORDS + LOCAL_WORDS


@dataclass(frozen=True)
class Route:
    """A stream from `source`; `packet` is (id, mask), or None for a circuit."""

    source: Port
    packet: tuple[int, int] | None
    destinations: tuple[Destination, ...]
    op: Any = None


def keeps_header(port: Port) -> bool:
    """Whether packets keep their header at a destination that does not specify it: DMA channels and the shim's South port
    drop it.
    """
    return port[2] not in ("DMA", "South")
