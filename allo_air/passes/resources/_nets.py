"""Streams to route, and routed streams with the switch ports that they use."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from allo_air.device import Coordinate

Local = tuple[str, int]
"""Bundle and channel of a port of a switch."""

Slave = tuple[Coordinate, Local]
"""A port at which a stream enters a switch."""

STEPS = {"South": (0, -1), "West": (-1, 0), "North": (0, 1), "East": (1, 0)}
OPPOSITE = {"North": "South", "South": "North", "East": "West", "West": "East"}

SHIM_SOURCES: dict[Local, Local] = {("DMA", 0): ("South", 3), ("DMA", 1): ("South", 7)}
"""The ports at which a shim's DMA enters its switch, through the multiplexer."""

SHIM_DESTS: dict[Local, Local] = {("DMA", 0): ("South", 2), ("DMA", 1): ("South", 3)}
"""The ports at which a shim's switch reaches its DMA."""


@dataclass
class Net:
    """A stream: from one source, or for packets from several, to all of `dests`. `packet` is its id, None for a circuit."""

    sources: tuple[Slave, ...]
    dests: tuple[Slave, ...]
    ops: list[Any]
    packet: int | None = None
    keep: bool = False
    priority: bool = False

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key of routing: priority, circuits before packets, then places."""
        return (not self.priority, self.packet is not None, self.sources, self.packet or 0, self.dests)


@dataclass
class Tree:
    """A routed net: in each switch, the master ports of each slave port, and the predecessor of each switch."""

    inside: dict[Slave, list[Local]] = field(default_factory=lambda: defaultdict(list))

    def add(self, slave: Slave, master: Local) -> None:
        if master not in self.inside[slave]:
            self.inside[slave].append(master)

    def masters(self) -> set[Slave]:
        """The ports at which the stream leaves switches."""
        return {(tile, master) for (tile, _), masters in self.inside.items() for master in masters}


class Unroutable(Exception):
    """Raised for a net that cannot be routed, with the place and the reason."""

    def __init__(self, net: Net, tile: Coordinate, why: str):
        self.net, self.tile, self.why = net, tile, why
