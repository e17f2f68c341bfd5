"""Where the buffers and locks of a device are: given addresses and ids kept, missing ones assigned."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import prod
from typing import Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import called, error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.sim.memory import Space, allocate


@dataclass(frozen=True)
class Buffer:
    """An `aie.buffer`: `offset` bytes into the data memory of `tile`."""

    op: Any
    tile: Coordinate
    name: str
    offset: int
    bytes: int


@dataclass(frozen=True)
class Lock:
    """An `aie.lock`: number `id` of `tile`, `init` at start."""

    op: Any
    tile: Coordinate
    name: str
    id: int
    init: int

    @property
    def handle(self) -> int:
        """The lock as cores name it."""
        column, row = self.tile
        return column << 16 | row << 8 | self.id


@dataclass
class Layout:
    """Buffers and locks of one device by the values that the IR names them by.

    `bases` holds the host address of each tile's data memory for cores on an array; `address` needs it.
    """

    device: Device
    op: Any
    buffers: dict[Any, Buffer] = field(default_factory=dict)
    locks: dict[Any, Lock] = field(default_factory=dict)
    bases: dict[Coordinate, int] = field(default_factory=dict)
    cores: tuple[Coordinate, ...] = ()

    @property
    def tiles(self) -> set[Coordinate]:
        """The tiles that hold buffers."""
        return {b.tile for b in self.buffers.values()}

    def address(self, buffer: ir.Value) -> int:
        """The host address of an `aie.buffer`, given as its value."""
        found = self.buffers[buffer]
        return self.bases[found.tile] + found.offset

    def place(self, buffer: Any) -> tuple[Coordinate, int, int]:
        """Tile, offset in its data memory and bytes of an `aie.buffer`, given as its value."""
        found = self.buffers[buffer]
        return found.tile, found.offset, found.bytes

    def lock_handle(self, lock: Any) -> int:
        """The handle of an `aie.lock`, given as its value."""
        return self.locks[lock].handle

    def buffer_at(self, tile: Coordinate, offset: int) -> Buffer | None:
        """The buffer that holds byte `offset` of a tile's memory."""
        inside = (b for b in self.buffers.values() if b.tile == tile and b.offset <= offset < b.offset + b.bytes)
        return next(inside, None)

    def lock_at(self, tile: Coordinate, number: int) -> Lock | None:
        """Lock `number` of a tile."""
        return next((k for k in self.locks.values() if k.tile == tile and k.id == number), None)


def lay_out(device_op: AnyOp) -> Layout:
    """The layout of an `aie.device`; DiagnosticError where a memory or a tile's locks do not suffice."""
    device = device_of(device_op)
    layout = Layout(device, device_op)
    buffers: dict[Coordinate, list[Any]] = defaultdict(list)
    locks: dict[Coordinate, list[Any]] = defaultdict(list)
    stacks: dict[Coordinate, int] = {}
    sequential: set[Coordinate] = set()
    for op in declarations(device_op):
        match op.operation.name:
            case "aie.buffer":
                buffers[place_of(op, op.tile)].append(op)
            case "aie.lock":
                locks[place_of(op, op.tile)].append(op)
            case "aie.core":
                stacks[place_of(op, op.tile)] = op.stack_size
            case "aie.tile" if op.allocation_scheme == "basic-sequential":
                sequential.add((op.col, op.row))
    layout.cores = tuple(stacks)
    for tile, ops in buffers.items():
        _place_buffers(layout, tile, ops, stacks.get(tile, 0), sequential=tile in sequential)
    for tile, ops in locks.items():
        _number_locks(layout, tile, ops)
    return layout


