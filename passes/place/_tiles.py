"""Places the logical tiles of a device."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects import aie
from allo_air.dialects._enums import TILE_TYPE
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import ir

_KINDS = {"CoreTile": "core", "MemTile": "mem", "ShimNOCTile": "shim_noc", "ShimPLTile": "shim_pl"}
_ORDER = ("core", "mem", "shim_noc", "shim_pl")


class Placement:
    """The tiles of one device, by place, and the DMA channels that objectFifos take of each.

    With `merge` several logical tiles may become one.
    """

    def __init__(self, device_op: Any, *, merge: bool = True):
        self.merge = merge
        self.given: set[Coordinate] = set()
        self.device = device_of(device_op)
        self.tiles: dict[Coordinate, aie.TileOp] = {}
        for op in declarations(device_op, "aie.tile"):
            self.tiles.setdefault((op.col, op.row), op)
        self.logical = declarations(device_op, "aie.logical_tile")
        self.fifos = declarations(device_op, "aie.objectfifo")
        self.kinds = [_KINDS[TILE_TYPE.keyword(op.tile_type)] for op in self.logical]

    def run(self) -> None:
        """Replaces every logical tile: cores before those that follow them, and what is least free first."""
        pairs = sorted(zip(self.logical, self.kinds, strict=True), key=lambda pair: (pair[0].col, pair[0].row).count(None))
        for kind in _ORDER:
            for op, own in pairs:
                if own == kind:
                    self._replace(op, self._place(op, kind))

    def _candidates(self, op: aie.LogicalTileOp, kind: str) -> list[Coordinate]:
        """All places of the kind that the operation allows, column by column."""
        places = [(c, r) for c in range(self.device.columns) for r in range(self.device.rows)]
        places = [p for p in places if self.device.kind(*p) == kind and op.col in (None, p[0]) and op.row in (None, p[1])]
        if not places:
            wanted = f"({'?' if op.col is None else op.col}, {'?' if op.row is None else op.row})"
            raise error_at(op, f"asks for place {wanted}, where {self.device.name} has no {TILE_TYPE.keyword(op.tile_type)}")
        return places

    def _place(self, op: aie.LogicalTileOp, kind: str) -> Coordinate:
        places = self._candidates(op, kind)
        if kind == "core":
            free = [p for p in places if p not in self.tiles]
            if not free:
                raise error_at(op, f"finds no free core tile: the device uses all {len(places)} that it may have")
            return free[0]
        takes, sends = self._ends(op.tile)
        fitting = [p for p in places if self._fits(p, takes, sends) and (self.merge or p not in self.given)]
        if not fitting:
            alone = "" if self.merge else " for it alone"
            raise error_at(op, f"needs {takes} S2MM and {sends} MM2S channels, which no tile of this kind has left{alone}")
        near = self._columns(op.tile)
        middle = sum(near) / len(near) if near else 0
        return min(fitting, key=lambda p: (abs(p[0] - middle), p))

    def _fits(self, place: Coordinate, takes: int, sends: int) -> bool:
        used = self._ends(self.tiles[place].tile) if place in self.tiles else (0, 0)
        into, out = self.device.tile(*place).channels
        return used[0] + takes <= into and used[1] + sends <= out

    def _ends(self, tile: ir.Value) -> tuple[int, int]:
        """How many objectFifos a tile receives and sends."""
        takes = sum(consumer == tile for fifo in self.fifos for consumer in fifo.consumerTiles)
        return takes, sum(fifo.producerTile == tile for fifo in self.fifos)

    def _columns(self, tile: ir.Value) -> list[int]:
        """The columns of placed tiles at the other ends of a tile's objectFifos."""
        found = []
        for fifo in self.fifos:
            ends = [fifo.producerTile, *fifo.consumerTiles]
            if tile in ends:
                found += [e.owner.opview.col for e in ends if e != tile and e.owner.name == "aie.tile"]
        return found

    def _replace(self, op: aie.LogicalTileOp, place: Coordinate) -> None:
        self.given.add(place)
        tile = self.tiles.get(place)
        if tile is None:
            tile = aie.TileOp(
                col=place[0], row=place[1], allocation_scheme=op.allocation_scheme, loc=op.location, ip=ir.InsertionPoint(op)
            )
            self.tiles[place] = tile
        elif op.operation.is_before_in_block(tile.operation):
            tile.operation.move_before(op.operation)
        op.tile.replace_all_uses_with(tile.tile)
        op.operation.erase()
