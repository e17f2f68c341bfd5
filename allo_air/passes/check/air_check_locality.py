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
    """Checks that cores use memory that they reach, and that nothing races for a buffer; changes nothing.

    In a herd, linalg operations and ends of channels belong to L1. Two accesses race that touch the same element of a buffer,
    one of them writing, while neither tokens, the order of the text, nor transfers over channels put them in order: between
    cores, parallel iterations, or asynchronous operations. A transfer counts as over at both ends at once; one core's
    computations run in the order of the text; an L1 buffer that a herd is handed is each core's own. The iterations of a launch
    are not held against each other, and deallocations are not looked at. Where a put must be over before its get can begin,
    races are warnings. At most `max-steps` operations are followed;
    remarks say what is not decided.

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
