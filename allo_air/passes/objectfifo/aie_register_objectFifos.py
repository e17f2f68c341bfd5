"""aie-register-objectFifos."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes.objectfifo._processes import write


@dataclass(frozen=True)
class AieRegisterObjectFifos(Pass):
    """Turns registered processes into cores that acquire objects, call the process on each, and release objects.

    Before:

        %acquires = arith.constant dense<[1]> : tensor<1xi32>
        %releases = arith.constant dense<[1]> : tensor<1xi32>
        %length = arith.constant 10 : index
        aie.objectfifo.register_process @of(Produce, %acquires : tensor<1xi32>, %releases : tensor<1xi32>, @work, %length)

    After:

        aie.core(%tile_1_2) {
          scf.for %i = %c0 to %c10 step %c1 {
            %s = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
            %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
            func.call @work(%e) : (memref<16xi32>) -> ()
            aie.objectfifo.release @of(Produce, 1)
          }
          aie.end
        }
    """

    name = "aie-register-objectFifos"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        write(op)
