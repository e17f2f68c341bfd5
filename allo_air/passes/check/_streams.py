"""The streams of a device: the ports that its flows connect, and the wires between switches that they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allo_air.device import Device
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.aie import FlowOp, PacketFlowOp
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._tiles import DeviceUse, Place

Edge = tuple[Place, Place]
"""A bundle of wires from one tile's switch to its neighbour's."""

_STEPS = {"North": (0, 1), "South": (0, -1), "East": (1, 0), "West": (-1, 0)}
_OPPOSITE = {"North": "South", "South": "North", "East": "West", "West": "East"}
_MUXED = ("DMA", "NOC", "PLIO")
"""Bundles of a shim tile that reach its switch through the multiplexer (`device.SHIM_MUX`)."""


@dataclass(frozen=True)
class Port:
    """A port at the end of a stream."""

    place: Place
    bundle: str
    channel: int

    def __str__(self) -> str:
        return f"{self.bundle} {self.channel} of tile ({self.place[0]},{self.place[1]})"


@dataclass
class Net:
    """The streams from one port. Circuit flows from the port share wires with each other; packet flows also share wires with
    packet flows from other ports.
    """

    source: Port
    dests: list[Port]
    ops: list[Any]
    is_packet: bool


def capacities(device: Device) -> dict[Edge, int]:
    """The number of streams that each pair of neighbouring switches can carry; each direction has its own key."""
    results: dict[Edge, int] = {}
    for column in range(device.columns):
        for row in range(device.rows):
            for bundle, (dx, dy) in _STEPS.items():
                neighbour = (column + dx, row + dy)
                if not device.holds(*neighbour):
                    continue
                out = device.ports(column, row, bundle, master=True)
                into = device.ports(*neighbour, _OPPOSITE[bundle], master=False)
                if min(out, into):
                    results[(column, row), neighbour] = min(out, into)
    return results


def used_edges(use: DeviceUse) -> dict[Edge, int]:
    """The wires that configured switches already use."""
    results: dict[Edge, int] = {}
    for switch in use.called("aie.switchbox"):
        place = use.place(switch.operands[0])
        if place is None:
            continue
        for op in (o.operation for o in switch.regions[0].blocks[0].operations):
            if op.name not in ("aie.connect", "aie.masterset"):
                continue
            bundle = BUNDLE.keyword(op.attributes["dest_bundle"].value)
            if bundle in _STEPS:
                dx, dy = _STEPS[bundle]
                edge = (place, (place[0] + dx, place[1] + dy))
                results[edge] = results.get(edge, 0) + 1
    return results


def nets(use: DeviceUse, findings: Findings) -> list[Net]:
    """The nets of the device's flows. Reports ports that do not exist, and ports that two streams use."""
    results: dict[tuple[Port, bool], Net] = {}
    done = _routed(use)
    for op, source, dests in _flows(use):
        if source in done:
            continue
        if source is None or None in dests:
            findings.undecided(op, "where it runs: a tile of it is not placed")
            continue
        ends = [(source, False), *((d, True) for d in dests if d is not None)]
        wrong = [port for port, is_dest in ends if not _exists(use, op, port, is_dest, findings)]
        if wrong:
            continue
        is_packet = op.name == "aie.packet_flow"
        net = results.setdefault((source, is_packet), Net(source, [], [], is_packet))
        net.ops.append(op)
        net.dests += [d for d in dests if d is not None and d not in net.dests]
    values = list(results.values())
    _check_shared(values, findings)
    return values


def _routed(use: DeviceUse) -> set[Port]:
    """The source ports that switches already connect: routing ignores their flows."""
    ports = set()
    for switch in (*use.called("aie.switchbox"), *use.called("aie.shim_mux")):
        place = use.place(switch.operands[0])
        for op in (o.operation for o in switch.regions[0].blocks[0].operations):
            if place is not None and op.name in ("aie.connect", "aie.packet_rules"):
                bundle, channel = op.attributes["source_bundle"], op.attributes["source_channel"]
                ports.add(Port(place, BUNDLE.keyword(bundle.value), channel.value))
    return ports


def _flows(use: DeviceUse) -> list[tuple[ir.Operation, Port | None, list[Port | None]]]:
    flows: list[tuple[ir.Operation, Port | None, list[Port | None]]] = []
    for op in map(FlowOp, use.called("aie.flow")):
        source = _port(use, op.source, op.source_bundle, op.source_channel)
        flows.append((op.operation, source, [_port(use, op.dest, op.dest_bundle, op.dest_channel)]))
    for flow in map(PacketFlowOp, use.called("aie.packet_flow")):
        ends = [o.operation.opview for o in flow.ports.blocks[0].operations if o.operation.name != "aie.end"]
        ports = [(e.OPERATION_NAME, _port(use, e.tile, e.bundle, e.channel)) for e in ends]
        dests = [p for name, p in ports if name == "aie.packet_dest"]
        for source in [p for name, p in ports if name == "aie.packet_source"] or [None]:
            flows.append((flow.operation, source, dests))
    return flows


def _port(use: DeviceUse, tile: ir.Value, bundle: int, channel: int) -> Port | None:
    place = use.place(tile)
    return None if place is None else Port(place, BUNDLE.keyword(bundle), channel)


def _exists(use: DeviceUse, op: ir.Operation, port: Port, is_dest: bool, findings: Findings) -> bool:
    if use.device.kind(*port.place).startswith("shim") and port.bundle in _MUXED:
        tile = use.device.tile(*port.place)
        count = tile.channels[0 if is_dest else 1] if port.bundle == "DMA" else _MUX_PORTS[is_dest][port.bundle]
    else:
        count = use.device.ports(*port.place, port.bundle, master=is_dest)
    if 0 <= port.channel < count:
        return True
    side = "destination" if is_dest else "source"
    findings.error(
        op,
        f"{use.name(port.place)}: port {port.bundle} {port.channel} does not exist as a {side}, it has {count} of that bundle;"
        " use one of those, or share one with packet flows",
    )
    return False


_MUX_PORTS: Mapping[bool, Mapping[str, int]] = {True: {"NOC": 4, "PLIO": 6}, False: {"NOC": 4, "PLIO": 8}}
"""Ports of the shim's multiplexer as destinations (True) and as sources (docs/sources.md#device)."""


def _check_shared(items: list[Net], findings: Findings) -> None:
    """Reports ports that two circuits share, or a circuit and packets: two sources would mix at one destination."""
    dests: dict[Port, Net] = {}
    sources: dict[Port, Net] = {}
    for net in items:
        for port, table in [(net.source, sources), *((d, dests) for d in net.dests)]:
            first_net = table.setdefault(port, net)
            if first_net is not net and not (first_net.is_packet and net.is_packet):
                findings.error(
                    net.ops[0],
                    f"uses port {port}, which another stream already uses; use another channel, or packet flows for both",
                    (first_net.ops[0], "the other stream"),
                )
