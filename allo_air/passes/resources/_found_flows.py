"""Reconstructs the streams from the switches of a device."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations, place_of
from allo_air.mlir import AnyOp
from allo_air.passes.resources._nets import OPPOSITE, STEPS, Local, Slave

_ENDS = ("DMA", "Core", "TileControl", "Trace", "FIFO")


@dataclass(frozen=True)
class FoundFlow:
    """A stream from `source` to `dests`; `packet` is its id, None for a circuit; `keep`: a destination keeps the header."""

    source: Slave
    dests: tuple[Slave, ...]
    packet: int | None
    keep: bool


@dataclass
class _Box:
    """One switch: circuits by slave port, rules by slave port (mask, id, amsel), the amsels of master ports, and master ports
    that keep headers."""

    circuits: dict[Local, list[Local]] = field(default_factory=lambda: defaultdict(list))
    rules: dict[Local, list[tuple[int, int, Any]]] = field(default_factory=dict)
    masters: dict[Local, list[Any]] = field(default_factory=dict)
    with_headers: set[Local] = field(default_factory=set)

    def leads(self, slave: Local, packet: int | None) -> list[Local]:
        if packet is None:
            return self.circuits.get(slave, [])
        for mask, value, amsel in self.rules.get(slave, ()):
            if packet & mask == value:
                return [master for master, amsels in self.masters.items() if amsel in amsels]
        return []


def found_flows(device_op: AnyOp) -> list[FoundFlow]:
    """The streams of a device, by source; DiagnosticError for a switch that leads to a tile without one."""
    boxes = {place_of(op, op.tile): _box(op) for op in declarations(device_op, "aie.switchbox")}
    into: dict[Slave, Slave] = {}
    out: dict[Slave, Slave] = {}
    for mux in declarations(device_op, "aie.shim_mux"):
        tile = place_of(mux, mux.tile)
        for connect in _inside(mux, "aie.connect"):
            enters, leaves = _local(connect, "source"), _local(connect, "dest")
            if leaves[0] == "North":
                into[tile, ("South", leaves[1])] = tile, enters
            elif enters[0] == "North":
                out[tile, ("South", enters[1])] = tile, leaves
    flows = []
    for tile, box in sorted(boxes.items()):
        for slave in sorted({*box.circuits, *box.rules}):
            source = into.get((tile, slave), (tile, slave))
            if source == (tile, slave) and slave[0] not in _ENDS and not (slave[0] == "South" and tile[1] == 0):
                continue
            ids = [None] if slave in box.circuits else range(32)
            for packet in ids:
                dests, keep = _walk(device_op, boxes, out, tile, slave, packet)
                if dests:
                    flows.append(FoundFlow(source, tuple(sorted(dests)), packet, keep))
    return flows


def _walk(
    device_op: AnyOp, boxes: dict[Coordinate, _Box], out: dict[Slave, Slave], tile: Coordinate, slave: Local, packet: int | None
) -> tuple[set[Slave], bool]:
    work, seen, dests, keep = [(tile, slave)], set(), set(), False
    while work:
        tile, slave = work.pop()
        if (tile, slave) in seen:
            continue
        seen.add((tile, slave))
        if tile not in boxes:
            raise error_at(device_op, f"leads to {slave[0]} : {slave[1]} of tile {tile}, which has no switchbox")
        for master in boxes[tile].leads(slave, packet):
            if master[0] in _ENDS or (master[0] == "South" and tile[1] == 0):
                dests.add(out.get((tile, master), (tile, master)))
                keep |= master in boxes[tile].with_headers
            else:
                dx, dy = STEPS[master[0]]
                work.append(((tile[0] + dx, tile[1] + dy), (OPPOSITE[master[0]], master[1])))
    return dests, keep


def _box(op: AnyOp) -> _Box:
    box = _Box()
    for connect in _inside(op, "aie.connect"):
        box.circuits[_local(connect, "source")].append(_local(connect, "dest"))
    for master in _inside(op, "aie.masterset"):
        box.masters[_local(master, "dest")] = list(master.amsels)
        if master.keep_pkt_header:
            box.with_headers.add(_local(master, "dest"))
    for rules in _inside(op, "aie.packet_rules"):
        inner = [o for block in rules.rules.blocks for o in block.operations if o.operation.name == "aie.rule"]
        box.rules[_local(rules, "source")] = [(r.mask & 0x1F, r.value & 0x1F, r.amsel) for r in inner]
    return box


def _inside(op: Any, name: str) -> list[Any]:
    return [o for block in op.connections.blocks for o in block.operations if o.operation.name == name]


def _local(op: AnyOp, role: str) -> Local:
    return BUNDLE.keyword(getattr(op, f"{role}_bundle")), getattr(op, f"{role}_channel")
