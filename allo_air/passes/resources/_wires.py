"""Adds `aie.wire` operations between switches, shim multiplexers and tiles, like mlir-aie after routing."""

from __future__ import annotations

from typing import Any

from allo_air.device import Coordinate
from allo_air.dialects import aie
from allo_air.dialects._enums import BUNDLE
from allo_air.mlir import AnyOp, ir


def add_wires(
    device_op: AnyOp,
    end: ir.InsertionPoint,
    tiles: dict[Coordinate, ir.OpView],
    boxes: dict[Coordinate, ir.OpView],
    muxes: dict[Coordinate, ir.OpView],
) -> None:
    """Adds the wires of every switch at `end`, column by column and upwards; existing ones are unchanged."""
    existing = {_key(op.opview) for op in device_op.opview.block.operations if op.operation.name == "aie.wire"}
    for place in sorted(boxes):
        box = boxes[place].switchbox
        for source, source_bundle, dest, dest_bundle in _wires(place, box, tiles[place].tile, boxes, muxes):
            key = (source, BUNDLE.cases[source_bundle], dest, BUNDLE.cases[dest_bundle])
            if key not in existing:
                fields = {"source": source, "source_bundle": key[1], "dest": dest, "dest_bundle": key[3]}
                aie.WireOp(**fields, loc=device_op.location, ip=end)


def _key(op: ir.OpView) -> tuple[ir.Value, int, ir.Value, int]:
    return op.source, op.source_bundle, op.dest, op.dest_bundle


def _wires(
    place: Coordinate, box: ir.OpView, tile: AnyOp, boxes: dict[Coordinate, ir.OpView], muxes: dict[Coordinate, ir.OpView]
) -> list[tuple[Any, str, Any, str]]:
    """The wires to the switch `box` at `place` from the west, from its tile and from the south."""
    column, row = place
    wires = []
    if (column - 1, row) in boxes:
        wires.append((boxes[column - 1, row].switchbox, "East", box, "West"))
    if row == 0:
        if place in muxes:
            mux = muxes[place].shim_mux
            wires += [(mux, "North", box, "South"), (tile, "DMA", mux, "DMA")]
        return wires
    wires += [(tile, "Core", box, "Core"), (tile, "DMA", box, "DMA")]
    if (column, row - 1) in boxes:
        wires.append((boxes[column, row - 1].switchbox, "North", box, "South"))
    return wires
