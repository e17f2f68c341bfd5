"""aie-place-tiles."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes.place._tiles import Placement


@dataclass(frozen=True)
class AiePlaceTiles(Pass):
    """Gives logical tiles a column and a row, and makes tiles of them.

    Core tiles get a place each: the first that is free from the left, column by column and upwards. Memtiles and shim tiles
    come after them, each in the column nearest to the tiles that its objectFifos lead to in which the DMA has channels left;
    there several share one tile, unless `merge-logical-tiles` is false. What a logical tile says of its column or row stays.

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
    merge_logical_tiles: bool = True
    """Let several logical memtiles or shim tiles share a tile."""

    def run(self, op: AnyOp, /) -> None:
        Placement(op, merge=self.merge_logical_tiles).run()
