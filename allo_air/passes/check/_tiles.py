"""The tiles of an `aie.device` and their contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.dialects._places import home_of, place_of
from allo_air.dialects._rules import Report
from allo_air.dialects.aie import DeviceOp
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import AnyOp, ir

NAMES = {"core": "core", "mem": "memtile", "shim_noc": "shim tile", "shim_pl": "shim tile"}
PROGRAMS = ("aie.mem", "aie.memtile_dma", "aie.shim_dma")
Place = tuple[int, int]


@dataclass
class TileUse:
    """The contents of the tile at `place`; messages about the whole tile point at `op`.

    `chains` are the channel starts (`aie.dma_start` or `aie.dma`) of its DMA program, each with the BDs that it reaches.
    """

    place: Place
    op: Any
    core: Any = None
    program: Any = None
    chains: list[tuple[Any, list[Any]]] = field(default_factory=list)
    buffers: list[Any] = field(default_factory=list)
    locks: list[Any] = field(default_factory=list)


class DeviceUse:
    """The tiles of one `aie.device`, by place; tiles that are not placed yet are in `unplaced`."""

    def __init__(self, op: AnyOp) -> None:
        self.op = DeviceOp(op)
        self.device: Device = device_of(op)
        self.tiles: dict[Place, TileUse] = {}
        self.unplaced: list[Any] = []
        self._report = Report()
        self._by_name: dict[str, list[ir.Operation]] = {}
        for declared in (o.operation for o in declarations(self.op)):
            self._by_name.setdefault(declared.name, []).append(declared)
            self._take(declared)

    @property
    def memo(self) -> dict[str, Any]:
        """Facts that several checks need."""
        return self._report.memo

    def place(self, tile: ir.Value) -> Place | None:
        """The place of a tile value."""
        result = place_of(tile, self._report)
        return None if result is None else result.coordinate

    def home(self, value: ir.Value) -> Place | None:
        """The place of the tile of a buffer or lock."""
        result = home_of(value, self._report)
        return None if result is None else result.coordinate

    def name(self, place: Place) -> str:
        """The name of a tile in messages: `core (1,3)`."""
        return f"{NAMES[self.device.kind(*place)]} ({place[0]},{place[1]})"

    def called(self, name: str) -> list[Any]:
        """The operations called `name` that the device declares."""
        return self._by_name.get(name, [])

    def __iter__(self) -> Iterator[TileUse]:
        return iter(self.tiles.values())

    def _take(self, declared: ir.Operation) -> None:
        if declared.name in ("aie.tile", "aie.logical_tile"):
            place = self.place(declared.results[0])
            if place is None:
                self.unplaced.append(declared)
            else:
                self.tiles.setdefault(place, TileUse(place, declared))
            return
        place = self.place(declared.operands[0]) if len(declared.operands) else None
        if place is None or place not in self.tiles:
            return
        use = self.tiles[place]
        if declared.name == "aie.core":
            use.core = declared
        elif declared.name in PROGRAMS:
            use.program, use.chains = declared, list(_chains(declared))
        elif declared.name == "aie.buffer":
            use.buffers.append(declared)
        elif declared.name == "aie.lock":
            use.locks.append(declared)


def devices(op: ir.Operation) -> list[DeviceUse]:
    """The devices in `op`."""
    return [DeviceUse(item) for item in walk_named(op, "aie.device")]


def is_endless(start: Any) -> bool:
    """Whether the chain of BDs leads back into itself."""
    if start.name == "aie.dma":
        return bool(start.opview.loop)
    block, seen = start.successors[0], []
    while block is not None:
        if block in seen:
            return True
        seen.append(block)
        last = block.operations[-1].operation
        block = last.successors[0] if last.name == "aie.next_bd" else None
    return False


def _chains(program: ir.Operation) -> Iterator[tuple[ir.Operation, list[ir.Operation]]]:
    """Each channel start of a DMA program (`aie.dma_start` or `aie.dma`) with the BDs that it can reach."""
    for block in program.regions[0].blocks:
        for op in (o.operation for o in block.operations):
            if op.name == "aie.dma_start":
                yield op, _reachable(op)
            elif op.name == "aie.dma":
                yield op, [bd for region in op.regions for block in region.blocks for bd in _bds_in(block)]


def _reachable(start: ir.Operation) -> list[ir.Operation]:
    todo, seen, bds = [start.successors[0]], [], []
    while todo:
        block = todo.pop()
        if block in seen:
            continue
        seen.append(block)
        bds += [o.operation for o in block.operations if o.operation.name == "aie.dma_bd"]
        last = block.operations[-1].operation
        if last.name == "aie.next_bd":
            todo += list(last.successors)
    return bds


def _bds_in(block: ir.Block) -> Iterator[Any]:
    for op in (o.operation for o in block.operations):
        if op.name == "aie.dma_bd":
            yield op
        for region in op.regions:
            for inner in region.blocks:
                yield from _bds_in(inner)
