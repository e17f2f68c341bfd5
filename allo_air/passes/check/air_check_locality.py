"""air-check-locality."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._channels import bundles
from allo_air.passes.check._races import check_races
from allo_air.passes.check._spaces import check_spaces
from allo_air.passes.check._unrolled_events import unroll_all


@dataclass(frozen=True)
class AirCheckLocality(Pass):
    """Checks that cores use memory that they can reach, and that accesses to buffers do not race; changes nothing.

    In a herd, linalg operations compute on L1, and channels transfer from and to L1. Two accesses race if they touch the same
    element of a buffer, at least one of them writes, and neither tokens, the order of the text, nor transfers over channels
    order them: between cores, parallel iterations, or asynchronous operations. A transfer ends at both ends at the same time.
    The computations of one core run in the order of the text. An L1 buffer that is passed to a herd is private to each core.
    Iterations of a launch are not compared with each other, and deallocations are ignored. If a put must end before its get
    can begin, races are warnings. At most `max-steps` operations are unrolled; remarks name undecided cases.

    Before:

        air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%m=%l3) : memref<64xi32> {
          air.dma_memcpy_nd (%m[%c0] [%c32] [%c1], %l1[] [] []) : (memref<64xi32>, memref<32xi32, 2>)
        }

    After: the same IR, or

        error: 'air.dma_memcpy_nd' op races: air.dma_memcpy_nd of the herd (1, 0) writes element 0 of argument 0
            (memref<64xi32>), which air.dma_memcpy_nd of the herd (0, 0) writes at the same time; ...
    """

    name = "air-check-locality"
    works_on = ("air.*",)
    max_steps: int = 200_000
    """Largest number of steps of the abstract execution of a function; beyond it the result is undecided."""

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        check_spaces(op, findings)
        channels = bundles(op)
        for program in unroll_all(op, channels, self.max_steps):
            check_races(program, channels, findings)
        findings.deliver()
