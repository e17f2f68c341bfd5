"""Builds the DMA programs: a ring of BDs for each end that is not at a shim, or that has external buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from allo_air.access.dims import volume
from allo_air.core.diagnostics import error_at
from allo_air.dialects import aie
from allo_air.dialects._places import paired
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design, Dims, End, Storage, count

_PROGRAMS = {"core": aie.MemOp, "mem": aie.MemTileDMAOp, "shim_noc": aie.ShimDMAOp}


def build(design: Design, packets: dict[str, ir.Attribute], *, repeats: bool) -> None:
    """Builds the programs of all tiles; channels of an existing program follow the new ones. With `repeats`, a DMA that sends
    a single object repeatedly uses a repeat count; otherwise its ring has as many BDs.
    """
    rings: dict[Any, list[End]] = {}
    for fifo in design.fifos.values():
        for end in (fifo.producer, *fifo.consumers) if fifo.consumers else ():
            if end is not None and end.storage is not None and end.storage.buffers:
                if end.external and end.link is None:
                    end.storage.buffers = end.external
                rings.setdefault(end.tile, []).append(end)
    for tile, ends in rings.items():
        kind = _PROGRAMS[design.device.kind(*ends[0].place)]
        _program(design, kind, tile, ends, packets, repeats)


def _program(
    design: Design, kind: Any, tile: ir.Value, ends: list[End], packets: dict[str, ir.Attribute], repeats: bool
) -> None:
    existing = [o for o in design.block.operations if o.operation.name == kind.OPERATION_NAME and o.tile == tile]
    holder = existing[0] if existing else kind(tile=tile, loc=ends[0].op.location, ip=_program_point(design))
    if not existing:
        aie.EndOp(loc=ends[0].op.location, ip=ir.InsertionPoint(holder.body.blocks.append()))
    after = holder.body.blocks[0]
    runs = [end.times if repeats and len(_storage(end).buffers) == 1 else 1 for end in ends]
    bds = [list(_bds(end, end.times // run)) for end, run in zip(ends, runs, strict=True)]
    results = [[after.create_before() for _ in range(1 + len(chain))] for chain in bds]
    heads = [*(blocks[0] for blocks in results[1:]), after]
    for end, run, chain, (start, *blocks), following in zip(ends, runs, bds, results, heads, strict=True):
        _start(end, run, start, blocks[0], following)
        _ring(end, chain, blocks, packets)


def _start(end: End, runs: int, start: ir.Block, first: ir.Block, chain: ir.Block) -> None:
    """Starts a channel in block `start`; one iteration executes its BDs from `first` on `times` times."""
    aie.DMAStartOp(
        channel_dir="MM2S" if end.produces else "S2MM",
        channel_index=end.channel,
        repeat_count=runs * (end.iterations or 1) - 1,
        pad_value=end.op.padValue if end.pads else None,
        dest=first,
        chain=chain,
        loc=end.op.location,
        ip=ir.InsertionPoint(start),
    )


def _ring(end: End, bds: list[Any], blocks: list[ir.Block], packets: Mapping[str, ir.Attribute]) -> None:
    """The BDs of a channel, one for each of `blocks`."""
    stop = _end_block(blocks[0].region) if end.iterations is not None else blocks[0]
    packet = packets.get(end.op.sym_name) if end.produces else None
    for (buffer, piece), block, following in zip(bds, blocks, [*blocks[1:], stop], strict=True):
        _bd(end, buffer, piece, packet, block, following)


def _program_point(design: Design) -> ir.InsertionPoint:
    """The insertion point of programs: before the runtime sequences, and after the operations that programs use."""
    ops = list(design.block.operations)
    first_point = 1 + max(n for n, op in enumerate(ops) if op.operation.name in ("aie.tile", "aie.buffer", "aie.lock"))
    for op in ops[first_point:]:
        if op.operation.name in ("aie.runtime_sequence", "aie.shim_dma_allocation"):
            return ir.InsertionPoint(op)
    return ir.InsertionPoint(design.block)


def _end_block(region: ir.Region) -> ir.Block:
    return next(b for b in region.blocks if len(b.operations) and b.operations[-1].operation.name == "aie.end")


def _storage(end: End) -> Storage:
    assert end.storage is not None
    return end.storage


def _bds(end: End, times: int) -> Iterator[tuple[Any, tuple[int, int, int]]]:
    """Each buffer with its number of repetitions, piece by piece."""
    for buffer in _storage(end).buffers:
        for _ in range(times):
            for piece in end.pieces:
                yield buffer, piece


def _bd(
    end: End, buffer: ir.Value, piece: tuple[int, int, int], packet: ir.Attribute | None, block: ir.Block, following: ir.Block
) -> None:
    offset, length, pair = piece
    location, ip = end.op.location, ir.InsertionPoint(block)
    locks_of_buffers = _storage(end).locks
    locks = locks_of_buffers[pair] if locks_of_buffers else None
    flag = _storage(end).flags[_storage(end).buffers.index(buffer)] if _storage(end).flags else None
    if flag is not None:
        aie.UseLockOp(lock=flag, action="Acquire", value=int(end.produces), loc=location, ip=ip)
    if locks is not None:
        acquired = locks[1] if end.produces else locks[0]
        aie.UseLockOp(lock=acquired, action="AcquireGreaterEqual", value=end.takes, loc=location, ip=ip)
    if end.external:
        length = min(length, prod(buffer.type.shape))
    dims, length = _fitted(end, length)
    aie.DMABDOp(
        buffer=buffer,
        offset=offset,
        len=length,
        dimensions=paired(dims, "bd_dim_layout_array"),
        pad_dimensions=paired(end.pads, "bd_pad_layout_array"),
        packet=packet,
        loc=location,
        ip=ip,
    )
    if locks is not None:
        aie.UseLockOp(lock=locks[0] if end.produces else locks[1], action="Release", value=end.takes, loc=location, ip=ip)
    if flag is not None:
        aie.UseLockOp(lock=flag, action="Release", value=int(not end.produces), loc=location, ip=ip)
    aie.NextBDOp(dest=following, loc=location, ip=ip)


def _fitted(end: End, length: int) -> tuple[Dims, int]:
    """The dimensions for one piece and its length, padding included.

    Dimensions of a whole joined or distributed object are split if the outermost dimension steps from part to part.
    """
    if not end.dims:
        if end.pads:
            raise error_at(end.op, "has padDimensions without dimensionsToStream; padding needs as many dimensions")
        return [], length
    if end.pads:
        if len(end.pads) != len(end.dims):
            raise error_at(
                end.op,
                f"has {counted(len(end.pads), 'padding')} for {counted(len(end.dims), 'dimension')}; expected one for each",
            )
        padded = prod(b + size + a for (size, _), (b, a) in zip(end.dims, end.pads, strict=True))
        if padded != count(end.element):
            raise error_at(
                end.op, f"sends {counted(padded, 'element')} with its padding; its objects have {count(end.element)}"
            )
        return end.dims, padded
    (outer, stride), *inner = end.dims
    moved = volume(inner)
    if outer * moved == length:
        return end.dims, length
    if len(end.pieces) > 1 and length % moved == 0 and stride * (length // moved) == length < outer * moved:
        return [(length // moved, stride), *inner], length
    raise error_at(
        end.op,
        f"has dimensions that move {counted(outer * moved, 'element')} on tile {end.place}, where each BD moves "
        f"{length}; they must agree",
    )
