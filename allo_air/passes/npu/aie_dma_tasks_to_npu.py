"""aie-dma-tasks-to-npu."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.npu._lower import Lowering


@dataclass(frozen=True)
class AieDmaTasksToNpu(Pass):
    """Lowers DMA tasks of runtime sequences to descriptors, queue pushes and waits.

    Descriptors without a number get the lowest free one of their tile, which is free again after the task is awaited or freed.

    Before:

        %t = aiex.dma_configure_task(%tile_0_0, MM2S, 0) {
          aie.dma_bd(%arg0 : memref<8xi32>, 0, 8) {bd_id = 7 : i32}
          aie.end
        } {issue_token = true}
        aiex.dma_start_task(%t)
        aiex.dma_await_task(%t)

    After:

        aiex.npu.writebd {bd_id = 7 : i32, buffer_length = 8 : i32, ...}
        aiex.npu.address_patch {addr = 119012 : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}
        aiex.npu.push_queue(0, 0, MM2S : 0) {bd_id = 7 : i32, issue_token = true, repeat_count = 0 : i32}
        aiex.npu.sync {channel = 0 : i32, column = 0 : i32, direction = 1 : i32, row = 0 : i32, ...}
    """

    name = "aie-dma-tasks-to-npu"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        lowering = Lowering(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            lowering.tasks(sequence)
