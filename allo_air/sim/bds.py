"""A buffer descriptor of a DMA program as its registers, every limit of its tile checked (docs/sources.md#device)."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.access.dims import is_contiguous, volume
from allo_air.access.fields import misfits
from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.device import MEMTILE_WINDOW, Coordinate
from allo_air.dialects._places import numbers, size_stride_pairs
from allo_air.errors import counted
from allo_air.sim.layout import Layout, bits_of
from allo_air.target.bd_layout import LAYOUTS, WORDS
from allo_air.target.npu_bd import OWN_LOCKS, burst_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMABDOp
    from allo_air.mlir import AnyOp, ir

_WORDLESS = {
    ("run", False): "has innermost size {value} of {bits}-bit elements; the DMA moves words of 4 bytes",
    ("grain", False): "has innermost stride {value}; elements of {bits} bits are moved in runs, with stride 1",
    ("grain", True): "has stride {value} of {bits}-bit elements, which is not a multiple of 4 bytes",
}
"""Texts for items that are not whole words, by item and by whether it is outside of the innermost dimension."""

_UNITS = {"d0_wrap": "words", "length": "words", "base": "words", "d0_before": "words", "d0_after": "words"}


def words_of(
    layout: Layout, tile: Coordinate, bd: DMABDOp, uses: list[AnyOp], next_bd: int | None, packet: tuple[int, int] | None = None
) -> tuple[int, ...]:
    """The registers of `bd` (an `aie.dma_bd` in a program of `tile`) between the lock operations `uses`.

    `next_bd` is the next BD of the chain; `packet` is a header (type, id) that overrides that of the operation. Raises
    DiagnosticError at the operation if a size, stride, length, offset or lock does not fit the hardware.
    """
    kind = layout.device.kind(*tile)
    fields = {"valid": 1, **_access(layout, tile, kind, bd), **_locks(layout, tile, kind, bd, uses)}
    if packet is None and (own := bd.packet) is not None:
        [packet] = size_stride_pairs(own)
    if packet is not None:
        packet_type, packet_id = packet
        fields |= {"enable_packet": 1, "packet_type": packet_type, "packet_id": packet_id}
    if next_bd is not None:
        fields |= {"next_bd": next_bd, "use_next": 1}
    fields |= _iteration(bd, kind)
    if kind == "shim_noc":
        fields["burst"] = _burst(layout, bd)
    words, layouts = [0] * WORDS[kind], LAYOUTS[kind]
    for name, value in fields.items():
        bits = layouts.get(name)
        if bits is None:
            raise error_at(bd, f"needs {name} = {value}, which the BDs of a {kind} tile do not have")
        if value not in bits.range:
            raise error_at(
                bd,
                f"needs {name} = {value}{' ' + _UNITS[name] if name in _UNITS else ''}, and a {kind} tile's BD holds "
                f"{bits.range[0]} to {bits.range[-1]} there; split the transfer into smaller ones",
                code="bd.field",
            )
        words[bits.word] |= bits.put(value)
    return tuple(words)


def _iteration(bd: DMABDOp, kind: str) -> dict[str, int]:
    """The iteration of a BD's address over its executions. Registers contain the count and the words, each minus one."""
    if (value := bd.iteration) is None:
        return {}
    size, stride, current = numbers(value)
    bits = bits_of(bd, bd.buffer.type)
    if size <= 1:
        return {}
    if stride * bits % 32:
        raise error_at(
            bd, f"iterates by {counted(stride, 'element')} of {counted(bits, 'bit')}, which is not a multiple of 4 bytes"
        )
    return {"iteration_wrap": size - 1, "iteration_step": stride * bits // 32 - 1, "iteration_current": current}


def _burst(layout: Layout, bd: ir.OpView) -> int:
    if bd.burst_length and bd.burst_length not in arch_of(layout.device).burst_lengths:
        raise error_at(bd, f"burst length {bd.burst_length}; {layout.device.name} has {arch_of(layout.device).burst_lengths}")
    return burst_of(layout.device, bd.burst_length or 0)


def _access(layout: Layout, tile: Coordinate, kind: str, bd: DMABDOp) -> dict[str, int]:
    """Base, length, dimensions and padding."""
    buffer = bd.buffer
    memref = buffer.type
    bits = bits_of(bd, memref)
    value, dimensions, padding = bd.len, bd.dimensions, bd.pad_dimensions
    key = kind, memref, value, dimensions, padding
    length = value if value is not None else prod(memref.shape)
    if length * bits % 32:
        raise error_at(bd, f"moves {counted(length, 'element')} of {counted(bits, 'bit')}, which is not a multiple of 4 bytes")
    base = _base(layout, tile, kind, bd, buffer, bits)
    if (walk := layout.walks.get(key)) is None:
        walk = layout.walks[key] = _walk(layout, tile, kind, bd, bits, length, dimensions, padding)
    return {"base": base, **walk}


def _walk(
    layout: Layout,
    tile: Coordinate,
    kind: str,
    bd: AnyOp,
    bits: int,
    length: int,
    dimensions: ir.Attribute | None,
    padding: Any,
) -> dict[str, int]:
    """Length, dimensions and padding, shared by BDs of one kind of tile with equal access patterns."""
    fields = {"length": length * bits // 32}
    dims = size_stride_pairs(dimensions) if dimensions is not None else []
    pads = size_stride_pairs(padding)[::-1] if padding is not None else []
    if not dims or (not pads and is_contiguous(dims) and volume(dims) == length):
        return fields
    form = layout.device.tile(*tile).bd
    assert form is not None, "a tile with DMA programs has BDs"
    for misfit in misfits(dims, bits, form):
        if text := _WORDLESS.get((misfit.kind, misfit.dim > 0)):
            raise error_at(bd, text.format(bits=bits, value=misfit.value))
    for i, (size, stride) in enumerate(reversed(dims)):
        fields |= _dimension(kind, bits, i, size, stride)
    last = f"d{len(dims) - 1}_wrap"
    if not pads and volume(dims) == length and fields.get(last, 0) not in _range(kind, last):
        fields[last] = 0  # the length ends the outermost dimension
    for i, (before, after) in enumerate(pads):
        unit = bits if i == 0 else 32
        if before * unit % 32 or after * unit % 32:
            raise error_at(
                bd,
                f"pads {before} and {counted(after, 'element')} of {counted(bits, 'bit')}, which is not a multiple of 4 bytes",
            )
        fields |= {f"d{i}_before": before * unit // 32, f"d{i}_after": after * unit // 32}
    return {name: value for name, value in fields.items() if value or name in LAYOUTS[kind]}


def _range(kind: str, field: str) -> range:
    bits = LAYOUTS[kind].get(field)
    return range(1) if bits is None else bits.range


def _dimension(kind: str, bits: int, i: int, size: int, stride: int) -> dict[str, int]:
    """Wrap and step of dimension `i` (0 is the innermost), as the registers store them. The outermost dimension of a tile has
    no wrap.
    """
    step = stride * bits // 32 if i or bits == 32 else 1
    dimensions = {f"d{i}_step": step - 1 if size > 1 else 0}
    if f"d{i}_wrap" in LAYOUTS[kind]:
        dimensions[f"d{i}_wrap"] = size if i else size * bits // 32
    return dimensions


def _base(layout: Layout, tile: Coordinate, kind: str, bd: DMABDOp, value: ir.Value, bits: int) -> int:
    """The word address of the first element as the tile's DMA sees it."""
    buffer, offset = layout.buffers.get(value), bd.offset
    if buffer is None:
        owner = value.owner
        what = owner.name if hasattr(owner, "opview") else "a block argument"
        raise error_at(
            bd,
            f"moves {what}, which is not an aie.buffer of the device; host memory is an argument of the runtime sequence, and "
            "shim BDs of the sequence (aiex.npu.dma_memcpy_nd) move it",
        )
    if not layout.device.sees_memory(tile, buffer.tile) or (kind == "core" and buffer.tile != tile):
        raise error_at(bd, f"moves {buffer.name} of tile {buffer.tile}, which the DMA of tile {tile} does not reach")
    address = buffer.offset + offset * bits // 8
    if offset * bits % 32 or address % 4:
        raise error_at(bd, f"begins at byte {address} of tile {buffer.tile}; transfers begin at a multiple of 4 bytes")
    if offset < 0:
        raise error_at(bd, f"begins at element {offset} of {buffer.name}")
    if kind == "mem":
        address += (buffer.tile[0] - tile[0] + 1) * MEMTILE_WINDOW
    return address // 4


def _locks(layout: Layout, tile: Coordinate, kind: str, bd: DMABDOp, uses: list[Any]) -> dict[str, int]:
    """Acquire and release of the block; an acquire of at least n is stored as -n, of exactly n as n."""
    fields: dict[str, int] = {}
    for use in uses:
        lock = layout.locks.get(use.lock)
        if lock is None:
            raise error_at(use, "has a lock operand that is not an aie.lock of the device")
        if lock.tile != tile and not (kind == "mem" and layout.device.sees_memory(tile, lock.tile)):
            raise error_at(use, f"uses lock {lock.name} of tile {lock.tile}, which the DMA of tile {tile} does not reach")
        number = lock.id + OWN_LOCKS[kind] * (1 + lock.tile[0] - tile[0])
        argument, action = use.value, use.action
        value = 1 if argument is None else argument
        side = "rel" if action == 1 else "acq"
        if f"{side}_id" in fields:
            raise error_at(use, f"is the second {'release' if side == 'rel' else 'acquire'} of its BD, which has room for one")
        fields |= {f"{side}_id": number, f"{side}_value": -value if action == 2 else value}
        if side == "acq":
            fields["acq_enable"] = 1
    return fields
