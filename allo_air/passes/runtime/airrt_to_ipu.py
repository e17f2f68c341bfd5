"""airrt-to-ipu."""

from dataclasses import dataclass

from allo_air.passes.runtime._lower import ToSequences


@dataclass(frozen=True)
class AirrtToIpu(ToSequences):
    """The former name of `airrt-to-npu`, with the same options.

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
    works_on = ("airrt.*",)
