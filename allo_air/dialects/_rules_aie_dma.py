"""Rules of DMA programs: channels, chains of blocks, and buffer descriptors."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_PACKET_ID, MAX_PACKET_TYPE, NEIGHBOUR_CHANNELS
from allo_air.core.constants import constant_of
from allo_air.dialects._aie_dma import DMABDOp, DMAOp, DMAStartOp
from allo_air.dialects._aie_tiles import UseLockOp
from allo_air.dialects._places import Place, device_of, home_of, kind_of, place_of, size_stride_pairs, tile_owner_of
from allo_air.dialects._rules import Report, operations, parent_of, rule
from allo_air.dialects._rules_aie_tiles import lock_value
from allo_air.dialects._rules_bd_limits import check_access, check_iteration, check_length
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import MemOp, MemTileDMAOp, ShimDMAOp

_DIRECTIONS = ("S2MM", "MM2S")
_TERMINATORS = ("aie.dma_start", "aie.next_bd", "aie.end")
_TASKS = ("aiex.dma_configure_task", "aiex.dma_configure_task_for")
_TASK_DIMS = 4
_CHECKED = ("aie.mem", "aie.memtile_dma", "aie.shim_dma", "aie.dma")
"""Operations in which the real tool verifies BDs; other BDs are checked when they are lowered."""


@rule("aie.mem", "aie.memtile_dma", "aie.shim_dma")
def dma_program(op: MemOp | MemTileDMAOp | ShimDMAOp, report: Report) -> None:
    """A program's blocks end in DMA terminators; its BDs and channels are at most the tile's."""
    blocks = list(op.regions[0].blocks)
    if not blocks:
        report.error(op, "should have non-empty body")
        return
    bds = 0
    most = place.tile.bds if (place := place_of(op.tile, report)) is not None else None
    channels: list[set[int]] = [set(), set()]
    for block in blocks:
        body = operations(block)
        if body and body[-1].name not in _TERMINATORS:
            report.error(body[-1], "is not an allowed terminator", (op, "in this context: "))
            return
        descriptors = [o for o in body if o.name == "aie.dma_bd"]
        bds += bool(descriptors)
        if most is not None and bds > most and descriptors:
            report.error(op, f"has more than {most} blocks", (descriptors[0], "no space for this bd"))
            return
        _check_block(op, body, descriptors, report)
        for start in body:
            if start.name in ("aie.dma_start", "aie.dma"):
                direction, index = start.attributes["channel_dir"].value, start.attributes["channel_index"].value
                channels[direction].add(index)
                if start.name == "aie.dma_start":
                    _check_channel(op, start, place, index, direction, report)
    if place is not None:
        for direction, name in ((0, "input"), (1, "output")):
            if len(channels[direction]) > place.tile.channels[direction]:
                report.error(op, f"uses more {name} channels than available on this tile ({place.tile.channels[direction]})")


def _check_block(op: AnyOp, body: list[ir.Operation], descriptors: list[ir.Operation], report: Report) -> None:
    """A block has one BD, and at most one acquire and one release, since a BD has one field of each."""
    if len(descriptors) > 1:
        report.error(descriptors[1], "is the second BD of its block; a block holds exactly one", (descriptors[0], "first"))
        return
    values: dict[bool, int | None] = {}
    for o in body:
        if o.name == "aie.use_lock":
            use = UseLockOp(o)
            release, value = use.action == 1, lock_value(use)
            if release in values and values[release] != value:
                report.error(use, "acquires/releases the lock in a DMA block from/to multiple states.")
                return
            if release in values:
                report.warning(use, f"is the second {'release' if release else 'acquire'} of its block; a BD has one")
            values[release] = value


def _check_channel(
    op: MemOp | MemTileDMAOp | ShimDMAOp, start: AnyOp, place: Place | None, index: int, direction: int, report: Report
) -> None:
    if place is None:
        return
    count = place.tile.channels[direction]
    if not 0 <= index < count:
        report.error(
            start,
            f"channel {index} does not exist: {place} has {count} {_DIRECTIONS[direction]} channels; let packet flows"
            " share one, or move a buffer to another tile",
        )
    elif op.OPERATION_NAME == "aie.memtile_dma" and index >= NEIGHBOUR_CHANNELS:
        _check_local(start, place, index, report)


def _check_local(start: AnyOp, place: Place, index: int, report: Report) -> None:
    """Channels 4 and 5 of a memtile do not reach its neighbours."""
    seen, work = set(), [start.successors[0]]
    while work:
        block = work.pop()
        if block in seen:
            continue
        seen.add(block)
        work += list(block.successors)
        for o in operations(block):
            if o.name in ("aie.dma_bd", "aie.use_lock"):
                home = home_of(o.operands[0], report)
                if home is not None and home != place:
                    what = "buffer" if o.name == "aie.dma_bd" else "lock"
                    report.error(
                        o,
                        f"is reachable from DMA channel {index} and attempts to access a non-local {what}; "
                        "channels 4 and 5 reach their own tile only",
                        (start, "channel"),
                        (o.operands[0].owner, what),
                    )
                    return


@rule("aie.dma_start", "aie.dma")
def padding_value(op: DMAStartOp | DMAOp, report: Report) -> None:
    """A padding word other than 0 needs a register, which AIE2p has."""
    device = device_of(op, report)
    if op.pad_value and device is not None and not arch_of(device).pad_values:
        report.error(op, f"`pad_value` is {op.pad_value}; DMAs of {device.name} pad with 0 only, AIE2p has a register for it")


@rule("aie.dma")
def dma_regions(op: DMAOp, report: Report) -> None:
    """Each region has one BD between an acquire and a release."""
    holder = parent_of(op).regions[0].blocks
    if len(holder) > 1:
        report.error(op, "DMAOp can only appear in single block region")
        return
    if any(o.name == "aie.dma_start" for o in operations(holder[0])):
        report.error(op, "DMAOp is not compatible with DMAStart ops")
        return
    for block in [block for region in op.bds for block in region.blocks]:
        names = [o.name for o in operations(block)]
        if names.count("aie.dma_bd") != 1:
            report.error(op, "DMAOp regions/blocks must have exactly one DMABDOp")
            return
        if names.count("aie.use_lock") != 2:
            report.error(op, "DMAOp regions/blocks must have exactly two UseLock ops")
            return


@rule("aie.dma_bd")
def buffer_descriptor(op: DMABDOp, report: Report) -> None:
    """A BD of a DMA program fits its tile's DMA."""
    if parent_of(op).name in _TASKS:
        _check_task(op, report)
    if parent_of(op).name not in _CHECKED:
        return
    if not op.is_static and (parts := _unknown(op)):
        report.error(op, f"has a run-time {parts}; a DMA program is configured once, with constants")
        return
    owner = tile_owner_of(op, report)
    place = place_of(owner.operands[0], report) if owner is not None else None
    kind = place.kind if place is not None else kind_of(owner.operands[0], report) if owner is not None else None
    buffer = op.buffer
    source = None if isinstance(buffer, ir.BlockArgument) else buffer.owner.operation
    if source is None or source.name not in ("aie.buffer", "aie.external_buffer"):
        report.error(op, "BDs only support BufferOp or ExternalBufferOp operands.")
        return
    home = home_of(buffer, report)
    if owner is not None and owner.name == "aie.mem" and place is not None and home is not None and home != place:
        report.error(op, f"Core tile DMAs can only access a buffer in the same tile: it is in {home}, the DMA in {place}")
        return
    bits, memref = element_bits(buffer.type), buffer.type
    if bits is None or not isinstance(memref, ir.MemRefType) or not memref.has_static_shape:
        if op.len is None:
            report.error(op, "buffer with dynamic shape requires static length.")
        return
    length = op.len if op.len is not None else prod(memref.shape)
    if length * bits // 8 % 4:
        report.error(
            op,
            "transfer length must be multiple of 4 (i.e., represent 4 byte aligned address): "
            f"{length} elements are {length * bits // 8} bytes",
        )
        return
    if op.iteration is not None and not check_iteration(op, kind, bits, report):
        return
    if not check_length(op, kind, length, bits, report):
        return
    if _check_ids(op, place, report) and check_access(op, kind, length, bits, prod(memref.shape), report):
        _check_start(op, source, kind, bits, report)


