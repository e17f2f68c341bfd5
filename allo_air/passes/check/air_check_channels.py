"""air-check-channels."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._balance import check_balance
from allo_air.passes.check._channels import bundles
from allo_air.passes.check._unrolled_events import unroll_all


@dataclass(frozen=True)
class AirCheckChannels(Pass):
    """Checks that the puts and gets of each channel balance and that indices and broadcasts fit; changes nothing.

    For each channel of a bundle, the bytes of all puts and of all gets are counted over the grids and loops around them. The
    bytes must be equal. The numbers of puts and gets may differ, since a channel is a stream. At most `max-steps` operations
    are unrolled. If a bound, an index, a condition or a size is unknown, a remark says so and the channel is undecided.

    Before:

        air.channel @c [2]
        air.channel.put @c[%c0] (%l2[] [] []) : (memref<64xi32, 1>)
        air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
          air.channel.get @c[%x] (%l1[] [] []) : (memref<64xi32, 2>)
        }

    After: the same IR, or

        error: 'air.channel' op @c[1] has 0 puts of 0 bytes in all and 1 get of 256 bytes in all: 256 bytes never come; ...
    """

    name = "air-check-channels"
    works_on = ("air.*",)
    max_steps: int = 200_000
    """Largest number of steps of the abstract execution of a function; beyond it the result is undecided."""

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        channels = bundles(op)
        programs = unroll_all(op, channels, self.max_steps)
        check_balance(channels, programs, findings, lowered=bool(walk_named(op, "aie.device")))
        findings.deliver()
