"""Emits routed nets as operations of switches and shim multiplexers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects import aie
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.mlir import AnyOp, ir
from allo_air.passes.resources._nets import SHIM_DESTS, SHIM_SOURCES, Local, Net, Unroutable
from allo_air.passes.resources._router import Router
from allo_air.passes.resources._switch_plan import FullSwitch, SwitchPlan, planned, streams
from allo_air.passes.resources._wires import add_wires


class Switches:
    """The switches of a device with their existing connections."""

    def __init__(self, device_op: AnyOp):
        self.op = device_op
        self.device = device_of(device_op)
        self.tiles = {(op.col, op.row): op for op in declarations(device_op, "aie.tile")}
        self.boxes = {place_of(op, op.tile): op for op in declarations(device_op, "aie.switchbox")}
        self.muxes = {place_of(op, op.tile): op for op in declarations(device_op, "aie.shim_mux")}
        self._end = ir.InsertionPoint(device_op.opview.block)

    def put(self, nets: list[Net]) -> None:
        """Routes `nets`, emits their switches in the order in which the nets pass them, and erases the nets' flows.

        The order of nets is that of the flows in the state of March, that of their sources in August.
        """
        if printed_state() == AUGUST:
            nets = sorted(nets, key=lambda net: net.order)
        try:
            trees = Router(self.device, self._used_ports()).route(nets)
        except Unroutable as why:
            message = f"cannot be routed: the switch of tile {why.tile} is full, {why.why}; place its ends nearer, use"
            raise error_at(why.net.ops[0], f"{message} packet flows, or one flow to several destinations") from None
        passing = streams(nets, trees)
        plans: dict[Coordinate, SwitchPlan] = {}
        for tile, item in sorted(passing.items()):
            try:
                plans[tile] = planned(item, self._selects(tile))
            except FullSwitch as why:
                net = next(n for n, t in zip(nets, trees, strict=True) if any(s[0] == tile for s in t.inside))
                raise error_at(net.ops[0], f"cannot be routed: the switch of tile {tile} is full, {why}") from None
        circuits: dict[Coordinate, list[tuple[Local, Local]]] = defaultdict(list)
        for net, tree in zip(nets, trees, strict=True):
            if net.packet is None:
                for (tile, slave), masters in tree.inside.items():
                    circuits[tile] += [(slave, master) for master in masters]
        kept_ports = {dest for net in nets if net.keep for dest in net.dests}
        muxes = self._through_muxes(nets)
        passed = [tile for tree in trees for tile in sorted({tile for tile, _ in tree.inside})]
        for tile in dict.fromkeys(passed + sorted(muxes)):
            if tile in circuits or tile in plans:
                self._write(tile, circuits[tile], plans.get(tile, SwitchPlan()), {p for t, p in kept_ports if t == tile})
            if tile in muxes:
                self._write_mux(tile, muxes[tile])
        add_wires(self.op, self._end, self.tiles, self.boxes, self.muxes)
        for op in [op for net in nets for op in net.ops]:
            op.operation.erase()

    def _used_ports(self) -> list[tuple[Coordinate, Local, bool]]:
        results: list[tuple[Coordinate, Local, bool]] = []
        for tile, box in self.boxes.items():
            for op in [o for block in box.connections.blocks for o in block.operations]:
                name = op.operation.name
                if name in ("aie.connect", "aie.masterset"):
                    results.append((tile, (BUNDLE.keyword(op.dest_bundle), op.dest_channel), True))
                if name in ("aie.connect", "aie.packet_rules"):
                    results.append((tile, (BUNDLE.keyword(op.source_bundle), op.source_channel), False))
        return results

    def _selects(self, tile: Coordinate) -> list[tuple[int, int]]:
        if tile not in self.boxes:
            return []
        inner_ops = [o for block in self.boxes[tile].connections.blocks for o in block.operations]
        return [(o.arbiterID, o.msel) for o in inner_ops if o.operation.name == "aie.amsel"]

    def _tile(self, place: Coordinate) -> Any:
        if place not in self.tiles:
            self.tiles[place] = aie.TileOp(col=place[0], row=place[1], loc=self.op.location, ip=self._end)
        return self.tiles[place].tile

    def _new(self, kind: type, place: Coordinate) -> Any:
        tile = self._tile(place)
        op = kind(tile=tile, loc=self.op.location, ip=self._end)
        aie.EndOp(loc=self.op.location, ip=ir.InsertionPoint(op.connections.blocks.append()))
        return op

    def _write(
        self, tile: Coordinate, circuits: list[tuple[Local, Local]], plan: SwitchPlan, circuit_inputs: set[Local]
    ) -> None:
        box = self.boxes[tile] = self.boxes.get(tile) or self._new(aie.SwitchboxOp, tile)
        body = box.connections.blocks[0]
        loc_and_ip: dict[str, Any] = {"loc": self.op.location, "ip": ir.InsertionPoint(body.operations[-1])}
        for slave, master in circuits:
            _connect(slave, master, loc_and_ip)
        chosen = sorted(plan.selects.values())
        amsels = {(arbiter, n): aie.AMSelOp(arbiterID=arbiter, msel=n, **loc_and_ip).amsel for arbiter, n in chosen}
        for (bundle, channel), selects in plan.masters.items():
            keep = True if (bundle, channel) in circuit_inputs else None
            listened = [amsels[s] for s in selects]
            aie.MasterSetOp(
                amsels=listened, dest_bundle=BUNDLE.cases[bundle], dest_channel=channel, keep_pkt_header=keep, **loc_and_ip
            )
        for (bundle, channel), rules in plan.rules.items():
            op = aie.PacketRulesOp(source_bundle=BUNDLE.cases[bundle], source_channel=channel, **loc_and_ip)
            inner = {"loc": self.op.location, "ip": ir.InsertionPoint(op.rules.blocks.append())}
            for mask, value, masters in rules:
                aie.PacketRuleOp(amsel=amsels[plan.selects[masters]], mask=mask, value=value, **inner)
            aie.EndOp(**inner)

    def _through_muxes(self, nets: list[Net]) -> dict[Coordinate, dict[tuple[Local, Local], None]]:
        """For each tile, the connections of shim DMAs to the switch ports of their streams."""
        into = {port: dma for dma, port in SHIM_SOURCES.items()}
        out = {port: dma for dma, port in SHIM_DESTS.items()}
        circuits_of: dict[Coordinate, dict[tuple[Local, Local], None]] = defaultdict(dict)
        for net in nets:
            for tile, port in net.sources:
                if self.device.kind(*tile) == "shim_noc" and port in into:
                    circuits_of[tile][into[port], ("North", port[1])] = None
            for tile, port in net.dests:
                if self.device.kind(*tile) == "shim_noc" and port in out:
                    circuits_of[tile][("North", port[1]), out[port]] = None
        return circuits_of

    def _write_mux(self, tile: Coordinate, connects: Iterable[tuple[Local, Local]]) -> None:
        mux = self.muxes[tile] = self.muxes.get(tile) or self._new(aie.ShimMuxOp, tile)
        body = mux.connections.blocks[0]
        loc_and_ip: dict[str, Any] = {"loc": self.op.location, "ip": ir.InsertionPoint(body.operations[-1])}
        for source, dest in connects:
            _connect(source, dest, loc_and_ip)


def _connect(source: Local, dest: Local, loc_and_ip: dict[str, ir.Location | ir.InsertionPoint]) -> None:
    fields = {
        "source_bundle": BUNDLE.cases[source[0]],
        "source_channel": source[1],
        "dest_bundle": BUNDLE.cases[dest[0]],
        "dest_channel": dest[1],
    }
    aie.ConnectOp(**fields, **loc_and_ip)
