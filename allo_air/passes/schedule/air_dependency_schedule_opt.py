"""air-dependency-schedule-opt."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes.schedule._accumulators import hoist_accumulators
from allo_air.passes.schedule._broadcasts import mark_broadcasts


@dataclass(frozen=True)
class AirDependencyScheduleOpt(Pass):
    """Runs air-hoist-dma-in-accum-pattern and then air-broadcast-detection; older pipelines of mlir-air use this name.

    Before:

        scf.for %k = %c0 to %c64 step %c16 {
          air.dma_memcpy_nd (%acc[] [] [], %c[] [] []) : (memref<16xi32, 2>, memref<16xi32, 1>)
          air.dma_memcpy_nd (%b[] [] [], %all[%k] [%c16] [%c1]) : (memref<16xi32, 2>, memref<64xi32, 1>)
          linalg.add ins(%acc, %b : ...) outs(%acc : memref<16xi32, 2>)
          air.dma_memcpy_nd (%c[] [] [], %acc[] [] []) : (memref<16xi32, 1>, memref<16xi32, 2>)
        }

    After:

        air.dma_memcpy_nd (%acc[] [] [], %c[] [] []) : (memref<16xi32, 2>, memref<16xi32, 1>)
        scf.for %k = %c0 to %c64 step %c16 {
          air.dma_memcpy_nd (%b[] [] [], %all[%k] [%c16] [%c1]) {broadcast_pattern = #set} : ...
          linalg.add ins(%acc, %b : ...) outs(%acc : memref<16xi32, 2>)
        }
        air.dma_memcpy_nd (%c[] [] [], %acc[] [] []) : (memref<16xi32, 1>, memref<16xi32, 2>)
    """

    name = "air-dependency-schedule-opt"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        hoist_accumulators(op)
        fold_greedily(op)
        mark_broadcasts(op)
