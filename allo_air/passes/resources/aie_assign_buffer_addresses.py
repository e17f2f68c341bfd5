"""aie-assign-buffer-addresses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

from allo_air.arch import arch_of
from allo_air.arch.limits import BUFFER_ALIGNMENT
from allo_air.core.diagnostics import called, error_at
from allo_air.core.pass_ import Pass
from allo_air.device import Coordinate, Tile
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.errors import counted
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.objectfifos import bits
from allo_air.passes._analysis.tile_memory import Memory, UnplacedBuffer, bank_aware, sequential
from allo_air.passes.resources._schemes import keep_addresses

if TYPE_CHECKING:
    from allo_air.mlir import ir

STACK = "stack"


@dataclass(frozen=True)
class AieAssignBufferAddresses(Pass):
    """Gives buffers without an address a place in the data memory of their tile, after the core's stack.

    `bank-aware` distributes buffers over the banks, the largest first, so that a core and its DMA seldom access one bank at a
    time; `basic-sequential` places them one after another, the largest first. By default the first scheme is tried and then
    the second. A tile's `allocation_scheme` overrides the option. Given addresses stay; all others are multiples of the core's
    load width (32 bytes, 64 on npu2), or of 32 if that does not fit. Given addresses must also be multiples of the tile's bus
    width (32 bytes in cores, 4 in memtiles), unless the buffer has `aligned = false`. A tile whose buffers all have addresses
    is marked `basic-sequential`, so that later tools do not move them.

    Before:

        %tile_0_2 = aie.tile(0, 2)
        %a = aie.buffer(%tile_0_2) {sym_name = "a"} : memref<256xi32>
        %core = aie.core(%tile_0_2) { ... }

    After:

        %tile_0_2 = aie.tile(0, 2) {allocation_scheme = "basic-sequential"}
        %a = aie.buffer(%tile_0_2) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "a"} : memref<256xi32>
    """

    name = "aie-assign-buffer-addresses"
    anchor = "aie.device"
    alloc_scheme: Literal["", "bank-aware", "basic-sequential"] = ""
    """How buffers are placed: spread over the banks, or consecutively; by default the first of these that fits."""

    def run(self, op: AnyOp, /) -> None:
        stacks = {core.tile: core.stack_size for core in declarations(op, "aie.core")}
        buffers: dict[Any, list[Any]] = {}
        for buffer in declarations(op, "aie.buffer"):
            buffers.setdefault(buffer.tile, []).append(buffer)
        _name([buffer for group in buffers.values() for buffer in group])
        for tile, tile_buffers in buffers.items():
            place = place_of(tile_buffers[0], tile)
            scheme = tile.owner.opview.allocation_scheme or self.alloc_scheme
            core = arch_of(device_of(op)).core if device_of(op).kind(*place) == "core" else None
            _check_given(tile_buffers, _raster(arch_of(device_of(op)).semaphore_locks, core=core is not None))
            alignments = dict.fromkeys([core.load_bytes if core else BUFFER_ALIGNMENT, BUFFER_ALIGNMENT])
            _place(tile_buffers, place, device_of(op).tile(*place), stacks.get(tile, 0), scheme, list(alignments))
            keep_addresses(tile, tile_buffers)


def _name(buffers: list[Any]) -> None:
    """Names unnamed `buffers` like mlir-aie."""
    used_names = {buffer.sym_name for buffer in buffers}
    free = (name for n in count() if (name := f"_anonymous{n}") not in used_names)
    for buffer in buffers:
        if buffer.sym_name is None:
            buffer.sym_name = next(free)


def _raster(newer: bool, *, core: bool) -> int:
    """The bus width of a tile in bytes, to which addresses must be aligned; for AIE2 and later, and for AIE1."""
    return 4 if not core else 32 if newer else 16


def _check_given(buffers: list[ir.OpView], raster: int) -> None:
    """Checks that given addresses are aligned to the bus of the tile, unless the buffer says otherwise."""
    for buffer in buffers:
        if buffer.address is not None and buffer.address % raster and buffer.aligned is not False:
            raise error_at(
                buffer,
                f"has address {buffer.address}, which is not a multiple of the {counted(raster, 'byte')} of the tile's bus; "
                "give it another, or write aligned = false",
            )


def _place(buffers: list[Any], place: Coordinate, tile: Tile, stack: int, scheme: str, alignments: list[int]) -> None:
    if not tile.memory:
        raise error_at(buffers[0], f"is on shim tile {place}, which has no data memory")
    memory = Memory(tile.memory, tile.banks)
    if stack:
        memory.take(0, stack, STACK)
    wanted_buffers = []
    shown = {}
    for number, buffer in enumerate(buffers):
        item = UnplacedBuffer(buffer, buffer.sym_name or f"#{number}", _bytes(buffer), buffer.mem_bank)
        shown[item.name] = called(buffer) or item.name
        if buffer.address is None:
            wanted_buffers.append(item)
            continue
        overlapping = memory.overlapping(buffer.address, item.size)
        if overlapping is not None:
            over = f"the stack ({stack:,} bytes from 0 on)" if overlapping == STACK else f"buffer '{shown[overlapping]}'"
            raise error_at(
                buffer,
                f"at address {buffer.address} overlaps {over} of tile {place}; give it another address, or none to get one",
            )
        if buffer.address + item.size > tile.memory:
            raise error_at(buffer, f"ends at byte {buffer.address + item.size}; tile {place} has {tile.memory}")
        memory.take(buffer.address, item.size, item.name)
    result = None
    for attempt, name in ((bank_aware, "bank-aware"), (sequential, "basic-sequential")):
        for alignment in alignments:
            if result is None and scheme in ("", name):
                result, used = attempt(memory.copy(alignment), sorted(wanted_buffers, key=lambda item: -item.size)), name
    if result is None:
        raise _overflow(buffers, place, tile, stack, scheme)
    for item in wanted_buffers:
        item.op.address, bank = result[item.name]
        if used == "bank-aware":
            item.op.mem_bank = bank


def _bytes(buffer: Any) -> int:
    return (bits(buffer.buffer.type) + 7) // 8


def _overflow(buffers: list[Any], place: Coordinate, tile: Tile, stack: int, scheme: str) -> Any:
    total = sum(_bytes(b) for b in buffers) + stack
    largest = sorted(buffers, key=_bytes, reverse=True)
    listed = [f"'{called(b) or 'without a name'}': {_bytes(b):,} bytes" for b in largest[:8]] + (
        ["..."] if len(buffers) > 8 else []
    )
    message = (
        f"{total:,} bytes of {tile.memory:,}" if total > tile.memory else f"{total:,} bytes, in pieces that no bank holds,"
    )
    return error_at(
        buffers[0].tile.owner,
        f"allocated buffers exceeded available memory: tile {place} needs {message}"
        f"{f' with the scheme {scheme}' if scheme else ''}; stack: {stack:,} bytes, {', '.join(listed)}",
        _map(largest, stack),
    )


def _map(largest: list[ir.OpView], stack: int) -> str:
    """The addresses of the buffers in sequence, in mlir-aie's format."""
    lines, address = ["MemoryMap:"], stack
    if stack:
        lines.append(f"(stack) : 0x0-0x{stack - 1:X} ({counted(stack, 'byte')})")
    for buffer in largest:
        size = _bytes(buffer)
        first = address if buffer.address is None else buffer.address
        lines.append(f"{buffer.sym_name} : 0x{first:X}-0x{first + size - 1:X} ({counted(size, 'byte')})")
        address = max(address, first + size)
    return "\n\t".join(lines)
