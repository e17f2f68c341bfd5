"""aie-lower-dma-channel-reset."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.npu._lower import Lowering
from allo_air.passes.npu._rearm import expand


@dataclass(frozen=True)
class AieLowerDmaChannelReset(Pass):
    """Lowers resets of DMA channels to writes that set and clear bit 1 of the channel's control register.

    The reset of an objectFifo's channels also sets its locks to their initial values, and queues the first BD of each channel
    again; channels of shims belong to the sequence and stay unchanged.

    Before:

        aiex.dma_channel_reset_for(@of_rearm)

    After:

        aiex.npu.maskwrite32(%c2219520, %c2, %c2) : i32, i32, i32
        aiex.npu.maskwrite32(%c2219520, %c0, %c2) : i32, i32, i32
        aiex.set_lock(%of_prod_lock, 2)
        aiex.set_lock(%of_cons_lock, 0)
        aiex.npu.push_queue(0, 2, S2MM : 0) bd_id %c5 repeat %c0 {issue_token = false} : i32, i32
    """

    name = "aie-lower-dma-channel-reset"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        lowering = Lowering(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            expand(op, sequence)
            lowering.to_registers(sequence, ("aiex.dma_channel_reset",))
