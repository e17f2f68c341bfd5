"""Tile controllers, and the shim channels that send control packets to them."""

from __future__ import annotations

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects import aie
from allo_air.dialects._places import controller_id
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir

_ROW_IDS = (15, 26, 27, 29, 30, 31)
"""Packet ids of controllers by row (shim, memtile, cores), as mlir-aie assigns them; the same in every column."""


def controller_ids(device: Device, *, column_wise: bool) -> dict[Coordinate, int]:
    """The packet id of each tile's controller: one for each row if `column_wise` and `_ROW_IDS` has the device's rows, else one
    for each tile.
    """
    if column_wise and device.rows <= len(_ROW_IDS):
        return {(c, r): _ROW_IDS[r] for c in range(device.columns) for r in range(device.rows)}
    places = [(c, r) for c in range(device.columns) for r in range(device.rows)]
    return {place: i for i, place in enumerate(places)}


def give_id(tile: aie.TileOp, ids: dict[Coordinate, int]) -> int:
    """The id of a tile's controller; if it has none, it gets one from `ids`. Raises DiagnosticError if the id is no
    packet id.
    """
    result = controller_id(tile)
    if result is not None:
        return result[1]
    number = ids[tile.col, tile.row]
    if number > MAX_PACKET_ID:
        raise error_at(
            tile, f"would get controller id {number}; packet ids are 0 to {MAX_PACKET_ID}: use column-wise-unique-ids=true"
        )
    tile.attributes["controller_id"] = ir.Attribute.parse(f"#aie.packet_info<0 : i16, {number} : i16>")
    return number


def shim_channel(device: Device, row: int) -> int:
    """The shim's MM2S channel for packets to tiles of `row`: the lower half of the rows uses one channel, the upper half the
    other.
    """
    channels = device.tile(0, 0).channels[1] or 1
    return row // -(-device.rows // channels)


def allocation(column: int, channel: int) -> str:
    """The symbol of the shim channel that sends control packets."""
    return f"ctrlpkt_col{column}_mm2s_chan{channel}"


def tiles_of(device_op: AnyOp) -> dict[Coordinate, aie.TileOp]:
    """The tiles of a device by position."""
    return {(t.col, t.row): t for t in declarations(device_op, "aie.tile")}


def tile_at(device_op: AnyOp, place: Coordinate) -> aie.TileOp:
    """The tile at `place`, created at the device's start if there is none."""
    tile = tiles_of(device_op).get(place)
    if tile is not None:
        return tile
    block = device_op.opview.block
    ip = ir.InsertionPoint(block.operations[0]) if len(block.operations) else ir.InsertionPoint(block)
    return aie.TileOp(col=place[0], row=place[1], loc=device_op.location, ip=ip)
