"""air-construct-ping-pong-dependency-pattern."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_post_order
from allo_air.mlir import AnyOp
from allo_air.passes.schedule._ping_pong_copies import has_copies, overlap


@dataclass(frozen=True)
class AirConstructPingPongDependencyPattern(Pass):
    """Overlaps the two copies of an iteration that `air-unroll-loop-for-pipelining-pattern` made, by four loop-carried tokens.

    These are: ping buffers free, pong buffers free, last work done, last filling done. Operations that wait for no other
    operation of their copy fill buffers: they wait for the previous filling, and for the work on their buffers two iterations
    before. Operations that wait only for these begin the work, and wait for the previous work. The second copy fills its
    buffers after the work of the first copy. The two copies must fill different buffers: an allocation marked `hoist_alloc`
    is duplicated with its iteration, and `air-hoist-alloc-in-for-pattern` moves both out of the loop. This is a step of
    `air-ping-pong-transform`.

    Before:

        %0 = scf.for %i = %c0 to %c8 step %c2 iter_args(%t = %s) -> (!air.async.token) {
          %1 = air.channel.get async [%t] @in[] (%ping[] [] []) {unrolled_iteration = 0 : i32} : (memref<16xi32, 2>)
          %2 = air.execute [%1] { "work"(%ping) } {unrolled_iteration = 0 : i32}
          %3 = air.channel.get async [%2] @in[] (%pong[] [] []) {unrolled_iteration = 1 : i32} : (memref<16xi32, 2>)
          %4 = air.execute [%3] { "work"(%pong) } {unrolled_iteration = 1 : i32}
          scf.yield %4 : !air.async.token
        }

    After:

        %0:4 = scf.for ... iter_args(%free0 = %s, %free1 = %s, %work = %s, %fill = %s) -> (...) {
          %1 = air.channel.get async [%fill, %free0] @in[] (%ping[] [] []) : (memref<16xi32, 2>)
          %2 = air.execute [%work, %1] { "work"(%ping) }
          %3 = air.channel.get async [%1, %free1, %2] @in[] (%pong[] [] []) : (memref<16xi32, 2>)
          %4 = air.execute [%2, %3] { "work"(%pong) }
          scf.yield %2, %4, %4, %3
        }
    """

    name = "air-construct-ping-pong-dependency-pattern"
    works_on = ("scf.for",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            for loop in [o for o in walk_post_order(op) if o.name == "scf.for" and has_copies(o)]:
                overlap(loop)
