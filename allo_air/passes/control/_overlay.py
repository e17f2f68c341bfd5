"""Builds the packet flows of a column's controllers: tokens to the shim, and packets from its DMA."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.device import Coordinate
from allo_air.dialects import aie
from allo_air.dialects._enums import BUNDLE, DMA_DIR
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.controllers import allocation, controller_ids, give_id, shim_channel, tile_at, tiles_of

_Port = tuple[Coordinate, int, int]  # place, bundle, channel
_DMA, _SOUTH, _CONTROL = (int(BUNDLE.stored(name).split(" :")[0]) for name in ("DMA", "South", "TileControl"))
_MM2S = int(DMA_DIR.stored("MM2S").split(" :")[0])


class Overlay:
    """Adds flows to the end of one device."""

    def __init__(self, device_op: AnyOp):
        self.op, self.device = device_op, device_of(device_op)
        self.ids = controller_ids(self.device, column_wise=True)
        self.known = {_flow(f) for f in declarations(device_op, "aie.packet_flow")}
        self.circuits = {
            (place_of(f, f.source), f.source_bundle, f.source_channel): f for f in declarations(device_op, "aie.flow")
        }
        self.columns = {c: [r for _, r in places] for c, places in groupby(sorted(tiles_of(device_op)), lambda place: place[0])}
        if self.columns and printed_state() == AUGUST:
            self.columns = {c: self.columns.get(c, []) for c in range(min(self.columns), max(self.columns) + 1)}
        for column in self.columns:
            tile_at(device_op, (column, 0))
        self.tiles = tiles_of(device_op)

    def tokens(self, *, all_tiles: bool) -> None:
        """Adds flows from the controllers, or only the shim's, to South 0 of the shim."""
        for column, rows in self.columns.items():
            for row in sorted({0, *rows}) if all_tiles else (0,):
                self._add(((column, row), _CONTROL, 0), ((column, 0), _SOUTH, 0), self._id((column, row)))

    def controllers(self) -> None:
        """Adds flows from the shim's DMA to the controllers."""
        for column, rows in self.columns.items():
            for row in sorted({0, *rows}):
                channel = shim_channel(self.device, row)
                self._check_free(column, channel)
                self._add(((column, 0), _DMA, channel), ((column, row), _CONTROL, 0), self._id((column, row)))
                self._name(column, channel)

    def _id(self, place: Coordinate) -> int:
        return give_id(self.tiles[place], self.ids)

    def _check_free(self, column: int, channel: int) -> None:
        flow = self.circuits.get(((column, 0), _DMA, channel))
        if flow is not None:
            raise error_at(
                flow,
                f"takes MM2S {channel} of shim ({column}, 0), by which control packets are to go; use another channel or "
                "column, or a packet flow",
            )

    def _add(self, source: _Port, dest: _Port, number: int) -> None:
        if (source, dest, number) in self.known:
            return
        location = self.tiles[source[0]].location
        end = ir.InsertionPoint(self.op.opview.block)
        flow = aie.PacketFlowOp(ID=number, keep_pkt_header=True, priority_route=True, loc=location, ip=end)
        ip = ir.InsertionPoint(flow.ports.blocks.append())
        for kind, (place, bundle, channel) in ((aie.PacketSourceOp, source), (aie.PacketDestOp, dest)):
            kind(tile=self.tiles[place].result, bundle=bundle, channel=channel, loc=location, ip=ip)
        aie.EndOp(loc=location, ip=ip)

    def _name(self, column: int, channel: int) -> None:
        name = allocation(column, channel)
        if any(sym_name_of(o) == name for o in walk_named(self.op, "aie.shim_dma_allocation")):
            return
        shim = self.tiles[column, 0]
        aie.ShimDMAAllocationOp(
            tile=shim.result, sym_name=name, channel_dir=_MM2S, channel_index=channel,
            loc=shim.location, ip=ir.InsertionPoint(self.op.opview.block),
        )  # fmt: skip


def standalone(device_op: AnyOp) -> Any:
    """A copy of a device, `@NAME_overlay`, inserted before it, with only its tiles."""
    with ir.InsertionPoint(device_op), device_op.location:
        copy = device_op.operation.clone()
    copy.attributes["sym_name"] = ir.StringAttr.get(f"{sym_name_of(device_op) or 'main'}_overlay")
    for op in reversed(list(copy.opview.block.operations)):
        if op.operation.name != "aie.tile":
            op.operation.erase()
    return copy


def _flow(op: ir.OpView) -> tuple[_Port, _Port, int]:
    """Source, (first) destination and id of a packet flow."""
    ends: dict[str, _Port] = {}
    for end in op.ports.blocks[0].operations:
        if end.operation.name in ("aie.packet_source", "aie.packet_dest"):
            ends.setdefault(end.operation.name, (place_of(end, end.tile), end.bundle, end.channel))
    return ends["aie.packet_source"], ends["aie.packet_dest"], op.ID
