"""air-label-scf-for-in-segment."""

from dataclasses import dataclass

from allo_air.core.loops import Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.scope import in_scope
from allo_air.passes.schedule._ping_pong_buffers import UNROLL


@dataclass(frozen=True)
class AirLabelScfForInSegment(Pass):
    """Labels each loop of a segment that is outside of herds and contains no herd with its trip count.

    `air-unroll-loop-for-pipelining-pattern` then unrolls these loops.

    Before:

        air.segment @s {
          scf.for %i = %c0 to %c4 step %c1 { ... }
        }

    After:

        air.segment @s {
          scf.for %i = %c0 to %c4 step %c1 { ... } {unroll = 4 : i32}
        }
    """

    name = "air-label-scf-for-in-segment"

    def run(self, op: ir.Operation, /) -> None:
        for loop in in_scope(op, "segment", "scf.for"):
            count = Loop(loop).trips()
            if count and not walk_named(loop, "air.herd"):
                loop.attributes[UNROLL] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), count)
