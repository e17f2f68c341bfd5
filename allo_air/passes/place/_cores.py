"""Places the cores of a device one after another, by the resources of each place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.core.match import NoMatch, no_match
from allo_air.core.walking import walk_pre_order
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import declarations
from allo_air.errors import counted
from allo_air.passes.place._wires import INTO, OUT, Node

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import LogicalTileOp
    from allo_air.mlir import AnyOp, ir

_MANY = 2
"""Number of peers for which a core needs two free sides."""


@dataclass
class CoreGrid:
    """The places of cores and their constraints; `places` contains those of the placed tiles."""

    device: Device
    nodes: Mapping[Any, Node]
    per_column: int
    places: dict[Any, Coordinate] = field(default_factory=dict)
    cascades: list[tuple[Any, Any]] = field(default_factory=list)
    reached: dict[Any, list[Any]] = field(default_factory=dict)
    """For each core's tile: the tiles whose buffers its code uses."""

    def read(self, device_op: AnyOp) -> None:
        """Reads the device's cascades and buffers."""
        self.cascades = [(op.source_tile, op.dest_tile) for op in declarations(device_op, "aie.cascade_flow")]
        for core in declarations(device_op, "aie.core"):
            owners = dict.fromkeys(
                v.owner.operands[0]
                for op in walk_pre_order(core)
                for v in op.operands
                if getattr(v.owner, "name", "") == "aie.buffer"
            )
            self.reached[core.tile] = [tile for tile in owners if tile != core.tile]

    def shares(self, first: Coordinate, second: Coordinate) -> bool:
        """Whether cores at these places share a memory."""
        return self.device.sees_memory(first, second) or self.device.sees_memory(second, first)

    def around(self, place: Coordinate) -> list[Coordinate]:
        """The places of cores that share memory with one."""
        x, y = place
        sides = ((x, y + 1), (x, y - 1), (x - 1, y), (x + 1, y))
        return [s for s in sides if self.device.holds(*s) and self.device.kind(*s) == "core" and self.shares(place, s)]

    def needs(self, tile: ir.Value) -> int:
        """The number of peers that must share memory with a core, since its DMA has no channels for them."""
        node, room = self.nodes[tile], self.device.tiles["core"].channels
        return sum(max(0, len(node.channels[d]) + len(node.peers[d]) - room[d]) for d in (INTO, OUT))

    def missing(self, tile: ir.Value) -> int:
        """The number of such peers that have no place yet."""
        node, room, place = self.nodes[tile], self.device.tiles["core"].channels, self.places[tile]
        total = 0
        for d in (INTO, OUT):
            sharing = sum(p in self.places and self.shares(place, self.places[p]) for p in node.peers[d])
            total += max(0, len(node.channels[d]) + len(node.peers[d]) - sharing - room[d])
        return total

    def conflict(self, tile: ir.Value, free: Coordinate) -> str:
        """Why a core cannot be at a free place; empty if it can."""
        column = sum(p[0] == free[0] and self.device.kind(*p) == "core" for t, p in self.places.items() if t != tile)
        if 0 <= self.per_column <= column:
            return f"column {free[0]} has {counted(column, 'core')} already (cores-per-col)"
        for source, dest in self.cascades:
            ends = [free if v == tile else self.places.get(v) for v in (source, dest)]
            if tile in (source, dest) and ends[0] and ends[1] and not cascades(ends[0], ends[1]):
                return "a cascade comes from the core directly in the north or the west"
        for core, owners in self.reached.items():
            viewer = free if core == tile else self.places.get(core)
            for owner in owners:
                place = free if owner == tile else self.places.get(owner)
                if tile in (core, owner) and viewer and place and not self.device.sees_memory(viewer, place):
                    return f"the core at {viewer} does not reach the memory of tile {place}, where a buffer is that it uses"
        self.places[tile] = free
        try:
            return self._overfull(tile)
        finally:
            del self.places[tile]

    def _overfull(self, tile: ir.Value) -> str:
        """Why a core cannot be at its place: it or a peer lacks channels, or a core has too few free places next to it;
        otherwise empty.
        """
        used_places = set(self.places.values())
        for core in [tile, *(p for d in (INTO, OUT) for p in self.nodes[tile].peers[d] if p in self.places)]:
            node, room, place = self.nodes[core], self.device.tiles["core"].channels, self.places[core]
            for d, name in ((INTO, "S2MM"), (OUT, "MM2S")):
                unshared = sum(p in self.places and not self.shares(place, self.places[p]) for p in node.peers[d])
                if len(node.channels[d]) + unshared > room[d]:
                    return f"the core at {place} takes {len(node.channels[d]) + unshared} {name} channels and has {room[d]}"
        for core, place in self.places.items():
            if core in self.nodes and self.device.kind(*place) == "core" and (missing := self.missing(core)):
                free = sum(p not in used_places for p in self.around(place))
                if missing > free:
                    return (
                        f"the core at {place} exchanges with {missing} more than it has channels for, and "
                        f"{counted(free, 'place')} "
                        "beside it are free"
                    )
        return ""

    def is_reserved(self, tile: ir.Value, place: Coordinate) -> bool:
        """Whether a place is next to a core that needs it for a peer other than `tile`."""
        for core, there in self.places.items():
            if core not in self.nodes or self.device.kind(*there) != "core" or there not in self.around(place):
                continue
            if self.missing(core) and tile not in (*self.nodes[core].peers[INTO], *self.nodes[core].peers[OUT]):
                return True
        return False


