"""aie-materialize-runtime-sequences."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes.npu._inline import Inliner


@dataclass(frozen=True)
class AieMaterializeRuntimeSequences(Pass):
    """Inlines the runtime sequences that a sequence runs; configuring a device becomes a load of its configuration.

    Symbols of the other device that inlined operations name are copied, and renamed if the name is taken. Assign addresses and
    lock ids before this pass: those of the other device are used. Loops with constant bounds around inlined operations are
    unrolled. Sequences that load and run nothing are unchanged.

    Before:

        aiex.configure @dev { aiex.run @seq(%a) : (memref<64xi32>) }

    After:

        aiex.npu.load_pdi {device_ref = @dev}
        ... the operations of @seq in @dev, on %a
    """

    name = "aie-materialize-runtime-sequences"
    anchor = "builtin.module"

    def run(self, op: ir.Operation, /) -> None:
        Inliner(op).run()
