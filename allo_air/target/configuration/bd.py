"""Converts an `aie.dma_bd` with its locks and packet to the fields of a buffer descriptor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import BLOCK_BITS, MAX_PACKET_ID
from allo_air.core.diagnostics import emit, error_at, position
from allo_air.device import MEMTILE_WINDOW, Coordinate, Device
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.declarations import place_of
from allo_air.dialects.memrefs import element_bits, has_gaps
from allo_air.errors import Diagnostic, counted
from allo_air.target.bd_layout import LAYOUTS
from allo_air.target.configuration.memory import buffer_address, lock_id
from allo_air.target.npu_bd import OWN_LOCKS, burst_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMABDOp
    from allo_air.dialects._aie_tiles import UseLockOp
    from allo_air.mlir import AnyOp, ir

Fields = dict[str, int]
_RELEASE, _AT_LEAST = 1, 2
_BYTES_OF_BASE = 48


def bd_fields(device: Device, tile: Coordinate, bd: Any, uses: list[UseLockOp], packets: list[Any]) -> Fields:
    """The fields of a BD as its registers store them; raises DiagnosticError for values that do not fit or have no number
    yet.

    `uses` are the `aie.use_lock` of its block, `packets` the `aie.dma_bd_packet`.
    """
    kind = device.kind(*tile)
    fields = {"valid": 1} | _access(device, tile, kind, bd) | _locks(device, tile, kind, uses) | _packet(bd, packets)
    if bd.next_bd_id is not None:
        fields |= {"next_bd": bd.next_bd_id, "use_next": 1}
    if kind == "shim_noc":
        fields["burst"] = _burst(device, bd)
    for name, value in fields.items():
        if value not in LAYOUTS[kind][name].range:
            range_ = LAYOUTS[kind][name].range
            raise error_at(
                bd,
                f"of tile {tile} has {name} {value}; the field of a {kind} tile's BD holds {range_.start} to {range_.stop - 1}",
            )
    return fields


def _burst(device: Device, bd: ir.OpView) -> int:
    lengths = arch_of(device).burst_lengths
    if bd.burst_length and bd.burst_length not in lengths:
        raise error_at(bd, f"has burst length {bd.burst_length}; {device.name} has {lengths}")
    return burst_of(device, bd.burst_length or 0)


def _packet(bd: DMABDOp, packets: list[Any]) -> Fields:
    packet_pairs = [(op.packet_type, op.packet_id) for op in packets]
    if bd.packet is not None:
        packet_pairs += size_stride_pairs(bd.packet)
    if not packet_pairs:
        return {}
    packet_type, packet_id = packet_pairs[-1]
    if not 0 <= packet_id <= MAX_PACKET_ID:
        raise error_at(bd, f"has packet id {packet_id}; packet ids are 0 to {MAX_PACKET_ID}")
    return {"enable_packet": 1, "packet_type": packet_type, "packet_id": packet_id}


def _access(device: Device, tile: Coordinate, kind: str, bd: DMABDOp) -> Fields:
    memref = bd.buffer.type
    bits = element_bits(memref, index=32)
    if bits is None:
        raise error_at(bd, f"has elements of type {memref.element_type}, whose width in memory is not known")
    if any(getattr(bd, name, None) is not None for name in ("offset_operand", "len_operand")):
        raise error_at(bd, "has an offset or length that is not constant; a configuration holds constants")
    length = bd.len if bd.len is not None else prod(memref.shape)
    if str(memref.element_type) not in BLOCK_BITS and has_gaps(bits):
        raise error_at(
            bd, f"has elements of {bits} bits, with gaps between them in memory; expected elements of 8, 16 or 32 bits"
        )
    fields = {"length": length * bits // 32} | _base(device, tile, kind, bd, bits)
    unit = Fraction(bits, 32)
    fields |= _dimensions(tile, kind, bd, unit) | _iteration(tile, kind, bd, unit)
    return fields


def _base(device: Device, tile: Coordinate, kind: str, bd: DMABDOp, bits: int) -> Fields:
    buffer = bd.buffer.owner
    name = getattr(buffer, "name", "a block argument")
    if name not in ("aie.buffer", "aie.external_buffer"):
        raise error_at(bd, f"moves {name}; a configuration moves buffers of the device")
    start = bd.offset * bits // 8
    if name == "aie.external_buffer":
        view = buffer.opview
        if view.address is None:
            raise error_at(view, "has no address; a DMA program of the shim needs one")
        start += view.address
        if kind != "shim_noc":
            raise error_at(bd, f"of tile {tile} moves external memory, which only a shim's DMA reaches")
        if not 0 <= start < 1 << _BYTES_OF_BASE:
            raise error_at(bd, f"of tile {tile} begins at address {start:#x}; addresses have {_BYTES_OF_BASE} bits")
        return {"base": start >> 2 & (1 << 30) - 1, "base_high": start >> 32}
    view = buffer.opview
    owner = place_of(view, view.tile)
    if kind == "shim_noc" or not device.sees_memory(tile, owner) or (kind == "core" and owner != tile):
        raise error_at(bd, f"moves a buffer of tile {owner}, which the DMA of tile {tile} does not reach")
    start += buffer_address(view, owner)
    if kind == "mem":
        start += (owner[0] - tile[0] + 1) * MEMTILE_WINDOW
    if start % 4:
        raise error_at(bd, f"of tile {tile} begins at byte {start}; transfers begin at a multiple of 4 bytes")
    return {"base": start >> 2}


def _numbered(values: Iterable[tuple[int, int]]) -> list[tuple[int, tuple[int, int]]]:
    """Pairs that are given outermost first, with the number of their dimension: the innermost is 0."""
    return list(enumerate(list(values)[::-1]))


def _dimensions(tile: Coordinate, kind: str, bd: DMABDOp, unit: Fraction) -> Fields:
    """Wraps, steps and padding; `unit` is the words of an element, of which only dimension 0 counts single words."""
    fields: Fields = {}
    dims = size_stride_pairs(bd.dimensions) if bd.dimensions is not None else []
    for j, (size, stride) in _numbered(dims):
        if f"d{j}_step" not in LAYOUTS[kind]:
            raise error_at(bd, f"of tile {tile} has {counted(len(dims), 'dimension')}; a BD of a {kind} tile has {j}")
        step = int(stride * unit) if j else stride
        _tell_cut(tile, bd, ("stride", stride * unit) if j else ("size", size * unit), size)
        fields[f"d{j}_step"] = max(step, 1) - 1
        if f"d{j}_wrap" in LAYOUTS[kind]:
            fields[f"d{j}_wrap"] = size if j else int(size * unit)
    pads = size_stride_pairs(bd.pad_dimensions) if bd.pad_dimensions is not None else []
    for j, (before, after) in _numbered(pads):
        if not before and not after and f"d{j}_before" not in LAYOUTS[kind]:
            continue
        if f"d{j}_before" not in LAYOUTS[kind]:
            raise error_at(bd, f"of tile {tile} pads dimension {j}, counted from the innermost; a {kind} tile's BD cannot")
        scale = unit if j == 0 else 1
        fields |= {f"d{j}_before": int(before * scale), f"d{j}_after": int(after * scale)}
    return fields


def _tell_cut(tile: Coordinate, bd: AnyOp, items: tuple[str, Fraction], size: int) -> None:
    """Warns about sizes that are not whole words. Bytes after the last whole word are dropped, as in the register library."""
    name, words = items
    if words.denominator != 1 and size > 1:
        cut = f"has a {name} of {words * 4} bytes, of which {int(words) * 4} are written: whole words"
        text = f"'aie.dma_bd' op of tile {tile} {cut}"
        emit(Diagnostic("warning", *position(bd.operation.location), text))


def _iteration(tile: Coordinate, kind: str, bd: AnyOp, unit: Fraction) -> Fields:
    """The iteration of August's BDs: the address moves by a stride with every run of the BD."""
    attribute = bd.operation.attributes.get("iteration", None)
    if attribute is None:
        return {}
    size, stride, current = _iteration_numbers(str(attribute))
    if size <= 1 or stride <= 0:
        return {}
    step = stride * unit
    if step.denominator != 1:
        raise error_at(bd, f"of tile {tile} iterates by {stride} elements, which is not a multiple of 4 bytes")
    return {"iteration_step": int(step) - 1, "iteration_wrap": size - 1, "iteration_current": current}