def cascades(source: Coordinate, dest: Coordinate) -> bool:
    """Whether a cascade connects one place to the other: to the south or the east."""
    return (dest[0] - source[0], dest[1] - source[1]) in ((0, -1), (1, 0))


def candidates(grid: CoreGrid, op: LogicalTileOp) -> list[Coordinate]:
    """The places that a core's operation allows, column by column and upwards."""
    places = [(c, r) for c in range(grid.device.columns) for r in range(grid.device.rows)]
    return [p for p in places if grid.device.kind(*p) == "core" and op.col in (None, p[0]) and op.row in (None, p[1])]


def place_cores(grid: CoreGrid, tiles: Sequence[ir.Value]) -> dict[Any, Coordinate] | NoMatch:
    """A place for each of the logical `tiles`, which are also recorded in `grid`; or the reason why a tile has no place.

    The tiles with most constraints come first, then those with most adjacent peers.
    """
    placed: dict[Any, Coordinate] = {}

    def turn(tile: ir.Value) -> tuple[int, int]:
        op = grid.nodes[tile].op
        return (op.col, op.row).count(None), -grid.needs(tile)

    for tile in sorted(tiles, key=turn):
        op = grid.nodes[tile].op
        places = candidates(grid, op)
        used_places = set(grid.places.values())
        free = [p for p in places if p not in used_places]
        if not free:
            return no_match(
                op,
                f"finds no free core tile: the device uses all {len(places)} that it may have"
                + ("" if (op.col, op.row) == (None, None) else "; say another column or row, or leave them open"),
            )
        if grid.needs(tile) >= _MANY:
            free.sort(key=lambda p: len([a for a in grid.around(p) if a[0] == p[0]]) < _MANY)
        order = [p for p in free if not grid.is_reserved(tile, p)] + [p for p in free if grid.is_reserved(tile, p)]
        reasons: dict[str, None] = {}
        for place in order:
            if not (why := grid.conflict(tile, place)):
                grid.places[tile] = place
                placed[tile] = place
                break
            reasons[why] = None
        else:
            shown = list(reasons)[:3]
            return no_match(
                op,
                f"finds no core tile: none of {len(free)} free ones fits; set its column and row"
                " (aie.logical_tile<CoreTile>(col, row)), and those of the cores that it exchanges with",
                *shown,
            )
    return placed
