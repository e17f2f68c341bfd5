"""aie-assign-bd-ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Coordinate, Tile
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.mlir import ir
from allo_air.passes.resources._chains import PROGRAMS, Chain, chains

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoRearmBindingOp
    from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class AieAssignBdIds(Pass):
    """Numbers the buffer descriptors of DMA programs with the lowest free numbers, and records the successor of each.

    On memtiles even channels have the lower half of the descriptors, odd ones the upper half (docs/sources.md#device).

    Before:

          %0 = aie.dma_start(S2MM, 1, ^bb1, ^bb2)
        ^bb1:
          aie.dma_bd(%buf : memref<8xi32>, 0, 8)
          aie.next_bd ^bb1

    After, on a memtile:

          aie.dma_bd(%buf : memref<8xi32>, 0, 8) {bd_id = 24 : i32, next_bd_id = 24 : i32}
    """

    name = "aie-assign-bd-ids"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        for program in declarations(op, *PROGRAMS):
            place = place_of(program, program.tile)
            _number(place, chains(program), device_of(op).tile(*place))
        for binding in declarations(op, "aie.objectfifo_rearm_binding"):
            _rearm(op, binding)


def _rearm(device: AnyOp, binding: ObjectFifoRearmBindingOp) -> None:
    """Records the first BD and the repeat count of each channel that a reset of an objectFifo restarts; -1 if it has none."""
    heads: dict[Any, tuple[int, int]] = {}
    for program in declarations(device, *PROGRAMS):
        place = place_of(program, program.tile)
        for start in [o.opview for o in walk_named(program, "aie.dma_start")]:
            inner_ops = [o for o in start.operation.successors[0].operations if o.operation.name == "aie.dma_bd"]
            if inner_ops and inner_ops[0].bd_id is not None:
                heads[(*place, start.channel_dir, start.channel_index)] = inner_ops[0].bd_id, start.repeat_count or 0
    keys = [
        (*place_of(binding, tile), direction, index)
        for tile, direction, index in zip(binding.channels, binding.channel_dirs, binding.channel_indices, strict=True)
    ]
    binding.head_bd_ids = [heads.get(key, (-1, 0))[0] for key in keys]
    binding.repeat_counts = [heads.get(key, (-1, 0))[1] for key in keys]


def _number(place: Coordinate, items: list[Chain], tile: Tile) -> None:
    values = {bd.bd_id for chain in items for bd in chain.bds if bd.bd_id is not None}
    for chain in items:
        usable = _usable(tile, chain.channel)
        for bd in chain.bds:
            if bd.bd_id is not None:
                if bd.bd_id not in usable:
                    raise error_at(
                        bd, f"has BD id {bd.bd_id}; channel {chain.channel} of tile {place} has {usable[0]} to {usable[-1]}"
                    )
                continue
            number = next((i for i in usable if i not in values), None)
            if number is None:
                raise error_at(
                    bd,
                    f"Allocator exhausted available BD IDs (maximum {len(usable)} available): channel {chain.channel} of tile"
                    f" {place} has these, and all are taken",
                )
            values.add(number)
            bd.bd_id = number
        for bd, following in zip(chain.bds, chain.following, strict=True):
            if following is not None:
                bd.next_bd_id = chain.bds[following].bd_id


def _usable(tile: Tile, channel: int) -> range:
    if tile.kind != "mem":
        return range(tile.bds)
    return range(tile.bds // 2) if channel % 2 == 0 else range(tile.bds // 2, tile.bds)
