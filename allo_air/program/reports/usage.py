"""The resources that a design uses of each tile: memory, locks, BDs and DMA channels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from allo_air.arch.limits import STACK_BYTES
from allo_air.device import Device
from allo_air.dialects.declarations import declarations, device_of

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class TileUsage:
    """The used and the available resources of a tile: bytes of buffers (and a core's stack), locks, and BDs."""

    column: int
    row: int
    kind: str
    memory: int
    memory_of: int
    locks: int
    locks_of: int
    bds: int
    bds_of: int


def tile_usage(device_op: AnyOp) -> list[TileUsage]:
    """The TileUsage of every tile in the design, by row and column. Shim BDs are those of the runtime sequence."""
    device: Device = device_of(device_op)
    memory: dict[tuple[int, int], int] = {}
    locks: dict[tuple[int, int], int] = {}
    bds: dict[tuple[int, int], int] = {}
    tiles = []
    for op in declarations(device_op):
        match op.operation.name:
            case "aie.tile":
                tiles.append((op.col, op.row))
            case "aie.buffer":
                place = _tile_name(op.tile)
                memory[place] = memory.get(place, 0) + _bytes(op.results[0].type)
            case "aie.lock":
                place = _tile_name(op.tile)
                locks[place] = locks.get(place, 0) + 1
            case "aie.core":
                size = op.operation.attributes["stack_size"].value if "stack_size" in op.operation.attributes else STACK_BYTES
                memory[_tile_name(op.tile)] = memory.get(_tile_name(op.tile), 0) + size
            case "aie.mem" | "aie.memtile_dma" | "aie.shim_dma":
                place = _tile_name(op.tile)
                bds[place] = bds.get(place, 0) + _descriptors(op)
    tile_usages = []
    for column, row in sorted(set(tiles), key=lambda t: (t[1], t[0])):
        tile, place = device.tile(column, row), (column, row)
        used = memory.get(place, 0), locks.get(place, 0), bds.get(place, 0)
        tile_usages.append(TileUsage(column, row, tile.kind, used[0], tile.memory, used[1], tile.locks, used[2], tile.bds))
    return tile_usages


def _tile_name(tile: ir.Value) -> tuple[int, int]:
    op = tile.owner.opview
    return op.col, op.row


def _bytes(kind: ir.MemRefType) -> int:
    element = str(kind.element_type)
    bits = int("".join(c for c in element.split("E")[0] if c.isdigit()) or 32)
    return math.ceil(math.prod(kind.shape) * bits / 8)


def _descriptors(op: ir.Operation) -> int:
    from allo_air.core.walking import walk_named

    return len(walk_named(op, "aie.dma_bd"))
