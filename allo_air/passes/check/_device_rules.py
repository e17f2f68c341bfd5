"""All checks of a device that need no simulation."""

from __future__ import annotations

from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._bd_fields import check_bd_fields
from allo_air.passes.check._cascades import check_cascades
from allo_air.passes.check._dma_programs import check_programs
from allo_air.passes.check._frames import check_frames
from allo_air.passes.check._lock_amounts import check_lock_amounts
from allo_air.passes.check._lock_order import check_lock_order
from allo_air.passes.check._lock_slots import check_lock_slots
from allo_air.passes.check._memory import check_memory
from allo_air.passes.check._routing import check_routing
from allo_air.passes.check._tasks import check_tasks
from allo_air.passes.check._tiles import DeviceUse
from allo_air.passes.check._without_effect import check_without_effect


def check_device(use: DeviceUse, findings: Findings) -> None:
    """Reports errors and suspicious parts of a device, and what the checks cannot decide."""
    for tile in use.unplaced:
        findings.undecided(tile, "what its tile holds: it is not placed")
    for fifo in use.called("aie.objectfifo")[:1]:
        findings.undecided(fifo, "what object FIFOs take; lower them first (aie-objectFifo-stateful-transform)")
    for check, code in _CHECKS:
        findings.code = code
        check(use, findings)
    findings.code = ""


_CHECKS = (
    (check_memory, "resource.limit"), (check_frames, "memory.stack"), (check_programs, "resource.limit"),
    (check_lock_amounts, "lock.range"), (check_lock_order, "race.lock-order"),
    (check_lock_slots, "race.overwritten"), (check_bd_fields, "bd.field"),
    (check_without_effect, "attribute.ignored"), (check_cascades, "cascade.place"), (check_routing, "route.none"),
    (check_tasks, "bd.field"),
)  # fmt: skip
"""Each check, and the default code of its findings."""