def _unknown(op: DMABDOp) -> str:
    """The parts of a BD that are known only at run time, as text."""
    parts: dict[str, list[Any]] = {
        "offset": [op.offset_operand],
        "length": [op.len_operand],
        "size": list(op.size_operands),
        "stride": list(op.stride_operands),
    }
    unknown = [name for name, values in parts.items() if any(v is not None and constant_of(v) is None for v in values)]
    return " and ".join(unknown)


def _check_task(op: DMABDOp, report: Report) -> None:
    """A BD of a task iterates by its outermost dimension, and fits the length of its tile's BDs."""
    task = parent_of(op)
    if op.iteration is not None:
        report.error(op, "has an iteration inside of a DMA task; the outermost size is the iteration of a task's BD")
        return
    tile = task.operands[0] if task.name == _TASKS[0] else None
    kind = "shim_noc" if tile is None else kind_of(tile, report)
    if op.dimensions is not None and len(dims := size_stride_pairs(op.dimensions)) > _TASK_DIMS:
        report.error(op, f"Cannot give more than {_TASK_DIMS} dimensions in a task's BD (got {len(dims)} dimensions)")
        return
    if not op.is_static and _unknown(op) and kind not in ("shim_noc", None):
        report.error(op, f"has a run-time {_unknown(op)}; only BDs of shim tiles take values of the runtime sequence")
        return
    bits, memref = element_bits(op.buffer.type), op.buffer.type
    if bits is None or (op.len is None and not (isinstance(memref, ir.MemRefType) and memref.has_static_shape)):
        return
    length = op.len if op.len is not None else prod(memref.shape)
    if op.len_operand is None:
        check_length(op, kind, length, bits, report)


