"""aie-place-tiles."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes.place._tiles import Placement


@dataclass(frozen=True)
class AiePlaceTiles(Pass):
    """Gives logical tiles a column and a row, and makes tiles of them.

    Cores come first, those that say most of their place and then those whose objectFifos to other cores outnumber their DMA
    channels, as these need the other core beside them. Each gets the first place that is free from the left, column by column
    and upwards, that suits: buffers that its code names are in reach, a cascade comes from the core in the north or the west,
    its channels suffice, and those of its neighbours that need places beside them keep these. `cores-per-col` bounds the cores
    of a column. With `placer=sa_placer`, and where a core finds no place, cores are then moved by simulated annealing, so that
    ways get short; `sa_placer` also gives buffers that a core has no room for to a neighbour (`aie.objectfifo.allocate`).

    Memtiles and shim tiles come after them, those first that take most channels, each in the column from which the ways to the
    other ends of its objectFifos and flows are shortest, or the nearest in which the DMA has channels left; there several share
    one tile, unless `merge-logical-tiles` is false. What a logical tile says of its column or row stays.

    Before:

        %core = aie.logical_tile<CoreTile>(?, ?)
        %shim = aie.logical_tile<ShimNOCTile>(?, ?)
        aie.objectfifo @in(%shim, {%core}, 2 : i32) : !aie.objectfifo<memref<16xi32>>

    After:

        %tile_0_2 = aie.tile(0, 2)
        %shim_noc_tile_0_0 = aie.tile(0, 0)
        aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    """

    name = "aie-place-tiles"
    anchor = "aie.device"
    works_on = ("aie.*",)
    placer: Literal["sequential_placer", "sa_placer"] = "sequential_placer"
    """How cores are placed: one after the other, or moved by simulated annealing after that."""
    cores_per_col: int = -1
    """Cores of a column at most; -1 for all that it has."""
    merge_logical_tiles: bool = True
    """Let several logical memtiles or shim tiles share a tile."""
    sa_seed: int = 1
    """Where the random numbers of the annealing begin."""

    def run(self, op: AnyOp, /) -> None:
        seed = self.sa_seed if self.placer == "sa_placer" else None
        Placement(op, merge=self.merge_logical_tiles, per_column=self.cores_per_col, seed=seed).run()
