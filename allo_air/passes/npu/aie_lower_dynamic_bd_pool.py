"""aie-lower-dynamic-bd-pool."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.npu._pool import use_bd_pools


@dataclass(frozen=True)
class AieLowerDynamicBdPool(Pass):
    """Allocates the BDs of tasks in run-time loops and branches from a pool: the lowest free BD of the tile.

    The number is returned when the task is awaited or freed; loops that carry a task also carry its number. A chain of several
    BDs has numbers of its own, which the pool does not contain, and must end in the iteration that configures it. Sequences
    without run-time loops stay unchanged: `aie-assign-runtime-sequence-bd-ids` numbers their BDs.

    Before:

        scf.for %i = %c0 to %n step %c1 {
          %t = aiex.dma_configure_task(%tile_0_0, MM2S, 0) { aie.dma_bd(%a : memref<8xi32>) aie.end } {issue_token = true}
          aiex.dma_start_task(%t)
          aiex.dma_await_task(%t)
        }

    After:

        scf.for %i = %c0 to %n step %c1 {
          %b = aiex.dma_bd_pool_pop(0, 0) : i32
          %t = aiex.dma_configure_task(%tile_0_0, MM2S, 0) bd_id %b : i32 { aie.dma_bd(%a : memref<8xi32>) aie.end } {...}
          aiex.dma_start_task(%t)
          aiex.dma_await_task(%t)
          aiex.dma_bd_pool_push(0, 0) bd_id %b : i32
        }
    """

    name = "aie-lower-dynamic-bd-pool"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        dialects.load(op.context, ("aiex",))
        for sequence in declarations(op, "aie.runtime_sequence"):
            use_bd_pools(op, sequence)
