"""air-lower-herd-parallel."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes._ir.serial import to_for_nest


@dataclass(frozen=True)
class AirLowerHerdParallel(Pass):
    """Turns each scf.parallel in a herd into a nest of scf.for, since a core runs one iteration after another.

    Reductions are carried by the loops, from the initial values on.

    Before:

        scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) {
          "use"(%i, %j) : (index, index) -> ()
        }

    After:

        scf.for %i = %c0 to %c4 step %c1 {
          scf.for %j = %c0 to %c8 step %c1 {
            "use"(%i, %j) : (index, index) -> ()
          }
        }
    """

    name = "air-lower-herd-parallel"
    anchor = "func.func"

    def run(self, op: AnyOp, /) -> None:
        for herd in walk_named(op, "air.herd"):
            for loop in reversed(walk_named(herd, "scf.parallel")):
                to_for_nest(loop)
        fold_greedily(op)
