"""The routes of a device: from the flows that its file asks for, and traced through the switches that it configures."""

from __future__ import annotations

from collections import defaultdict

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import place_of
from allo_air.mlir import ir
from allo_air.sim.layout import Layout
from allo_air.sim.routes import SHIM_DESTINATIONS, SHIM_SOURCES, Destination, Port, Route, keeps_header
from allo_air.sim.switches import traced


def routes_of(layout: Layout) -> list[Route]:
    """All routes of a device; DiagnosticError where flows contradict each other or a switch leads nowhere."""
    routes = _merged(_flows(layout))
    route_starts = {(r.source, r.packet) for r in routes}
    routes += [r for r in traced(layout) if (r.source, r.packet) not in route_starts and (r.source, None) not in route_starts]
    _check(routes)
    return routes


def _flows(layout: Layout) -> list[Route]:
    flows = []
    for op in layout.op.block.operations:
        match op.operation.name:
            case "aie.flow":
                source = _port(layout, op, op.source, op.source_bundle, op.source_channel, starts=True)
                dest = _port(layout, op, op.dest, op.dest_bundle, op.dest_channel, starts=False)
                flows.append(_route(layout, op, source, None, [dest], keep=False))
            case "aie.packet_flow":
                if not 0 <= op.ID <= MAX_PACKET_ID:
                    raise error_at(op, f"has id {op.ID}; packet ids are 0 to {MAX_PACKET_ID}")
                inner = list(op.ports.blocks[0].operations)
                dests = [
                    _port(layout, o, o.tile, o.bundle, o.channel, starts=False)
                    for o in inner
                    if o.operation.name == "aie.packet_dest"
                ]
                keep = bool(op.keep_pkt_header)
                for start in (o for o in inner if o.operation.name == "aie.packet_source"):
                    source = _port(layout, start, start.tile, start.bundle, start.channel, starts=True)
                    flows.append(_route(layout, op, source, (op.ID, MAX_PACKET_ID), dests, keep=keep))
            case "aiex.multicast":
                source = _port(layout, op, op.tile, op.bundle, op.channel, starts=True)
                dests = [
                    _port(layout, o, o.tile, o.bundle, o.channel, starts=False)
                    for o in op.ports.blocks[0].operations
                    if o.operation.name == "aiex.multi_dest"
                ]
                flows.append(_route(layout, op, source, None, dests, keep=False))
            case "aiex.broadcast_packet":
                source = _port(layout, op, op.tile, op.bundle, op.channel, starts=True)
                for group in op.ports.blocks[0].operations:
                    if group.operation.name == "aiex.bp_id":
                        dests = [
                            _port(layout, o, o.tile, o.bundle, o.channel, starts=False)
                            for o in group.ports.blocks[0].operations
                            if o.operation.name == "aiex.bp_dest"
                        ]
                        flows.append(_route(layout, group, source, (group.ID & 0x1F, 0x1F), dests, keep=False))
    return flows


def _route(
    layout: Layout, op: ir.Operation, source: Port, packet: tuple[int, int] | None, dests: list[Port], *, keep: bool
) -> Route:
    if not dests:
        raise error_at(op, "leads nowhere; give it a destination (aie.packet_dest, aiex.multi_dest)")
    ends = tuple(Destination(d, switches_between(layout, source[:2], d[:2]), keep or keeps_header(d), op) for d in dests)
    return Route(source, packet, ends, op)


def _port(layout: Layout, op: ir.Operation, tile: ir.Value, bundle: int, channel: int, *, starts: bool) -> Port:
    """The port where a stream starts or ends; for a shim, the port to which the multiplexer connects it."""
    column, row = place_of(op, tile)
    name = BUNDLE.keyword(bundle)
    if layout.device.kind(column, row) == "shim_noc":
        name, channel = (SHIM_SOURCES if starts else SHIM_DESTINATIONS).get((name, channel), (name, channel))
    _exists(layout, op, column, row, name, channel, int(starts))
    return column, row, name, channel


def _exists(layout: Layout, op: ir.Operation, column: int, row: int, bundle: str, channel: int, direction: int) -> None:
    if bundle == "DMA":
        count = layout.device.tile(column, row).channels[direction]
    elif bundle == "Core":
        count = layout.device.ports(column, row, "Core", master=direction == 0)
    else:
        return
    if not 0 <= channel < count:
        role = ("ends at", "starts at")[direction]
        raise error_at(op, f"{role} {bundle} {channel} of tile ({column}, {row}), which has {count} such ports")


def switches_between(layout: Layout, source: Coordinate, dest: Coordinate) -> int:
    """The stream switches on a shortest path between two tiles, including both. Memtiles pass streams only up and down."""
    across, up = abs(source[0] - dest[0]), abs(source[1] - dest[1])
    detour = 0
    if across and source[1] == dest[1] and source[1] in layout.device.mem_rows:
        detour = 2  # through the row above or below and back
    return across + up + detour + 1


def _merged(routes: list[Route]) -> list[Route]:
    """One route for each source and packet id: flows that share them are a broadcast."""
    groups: dict[tuple[Port, tuple[int, int] | None], list[Route]] = defaultdict(list)
    for route in routes:
        groups[route.source, route.packet].append(route)
    merged = []
    for (source, packet), group in groups.items():
        ends: dict[Port, Destination] = {}
        for end in (d for route in group for d in route.destinations):
            ends.setdefault(end.port, end)
        merged.append(Route(source, packet, tuple(ends.values()), group[0].op))
    return merged


def _check(routes: list[Route]) -> None:
    """Checks that each source is either circuit- or packet-switched, and each destination receives one circuit, or packets."""
    packets = {r.source for r in routes if r.packet is not None}
    circuits: dict[Port, Route] = {}
    route_of: dict[Port, Route] = {}
    for route in routes:
        if route.packet is None:
            if route.source in packets:
                raise error_at(route.op, f"is a circuit from {_text(route.source)}, from which packets go as well")
            circuits[route.source] = route
    for route in routes:
        for end in route.destinations:
            first_route = route_of.setdefault(end.port, route)
            if first_route is not route and (route.packet is None or first_route.packet is None):
                raise error_at(
                    end.op or route.op,
                    f"ends at {_text(end.port)}, where the stream from {_text(first_route.source)} ends already; "
                    "only packet flows share a destination",
                )


def _text(port: Port) -> str:
    column, row, bundle, channel = port
    return f"{bundle} {channel} of tile ({column}, {row})"
