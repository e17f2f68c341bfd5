"""aie-unroll-runtime-sequence-loops."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.target.npu_unroll import unroll


@dataclass(frozen=True)
class AieUnrollRuntimeSequenceLoops(Pass):
    """Unrolls constant loops of runtime sequences, decides constant branches, and folds the numbers in them.

    Passes that write descriptors or instructions run this step first. Loops with bounds that depend on scalars of the sequence
    stay; constant loops inside them are unrolled.

    Before:

        scf.for %i = %c0 to %c128 step %c64 {
          aiex.npu.dma_memcpy_nd(%a[0, 0, 0, %i][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<128xi32>
        }

    After:

        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<128xi32>
        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 64][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<128xi32>
    """

    name = "aie-unroll-runtime-sequence-loops"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        for sequence in declarations(op, "aie.runtime_sequence"):
            unroll(sequence, partial=True)
