"""air-hoist-dma-in-accum-pattern."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes.schedule._accumulators import hoist_accumulators


@dataclass(frozen=True)
class AirHoistDmaInAccumPattern(Pass):
    """Hoists the transfers of an accumulator out of the loop that loads, updates and stores it in each iteration.

    If an `scf.for` first copies a tile to an L1 buffer, and last copies the buffer back to the same place, the buffer is kept
    across iterations; an allocation and deallocation in the loop move, too. The tile must be the same in every iteration, and
    nothing else in the loop may access its memory. In asynchronous IR, tokens must order each iteration after the previous one;
    otherwise the loop stays unchanged.

    Before:

        scf.for %k = %c0 to %c64 step %c16 {
          %acc = memref.alloc() : memref<16x16xi32, 2>
          air.dma_memcpy_nd (%acc[] [] [], %c[%i, %j] [%c16, %c16] [%c64, %c1]) : (memref<16x16xi32, 2>, memref<64x64xi32, 1>)
          linalg.matmul ins(%a, %b : ...) outs(%acc : memref<16x16xi32, 2>)
          air.dma_memcpy_nd (%c[%i, %j] [%c16, %c16] [%c64, %c1], %acc[] [] []) : (memref<64x64xi32, 1>, memref<16x16xi32, 2>)
          memref.dealloc %acc : memref<16x16xi32, 2>
        }

    After:

        %acc = memref.alloc() : memref<16x16xi32, 2>
        air.dma_memcpy_nd (%acc[] [] [], %c[%i, %j] [%c16, %c16] [%c64, %c1]) : (memref<16x16xi32, 2>, memref<64x64xi32, 1>)
        scf.for %k = %c0 to %c64 step %c16 {
          linalg.matmul ins(%a, %b : ...) outs(%acc : memref<16x16xi32, 2>)
        }
        air.dma_memcpy_nd (%c[%i, %j] [%c16, %c16] [%c64, %c1], %acc[] [] []) : (memref<64x64xi32, 1>, memref<16x16xi32, 2>)
        memref.dealloc %acc : memref<16x16xi32, 2>
    """

    name = "air-hoist-dma-in-accum-pattern"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        hoist_accumulators(op)
        fold_greedily(op)