def _iteration_numbers(text: str) -> tuple[int, int, int]:
    import re

    named = {name: int(value) for name, value in re.findall(r"(\w+)\s*=\s*(-?\d+)", text)}
    if named:
        return named.get("size", 1), named.get("stride", 0), named.get("current", 0)
    numbers = [int(n) for n in re.findall(r"(?<![\w])-?\d+", text)]
    size, stride, *current = [*numbers, 1, 0][: max(2, len(numbers))]
    return size, stride, current[0] if current else 0


def _locks(device: Device, tile: Coordinate, kind: str, uses: Sequence[UseLockOp]) -> Fields:
    """One acquire and one release, or none; memtiles count locks from those of their western neighbour on."""
    fields: Fields = {}
    for use in uses:
        lock = use.lock.owner.opview
        owner = place_of(lock, lock.tile)
        if owner != tile and not (kind == "mem" and device.sees_memory(tile, owner)):
            raise error_at(use, f"uses a lock of tile {owner}, which the DMA of tile {tile} does not reach")
        if use.value is None and use.amount is not None:
            raise error_at(use, "has a value that is not constant; a configuration holds constants")
        side, value = "rel" if use.action == _RELEASE else "acq", 1 if use.value is None else use.value
        number = lock_id(lock, device, owner) + OWN_LOCKS[kind] * (1 + owner[0] - tile[0])
        fields |= {f"{side}_id": number, f"{side}_value": -value if use.action == _AT_LEAST else value}
        if side == "acq":
            fields["acq_enable"] = int(use.acq_en is not False)
    if fields and not {"acq_id", "rel_id"} <= fields.keys():
        lacking = "a release" if "acq_id" in fields else "an acquire"
        raise error_at(uses[0], f"comes without {lacking}; a BD of tile {tile} acquires and releases, or does neither")
    return fields
