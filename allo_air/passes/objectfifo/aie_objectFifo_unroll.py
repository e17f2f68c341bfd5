"""aie-objectFifo-unroll."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes.objectfifo._hints import Peel, strip, unroll


@dataclass(frozen=True)
class AieObjectFifoUnroll(Pass):
    """Unrolls the loops of cores by their `aie.unroll_hint`, so that each access to an objectFifo refers to one buffer.

    Run it after aie-objectFifo-stateful-transform; it removes the hints. Values that become constant are folded: the choice of
    a buffer, the number of a lock, and acquires of no object. A loop around loops with hints is unrolled as well if its own
    iterations start at different objects. A loop in which unrolling makes nothing constant stays unchanged. Remaining
    iterations follow the loop.
    A core with `dynamic_objfifo_lowering = true`, and with `default-dynamic` every core that does not say `false`, still
    selects its objects at run time: only its hints are removed.

    Before:

        %0:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%at = %z, %held = %z) -> (i32, i32) {
          ...
          aie.use_lock(%in_cons_cons_lock_0, AcquireGreaterEqual, %n)
          %e = scf.index_switch %k -> memref<16xi32> case 0 { scf.yield %in_cons_buff_0 } case 1 ...
          func.call @work(%e) : (memref<16xi32>) -> ()
          aie.use_lock(%in_cons_prod_lock_0, Release, %one)
          ...
        } {aie.unroll_hint = 2 : i32}

    After:

        scf.for %i = %c0 to %c4 step %c2 {
          aie.use_lock(%in_cons_cons_lock_0, AcquireGreaterEqual, %one)
          func.call @work(%in_cons_buff_0) : (memref<16xi32>) -> ()
          aie.use_lock(%in_cons_prod_lock_0, Release, %one)
          ...the same with %in_cons_buff_1
        }
        ...and once more with %in_cons_buff_0
    """

    name = "aie-objectFifo-unroll"
    anchor = "aie.device"
    default_dynamic: bool = False
    """Cores without a setting of their own select objects at run time."""
    peel_first_iteration: Peel = "auto"
    """Which loops have their first iteration peeled: those where lock numbers become constant, all with a hint and a constant
    trip count, or none."""

    def run(self, op: ir.Operation, /) -> None:
        for core in walk_named(op, "aie.core"):
            own = core.opview.dynamic_objfifo_lowering
            if self.default_dynamic if own is None else own:
                strip(core)
            else:
                unroll(core, self.peel_first_iteration)
