"""air-label-scf-for-to-ping-pong."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import HOIST
from allo_air.passes.schedule._ping_pong_buffers import UNROLL, OmitSpace
from allo_air.passes.schedule._ping_pong_loops import candidates


@dataclass(frozen=True)
class AirLabelScfForToPingPong(Pass):
    """Marks loops whose buffers `air-ping-pong-transform` will double, and the allocations of these buffers.

    A loop is marked if its operations are asynchronous, it runs at least twice, and each iteration allocates buffers that
    transfers fill or drain. A loop is not marked in these cases:
    * a loop inside it is marked, or it contains a herd or another hierarchy;
    * it compares its bounds as unsigned numbers, computes a buffer's size, or passes a buffer to the next iteration;
    * a buffer is read, or passed to a call, before an operation or a get writes it (the call may use the old contents), or
      is filled by more than one transfer per iteration (branches that exclude each other count as one);
    * an operation of unknown effect uses a memref that the herd takes from outside, unless it is L1 memory of its own cores,
      such as an accumulator;
    * `air.disable_ping_pong` is on the loop, around it or in it;
    * a core has too little memory for two buffers, or too few descriptors or locks; a loop with an odd trip count needs a
      descriptor for each iteration, also in a memtile.
    `omit-memory-space` excludes the buffers of one memory space.

    Before:

        %0 = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %s) -> (!air.async.token) {
          %a, %m = air.execute -> (memref<16xi32, 2>) {
            %alloc = memref.alloc() : memref<16xi32, 2>
            air.execute_terminator %alloc : memref<16xi32, 2>
          }
          %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<16xi32, 2>)
          ...
        }

    After:

        %0 = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %s) -> (!air.async.token) {
          %a, %m = air.execute -> (memref<16xi32, 2>) {
            %alloc = memref.alloc() {hoist_alloc = true} : memref<16xi32, 2>
            air.execute_terminator %alloc : memref<16xi32, 2>
          }
          %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<16xi32, 2>)
          ...
        } {unroll = 2 : i32}
    """

    name = "air-label-scf-for-to-ping-pong"
    omit_memory_space: OmitSpace = ""
    """The memory whose buffers are not doubled."""
    l2_copies: Literal[1, 2] = 1
    """Number of copies that `aie-double-memtile-buffers` will make of memtile buffers. With 2, buffers of loops with an odd
    trip count are not doubled here: such a loop ends on the buffer that it begins with, so that the DMA cannot work ahead."""

    calls_overwrite: bool = False
    """Assume that a call which is the first use of a buffer overwrites it, instead of using its contents."""

    def run(self, op: AnyOp, /) -> None:
        result = candidates(op, self.omit_memory_space, copied=self.l2_copies > 1, calls_overwrite=self.calls_overwrite)
        for loop, buffers in result:
            loop.attributes[UNROLL] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 2)
            for buffer in buffers:
                buffer.alloc.attributes[HOIST] = ir.BoolAttr.get(True)
