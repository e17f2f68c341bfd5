"""aie-lower-core-reset."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.npu._lower import Lowering


@dataclass(frozen=True)
class AieLowerCoreReset(Pass):
    """Lowers resets of cores to writes that set and clear bit 1 of the core's control register.

    Before:

        aiex.core_reset(%tile_0_2)

    After:

        aiex.npu.maskwrite32(%c2301952, %c2, %c2) : i32, i32, i32
        aiex.npu.maskwrite32(%c2301952, %c0, %c2) : i32, i32, i32
    """

    name = "aie-lower-core-reset"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        lowering = Lowering(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            lowering.to_registers(sequence, ("aiex.core_reset",))
