"""aie-dma-to-npu."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.npu._lower import Lowering

LOWERED = (
    "aiex.npu.dma_memcpy_nd",
    "aiex.npu.dma_wait",
    "aiex.npu.push_queue",
    "aiex.npu.writebd",
    "aiex.npu.rtp_write",
)


@dataclass(frozen=True)
class AieDmaToNpu(Pass):
    """Lowers transfers, waits, queue pushes, descriptors and runtime parameters of runtime sequences to register writes.

    Violations that the hardware does not report are errors: fields of a descriptor, and a wait for a token that no task of
    its channel issues (one without any task may wait for what ran before the sequence). A sixth task on a channel without a
    wait and a descriptor that is rewritten while in use are warnings.

    Before:

        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
        aiex.npu.dma_wait {symbol = @out}

    After:

        %0 = memref.get_global @blockwrite_data_0 : memref<8xi32>
        aiex.npu.blockwrite(%0) {address = 118784 : ui32} : memref<8xi32>
        aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}
        aiex.npu.write32 {address = 119316 : ui32, value = 0 : ui32}
        aiex.npu.sync {channel = 0 : i32, column = 0 : i32, direction = 0 : i32, row = 0 : i32, ...}
    """

    name = "aie-dma-to-npu"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        lowering = Lowering(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            lowering.to_registers(sequence, LOWERED)
