"""Assigns addresses to a device's buffers and ids to its locks; existing ones are kept."""

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
from allo_air.errors import counted
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
        """The lock's number in the code of cores."""
        column, row = self.tile
        return column << 16 | row << 8 | self.id


@dataclass
class Layout:
    """The positions of one device's buffers and locks, by their values in the IR.

    `bases` has the host address of each tile's data memory, for cores on an array; `address` needs it. `walks` caches the
    access patterns of BDs.
    """

    device: Device
    op: Any
    buffers: dict[Any, Buffer] = field(default_factory=dict)
    locks: dict[Any, Lock] = field(default_factory=dict)
    bases: dict[Coordinate, int] = field(default_factory=dict)
    walks: dict[Any, dict[str, int]] = field(default_factory=dict, repr=False)
    cores: tuple[Coordinate, ...] = ()

    @property
    def tiles(self) -> set[Coordinate]:
        """The tiles with buffers."""
        return {b.tile for b in self.buffers.values()}

    def address(self, buffer: ir.Value) -> int:
        """The host address of an `aie.buffer`, given as its value."""
        result = self.buffers[buffer]
        return self.bases[result.tile] + result.offset

    def place(self, buffer: ir.Value) -> tuple[Coordinate, int, int]:
        """Tile, offset in its data memory and bytes of an `aie.buffer`, given as its value."""
        result = self.buffers[buffer]
        return result.tile, result.offset, result.bytes

    def lock_handle(self, lock: ir.Value) -> int:
        """The handle of an `aie.lock`, given as its value."""
        return self.locks[lock].handle

    def buffer_at(self, tile: Coordinate, offset: int) -> Buffer | None:
        """The buffer that contains byte `offset` of a tile's memory."""
        inside = (b for b in self.buffers.values() if b.tile == tile and b.offset <= offset < b.offset + b.bytes)
        return next(inside, None)

    def lock_at(self, tile: Coordinate, number: int) -> Lock | None:
        """Lock `number` of a tile."""
        return next((k for k in self.locks.values() if k.tile == tile and k.id == number), None)


def lay_out(device_op: AnyOp) -> Layout:
    """The layout of an `aie.device`; raises DiagnosticError if a memory or the locks of a tile are too few."""
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
    values = [op.buffer for op in ops]
    sizes = [bytes_of(op, value.type) for op, value in zip(ops, values, strict=True)]
    given_addresses, banks = [op.address for op in ops], [op.mem_bank for op in ops]
    space = Space(shape.memory, shape.banks)
    if stack:
        space.take(0, stack)
    for i, (op, size, address, bank) in enumerate(zip(ops, sizes, given_addresses, banks, strict=True)):
        if address is not None:
            if address < 0 or address + size > shape.memory:
                raise error_at(
                    op,
                    f"lies at {address} to {address + size}; tile {tile} has {shape.memory} bytes of data memory",
                    code="memory.outside",
                )
            _check_apart(i, ops, given_addresses, sizes)
            if address < stack:
                raise error_at(
                    op,
                    f"lies at {address} to {address + size}, in the stack of core {tile}, which is bytes 0 to {stack}; "
                    "give it a higher address, or the core a smaller stack_size",
                    code="memory.overlap",
                )
            space.take(address, size)
        if bank is not None and not 0 <= bank < shape.banks:
            raise error_at(op, f"asks for memory bank {bank}; tile {tile} has banks 0 to {shape.banks - 1}")
    free = [i for i, address in enumerate(given_addresses) if address is None]
    starts = allocate(space, [sizes[i] for i in free], [banks[i] for i in free], sequential=sequential)
    if starts is None:
        _overflow(tile, ops, sizes, stack, shape.memory)
    addresses = dict(enumerate(given_addresses)) | dict(zip(free, starts or (), strict=True))
    for i, (op, value) in enumerate(zip(ops, values, strict=True)):
        name = called(op) or f"at {addresses[i]:#x}"
        layout.buffers[value] = Buffer(op, tile, name, addresses[i], sizes[i])


def _check_apart(number: int, ops: list[Any], addresses: list[int | None], sizes: list[int]) -> None:
    """Raises DiagnosticError if buffer `number`, which has a fixed address, overlaps an earlier buffer of the text."""
    address, size = addresses[number] or 0, sizes[number]
    for earlier, start, bytes_ in zip(ops[:number], addresses, sizes, strict=False):
        if start is not None and start < address + size and address < start + bytes_:
            name = f"'{called(earlier)}' " if called(earlier) else ""
            raise error_at(
                ops[number],
                f"lies at {address} to {address + size}, over the buffer {name}at {start} to "
                f"{start + bytes_} of the same tile; move one of them",
                code="memory.overlap",
            )


def _overflow(tile: Coordinate, ops: list[Any], sizes: list[int], stack: int, memory: int) -> None:
    largest = sorted(range(len(ops)), key=lambda i: -sizes[i])[:4]
    listed = ", ".join(f"{called(ops[i]) or 'one without a name'} {sizes[i]}" for i in largest)
    needed = counted(sum(sizes), "byte") + (f" and a stack of {stack}" if stack else "")
    raise error_at(
        ops[largest[0]],
        f"does not fit: the {len(ops)} buffers of tile {tile} take {needed}, and its data memory has "
        f"{memory} bytes (largest: {listed}); use smaller or fewer buffers, or move some to another tile",
        code="resource.limit",
    )


def bytes_of(op: AnyOp, memref: ir.Type) -> int:
    """Bytes of a memref of static shape."""
    if not isinstance(memref, ir.MemRefType) or not memref.has_static_shape:
        raise error_at(op, f"has type {memref}; expected a memref of static shape")
    bits = bits_of(op, memref)
    return -(-prod(memref.shape) * bits // 8)


def bits_of(op: AnyOp, memref: ir.ShapedType) -> int:
    """Bits of an element of a memref; for block floating point, those of its storage."""
    bits = element_bits(memref, index=32)
    if bits is None:
        raise error_at(op, f"has elements of type {memref.element_type}, whose width in memory is not known")
    return max(bits, 8)


def _number_locks(layout: Layout, tile: Coordinate, ops: list[Any]) -> None:
    count = layout.device.tile(*tile).locks
    most = arch_of(layout.device).max_lock_value
    ids, seen = [op.lockID for op in ops], set[int]()
    for op, number in zip(ops, ids, strict=True):
        if number is None:
            continue
        if not 0 <= number < count:
            raise error_at(op, f"has id {number}; tile {tile} has locks 0 to {count - 1}", code="resource.limit")
        if number in seen:
            raise error_at(op, f"is the second lock with id {number} of tile {tile}; give it an id of its own")
        seen.add(number)
    free = iter([n for n in range(count) if n not in seen])
    for op, own in zip(ops, ids, strict=True):
        number = own if own is not None else next(free, None)
        if number is None:
            raise error_at(
                op, f"is one lock too many: tile {tile} has {count}, and the design uses {len(ops)}", code="resource.limit"
            )
        init = op.init or 0
        if not 0 <= init <= most:
            raise error_at(op, f"starts at {init}; a lock holds 0 to {most}", code="lock.range")
        layout.locks[op.lock] = Lock(op, tile, called(op) or str(number), number, init)
