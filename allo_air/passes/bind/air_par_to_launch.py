"""air-par-to-launch."""

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._launch import add_segment, to_launch
from allo_air.passes.bind._outline import candidates


@dataclass(frozen=True)
class AirParToLaunch(Pass):
    """Turns parallel loops into `air.launch`, optionally with an `air.segment` around the whole body.

    `depth` counts the parallel loops around a loop: 0 is outermost, -1 innermost, other negative numbers select all. Loops
    that are inside a hierarchy or contain a launch stay. Bounds must be constant; a loop without iterations is erased. The
    segment gets the launch's ids, sizes and arguments, and is named after the function, `@f_0`, `@f_1`, ...

    Before (`air-par-to-launch{has-air-segment=true}`):

        scf.parallel (%i) = (%c0) to (%c8) step (%c2) {
          "use"(%i, %a) : (index, memref<8xi32>) -> ()
        }

    After:

        air.launch (%i) in (%n=%c4) args(%x=%a) : memref<8xi32> {
          air.segment @f_0 args(%j=%i, %m=%n, %y=%x) : index, index, memref<8xi32> {
            %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
            "use"(%k, %y) : (index, memref<8xi32>) -> ()
          }
        }
    """

    name = "air-par-to-launch"
    anchor = "builtin.module"
    works_on = ("scf.parallel", "scf.forall", "affine.parallel")
    depth: int = -2
    """Parallel loops around those that become launches: 0 for outermost ones, -1 for innermost ones, other negative numbers
    for all."""
    has_air_segment: bool = False
    """Put a segment around the body of each launch."""

    def run(self, op: Any, /) -> None:
        dialects.load(op.context, ("air",))
        names = Names(op)
        for loop in candidates(op, self.depth, "air.launch", inside=HIERARCHIES, containing=["air.launch", "air.rank"]):
            launch = to_launch(loop)
            if self.has_air_segment and not walk_named(launch, "air.segment"):
                add_segment(launch, names)
        for item in walk_named(op, "air.launch"):
            lower_affine_scope(item)
