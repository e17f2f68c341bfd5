"""air-check-deadlock."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.errors import OptionError
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._channels import bundles
from allo_air.passes.check._deadlock import Rules, check_deadlock
from allo_air.passes.check._unrolled_events import functions


@dataclass(frozen=True)
class AirCheckDeadlock(Pass):
    """Checks that no transfer waits for itself through tokens, channels and the order of operations; changes nothing.

    Each function is run abstractly: every core, iteration and branch that constants decide, at most `max-steps` steps. A
    channel holds `capacity` transfers whose gets have not begun; 1 is the receiver's buffer, which its DMA fills before the
    core needs it. What is stuck then is stuck in every order that the tokens allow, and the error shows the cycle of waiting
    events. It is a warning if only a token that a herd waits for keeps the herd from starting, since the cores of a device
    start at once. Remarks name undecided cases: unknown bounds and conditions, or several agents at one end of a channel.

    Before:

        air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
          air.channel.get @back[] (%l1[] [] []) : (memref<8xi32, 2>)
          air.channel.put @there[] (%l1[] [] []) : (memref<8xi32, 2>)
        }
        ... air.channel.get @there, then air.channel.put @back, in another herd

    After: the same IR, or

        error: 'air.channel.get' op deadlocks: get on @back[] of the herd (0, 0) waits, over 4 steps, for itself; ...
    """

    name = "air-check-deadlock"
    works_on = ("air.*",)
    capacity: int = 1
    """Number of transfers that a channel holds before their get begins."""
    max_steps: int = 200_000
    """Largest number of steps of the abstract execution of a function; beyond it the result is undecided."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.capacity < 0:
            raise OptionError(f"pass '{self.name}': capacity is {self.capacity}, expected 0 or more transfers")

    def run(self, op: ir.Operation, /) -> None:
        findings = Findings()
        channels = bundles(op)
        rules = Rules(self.capacity, self.max_steps, lowered=bool(walk_named(op, "aie.device")))
        for function in functions(op):
            check_deadlock(function, channels, rules, findings)
        findings.deliver()
