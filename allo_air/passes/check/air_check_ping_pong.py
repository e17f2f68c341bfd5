"""air-check-ping-pong."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._odd_trips import check_odd_trips


@dataclass(frozen=True)
class AirCheckPingPong(Pass):
    """Warns of loops that mlir-air's tools would double-buffer so that core and DMA use different buffers; changes nothing.

    If a loop runs an odd number of times, five or more, mlir-air gives its last iteration a third buffer. The core then uses
    A B A B C, but the ring of BDs uses A B C A B (mlir-air#2000). Our own lowering of such loops is right.

    Where mlir-air doubles the buffers of a loop that runs an odd number of times, five or more, the trip that is left over gets
    a third slot: the core walks A B A B C, the DMA A B C (mlir-air#2000). Our own lowering of such loops is right.

    Before:

        scf.for %i = %c0 to %c5 step %c1 {
          %a = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[] (%a[] [] []) : (memref<16xi32, 2>)
          ...
          memref.dealloc %a : memref<16xi32, 2>
        }

    After: the same IR, and

        warning: 'scf.for' op runs 5 times, an odd number, and mlir-air gives the last iteration a third ping-pong buffer: ...
    """

    name = "air-check-ping-pong"
    works_on = ("air.*",)

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        check_odd_trips(op, findings)
        findings.deliver()
