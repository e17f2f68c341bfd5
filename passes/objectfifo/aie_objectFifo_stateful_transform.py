"""aie-objectFifo-stateful-transform."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes.objectfifo._lower import lower


@dataclass(frozen=True)
class AieObjectFifoStatefulTransform(Pass):
    """Turns objectFifos into buffers, locks, DMA programs and flows, and their use in cores into lock operations.

    A FIFO between two cores of which one reaches the other's memory stays in that memory; others get a DMA at both ends, with
    names `<fifo>_buff_<i>`, `<fifo>_cons_buff_<i>`, `<fifo>_prod_lock_<j>` and so on. Given one depth, an end at a core holds
    one object more than the core takes at once. Linked FIFOs share the larger objects, with a pair of locks for each part.
    Objects that a memtile has no room for go to the memtile beside it that has more; the DMA channels that move them are among
    the four that reach it. A shim's end becomes `aie.shim_dma_allocation @<fifo>_shim_alloc`, to which runtime sequences refer.

    Loops in cores are unrolled as far as needed for each access to mean one buffer. Where no unrolling does that, on cores with
    `dynamic_objfifo_lowering = true`, and everywhere with `dynamic-objFifos`, the core counts objects in a buffer and picks
    them by `scf.index_switch`; where branches or loops acquire and release unequal numbers, it counts what it holds as well.
    With `state=2026-08` no loop is unrolled: positions and numbers held are values that loops carry, locks are acquired by
    numbers found at run time, and `aie.unroll_hint` says after how many iterations of a loop its objects come round again.
    With `packet-sw-objFifos` FIFOs become packet flows.

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
          scf.for %i = %c0 to %c8 step %c2 {
            aie.use_lock(%in_cons_cons_lock_0, AcquireGreaterEqual, 1)
            func.call @work(%in_cons_buff_0) : (memref<16xi32>) -> ()
            aie.use_lock(%in_cons_prod_lock_0, Release, 1)
            ...the same with %in_cons_buff_1
          }
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
    """Cores choose objects at run time instead of by unrolled loops."""
    packet_sw_objFifos: bool = False
    """ObjectFifos become packet flows."""

    state: Literal["2026-03", "2026-08"] = "2026-03"
    """Whose code cores get: unrolled as far as needed, or choosing objects at run time by values that loops carry."""

    def run(self, op: ir.Operation, /) -> None:
        lower(op, dynamic=self.dynamic_objFifos, packets=self.packet_sw_objFifos, carried=self.state == "2026-08")
