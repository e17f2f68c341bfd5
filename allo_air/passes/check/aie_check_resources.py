"""aie-check-resources."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._device_rules import check_device
from allo_air.passes.check._tiles import devices


@dataclass(frozen=True)
class AieCheckResources(Pass):
    """Checks the resources that an AIE design needs on each tile against those of the device; changes nothing.

    Errors name the tile, the limit and the value: data memory with the core's stack; locks and their values; DMA channels;
    BDs, in a memtile also by parity of the channel; the fields of each BD (length, wraps, steps, iteration, padding, 4-byte
    words); stream ports, and connections between switches that no routing can provide; BDs of runtime tasks in flight;
    cascades without a connection; frames larger than a core's stack; amounts of locks. Warnings: more tasks in flight than a
    queue is known to hold, streams for which no route was found, addresses that earlier tools change, locks acquired in
    different orders, attributes without effect. A remark names each item that the pass cannot decide, for example a tile
    without a place.

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
    leaves_valid = True

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        for use in devices(op):
            check_device(use, findings)
        findings.deliver()
