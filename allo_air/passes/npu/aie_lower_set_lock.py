"""aie-lower-set-lock."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.npu._lower import Lowering


@dataclass(frozen=True)
class AieLowerSetLock(Pass):
    """Lowers `aiex.set_lock` of runtime sequences to a write of the lock's register.

    Before:

        %lock = aie.lock(%tile_0_2, 3)
        ... aiex.set_lock(%lock, 1)

    After:

        aiex.npu.write32 {address = 2224176 : ui32, value = 1 : ui32}
    """

    name = "aie-lower-set-lock"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        lowering = Lowering(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            lowering.to_registers(sequence, ("aiex.set_lock",))
