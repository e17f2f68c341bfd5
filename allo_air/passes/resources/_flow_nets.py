"""The nets of a device's flows."""

from __future__ import annotations

from typing import Any

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.diagnostics import error_at
from allo_air.device import Device
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes.resources._nets import SHIM_DESTS, SHIM_SOURCES, Net, Slave


def flow_nets(device_op: AnyOp) -> list[Net]:
    """A net for each source of circuits, and for each source and packet id; several sources of one flow form one net."""
    device = device_of(device_op)
    nets: dict[Any, Net] = {}
    for op in declarations(device_op, "aie.flow", "aie.packet_flow"):
        if op.operation.name == "aie.flow":
            source = _port(device, op, op.source, op.source_bundle, op.source_channel, starts=True)
            dests = [_port(device, op, op.dest, op.dest_bundle, op.dest_channel, starts=False)]
            _add(nets, Net((source,), tuple(dests), [op]))
            continue
        ports = [o for block in op.ports.blocks for o in block.operations]
        ends = {
            name: [
                _port(device, o, o.tile, o.bundle, o.channel, starts=name == "aie.packet_source")
                for o in ports
                if o.operation.name == name
            ]
            for name in ("aie.packet_source", "aie.packet_dest")
        }
        if not all(ends.values()):
            raise error_at(op, "needs a source and a destination; give it an aie.packet_source and an aie.packet_dest")
        number = op.ID & 0xFF
        if number > MAX_PACKET_ID:
            raise error_at(op, f"has id {number}; packet ids are 0 to {MAX_PACKET_ID}")
        sources = tuple(sorted(set(ends["aie.packet_source"])))
        dests = sorted(set(ends["aie.packet_dest"]))
        keep, priority = bool(op.keep_pkt_header), bool(op.priority_route)
        _add(nets, Net(sources, tuple(dests), [op], number, keep, priority))
    _check(list(nets.values()))
    return list(nets.values())


def _add(nets: dict[Any, Net], net: Net) -> None:
    key = net.sources, net.packet
    if key not in nets:
        nets[key] = net
        return
    net_of_key = nets[key]
    net_of_key.dests = tuple(sorted({*net_of_key.dests, *net.dests}))
    net_of_key.ops += net.ops
    net_of_key.keep, net_of_key.priority = net_of_key.keep or net.keep, net_of_key.priority or net.priority


def _check(nets: list[Net]) -> None:
    circuits = {source: net for net in nets if net.packet is None for source in net.sources}
    ends: dict[Slave, Net] = {}
    for net in nets:
        for source in net.sources:
            if net.packet is not None and source in circuits:
                raise error_at(net.ops[0], f"starts at {_text(source)}, from which a circuit goes as well")
        for dest in net.dests:
            earlier = ends.setdefault(dest, net)
            if earlier is not net and None in (net.packet, earlier.packet):
                raise error_at(net.ops[-1], f"ends at {_text(dest)}, where another stream ends; only packets share")


def _port(device: Device, op: AnyOp, tile: ir.Value, bundle: int, channel: int, *, starts: bool) -> Slave:
    place, name = place_of(op, tile), BUNDLE.keyword(bundle)
    local = (name, channel)
    if device.kind(*place) == "shim_noc":
        local = (SHIM_SOURCES if starts else SHIM_DESTS).get(local, local)
    if not 0 <= local[1] < device.ports(*place, local[0], master=not starts):
        role = "starts" if starts else "ends"
        raise error_at(op, f"{role} at {name} : {channel} of tile {place}, which its switch does not have")
    return place, local


def _text(port: Slave) -> str:
    place, (bundle, channel) = port
    return f"{bundle} : {channel} of tile {place}"