def _place_buffers(layout: Layout, tile: Coordinate, ops: list[Any], stack: int, *, sequential: bool) -> None:
    shape = layout.device.tile(*tile)
    if not shape.memory:
        raise error_at(ops[0], f"is in tile {tile}, which has no data memory: buffers are in core tiles and memtiles")
    sizes = [bytes_of(op, op.buffer.type) for op in ops]
    space = Space(shape.memory, shape.banks)
    if stack:
        space.take(0, stack)
    for op, size in zip(ops, sizes, strict=True):
        if op.address is not None:
            if op.address < 0 or op.address + size > shape.memory:
                raise error_at(
                    op, f"lies at {op.address} to {op.address + size}; tile {tile} has {shape.memory} bytes of data memory"
                )
            _check_apart(op, size, zip(ops, sizes, strict=True))
            if op.address < stack:
                raise error_at(
                    op,
                    f"lies at {op.address} to {op.address + size}, in the stack of core {tile}, which is bytes 0 to {stack}; "
                    "give it a higher address, or the core a smaller stack_size",
                )
            space.take(op.address, size)
        if op.mem_bank is not None and not 0 <= op.mem_bank < shape.banks:
            raise error_at(op, f"asks for memory bank {op.mem_bank}; tile {tile} has banks 0 to {shape.banks - 1}")
    free = [i for i, op in enumerate(ops) if op.address is None]
    starts = allocate(space, [sizes[i] for i in free], [ops[i].mem_bank for i in free], sequential=sequential)
    if starts is None:
        _overflow(tile, ops, sizes, stack, shape.memory)
    addresses = {i: op.address for i, op in enumerate(ops)} | dict(zip(free, starts or (), strict=True))
    for i, op in enumerate(ops):
        name = called(op) or f"at {addresses[i]:#x}"
        layout.buffers[op.buffer] = Buffer(op, tile, name, addresses[i], sizes[i])


def _check_apart(op: Any, size: int, others: Any) -> None:
    """DiagnosticError where a buffer with an address shares bytes with one before it in the text."""
    for other, bytes_ in others:
        if other == op:
            return
        if other.address is not None and other.address < op.address + size and op.address < other.address + bytes_:
            name = f"'{called(other)}' " if called(other) else ""
            raise error_at(
                op,
                f"lies at {op.address} to {op.address + size}, over the buffer {name}at {other.address} to "
                f"{other.address + bytes_} of the same tile; move one of them",
            )


def _overflow(tile: Coordinate, ops: list[Any], sizes: list[int], stack: int, memory: int) -> None:
    largest = sorted(range(len(ops)), key=lambda i: -sizes[i])[:4]
    listed = ", ".join(f"{called(ops[i]) or 'one without a name'} {sizes[i]}" for i in largest)
    needed = f"{sum(sizes)} bytes" + (f" and a stack of {stack}" if stack else "")
    raise error_at(
        ops[largest[0]],
        f"does not fit: the {len(ops)} buffers of tile {tile} take {needed}, and its data memory has {memory} bytes "
        f"(largest: {listed}); use smaller or fewer buffers, or move some to another tile",
    )


def bytes_of(op: AnyOp, memref: Any) -> int:
    """Bytes of a memref of static shape."""
    if not isinstance(memref, ir.MemRefType) or not memref.has_static_shape:
        raise error_at(op, f"has type {memref}; wanted a memref of static shape")
    bits = bits_of(op, memref)
    return -(-prod(memref.shape) * bits // 8)


def bits_of(op: AnyOp, memref: Any) -> int:
    """Bits of an element of a memref; block floating point as it is stored."""
    bits = element_bits(memref, index=32)
    if bits is None:
        raise error_at(op, f"has elements of type {memref.element_type}, whose width in memory is not known")
    return max(bits, 8)


def _number_locks(layout: Layout, tile: Coordinate, ops: list[Any]) -> None:
    count = layout.device.tile(*tile).locks
    given: dict[int, Any] = {}
    for op in ops:
        if op.lockID is None:
            continue
        if not 0 <= op.lockID < count:
            raise error_at(op, f"has id {op.lockID}; tile {tile} has locks 0 to {count - 1}")
        if op.lockID in given:
            raise error_at(op, f"is the second lock with id {op.lockID} of tile {tile}; give it an id of its own")
        given[op.lockID] = op
    free = iter([n for n in range(count) if n not in given])
    for op in ops:
        number = op.lockID if op.lockID is not None else next(free, None)
        if number is None:
            raise error_at(op, f"is one lock too many: tile {tile} has {count}, and the design uses {len(ops)}")
        init = op.init or 0
        if not 0 <= init <= arch_of(layout.device).max_lock_value:
            raise error_at(op, f"starts at {init}; a lock holds 0 to {arch_of(layout.device).max_lock_value}")
        layout.locks[op.lock] = Lock(op, tile, called(op) or str(number), number, init)
