"""Checks that a tile's buffers and its core's stack fit its memory, and that buffers with addresses do not overlap."""

from __future__ import annotations

from itertools import pairwise
from math import prod

from allo_air.dialects.aie import BufferOp, CoreOp
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._tiles import DeviceUse, TileUse

_SHOWN = 3


def check_memory(use: DeviceUse, findings: Findings) -> None:
    """Reports tiles whose memory is too small for their buffers."""
    for tile in use:
        sizes = [(buffer, bytes_of(buffer.results[0].type)) for buffer in tile.buffers]
        unknown = [buffer for buffer, size in sizes if size is None]
        for buffer in unknown:
            findings.undecided(buffer, f"how many bytes {buffer.results[0].type} takes in {use.name(tile.place)}")
        sized_buffers = [(buffer, size) for buffer, size in sizes if size is not None]
        if not _check_room(use, tile, sized_buffers, findings):
            continue
        _check_addresses(use, tile, sized_buffers, findings)


def bytes_of(kind: ir.ShapedType) -> int | None:
    """Bytes of a memref type; None for a dynamic shape or elements of unknown width."""
    bits = element_bits(kind)
    return prod(kind.shape) * -(-bits // 8) if bits is not None and kind.has_static_shape else None


def size_text(count: int) -> str:
    """A number of bytes as text: `63 KiB`, `65,000 bytes`."""
    return f"{count // 1024} KiB" if count >= 1024 and count % 1024 == 0 else f"{count:,} bytes"


def _check_room(use: DeviceUse, tile: TileUse, sized_buffers: list[tuple[AnyOp, int]], findings: Findings) -> bool:
    memory = use.device.tile(*tile.place).memory
    stack = CoreOp(tile.core).stack_size if tile.core is not None else 0
    used = sum(size for _, size in sized_buffers)
    if used + stack <= memory:
        return True
    largest = sorted(sized_buffers, key=lambda entry: -entry[1])[:_SHOWN]
    shown = ", ".join(f"{_name(buffer)} with {size:,} bytes" for buffer, size in largest)
    less = f" ({size_text(memory)} less a stack of {stack:,} bytes)" if stack else ""
    advice = "use smaller tiles, fewer ping-pong buffers" + (", or a smaller stack" if stack else "")
    findings.error(
        tile.core or tile.op,
        f"{use.name(tile.place)}: {used:,} bytes of buffers exceed {size_text(max(0, memory - stack))}{less};"
        f" the largest are {shown}; {advice}",
    )
    return False


def _check_addresses(use: DeviceUse, tile: TileUse, sized_buffers: list[tuple[AnyOp, int]], findings: Findings) -> None:
    """Reports buffers whose addresses overlap the core's stack or each other, and addresses that older tools change."""
    placed = []
    for buffer, size in sized_buffers:
        address = BufferOp(buffer).address
        if address is not None:
            placed.append((address, address + size, buffer))
    placed.sort(key=lambda entry: entry[:2])
    stack = CoreOp(tile.core).stack_size if tile.core is not None else 0
    for begin, _, buffer in placed:
        if begin < stack:
            findings.error(
                buffer,
                f"{use.name(tile.place)}: begins at byte {begin:,}, but the core's stack ends at byte {stack:,};"
                " give it a higher address, or the core a smaller stack_size",
                (tile.core, "has this stack"),
                code="memory.overlap",
            )
    scheme = tile.op.attributes["allocation_scheme"].value if "allocation_scheme" in tile.op.attributes else None
    if len(placed) == len(tile.buffers) > 1 and scheme != "basic-sequential":
        findings.warning(
            tile.op,
            f"{use.name(tile.place)}: all buffers have addresses, and aie-assign-buffer-addresses of mlir-aie before 2026-04-16"
            ' moves such buffers onto one another; write {allocation_scheme = "basic-sequential"} on the tile',
            code="memory.moved",
        )
    for (_, end, first), (begin, _, second) in pairwise(placed):
        if begin < end:
            findings.error(
                second,
                f"{use.name(tile.place)}: begins at byte {begin:,}, but {_name(first)} ends at byte {end:,}; move one of them",
                (first, "overlaps this buffer"),
                code="memory.overlap",
            )


def _name(buffer: AnyOp) -> str:
    named = BufferOp(buffer).sym_name
    kind = buffer.results[0].type
    return f"@{named} : {kind}" if named else str(kind)
