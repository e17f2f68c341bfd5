"""The channels and buffer descriptors of a DMA program, in the order in which they run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import walk_named
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMAStartOp

PROGRAMS = ("aie.mem", "aie.memtile_dma", "aie.shim_dma")


@dataclass(frozen=True)
class Chain:
    """One channel: `bds` are its `aie.dma_bd`s; `following` has, for each BD, the position in `bds` of the next one, or
    None."""

    direction: int
    channel: int
    bds: list[Any]
    following: list[int | None]


def chains(program: ir.OpView) -> list[Chain]:
    """All channels of a program: those of `aie.dma_start`, then those of `aie.dma`."""
    results = [_started(start.opview) for start in walk_named(program, "aie.dma_start")]
    for op in [o.opview for o in walk_named(program, "aie.dma")]:
        bds = [bd.opview for region in op.bds for bd in _in_region(region)]
        last: list[int | None] = [0] if op.loop else [None]
        results.append(Chain(op.channel_dir, op.channel_index, bds, [*range(1, len(bds)), *last][: len(bds)]))
    return results


def _in_region(region: ir.Region) -> list[Any]:
    return [o.operation for block in region.blocks for o in block.operations if o.operation.name == "aie.dma_bd"]


def _started(start: DMAStartOp) -> Chain:
    blocks: list[Any] = []
    block = start.dest
    while block is not None and block not in blocks and _bd(block) is not None:
        blocks.append(block)
        block = _next(block)
    following = [next((i for i, b in enumerate(blocks) if b == _next(block)), None) for block in blocks]
    return Chain(start.channel_dir, start.channel_index, [_bd(b).opview for b in blocks], following)


def _bd(block: ir.Block) -> Any:
    return next((o.operation for o in block.operations if o.operation.name == "aie.dma_bd"), None)


def _next(block: ir.Block) -> Any:
    last = block.operations[-1].operation
    return last.successors[0] if last.name == "aie.next_bd" else None
