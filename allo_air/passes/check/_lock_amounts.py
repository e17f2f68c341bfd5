"""Checks that amounts of lock operations fit the range of a lock."""

from __future__ import annotations

from allo_air.arch import arch_of
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._lock_uses import agents
from allo_air.passes.check._tiles import DeviceUse


def check_lock_amounts(use: DeviceUse, findings: Findings) -> None:
    """Reports lock operations with an amount larger than the largest value of a lock."""
    most = arch_of(use.device).max_lock_value
    for agent in agents(use):
        for used in agent.uses:
            if abs(used.amount) > most:
                verb = "takes" if used.amount > 0 else "gives"
                findings.error(
                    used.op,
                    f"{verb} {abs(used.amount)}; a lock counts from 0 to {most}: use several locks, or fewer objects",
                    code="lock.range",
                )
