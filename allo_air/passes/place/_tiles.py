"""Places the logical tiles of a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.match import NoMatch
from allo_air.device import Coordinate
from allo_air.dialects import aie
from allo_air.dialects._enums import TILE_TYPE
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import ir
from allo_air.passes.place._annealing import anneal, count_violations
from allo_air.passes.place._cores import CoreGrid, candidates, place_cores
from allo_air.passes.place._delegates import delegate
from allo_air.passes.place._wires import INTO, OUT, Node, nodes_of

_KINDS = {"CoreTile": "core", "MemTile": "mem", "ShimNOCTile": "shim_noc", "ShimPLTile": "shim_pl"}


class Placement:
    """The tiles of one device, by place, and the DMA channels of each that its streams use.

    With `merge`, several logical tiles other than cores may become one.
    """

    def __init__(self, device_op: Any, *, merge: bool = True, per_column: int = -1, seed: int | None = None):
        self.op, self.merge, self.seed = device_op, merge, seed
        self.device = device_of(device_op)
        _unite_cores(device_op)
        self.tiles: dict[Coordinate, aie.TileOp] = {}
        for op in declarations(device_op, "aie.tile"):
            self.tiles.setdefault((op.col, op.row), op)
        self.nodes: dict[Any, Node] = nodes_of(device_op)
        self.shared = {w.name: w.through_memory for node in self.nodes.values() for w in node.wires if w.name}
        self.logical = [op.tile for op in declarations(device_op, "aie.logical_tile")]
        self.grid = CoreGrid(self.device, self.nodes, per_column)
        self.grid.read(device_op)
        self.places = self.grid.places
        self.pinned: set[Coordinate] = set()
        for place, op in self.tiles.items():
            self.places[op.tile] = place

    def run(self) -> None:
        """Replaces every logical tile: cores, then the others, those with most channels first."""
        of_kind = {kind: [t for t in self.logical if self._kind(t) == kind] for kind in _KINDS.values()}
        for tile in self.logical:
            self._candidates(tile)
        self._cores(of_kind["core"])
        rest = sorted((t for t in self.logical if t not in of_kind["core"]), key=self._turn)
        for tile in rest:
            self.places[tile] = self._place(tile)
            self.pinned.add(self.places[tile])
        for tile in self.logical:
            self._replace(self.nodes[tile].op, self.places[tile])
        if self.seed is not None:
            delegate(self.op, self.device, self.tiles, self.shared)

    def _turn(self, tile: ir.Value) -> tuple[int, int, bool]:
        node = self.nodes[tile]
        return (node.op.col, node.op.row).count(None), -node.demand, self._kind(tile) != "mem"

    def _kind(self, tile: ir.Value) -> str:
        return _KINDS[TILE_TYPE.keyword(self.nodes[tile].op.tile_type)]

    def _cores(self, tiles: Sequence[ir.Value]) -> None:
        """Places the cores one after another; if one finds no place, or on request, annealing moves all."""
        before = dict(self.places)
        placed = place_cores(self.grid, tiles)
        failure = placed if isinstance(placed, NoMatch) else None
        if isinstance(placed, NoMatch):
            self.places.clear()
            self.places |= before
            first = self._any_free(tiles, placed)
        else:
            first = placed
        if self.seed is None and failure is None:
            return
        for tile in first:
            self.places.pop(tile, None)
        self.places |= anneal(self.grid, first, 1 if self.seed is None else self.seed)
        if count_violations(self.grid, self.places):
            assert failure is not None, "annealing keeps the best, which was right"
            raise failure.error

    def _any_free(self, tiles: Sequence[ir.Value], failure: NoMatch) -> dict[Any, Coordinate]:
        """Any free places, ignoring the rules: cores with most constraints first."""
        used_places, coordinates = set(self.places.values()), {}
        for tile in sorted(tiles, key=lambda t: len(candidates(self.grid, self.nodes[t].op))):
            free = [p for p in candidates(self.grid, self.nodes[tile].op) if p not in used_places]
            if not free:
                raise failure.error
            coordinates[tile] = free[0]
            used_places.add(free[0])
        return coordinates

    def _candidates(self, tile: ir.Value) -> list[Coordinate]:
        """All places of its kind that a logical tile allows, column by column."""
        op, kind = self.nodes[tile].op, self._kind(tile)
        places = [(c, r) for c in range(self.device.columns) for r in range(self.device.rows)]
        places = [p for p in places if self.device.kind(*p) == kind and op.col in (None, p[0]) and op.row in (None, p[1])]
        if not places:
            place_text = f"({'?' if op.col is None else op.col}, {'?' if op.row is None else op.row})"
            raise error_at(
                op, f"asks for place {place_text}, where {self.device.name} has no {TILE_TYPE.keyword(op.tile_type)}"
            )
        return places

    def _place(self, tile: ir.Value) -> Coordinate:
        """The place of a memtile or a shim: the nearest to its best column that has free channels."""
        op, node = self.nodes[tile].op, self.nodes[tile]
        fitting = [p for p in self._candidates(tile) if self._fits(p, node) and (self.merge or p not in self.pinned)]
        if not fitting:
            suffix, kind = "" if self.merge else " for it alone", TILE_TYPE.keyword(op.tile_type)
            raise error_at(
                op,
                f"needs {len(node.channels[INTO])} S2MM and {len(node.channels[OUT])} MM2S channels, which no tile of this "
                f"kind has left{suffix}; say columns (aie.logical_tile<{kind}>(col, ?)) that spread the tiles, or use fewer",
            )
        target = op.col if op.col is not None else self._column(tile)
        return min(fitting, key=lambda p: (abs(p[0] - target), sum(self._used(p)), p))

    def _at(self, place: Coordinate) -> list[Node]:
        return [self.nodes[t] for t, p in self.places.items() if p == place]

    def _used(self, place: Coordinate) -> tuple[int, int]:
        nodes_here = self._at(place)
        return (
            sum(len(n.channels[INTO]) for n in nodes_here),
            sum(len(n.channels[OUT]) for n in nodes_here),
        )

    def _fits(self, place: Coordinate, node: Node) -> bool:
        """Whether a tile has free channels; a channel that flows name belongs to one stream."""
        room, used = self.device.tile(*place).channels, self._used(place)
        for d in (INTO, OUT):
            if used[d] + len(node.channels[d]) > room[d]:
                return False
            numbers = [c for c in node.channels[d] if isinstance(c, tuple) and c[0] == "DMA"]
            if any(c in placed.channels[d] for placed in self._at(place) for c in numbers):
                return False
        return True

    def _column(self, tile: ir.Value) -> float:
        """The column with the shortest connections to the other ends of a tile's streams; of several, the nearest to their
        mean.
        """
        spans = [self._columns_of(wire.ends, tile, is_source=wire.source == tile) for wire in self.nodes[tile].wires]
        spans = [columns for columns in spans if columns]
        covered = [c for columns in spans for c in columns]
        if not covered:
            return 0
        mean = sum(covered) / len(covered)

        def cost(column: int) -> int:
            return sum(max(0, min(columns) - column, column - max(columns)) for columns in spans)

        return min(range(self.device.columns), key=lambda c: (cost(c), abs(c - mean), c))

    def _columns_of(self, ends: tuple[ir.Value, ...], tile: ir.Value, *, is_source: bool) -> list[int]:
        """The columns at the other ends of a stream; for a memtile without a place, the columns of the cores that it is
        connected to.
        """
        rest = ends[1:] if is_source else ends[:1]
        columns = []
        for peer in rest:
            if peer in self.places:
                columns.append(self.places[peer][0])
            elif peer != tile and peer in self.nodes:
                other_ends = [e for wire in self.nodes[peer].wires for e in wire.ends if e in self.places and e != peer]
                columns += [self.places[e][0] for e in other_ends]
        return columns

    def _replace(self, op: aie.LogicalTileOp, place: Coordinate) -> None:
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


def _unite_cores(device_op: ir.OpView) -> None:
    """Makes logical core tiles at one place one, if at most one of them has a core."""
    cores = {core.tile for core in declarations(device_op, "aie.core")}
    first: dict[Any, Any] = {}
    for op in declarations(device_op, "aie.logical_tile"):
        place = op.col, op.row
        if TILE_TYPE.keyword(op.tile_type) != "CoreTile" or None in place:
            continue
        other = first.setdefault(place, op)
        if other is op or (op.tile in cores and other.tile in cores):
            continue
        if op.tile in cores:
            cores.add(other.tile)
        op.tile.replace_all_uses_with(other.tile)
        op.operation.erase()
