"""aie-check-resources."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._bd_fields import check_bd_fields
from allo_air.passes.check._dma_programs import check_programs
from allo_air.passes.check._memory import check_memory
from allo_air.passes.check._routing import check_routing
from allo_air.passes.check._tasks import check_tasks
from allo_air.passes.check._tiles import devices


@dataclass(frozen=True)
class AieCheckResources(Pass):
    """Checks what an AIE design asks of each tile against what the device has; changes nothing.

    Errors name the tile, the limit and the value: data memory with the core's stack; locks and their values; DMA channels; BDs,
    a memtile's also by parity of the channel; the fields of each BD (length, wraps, steps, iteration, padding, 4-byte words);
    stream ports, and wires between switches where no routing can do; BDs of runtime tasks in flight. Warnings: more tasks in
    flight than a queue surely holds, streams for which no route was found, addresses that earlier tools change. Remarks say
    what is not decided, such as tiles that are not placed.

    Before:

        aie.device(npu1) {
          %t = aie.tile(1, 3)
          %b = aie.buffer(%t) : memref<17920xi32>
          %c = aie.core(%t) { aie.end }
        }

    After: the same IR, or

        error: 'aie.core' op core (1,3): 71,680 bytes of buffers exceed 63 KiB (64 KiB less a stack of 1,024 bytes); the
            largest are memref<17920xi32> with 71,680 bytes; use smaller tiles, fewer ping-pong buffers, or a smaller stack
    """

    name = "aie-check-resources"
    works_on = ("aie.*",)

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        for use in devices(op):
            for tile in use.unplaced:
                findings.undecided(tile, "what its tile holds: it is not placed")
            for fifo in use.called("aie.objectfifo")[:1]:
                findings.undecided(fifo, "what object FIFOs take; lower them first (aie-objectFifo-stateful-transform)")
            check_memory(use, findings)
            check_programs(use, findings)
            check_bd_fields(use, findings)
            check_routing(use, findings)
            check_tasks(use, findings)
        findings.deliver()
