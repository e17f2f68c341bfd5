"""Moves objectFifo buffers that do not fit into a core to an adjacent core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from allo_air.device import Coordinate, Device
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import bits, element_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoOp


def delegate(device_op: ir.Operation, device: Device, tiles: dict[Coordinate, aie.TileOp], shared: Mapping[str, bool]) -> None:
    """Gives the buffers of FIFOs that two cores share to a neighbour of both, the largest first, if they exceed a memory.

    `shared` says which FIFOs may go through memory. FIFOs that are already delegated stay.

    Before:

        aie.objectfifo @f(%tile_0_2, {%tile_0_3}, 4 : i32) : !aie.objectfifo<memref<4096xi32>>

    After:

        aie.objectfifo @f(%tile_0_2, {%tile_0_3}, 4 : i32) : !aie.objectfifo<memref<4096xi32>>
        aie.objectfifo.allocate @f(%tile_0_4)
    """
    places = {op.tile: place for place, op in tiles.items()}
    loads: dict[Coordinate, int] = {}
    for buffer in declarations(device_op, "aie.buffer"):
        _add(loads, places.get(buffer.tile), (bits(buffer.buffer.type) + 7) // 8)
    for core in declarations(device_op, "aie.core"):
        _add(loads, places.get(core.tile), core.stack_size)
    delegated = {op.objFifo_name for op in declarations(device_op, "aie.objectfifo.allocate")}
    movable: list[tuple[int, Coordinate, Any, list[Coordinate]]] = []
    for fifo in declarations(device_op, "aie.objectfifo"):
        ends = [places[t] for t in (fifo.producerTile, *fifo.consumerTiles) if t in places]
        size, depths = (bits(element_of(fifo.elemType)) + 7) // 8, _depths(fifo, len(ends))
        home = _shared_memory_tile(device, ends) if shared.get(fifo.sym_name) else None
        if home is None:
            for place, depth in zip(ends, depths, strict=False):
                _add(loads, place, size * depth)
            continue
        _add(loads, home, size * depths[0])
        if fifo.sym_name not in delegated:
            movable.append((size * depths[0], home, fifo, ends))
    room = device.tiles["core"].memory
    for size, home, fifo, ends in sorted(movable, key=lambda item: -item[0]):
        if loads[home] <= room:
            continue
        near = [(x, y) for x in range(device.columns) for y in device.core_rows]
        near = [p for p in near if p != home and all(device.sees_memory(end, p) for end in ends)]
        fits = [p for p in near if loads.get(p, 0) + size <= room]
        if fits:
            to = min(fits, key=lambda p: (loads.get(p, 0), p))
            loads[home] -= size
            _add(loads, to, size)
            ip = ir.InsertionPoint.after(fifo.operation)
            if to not in tiles:
                first = ir.InsertionPoint(fifo.operation)
                tiles[to] = aie.TileOp(col=to[0], row=to[1], loc=fifo.location, ip=first)
            aie.ObjectFifoAllocateOp(delegate=tiles[to].tile, objFifo_name=fifo.sym_name, loc=fifo.location, ip=ip)


def _add(loads: dict[Coordinate, int], place: Coordinate | None, size: int) -> None:
    if place is not None:
        loads[place] = loads.get(place, 0) + size


def _shared_memory_tile(device: Device, ends: list[Coordinate]) -> Coordinate | None:
    """The tile with the memory that both ends of a FIFO reach, the producer's first."""
    if len(ends) != 2:
        return None
    return next((p for p in ends if all(device.sees_memory(end, p) for end in ends)), None)


def _depths(fifo: ObjectFifoOp, count: int) -> list[int]:
    """The number of objects of each end."""
    value = fifo.elemNumber
    result = [int(n.value) for n in value] if isinstance(value, ir.ArrayAttr) else [int(value.value)]
    return result if len(result) == count else result[:1] * count
