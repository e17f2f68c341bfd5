"""aie-assign-runtime-sequence-bd-ids."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.npu._number import number


@dataclass(frozen=True)
class AieAssignRuntimeSequenceBdIds(Pass):
    """Numbers the descriptors of tasks in runtime sequences with the lowest free number of the tile; await or free releases it.

    Before:

        %t = aiex.dma_configure_task(%tile_0_0, MM2S, 0) { aie.dma_bd(%a : memref<8xi16>, 0, 8) aie.end }

    After:

        %t = aiex.dma_configure_task(%tile_0_0, MM2S, 0) { aie.dma_bd(%a : memref<8xi16>, 0, 8) {bd_id = 0 : i32} aie.end }
    """

    name = "aie-assign-runtime-sequence-bd-ids"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        for sequence in declarations(op, "aie.runtime_sequence"):
            number(op, sequence)
