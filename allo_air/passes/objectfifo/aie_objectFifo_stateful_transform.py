"""aie-objectFifo-stateful-transform."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.mlir import ir
from allo_air.passes.objectfifo._lower import lower


@dataclass(frozen=True)
class AieObjectFifoStatefulTransform(Pass):
    """Lowers objectFifos to buffers, locks, DMA programs and flows, and their use in cores to lock operations.

    A FIFO between two cores of which one reaches the other's memory stays in that memory; others get a DMA at both ends, with
    names `<fifo>_buff_<i>`, `<fifo>_cons_buff_<i>`, `<fifo>_prod_lock_<j>` and so on. With a single given depth, an end at a
    core has one object more than the core takes at a time. Linked FIFOs share the larger objects, with a pair of locks for
    each part. Objects that do not fit into a memtile go to the adjacent memtile with more room; the DMA channels that move
    them are among the four that reach it. A shim's end becomes `aie.shim_dma_allocation @<fifo>_shim_alloc`, to which runtime
    sequences refer.
    No loop is unrolled: loops carry the position in each FIFO and the number of acquired objects, `scf.index_switch` selects
    buffers, and locks are acquired by run-time amounts. `aie.unroll_hint` gives the number of iterations after which a loop's
    objects repeat; aie-objectFifo-unroll unrolls by it, depending on each core's `dynamic_objfifo_lowering`.
    aie-assign-lock-ids numbers the locks. A single object that is sent several times is one descriptor and the `repeat_count`
    of its channel, and memtiles place the largest FIFOs first. A FIFO that `aiex.dma_channel_reset_for` names gets an
    `aie.objectfifo_rearm_binding @<fifo>_rearm`.
    `state=2026-03` does what mlir-aie did in March 2026: loops in cores are unrolled until each access refers to one buffer.
    If no unrolling achieves that, on cores with `dynamic_objfifo_lowering = true`, and everywhere with `dynamic-objFifos`
    unless a core says `false`, the core counts objects in a buffer and selects them by `scf.index_switch`; if branches or
    loops acquire and release different numbers, it also counts its acquired objects. Locks are numbered, repeated objects have
    separate descriptors, and memtiles place FIFOs in program order.
    On AIE1, whose locks do not count, each object has a lock `<fifo>_lock_<i>` that says whether it is full. With
    `packet-sw-objFifos` FIFOs become packet flows.

    Before:

        aie.objectfifo @in(%shim, {%core}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
        aie.core(%core) {
          scf.for %i = %c0 to %c8 step %c1 {
            %s = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
            %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
            func.call @work(%e) : (memref<16xi32>) -> ()
            aie.objectfifo.release @in(Consume, 1)
          }
          aie.end
        }

    After:

        %in_cons_buff_0 = aie.buffer(%core) {sym_name = "in_cons_buff_0"} : memref<16xi32>
        %in_cons_buff_1 = ...
        aie.flow(%shim, DMA : 0, %core, DMA : 0)
        aie.core(%core) {
          %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%at = %z, %held = %z) -> (i32, i32) {
            %n = ...1 less %held, at least 0
            aie.use_lock(%in_cons_cons_lock_0, AcquireGreaterEqual, %n)
            %k = arith.index_cast %at : i32 to index
            %e = scf.index_switch %k -> memref<16xi32> case 0 { scf.yield %in_cons_buff_0 } case 1 ...
            func.call @work(%e) : (memref<16xi32>) -> ()
            aie.use_lock(%in_cons_prod_lock_0, Release, %one)
            scf.yield %next, %left : i32, i32
          } {aie.unroll_hint = 2 : i32}
          aie.end
        }
        aie.mem(%core) {
          %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
          ...
        }
        aie.shim_dma_allocation @in_shim_alloc(%shim, MM2S, 0)
    """

    name = "aie-objectFifo-stateful-transform"
    anchor = "aie.device"
    dynamic_objFifos: bool = False
    """With `state=2026-03`: cores select objects at run time instead of in unrolled loops."""
    packet_sw_objFifos: bool = False
    """Lower objectFifos to packet flows."""

    state: Literal["auto", "2026-03", "2026-08"] = "auto"
    """The form of the result: that of mlir-aie of March or of August 2026; auto is the printed one (`--syntax`)."""

    def run(self, op: ir.Operation, /) -> None:
        state = printed_state() if self.state == "auto" else self.state
        lower(op, dynamic=self.dynamic_objFifos, packets=self.packet_sw_objFifos, august=state == AUGUST)
