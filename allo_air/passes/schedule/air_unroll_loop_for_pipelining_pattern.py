"""air-unroll-loop-for-pipelining-pattern."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_post_order
from allo_air.mlir import AnyOp
from allo_air.passes.schedule._ping_pong_buffers import UNROLL
from allo_air.passes.schedule._ping_pong_unroll import unroll


@dataclass(frozen=True)
class AirUnrollLoopForPipeliningPattern(Pass):
    """Unrolls each scf.for by the factor in its `unroll` label; copies carry `unrolled_iteration`.

    The label must divide the trip count. `air-ping-pong-transform` runs this step, and it follows
    `air-label-scf-for-in-segment`.

    Before:

        scf.for %i = %c0 to %c4 step %c1 {
          air.channel.put @c[] (%m[%i] [%c1] [%c1]) : (memref<4xi32, 1>)
        } {unroll = 2 : i32}

    After:

        scf.for %i = %c0 to %c4 step %c2 {
          air.channel.put @c[] (%m[%i] [%c1] [%c1]) {unrolled_iteration = 0 : i32} : (memref<4xi32, 1>)
          %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
          air.channel.put @c[] (%m[%j] [%c1] [%c1]) {unrolled_iteration = 1 : i32} : (memref<4xi32, 1>)
        }
    """

    name = "air-unroll-loop-for-pipelining-pattern"
    works_on = ("scf.for",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            for loop in [o for o in walk_post_order(op) if o.name == "scf.for" and UNROLL in o.attributes]:
                unroll(loop)
