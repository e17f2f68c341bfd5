"""air-broadcast-detection."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes.schedule._broadcasts import mark_broadcasts


@dataclass(frozen=True)
class AirBroadcastDetection(Pass):
    """Marks the transfers into L1 that fetch the same data for several cores of a herd.

    The pass traces the operands of a transfer, and the conditions around it, to the herd's ids. If an id has no influence, all
    cores along it receive the same data. `broadcast_pattern` then gives the cores (d0, d1) that receive the data of source s0.
    Values that a core loads from memory may differ between cores. Herds must be two-dimensional and of constant size; transfers
    in other herds stay unchanged.

    Before:

        air.herd tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%a) : memref<64x64xi32, 1> {
          %row = affine.apply affine_map<(d0) -> (d0 * 32)>(%x)
          air.dma_memcpy_nd (%l[] [] [], %m[%row, %c0] [%c32, %c64] [%c64, %c1]) : (memref<32x64xi32, 2>, memref<64x64xi32, 1>)

    After:

        #set = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0, s0 >= 0, -s0 + 1 >= 0)>
          air.dma_memcpy_nd (%l[] [] [], %m[%row, %c0] [%c32, %c64] [%c64, %c1]) {broadcast_pattern = #set} : ...
    """

    name = "air-broadcast-detection"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        mark_broadcasts(op)
