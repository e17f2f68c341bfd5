"""Converts DMA programs to register writes: their BDs, then the starts of their channels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_REPEAT
from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.declarations import place_of
from allo_air.errors import counted
from allo_air.target.bd_layout import encode
from allo_air.target.configuration.bd import bd_fields
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, QUEUE_BASE
from allo_air.target.npu_words import BlockWrite, MaskWrite, Write
from allo_air.target.registers import CHANNEL_ENABLE, MEM_PAD_VALUE

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMAStartOp
    from allo_air.mlir import AnyOp, ir

_TOKEN = 1 << 31


def dma_program(device: Device, op: ir.OpView) -> Iterator[Write | MaskWrite | BlockWrite]:
    """The BDs of an `aie.mem`, `aie.memtile_dma` or `aie.shim_dma`, then the starts of its channels."""
    tile = place_of(op, op.tile)
    blocks = list(op.body.blocks)
    chains = [o for block in blocks for o in block.operations if o.operation.name == "aie.dma"]
    if chains:
        regions = [[block for region in chain.bds for block in region.blocks] for chain in chains]
        described = [block for region in regions for block in region]
        starts = [(chain, region) for chain, region in zip(chains, regions, strict=True) if region]
    else:
        described = _depth_first(blocks)
        results = [o for block in described for o in block.operations if o.operation.name == "aie.dma_start"]
        starts = [(start, _depth_first([start.dest])) for start in results]
    for block in described:
        if (bd := _bd_of(block)) is not None:
            yield _descriptor(device, tile, block, bd)
    for start, run in starts:
        if not start.channel_dir:
            _refuse_padding(run)
        yield from _start(device, tile, start, _bd_of(run[0]))


def _depth_first(blocks: list[ir.Block]) -> list[Any]:
    """The blocks reachable from the first one, in depth-first order."""
    listed, stack = [blocks[0]], [blocks[0]]
    while stack:
        block = stack.pop()
        for follower in block.operations[-1].operation.successors:
            if follower not in listed:
                listed.append(follower)
                stack.append(follower)
    return listed


def _bd_of(block: ir.Block) -> Any | None:
    return next((o for o in block.operations if o.operation.name == "aie.dma_bd"), None)


def _refuse_padding(received: list[ir.Block]) -> None:
    """DiagnosticError if a BD of an S2MM channel pads, since only MM2S channels can send zeros."""
    for block in received:
        bd = _bd_of(block)
        if bd is not None and bd.pad_dimensions is not None and any(map(any, size_stride_pairs(bd.pad_dimensions))):
            raise error_at(bd, "pads what an S2MM channel receives; only MM2S channels send zeros: pad in the BD that sends")


def bd_id(device: Device, tile: Coordinate, bd: Any) -> int:
    """The number of an `aie.dma_bd`; raises DiagnosticError if it has none, or if the tile has no such BD."""
    if bd.bd_id is None:
        raise error_at(bd, f"of tile {tile} has no number; run aie-assign-bd-ids first")
    count = device.tile(*tile).bds
    for number in (bd.bd_id, bd.next_bd_id or 0):
        if not 0 <= number < count:
            raise error_at(bd, f"names BD {number}; tile {tile} has BDs 0 to {count - 1}")
    return int(bd.bd_id)


def _descriptor(device: Device, tile: Coordinate, block: Any, bd: AnyOp) -> BlockWrite:
    kind = device.kind(*tile)
    number = bd_id(device, tile, bd)
    uses = [o for o in block.operations if o.operation.name == "aie.use_lock"]
    packets = [o for o in block.operations if o.operation.name == "aie.dma_bd_packet"]
    fields = bd_fields(device, tile, bd, uses, packets)
    return BlockWrite(device.address(*tile, BD_BASE[kind] + BD_STRIDE * number), encode(kind, fields))


def _start(device: Device, tile: Coordinate, start: DMAStartOp, bd: AnyOp | None) -> Iterator[Write | MaskWrite]:
    direction, channel = start.channel_dir, start.channel_index
    kind = device.kind(*tile)
    name = f"{('S2MM', 'MM2S')[direction]} {channel}"
    if bd is None:
        raise error_at(start, f"starts {name} of tile {tile} at a block without an aie.dma_bd")
    if not 0 <= channel < device.tile(*tile).channels[direction]:
        raise error_at(start, f"starts {name}, which tile {tile} does not have")
    repeat = start.repeat_count or 0
    if not 0 <= repeat < MAX_REPEAT:
        raise error_at(
            start,
            f"repeats {name} of tile {tile} {counted(repeat, 'time')}; a channel repeats 0 to "
            f"{counted(MAX_REPEAT - 1, 'time')}",
        )
    pad = start.operation.attributes["pad_value"].value if "pad_value" in start.operation.attributes else None
    if pad is not None:
        if kind != "mem" or direction != 1 or not arch_of(device).pad_values:
            raise error_at(start, f"pads with {pad}: only MM2S channels of memtiles of AIE2p have a padding value")
        yield Write(device.address(*tile, MEM_PAD_VALUE + 4 * channel), pad & 0xFFFFFFFF)
    queue = device.address(*tile, QUEUE_BASE[kind][direction] + 8 * channel)
    token = _TOKEN if kind == "shim_noc" and direction == 0 else 0
    yield Write(queue, bd_id(device, tile, bd) | repeat << 16 | token)
    yield MaskWrite(queue - 4, CHANNEL_ENABLE, 0)  # aie-rt's mask is 0: only a transaction, which has none, writes it
