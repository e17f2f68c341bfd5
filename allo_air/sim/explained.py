"""Explains the engine's findings, and the reason why a run did not end, in terms of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.sim import deadlock, findings, free_running, inputless, locks, rings
from allo_air.sim.naming import Names
from allo_air.sim.report_types import Finding

if TYPE_CHECKING:
    from allo_air.sim._engine import Result

_STOPS = ("deadlock", "sync-without-end")
"""The engine's kinds of runs that stopped because no agent could continue; `deadlock` explains them."""

_MEMORY = ("data-race", "uninitialized-read")
"""Findings that locks should prevent."""

_LEFT = "unconsumed-stream-data"
"""A kind of finding whose cause may be elsewhere, since the receiver may wait for another agent."""


def _is_ahead(names: Names, result: object, raw: object) -> bool:
    """Whether the remaining data were sent ahead, which is not a mistake."""
    return free_running.sent_ahead(names, result, raw) or inputless.for_another_sequence(names, result, raw)


def explained(names: Names, result: Result) -> list[Finding]:
    """The findings of a run that has some, or has stopped or been stopped."""
    results: list[Finding] = []
    for raw in result.findings:
        if raw.kind == _LEFT and _is_ahead(names, result, raw):
            continue
        if raw.kind not in _STOPS:
            info = locks.separating_locks(names, result, raw) if raw.kind in _MEMORY else []
            finding = rings.out_of_step(names, result, raw, findings.finding_of(names, raw, info))
            results.append(deadlock.trace_back(names, result, raw, finding) if raw.kind == _LEFT else finding)
    if result.status == "deadlock":
        results.append(deadlock.explain(names, result))
    if result.status == "limit":
        results.append(findings.limit_finding(result.cycles))
    return results
