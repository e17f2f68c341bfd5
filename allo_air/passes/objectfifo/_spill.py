"""Moves objects that do not fit into a memtile to adjacent memtiles, which its DMA can access."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch.limits import NEIGHBOUR_CHANNELS
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design, End, Place, Storage, bits, place_of
from allo_air.passes._analysis.tile_memory import Memory


@dataclass
class _Held:
    """The objects of a storage, of `size` bytes each, and the ends that move them."""

    storage: Storage
    place: Place
    count: int
    size: int
    ends: list[End]

    @property
    def moves(self) -> bool:
        """Whether enough channels reach the neighbours for the ends of each direction."""
        sent = sum(end.produces for end in self.ends)
        return max(sent, len(self.ends) - sent) <= NEIGHBOUR_CHANNELS


def move(design: Design, *, largest_first: bool) -> None:
    """Records in each storage which of its objects are in another memtile. Objects that fit nowhere stay, and the assignment
    of addresses reports them. Every memtile takes its own objects first: those whose ends need all channels, then in program
    order, or storages with more bytes first.
    """
    storages = _memtile_storages(design)
    rooms = _rooms(design)
    waiting = []
    for item in sorted(storages, key=lambda h: (h.moves, -h.count * h.size * largest_first)):
        for number in range(item.count):
            if not _take(rooms[item.place], item, number):
                waiting.append((item, number))
    for item, number in waiting:
        column, row = item.place
        neighbours = [p for p in ((column - 1, row), (column + 1, row)) if p in rooms and item.moves]
        for place in sorted(neighbours, key=lambda p: -_free(rooms[p])):
            if _take(rooms[place], item, number):
                item.storage.away[number] = _tile(design, place)
                break


def _memtile_storages(design: Design) -> list[_Held]:
    """The storages of memtiles, in the order of the FIFOs."""
    results: dict[int, _Held] = {}
    for fifo in design.fifos.values():
        for end in (fifo.producer, *fifo.consumers):
            if end is None or end.storage is None:
                continue
            place = place_of(end.storage.tile)
            if place is None or design.device.kind(*place) != "mem":
                continue
            target = end.link.target if end.link is not None else end
            size = -(-bits(end.storage.element) // 8)
            item = results.setdefault(id(end.storage), _Held(end.storage, place, target.depth, size, []))
            item.ends.append(end)
    return list(results.values())


def _rooms(design: Design) -> dict[Place, Memory]:
    """The memory of every memtile of the device, with the existing buffers."""
    device = design.device
    rooms = {}
    for column in range(device.columns):
        for row in device.mem_rows:
            tile = device.tile(column, row)
            rooms[column, row] = Memory(tile.memory, tile.banks)
    placed = [op.opview for op in walk_named(design.op, "aie.buffer")]
    for buffer in sorted(placed, key=lambda b: b.address is None):
        room = rooms.get(place_of(buffer.tile) or (-1, -1))
        if room is None:
            continue
        size = -(-bits(buffer.buffer.type) // 8)
        start = room.fit(size, range(room.size)) if buffer.address is None else buffer.address
        if start is not None:
            room.take(start, size, buffer.sym_name or "")
    return rooms


def _take(room: Memory, item: _Held, number: int) -> bool:
    start = room.fit(item.size, range(room.size))
    if start is not None:
        room.take(start, item.size, f"{item.storage.name}_buff_{number}")
    return start is not None


def _free(room: Memory) -> int:
    return room.size - sum(high - low for low, high, _ in room.occupied)


def _tile(design: Design, place: Place) -> ir.OpResult:
    """The `aie.tile` at `place`, created after the last tile if it is missing."""
    tiles = [o.operation for o in design.block.operations if o.operation.name == "aie.tile"]
    for op in tiles:
        if place_of(op.results[0]) == place:
            return op.results[0]
    column, row = place
    return aie.TileOp(col=column, row=row, loc=tiles[-1].location, ip=ir.InsertionPoint.after(tiles[-1])).operation.results[0]
