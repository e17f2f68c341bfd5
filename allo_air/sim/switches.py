"""Follows streams through configured switches: `aie.switchbox`, `aie.shim_mux`, their connects and packet rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import place_of
from allo_air.sim.layout import Layout
from allo_air.sim.routes import SHIM_DESTINATIONS, SHIM_SOURCES, Destination, Port, Route, keeps_header

if TYPE_CHECKING:
    from allo_air.dialects._aie_streams import ConnectOp
    from allo_air.mlir import ir

OPPOSITE = {"North": "South", "South": "North", "East": "West", "West": "East"}
STEP = {"North": (0, 1), "South": (0, -1), "East": (1, 0), "West": (-1, 0)}
_ENDS = ("DMA", "Core", "TileControl", "Trace", "FIFO")
_LocalPort = tuple[str, int]


@dataclass
class Switch:
    """One stream switch: the connections of its slave ports."""

    circuits: dict[_LocalPort, list[tuple[_LocalPort, Any]]] = field(default_factory=lambda: defaultdict(list))
    rules: dict[_LocalPort, list[tuple[int, int, Any]]] = field(default_factory=lambda: defaultdict(list))  # mask, value, amsel
    masters: list[tuple[_LocalPort, list[Any], bool | None, Any]] = field(default_factory=list)  # port, amsels, keep header, op

    def leads(self, slave: _LocalPort, packet: int | None) -> list[tuple[_LocalPort, bool | None, Any]]:
        """Master ports that a slave port leads to: circuits, or for packets of id `packet` the first matching rule's."""
        results: list[tuple[_LocalPort, bool | None, Any]] = [(port, None, op) for port, op in self.circuits.get(slave, ())]
        if packet is not None:
            for mask, value, amsel in self.rules.get(slave, ()):
                if packet & mask == value & mask:
                    return results + [(port, keep, op) for port, amsels, keep, op in self.masters if amsel in amsels]
        return results


def traced(layout: Layout) -> list[Route]:
    """The routes through the configured switches from every DMA, core, trace and control port that sends."""
    return routes_through(layout, *read_switches(layout))


def routes_through(layout: Layout, switches: dict[Coordinate, Switch], sources: Any, sinks: object) -> list[Route]:
    """The routes that `switches` define; `sources` and `sinks` are the ports of a shim's switch with their connections
    through the multiplexer.
    """
    routes = []
    for tile, switch in sorted(switches.items()):
        for slave in [*switch.circuits, *(p for p in switch.rules if p not in switch.circuits)]:
            source = sources.get(tile, {}).get(slave) or (slave if slave[0] in _ENDS else None)
            if source is not None:
                routes += _routes_from(layout, switches, sinks, (*tile, *source), tile, slave)
    return routes


def _routes_from(
    layout: Layout, switches: dict[Coordinate, Switch], sinks: object, source: Port, tile: Coordinate, slave: _LocalPort
) -> list[Route]:
    """The routes of one source: a circuit, or one for each packet id that reaches a destination."""
    circuit = _walk(layout, switches, sinks, tile, slave, None)
    if circuit:
        return [Route(source, None, tuple(circuit), circuit[0].op)]
    routes = []
    for packet in range(32):
        ends = _walk(layout, switches, sinks, tile, slave, packet)
        if ends:
            routes.append(Route(source, (packet, 0x1F), tuple(ends), ends[0].op))
    return routes


def _walk(
    layout: Layout, switches: dict[Coordinate, Switch], sinks: Any, tile: Coordinate, slave: _LocalPort, packet: int | None
) -> list[Destination]:
    """The destinations of the stream that enters `slave` of `tile`'s switch."""
    destinations: list[Destination] = []
    work = [(tile, slave, 1)]
    visited = set()
    while work:
        tile, slave, count = work.pop()
        if (tile, slave) in visited:
            continue
        visited.add((tile, slave))
        for master, keep, op in switches[tile].leads(slave, packet) if tile in switches else ():
            bundle, channel = sinks.get(tile, {}).get(master, master)
            end: Port = (*tile, bundle, channel)
            if bundle in _ENDS or (bundle == "South" and tile[1] == 0):
                destinations.append(Destination(end, count, keeps_header(end) if keep is None else keep, op))
                continue
            if bundle not in STEP:
                raise error_at(op, f"leads to {bundle} {channel} of tile {tile}, which the simulator does not have")
            dx, dy = STEP[bundle]
            following = (tile[0] + dx, tile[1] + dy)
            if not layout.device.holds(*following):
                raise error_at(op, f"leads {bundle} out of the array at tile {tile}")
            work.append((following, (OPPOSITE[bundle], channel), count + 1))
    return sorted(destinations, key=lambda d: d.port)


def read_switches(layout: Layout) -> tuple[dict[Coordinate, Switch], dict[Coordinate, Any], dict[Coordinate, Any]]:
    """Switches, and for shims which slave and master ports the multiplexer connects to the DMA."""
    switches: dict[Coordinate, Switch] = {}
    sources: dict[Coordinate, dict[_LocalPort, _LocalPort]] = {}
    sinks: dict[Coordinate, dict[_LocalPort, _LocalPort]] = {}
    for op in layout.op.block.operations:
        match op.operation.name:
            case "aie.switchbox":
                tile = place_of(op, op.tile)
                switches[tile] = _switch(op)
                if layout.device.kind(*tile) == "shim_noc":
                    sources.setdefault(tile, dict(SHIM_SOURCES))
                    sinks.setdefault(tile, dict(SHIM_DESTINATIONS))
            case "aie.shim_mux":
                tile = place_of(op, op.tile)
                sources[tile], sinks[tile] = {}, {}
                for connect in op.connections.blocks[0].operations:
                    if connect.operation.name != "aie.connect":
                        continue
                    source, dest = _connect_ends(connect)
                    if source[0] == "DMA" and dest[0] == "North":
                        sources[tile]["South", dest[1]] = source
                    elif source[0] == "North" and dest[0] == "DMA":
                        sinks[tile]["South", source[1]] = dest
    return switches, sources, sinks


def _switch(op: ir.OpView) -> Switch:
    switch = Switch()
    for inner in op.connections.blocks[0].operations:
        match inner.operation.name:
            case "aie.connect":
                source, dest = _connect_ends(inner)
                switch.circuits[source].append((dest, inner))
            case "aie.masterset":
                port = (BUNDLE.keyword(inner.dest_bundle), inner.dest_channel)
                switch.masters.append((port, list(inner.amsels), inner.keep_pkt_header, inner))
            case "aie.packet_rules":
                port = (BUNDLE.keyword(inner.source_bundle), inner.source_channel)
                for rule in inner.rules.blocks[0].operations:
                    if rule.operation.name == "aie.rule":
                        switch.rules[port].append((rule.mask & 0x1F, rule.value & 0x1F, rule.amsel))
    return switch


def _connect_ends(connect: ConnectOp) -> tuple[_LocalPort, _LocalPort]:
    return (
        (BUNDLE.keyword(connect.source_bundle), connect.source_channel),
        (BUNDLE.keyword(connect.dest_bundle), connect.dest_channel),
    )
