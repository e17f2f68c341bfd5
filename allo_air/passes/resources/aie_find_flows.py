"""aie-find-flows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.dialects import aie
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir
from allo_air.passes.resources._found_flows import FoundFlow, found_flows


@dataclass(frozen=True)
class AieFindFlows(Pass):
    """Follows the streams through switches and shim multiplexers, and writes the corresponding flows.

    Before:

        aie.switchbox(%shim_noc_tile_0_0) { aie.connect<South : 3, North : 0> }
        aie.shim_mux(%shim_noc_tile_0_0) { aie.connect<DMA : 0, North : 3> }
        aie.switchbox(%mem_tile_0_1) { aie.connect<South : 0, DMA : 0> }

    After, besides these:

        aie.flow(%shim_noc_tile_0_0, DMA : 0, %mem_tile_0_1, DMA : 0)
    """

    name = "aie-find-flows"
    anchor = "aie.device"

    def run(self, op: AnyOp, /) -> None:
        tiles = {(t.col, t.row): t.tile for t in declarations(op, "aie.tile")}
        block = op.opview.block
        loc_and_ip: dict[str, Any] = {"loc": op.location, "ip": ir.InsertionPoint(block)}
        for flow in found_flows(op):
            if flow.packet is None:
                for dest in flow.dests:
                    ends = _end("source", flow.source, tiles) | _end("dest", dest, tiles)
                    aie.FlowOp(**ends, **loc_and_ip)
            else:
                _packet_flow(flow, tiles, loc_and_ip)


def _packet_flow(flow: FoundFlow, tiles: dict[Any, Any], loc_and_ip: dict[str, Any]) -> None:
    op = aie.PacketFlowOp(ID=flow.packet, keep_pkt_header=True if flow.keep else None, **loc_and_ip)
    inner = {"loc": loc_and_ip["loc"], "ip": ir.InsertionPoint(op.ports.blocks.append())}
    for kind, (place, (bundle, channel)) in (
        (aie.PacketSourceOp, flow.source),
        *((aie.PacketDestOp, dest) for dest in flow.dests),
    ):
        kind(tile=tiles[place], bundle=BUNDLE.cases[bundle], channel=channel, **inner)
    aie.EndOp(**inner)


def _end(role: str, port: Any, tiles: dict[Any, Any]) -> dict[str, Any]:
    place, (bundle, channel) = port
    return {role: tiles[place], f"{role}_bundle": BUNDLE.cases[bundle], f"{role}_channel": channel}
