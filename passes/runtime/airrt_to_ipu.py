"""airrt-to-ipu."""

from dataclasses import dataclass
from typing import Any, Literal

from allo_air.core.pass_ import Pass
from allo_air.passes.runtime._lower import lower_to_sequences
from allo_air.passes.runtime._trace_units import TraceBuffer


@dataclass(frozen=True)
class AirrtToIpu(Pass):
    """Is `airrt-to-npu` under its earlier name, with the same options.

    Before:

        %e = airrt.dma_memcpy_nd(%id, %x, %y, %a[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @c} : ...

    After:

        %0 = aiex.dma_configure_task_for @c {
          aie.dma_bd(%a : memref<64xi32>, 0, 64)
          aie.end
        }
        aiex.dma_start_task(%0)
    """

    name = "airrt-to-ipu"
    anchor = "builtin.module"
    trace_size: int = 0
    trace_offset: int = 0
    output_elf: bool = False
    form: Literal["tasks", "dma-memcpy"] = "tasks"

    def run(self, op: Any, /) -> None:
        trace = TraceBuffer.of(self.name, self.trace_size, self.trace_offset)
        lower_to_sequences(op, self.form, trace, elf=self.output_elf)
