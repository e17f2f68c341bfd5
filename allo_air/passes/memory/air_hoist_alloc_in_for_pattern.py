"""air-hoist-alloc-in-for-pattern."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.memory import HOIST
from allo_air.passes.memory._sink import buffer_of, hoist


@dataclass(frozen=True)
class AirHoistAllocInForPattern(Pass):
    """Moves allocations with attribute `hoist_alloc` out of the loop that contains them, and their deallocations after it.

    With `keep-memref-dealloc` deallocations stay in the loop. `air-ping-pong-transform` runs this step.

    Before:

        %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
          %a, %m = air.execute -> (memref<16xi32, 2>) { memref.alloc() {hoist_alloc = true} ... }
          %1 = air.channel.get async [%a, %t] @in[] (%m[] [] []) : (memref<16xi32, 2>)
          %2 = air.execute [%1] { memref.dealloc %m : memref<16xi32, 2> }
          scf.yield %2 : !air.async.token
        }

    After:

        %a, %m = air.execute -> (memref<16xi32, 2>) { memref.alloc() ... }
        %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
          %1 = air.channel.get async [%a, %t] @in[] (%m[] [] []) : (memref<16xi32, 2>)
          scf.yield %1 : !air.async.token
        }
        %2 = air.execute [%0] { memref.dealloc %m : memref<16xi32, 2> }
    """

    name = "air-hoist-alloc-in-for-pattern"
    keep_memref_dealloc: bool = False
    """Leave deallocations in the loop."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            for alloc in walk_named(op, "memref.alloc"):
                buffer = buffer_of(alloc) if HOIST in alloc.attributes else None
                if buffer is not None and buffer.home.parent.operation.name == "scf.for":
                    del alloc.attributes[HOIST]
                    hoist(buffer, keep_frees=self.keep_memref_dealloc)
