"""air-loop-permutation."""

from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.affine_loops import body_of, dims_of, empty_nest, labelled, move_body


@dataclass(frozen=True)
class AirLoopPermutation(Pass):
    """Permutes the loops of labelled perfect nests of `affine.for`: the loop at depth n goes to depth `loop-order`[n].

    Only nests whose outermost loop has an `affine_opt_label` are changed; with `air-label`, only those with this label. The
    iterations of a labelled nest must be independent.

    Before (`air-loop-permutation{loop-order=1,0}`):

        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 8 {
            "use"(%i, %j) : (index, index) -> ()
          }
        } {affine_opt_label = "nest"}

    After:

        affine.for %j = 0 to 8 {
          affine.for %i = 0 to 4 {
            "use"(%i, %j) : (index, index) -> ()
          }
        }
    """

    name = "air-loop-permutation"
    anchor = "func.func"
    works_on = ("affine.for",)
    loop_order: tuple[int, ...]
    """The new depth of each loop, from 0, outermost loop first."""
    air_label: str = ""
    """Permute only nests with this `affine_opt_label`."""
    air_post_label: str = ""
    """The label of the resulting nests; by default none."""

    def run(self, op: AnyOp, /) -> None:
        order = self.loop_order
        for nest in labelled(op, self.air_label, len(order)):
            if len(nest) < len(order) or sorted(order) != list(range(len(order))):
                raise error_at(
                    nest[0],
                    f"is a perfect nest of "
                    f"{counted(len(nest), 'loop')}, and loop-order={','.join(map(str, order))} is not an order of"
                    f" {len(order)} of them; give each of 0 to {len(nest) - 1} once",
                )
            self._permute(nest)

    def _permute(self, nest: list[ir.Operation]) -> None:
        dims = dims_of(nest, "exchanged")
        places = [self.loop_order.index(depth) for depth in range(len(nest))]
        with ir.InsertionPoint(nest[0]), nest[0].location:
            result = empty_nest([dims[n] for n in places], [self.air_post_label])
        move_body(nest[-1], result[-1])
        for n, loop in zip(places, result, strict=True):
            dims[n].iv.replace_all_uses_with(body_of(loop).arguments[0])
        nest[0].erase()
