"""What is wrong with a device before it runs: the rules of the checks, as findings of a run."""

from __future__ import annotations

from typing import Any

from allo_air import codes
from allo_air.core.diagnostics import position
from allo_air.errors import Diagnostic, Severity
from allo_air.sim.report_types import Finding

_HERE = ("memory.moved",)
"""Codes of what other tools do, which no run here shows: remarks."""


def findings(device: Any) -> list[Finding]:
    """What the rules say of `device`, an `aie.device` without objectFifos, worst first."""
    from allo_air.passes._analysis.findings import Findings
    from allo_air.passes.check._device_rules import check_device
    from allo_air.passes.check._tiles import DeviceUse
    from allo_air.passes.kernel._addresses import misplaced

    found = Findings()
    check_device(DeviceUse(device.operation), found)
    every = [_taken(diagnostic) for diagnostic in found.every]
    for op, verdict in misplaced(device.operation):
        message = f"align.vector: '{op.name}' op {verdict}"
        severity: Severity = "error" if verdict.kind == "wrong" else "warning"
        every.append(_finding(Diagnostic(severity, *position(op.location), message, (), "align.vector", verdict.instead)))
    ranks = ("error", "warning", "remark", "note")
    return sorted(every, key=lambda f: ranks.index(f.diagnostic.severity))


def _taken(given: Diagnostic) -> Finding:
    """A check's diagnostic as a finding, named by its code."""
    code = given.code or "resource.limit"
    severity = "remark" if code in _HERE else given.severity
    message, _, cure = given.message.partition("; ")
    return _finding(
        Diagnostic(severity, given.file, given.line, given.column, f"{code}: {message}", given.notes, code, given.cure or cure)
    )


def _finding(diagnostic: Diagnostic) -> Finding:
    return Finding(codes.find(diagnostic.code).name, 0, None, "design", "", "", "", diagnostic)