def _check_ids(op: DMABDOp, place: Place | None, report: Report) -> bool:
    most = place.tile.bds if place is not None else 0
    for name, item in (("bdId", op.bd_id), ("nextBdId", op.next_bd_id)):
        if place is not None and item is not None and not 0 <= item < most:
            report.error(op, f"{name} attribute exceeds max: {most - 1}, found {item}")
            return False
    if op.packet is not None:
        return check_packet(op, op.packet, report)
    return True


def check_packet(op: ir.OpView, packet: ir.Attribute, report: Report) -> bool:
    """Whether a packet's type and id fit the header."""
    kind, number = (size_stride_pairs(packet) or [(0, 0)])[0]
    if not 0 <= kind <= MAX_PACKET_TYPE:
        report.error(op, f"Packet type field can only hold 3 bits. Found {kind}")
        return False
    if not 0 <= number <= MAX_PACKET_ID:
        report.error(op, f"Packet ID field can only hold 5 bits. Found {number}")
        return False
    return True


def _check_start(op: DMABDOp, source: ir.Operation, kind: str | None, bits: int, report: Report) -> None:
    if kind in ("core", "mem") and "address" in source.attributes:
        start = source.attributes["address"].value + op.offset * bits // 8
        if start % 4:
            report.error(op, f"bd address must be 4 byte (32b) aligned; got base+offset: {start} (bytes)")
            return
    if op.burst_length and kind not in ("shim_noc", None):
        report.error(
            op,
            "Burst length is only supported in Shim NOC tiles that are connected to the memory-mapped NOC, "
            f"found {op.burst_length} in a {kind} tile",
        )
