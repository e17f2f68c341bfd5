"""Switches, shim multiplexers and cascades as register writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects._enums import BUNDLE, CASCADE_DIR
from allo_air.dialects.declarations import place_of
from allo_air.target.npu_words import MaskWrite, Write
from allo_air.target.registers import (
    CASCADE,
    DEMUX_PORTS,
    MUX_PORTS,
    PACKET_ENABLE,
    PORT_ENABLE,
    SHIM_DEMUX,
    SHIM_MUX,
    SLAVES,
    SLOT_STRIDE,
    SLOTS,
    SLOTS_PER_PORT,
    SWITCH,
    port_index,
)

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

_DROP = 1 << 7
_SLOT_ENABLE = 1 << 8


class _Switch:
    """The registers of one tile's switch."""

    def __init__(self, device: Device, tile: Coordinate):
        self.device, self.tile = device, tile
        self.base = SWITCH[device.kind(*tile)]

    def port(self, op: AnyOp, bundle: int, channel: int, *, master: bool) -> int:
        name = BUNDLE.keyword(bundle)
        result = port_index(self.device, *self.tile, name, channel, master=master)
        if result is None or not self.device.ports(*self.tile, name, master=master):
            role = "destination" if master else "source"
            raise error_at(op, f"has {role} {name} : {channel}, which the switch of tile {self.tile} does not have")
        return result

    def write(self, offset: int, value: int) -> Write:
        return Write(self.device.address(*self.tile, self.base + offset), value)


def switchbox(device: Device, op: ir.OpView) -> Iterator[Write]:
    """An `aie.switchbox`: its circuits, its packet destinations, its packet rules."""
    tile = place_of(op, op.tile)
    switch = _Switch(device, tile)
    inner_ops = [o for block in op.connections.blocks for o in block.operations]
    for inner in inner_ops:
        if inner.operation.name == "aie.connect":
            master = switch.port(inner, inner.dest_bundle, inner.dest_channel, master=True)
            slave = switch.port(inner, inner.source_bundle, inner.source_channel, master=False)
            yield switch.write(4 * master, PORT_ENABLE | slave)
            yield switch.write(SLAVES + 4 * slave, PORT_ENABLE)
    for inner in inner_ops:
        if inner.operation.name == "aie.masterset":
            yield _masterset(switch, inner)
    for inner in inner_ops:
        if inner.operation.name == "aie.packet_rules":
            yield from _rules(switch, inner)


def _masterset(switch: _Switch, op: ir.OpView) -> Write:
    selects = [(amsel.owner.opview.arbiterID, amsel.owner.opview.msel) for amsel in op.amsels]
    arbiters = {arbiter for arbiter, _ in selects}
    if len(arbiters) != 1:
        raise error_at(op, f"of tile {switch.tile} listens to arbiters {sorted(arbiters)}; a port listens to one")
    master = switch.port(op, op.dest_bundle, op.dest_channel, master=True)
    name = BUNDLE.keyword(op.dest_bundle)
    drops = name == "DMA" or (name == "South" and switch.tile[1] == 0)
    if op.keep_pkt_header is not None:
        drops = not op.keep_pkt_header
    mask = sum({1 << msel for _, msel in selects})
    return switch.write(4 * master, PORT_ENABLE | PACKET_ENABLE | _DROP * drops | mask << 3 | selects[0][0])


def _rules(switch: _Switch, op: ir.OpView) -> Iterator[Write]:
    slave = switch.port(op, op.source_bundle, op.source_channel, master=False)
    rules = [o for block in op.rules.blocks for o in block.operations if o.operation.name == "aie.rule"]
    if len(rules) > SLOTS_PER_PORT:
        raise error_at(
            rules[SLOTS_PER_PORT], f"is one rule too many: a port of tile {switch.tile}'s switch has {SLOTS_PER_PORT} slots"
        )
    for number, rule in enumerate(rules):
        amsel = rule.amsel.owner.opview
        if not (0 <= rule.mask <= 31 and 0 <= rule.value <= 31):
            raise error_at(rule, f"has mask {rule.mask} and id {rule.value}; they have 5 bits, 0 to 31")
        yield switch.write(SLAVES + 4 * slave, PORT_ENABLE | PACKET_ENABLE)
        value = rule.value << 24 | rule.mask << 16 | _SLOT_ENABLE | amsel.msel << 4 | amsel.arbiterID
        yield switch.write(SLOTS + SLOT_STRIDE * slave + 4 * number, value)


def shim_mux(device: Device, op: ir.OpView) -> Iterator[MaskWrite]:
    """An `aie.shim_mux`: which ports of the switch its DMA is connected to; others have no setting."""
    tile = place_of(op, op.tile)
    for inner in (o for block in op.connections.blocks for o in block.operations if o.operation.name == "aie.connect"):
        if BUNDLE.keyword(inner.source_bundle) == "North":
            register, result = SHIM_DEMUX, DEMUX_PORTS.get(inner.source_channel)
        elif BUNDLE.keyword(inner.dest_bundle) == "North":
            register, result = SHIM_MUX, MUX_PORTS.get(inner.dest_channel)
        else:
            continue
        if result is not None:
            mask, value = result
            yield MaskWrite(device.address(*tile, register), value, mask)


def cascade(device: Device, op: ir.OpView) -> Iterator[Write]:
    """An `aie.configure_cascade`."""
    tile = place_of(op, op.tile)
    west, east = CASCADE_DIR.keyword(op.inputDir) == "West", CASCADE_DIR.keyword(op.outputDir) == "East"
    yield Write(device.address(*tile, CASCADE), west | east << 1)
