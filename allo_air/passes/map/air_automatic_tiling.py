"""air-automatic-tiling."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp
from allo_air.passes._ir.affine_loops import check_even, dims_of, labelled, tile


@dataclass(frozen=True)
class AirAutomaticTiling(Pass):
    """Tiles labelled perfect nests of `affine.for`: all loops by one size, or each by the largest prime factor of its trip
    count.

    The iterations of a labelled nest must be independent. For linalg operations, use transform scripts instead.

    Before (`air-automatic-tiling{loop-tile-sizes=4}`):

        affine.for %i = 0 to 16 {
          "use"(%i) : (index) -> ()
        } {affine_opt_label = "nest"}

    After:

        affine.for %t = 0 to 16 step 4 {
          affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 4)>(%t) {
            "use"(%i) : (index) -> ()
          }
        }
    """

    name = "air-automatic-tiling"
    anchor = "func.func"
    works_on = ("affine.for",)
    loop_tile_sizes: tuple[int, ...] = ()
    """Iterations per tile, outermost loop first; a single number applies to every loop."""
    tile_separate: bool = False
    """Reject partial tiles instead of bounding them by a minimum."""
    air_label: str = ""
    """Tile only nests with this `affine_opt_label`."""
    air_post_label: str = ""
    """The label of the resulting nests; by default none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(size < 1 for size in self.loop_tile_sizes):
            raise OptionError(f"pass '{self.name}': option 'loop-tile-sizes' has a size below 1")

    def run(self, op: AnyOp, /) -> None:
        loop_tile_sizes = self.loop_tile_sizes
        for nest in labelled(op, self.air_label, len(loop_tile_sizes) if len(loop_tile_sizes) > 1 else None):
            dims = dims_of(nest, "tiled")
            sizes = [largest_prime_factor(d.trips) for d in dims] if not loop_tile_sizes else list(loop_tile_sizes)
            sizes = sizes * len(nest) if len(loop_tile_sizes) == 1 else sizes[: len(nest)]
            if self.tile_separate:
                check_even(nest, dims, sizes)
            tile(nest, dims, sizes, self.air_post_label)


def largest_prime_factor(number: int) -> int:
    """The largest prime that divides `number`; 1 for numbers below 2."""
    result, factor = 1, 2
    while factor * factor <= number:
        if number % factor:
            factor += 1
        else:
            result, number = factor, number // factor
    return max(result, number) if number > 1 else result
