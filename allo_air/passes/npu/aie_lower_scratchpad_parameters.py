"""aie-lower-scratchpad-parameters."""

import json
from dataclasses import dataclass
from pathlib import Path

from allo_air.core.pass_ import Pass
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.passes.npu._scratchpad import Parameters


@dataclass(frozen=True)
class AieLowerScratchpadParameters(Pass):
    """Places scratchpad parameters of the host in buffers of the cores that read them, and numbers those that are BD offsets.

    Each core gets a buffer for each parameter that it reads, which the runtime sequence updates from the scratchpad, and a
    lock that it acquires first. The controller clears the low two bits of an update, so the buffer contains four times the
    value: a value that cores read has at most 30 bits.

    Before:

        aiex.scratchpad_parameter @n : i32
        aie.core(%tile_0_2) { %v = aiex.read_scratchpad_parameter @n : i32 ... }
        aie.runtime_sequence() { aiex.sync_scratchpad_parameters_from_host }

    After:

        aiex.scratchpad_parameter @n : i32 {kind = 0 : i32, state_table_idx = 0 : ui8}
        %n = aie.buffer(%tile_0_2) {sym_name = "n_0_2"} : memref<2xi32>
        %lock = aie.lock(%tile_0_2) {init = 0 : i32}
        aie.core(%tile_0_2) {
          aie.use_lock(%lock, AcquireGreaterEqual, 1)
          %0 = memref.load %n[%c0] : memref<2xi32>
          %v = arith.shrsi %0, %c2 : i32
          ...
        }
        aie.runtime_sequence() {
          aiex.npu.create_scratchpad {size = 4 : ui32}
          aiex.npu.write32(0, 0) {buffer = @n_0_2} : i32, i32
          aiex.npu.write32(1, 0) {buffer = @n_0_2} : i32, i32
          aiex.npu.update_from_scratchpad<mul> {address = 0 : ui32, buffer = @n_0_2, func_arg = 4 : ui32, ...}
          aiex.set_lock(%lock, 1)
        }
    """

    name = "aie-lower-scratchpad-parameters"
    anchor = "builtin.module"

    output_params_file: str = ""
    """A JSON file for the index, kind and type of each parameter; by default none is written."""

    def run(self, op: ir.Operation, /) -> None:
        parameters = Parameters(op)
        parameters.lower()
        if self.output_params_file:
            try:
                Path(self.output_params_file).write_text(json.dumps(parameters.described(), indent=2) + "\n")
            except OSError as error:
                raise AlloAirError(f"cannot write {self.output_params_file}: {error.strerror}") from None
