"""Locks and initial values of buffers as register writes, and checks of overlapping memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from allo_air.arch import arch_of
from allo_air.core.diagnostics import called, emit, error_at, position
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import declarations, place_of
from allo_air.dialects.memrefs import total_bits
from allo_air.errors import Diagnostic, counted
from allo_air.target.initial import initial_bytes
from allo_air.target.npu_bd import LOCK_BASE, LOCK_STRIDE
from allo_air.target.npu_words import BlockWrite, MaskWrite, Write

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import BufferOp, LockOp
    from allo_air.mlir import AnyOp

_LOCK_MASK = 0x3F


def lock_id(op: LockOp, device: Device, tile: Coordinate) -> int:
    """The number of an `aie.lock`; raises DiagnosticError if it has none, or if the tile has no such lock."""
    if op.lockID is None:
        raise error_at(op, f"of tile {tile} has no number; run aie-assign-lock-ids first")
    count = device.tile(*tile).locks
    if not 0 <= op.lockID < count:
        raise error_at(op, f"has number {op.lockID}; tile {tile} has locks 0 to {count - 1}")
    return int(op.lockID)


def buffer_address(op: BufferOp, tile: Coordinate) -> int:
    """The address of an `aie.buffer` in its tile's memory; raises DiagnosticError if it has none."""
    if op.address is None:
        raise error_at(op, f"of tile {tile} has no address; run aie-assign-buffer-addresses first")
    return int(op.address)


class PlacedBuffer(NamedTuple):
    """A buffer in a tile's memory."""

    name: str
    address: int
    size: int


def buffers_of(device_op: AnyOp, tile: Coordinate) -> list[PlacedBuffer]:
    """The buffers of a tile, by address."""
    buffers = []
    for op in declarations(device_op, "aie.buffer"):
        if place_of(op, op.tile) == tile:
            size = -(-(total_bits(op.buffer.type, index=32) or 0) // 8)
            buffers.append(PlacedBuffer(called(op).lstrip("%"), buffer_address(op, tile), size))
    return sorted(buffers, key=lambda b: b.address)


def check_memory(device_op: AnyOp, device: Device) -> None:
    """DiagnosticError for buffers that overlap or are outside of the memory, and for locks with the same number."""
    stacks = {place_of(op, op.tile): op.stack_size for op in declarations(device_op, "aie.core")}
    spans_of_tile: dict[Coordinate, list[tuple[int, int, str]]] = defaultdict(list)
    for op in declarations(device_op, "aie.buffer"):
        tile = place_of(op, op.tile)
        memory = device.tile(*tile).memory
        first = buffer_address(op, tile)
        end = first + -(-(total_bits(op.buffer.type, index=32) or 0) // 8)
        if first < 0 or end > memory:
            raise error_at(op, f"lies at {first} to {end}; tile {tile} has {counted(memory, 'byte')} of data memory")
        for begin, stop, name in spans_of_tile[tile]:
            if first < stop and begin < end:
                raise error_at(
                    op, f"lies at {first} to {end} of tile {tile}, over {name} at {begin} to {stop}; move one of them"
                )
        if first < (stack := stacks.get(tile, 0)):
            text = f"lies at {first} to {end} of tile {tile}, in the stack of its core, which is bytes 0 to {stack}"
            emit(Diagnostic("warning", *position(op.operation.location), f"'aie.buffer' op {text}; give it a higher address"))
        spans_of_tile[tile].append((first, end, f"buffer '{called(op)}'"))
    visited: dict[tuple[Coordinate, int], Any] = {}
    for op in declarations(device_op, "aie.lock"):
        tile = place_of(op, op.tile)
        if op.lockID is not None and (tile, op.lockID) in visited:
            raise error_at(op, f"is the second lock with number {op.lockID} of tile {tile}; give it a number of its own")
        visited[tile, op.lockID] = op


def lock_writes(device: Device, op: LockOp) -> Iterator[Write]:
    """The write of an `aie.lock`'s initial value, if it has one."""
    if op.init is None:
        return
    tile = place_of(op, op.tile)
    most = arch_of(device).max_lock_value
    if not 0 <= op.init <= most:
        raise error_at(op, f"of tile {tile} starts at {op.init}; a lock holds 0 to {most}")
    number = lock_id(op, device, tile)
    base = LOCK_BASE[device.kind(*tile)]
    yield Write(device.address(*tile, base + LOCK_STRIDE * number), op.init & _LOCK_MASK)


def buffer_writes(device: Device, op: BufferOp) -> Iterator[MaskWrite | BlockWrite]:
    """The writes of an `aie.buffer`'s initial value, if it has one."""
    data = initial_bytes(op)
    if not data:
        return
    tile = place_of(op, op.tile)
    address = buffer_address(op, tile)
    if address % 4:
        text = (
            f"'aie.buffer' op has an initial value and lies at byte {address} of tile {tile}: the register library writes it "
            f"from byte {-(-address // 4) * 4} on, as it can write whole words only; give it an address that is a multiple of 4"
        )
        emit(Diagnostic("warning", *position(op.operation.location), text))
    yield from data_writes(device, tile, address, data)


def data_writes(device: Device, tile: Coordinate, offset: int, data: bytes) -> Iterator[MaskWrite | BlockWrite]:
    """Writes of bytes to a tile's data memory, as aie-rt makes them: whole words, then the remainder under a mask.

    If the address is not a multiple of 4, the bytes are written to the next multiple.
    """
    if offset % 4:
        yield MaskWrite(device.address(*tile, offset & ~3), 0, 0)
        offset = (offset | 3) + 1
    whole = len(data) & ~3
    if whole:
        words = tuple(int.from_bytes(data[first : first + 4], "little") for first in range(0, whole, 4))
        yield BlockWrite(device.address(*tile, offset), words)
    if rest := data[whole:]:
        mask = (1 << 8 * len(rest)) - 1
        yield MaskWrite(device.address(*tile, offset + whole), int.from_bytes(rest, "little"), mask)
