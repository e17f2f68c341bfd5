"""air-par-to-segment."""

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import SegmentOp
from allo_air.passes._analysis.parallel import PADDING
from allo_air.passes._ir.names import Names, name_around
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._outline import candidates, check_no_reduction, outline


@dataclass(frozen=True)
class AirParToSegment(Pass):
    """Turns parallel loops into `air.segment`, with one instance of the segment for each iteration.

    `depth` counts the parallel loops around a loop: 0 is outermost, -1 innermost, other negative numbers select all. Loops
    that are inside a segment or herd, or contain one, stay. Bounds must be constant; a loop without iterations is erased.
    Segments are named after the function, `@f_0`, `@f_1`, ...

    Before (`air-par-to-segment`):

        scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
          "use"(%i, %a) : (index, memref<8xi32>) -> ()
        }

    After:

        air.segment @f_0 unroll (%i) in (%n=%c2) args(%x=%a) : memref<8xi32> {
          "use"(%i, %x) : (index, memref<8xi32>) -> ()
        }
    """

    name = "air-par-to-segment"
    anchor = "builtin.module"
    works_on = ("scf.parallel", "scf.forall", "affine.parallel")
    depth: int = -2
    """Parallel loops around those that become segments: 0 for outermost ones, -1 for innermost ones, other negative numbers
    for all."""

    def run(self, op: Any, /) -> None:
        dialects.load(op.context, ("air",))
        names = Names(op)
        for loop in candidates(op, self.depth, "air.segment", inside=("air.segment", "air.herd"), containing=["air.segment"]):
            check_no_reduction(loop, "air.segment")
            grid = loop.grid or (PADDING,)
            outline(loop, SegmentOp, grid, loop.body, sym_name=names.fresh(name_around(loop.op, "segment")))
            loop.op.erase()
        for item in walk_named(op, "air.segment"):
            lower_affine_scope(item)
