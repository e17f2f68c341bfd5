"""air-loop-merging."""

from dataclasses import dataclass
from math import prod

from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Dim
from allo_air.core.pass_ import Pass
from allo_air.errors import counted
from allo_air.mlir import AnyOp, affine, ir
from allo_air.passes._ir.affine_loops import body_of, dims_of, empty_nest, labelled, move_body


@dataclass(frozen=True)
class AirLoopMerging(Pass):
    """Merges adjacent loops of labelled perfect nests of `affine.for` into one loop.

    `loop-merge-levels` are the depths of the loops, from 0. Their induction variables are computed from that of the new loop.

    Before (`air-loop-merging{loop-merge-levels=0,1}`):

        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 8 {
            "use"(%i, %j) : (index, index) -> ()
          }
        } {affine_opt_label = "nest"}

    After:

        affine.for %n = 0 to 32 {
          %i = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%n)
          %j = affine.apply affine_map<(d0) -> (d0 mod 8)>(%n)
          "use"(%i, %j) : (index, index) -> ()
        }
    """

    name = "air-loop-merging"
    anchor = "func.func"
    works_on = ("affine.for",)
    loop_merge_levels: tuple[int, ...]
    """Consecutive depths of the loops to merge, from 0."""
    air_label: str = ""
    """Merge only in nests with this `affine_opt_label`."""
    air_post_label: str = ""
    """The label of the resulting nests; by default none."""

    def run(self, op: AnyOp, /) -> None:
        levels = self.loop_merge_levels
        for nest in labelled(op, self.air_label):
            if not levels or levels[0] < 0 or levels[-1] >= len(nest) or list(levels) != list(range(levels[0], levels[-1] + 1)):
                raise error_at(
                    nest[0],
                    f"is a perfect nest of "
                    f"{counted(len(nest), 'loop')}, and loop-merge-levels={','.join(map(str, levels))} does not"
                    f" name adjacent ones; give consecutive depths from 0 to {len(nest) - 1}",
                )
            self._merge(nest)

    def _merge(self, nest: list[ir.Operation]) -> None:
        first, last = self.loop_merge_levels[0], self.loop_merge_levels[-1]
        dims = dims_of(nest, "merged")
        merged = dims[first : last + 1]
        one = Dim(None, 0, prod(dim.trips for dim in merged), 1)
        with ir.InsertionPoint(nest[0]), nest[0].location:
            result = empty_nest([*dims[:first], one, *dims[last + 1 :]], [self.air_post_label])
        for dim, loop in zip([*dims[:first], *dims[last + 1 :]], [*result[:first], *result[first + 1 :]], strict=True):
            dim.iv.replace_all_uses_with(body_of(loop).arguments[0])
        counter = body_of(result[first]).arguments[0]
        with ir.InsertionPoint.at_block_begin(body_of(result[first])), nest[0].location:
            for n, dim in enumerate(merged):
                inside = prod(inner.trips for inner in merged[n + 1 :])
                place: ir.AffineExpr = ir.AffineExpr.get_floor_div(ir.AffineExpr.get_dim(0), inside)
                if n:
                    place = ir.AffineExpr.get_mod(place, dim.trips)
                made_iv = affine.apply(ir.AffineMap.get(1, 0, [place * dim.step + dim.lower]), [counter])
                dim.iv.replace_all_uses_with(made_iv)
        move_body(nest[-1], result[-1])
        nest[0].erase()
