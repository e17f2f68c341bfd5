"""aie-place-tiles."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes.place._tiles import Placement


@dataclass(frozen=True)
class AiePlaceTiles(Pass):
    """Places logical tiles and replaces them by tiles.

    Cores are placed first: those with the most constraints, then those with more objectFifos to other cores than DMA channels,
    which need an adjacent partner. Each takes the first suitable free place from the left, column by column and upwards. A
    place is suitable if the buffers that the code names are in reach, a cascade comes from the core in the north or the west,
    the channels suffice, and neighbours that need adjacent places keep them. `cores-per-col` limits the cores of a column. With
    `placer=sa_placer`, or if a core finds no place, simulated annealing moves cores to shorten connections; `sa_placer` also
    gives buffers that do not fit into a core to a neighbour (`aie.objectfifo.allocate`).

    Memtiles and shim tiles follow, those with the most channels first. Each takes the column with the shortest connections to
    the other ends of its objectFifos and flows, or the nearest one with free channels. Several share one tile, unless
    `merge-logical-tiles` is false. The column or row of a logical tile is respected.

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
    """How cores are placed: one after another, or improved by simulated annealing."""
    cores_per_col: int = -1
    """Largest number of cores in a column; -1 for all."""
    merge_logical_tiles: bool = True
    """Let several logical memtiles or shim tiles share a tile."""
    sa_seed: int = 1
    """The seed of the simulated annealing."""

    def run(self, op: AnyOp, /) -> None:
        seed = self.sa_seed if self.placer == "sa_placer" else None
        Placement(op, merge=self.merge_logical_tiles, per_column=self.cores_per_col, seed=seed).run()
