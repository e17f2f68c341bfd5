"""affine-loop-opt."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.affine_loops import check_even, dims_of, labelled, tile


@dataclass(frozen=True)
class AffineLoopOpt(Pass):
    """Tiles labelled nests of `affine.for` loops, which air-to-std emits for launches.

    `affine-opt-tile-sizes` gives iterations per tile, outermost loop first; loops beyond the list stay, and without a list
    nothing changes. `affine-opt-label` (also accepted as mlir-air's spelling `aaffine-opt-label`) restricts the pass to nests
    with that `affine_opt_label`; a tiled nest gets `affine-opt-post-label` instead, or none. Iterations of a labelled nest
    must be independent; those of a launch are. Copies to faster memory (`affine-opt-copy-depths`) and separate partial tiles
    are not supported and raise an error.

    Before (`affine-loop-opt{affine-opt-tile-sizes=4}`):

        affine.for %i = 0 to 10 {
          "use"(%i) : (index) -> ()
        } {affine_opt_label = "tiling"}

    After:

        affine.for %t = 0 to 10 step 4 {
          affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 4, 10)>(%t) {
            "use"(%i) : (index) -> ()
          }
        }
    """

    name = "affine-loop-opt"
    anchor = "func.func"
    affine_opt_tile_sizes: tuple[int, ...] = ()
    """Iterations per tile, outermost loop first; without a list nothing is done."""
    affine_opt_copy_depths: tuple[int, ...] = ()
    """Not supported: depths at which mlir-air makes copies to faster memory."""
    affine_opt_copy_fast_space: int = 1
    """Not supported: the memory space of these copies."""
    affine_opt_copy_slow_space: int | None = None
    """Not supported: the memory space that these copies read."""
    affine_opt_tile_separate: bool = False
    """Not supported: separate loops for partial tiles."""
    affine_opt_label: str = ""
    """Tile only nests with this `affine_opt_label`."""
    aaffine_opt_label: str = ""
    """The same in mlir-air's spelling."""
    affine_opt_post_label: str = ""
    """The label of tiled nests; by default none."""

    def run(self, op: AnyOp, /) -> None:
        if self.affine_opt_copy_depths:
            raise PassError(
                f"{self.name}: affine-opt-copy-depths={','.join(map(str, self.affine_opt_copy_depths))}: copies to faster"
                " memory are not made; the control program only starts DMA transfers: leave the option out"
            )
        if any(size < 1 for size in self.affine_opt_tile_sizes):
            raise PassError(f"{self.name}: affine-opt-tile-sizes={self.affine_opt_tile_sizes}: each must be at least 1")
        if not self.affine_opt_tile_sizes:
            return
        for nest in labelled(op, self.affine_opt_label or self.aaffine_opt_label, len(self.affine_opt_tile_sizes)):
            self._tile(nest)

    def _tile(self, nest: list[ir.Operation]) -> None:
        ranges = dims_of(nest, "tiled")
        sizes = self.affine_opt_tile_sizes[: len(nest)]
        if self.affine_opt_tile_separate:
            check_even(nest, ranges, sizes)
        tile(nest, ranges, sizes, self.affine_opt_post_label)
