"""air-hoist-ops-not-using-ping-pong."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_post_order
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.memory import HOIST
from allo_air.passes.schedule._ping_pong_buffers import UNROLL, buffers
from allo_air.passes.schedule._ping_pong_isolate import isolate


@dataclass(frozen=True)
class AirHoistOpsNotUsingPingPong(Pass):
    """Moves transfers that do not use the marked buffers of a labelled loop into a separate loop before it.

    `air-ping-pong-transform` does this as its first step.

    Before:

        %0 = scf.for ... iter_args(%t = %s) {
          %a, %m = air.execute -> (memref<16xi32, 2>) { memref.alloc() {hoist_alloc = true} ... }
          %1 = air.channel.get async [%a, %t] @in[] (%m[] [] []) : (memref<16xi32, 2>)
          %2 = air.channel.put async [%t] @other[] (%x[] [] []) : (memref<16xi32, 1>)
          ...
        } {unroll = 2 : i32}

    After:

        %y = scf.for ... iter_args(%t = %s) { air.channel.put async [%t] @other[] (%x[] [] []) : (memref<16xi32, 1>) }
        %0 = scf.for ... iter_args(%t = %s) { ... air.channel.get async [%a, %t] @in[] (%m[] [] []) ... } {unroll = 2 : i32}
    """

    name = "air-hoist-ops-not-using-ping-pong"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for loop in [o for o in walk_post_order(op) if o.name == "scf.for" and UNROLL in o.attributes]:
            results = [b for b in buffers(loop, "") if HOIST in b.alloc.attributes]
            if results:
                isolate(loop, results)
