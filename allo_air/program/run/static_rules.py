"""Applies the rules of the checks to a device before it runs, and returns their diagnostics as findings of the run."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from allo_air import codes
from allo_air.core.diagnostics import position
from allo_air.errors import Diagnostic, Severity
from allo_air.sim.report_types import Finding

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_BY_WORDS = ("queue.may-overflow",)
"""Codes that the run itself finds in the instruction words."""

_HERE = ("memory.moved", "pingpong.odd-trips")
"""Codes about other tools, which a run here cannot show; they are remarks."""


def findings(device: AnyOp) -> list[Finding]:
    """The findings of the rules on `device`, an `aie.device` without objectFifos, the worst first."""
    from allo_air.passes._analysis.findings import Findings
    from allo_air.passes.check._device_rules import check_device
    from allo_air.passes.check._tiles import DeviceUse
    from allo_air.passes.kernel._addresses import misplaced

    result = Findings()
    check_device(DeviceUse(device.operation), result)
    all_findings = [_as_finding(diagnostic) for diagnostic in result.every if diagnostic.code not in _BY_WORDS]
    for op, verdict in misplaced(device.operation):
        message = f"align.vector: '{op.name}' op {verdict}"
        severity: Severity = "error" if verdict.kind == "wrong" else "warning"
        all_findings.append(
            _finding(Diagnostic(severity, *position(op.location), message, (), "align.vector", verdict.instead))
        )
    ranks = ("error", "warning", "remark", "note")
    counts = Counter(all_findings)  # unrolled code repeats findings
    once = [replace(finding, count=count) for finding, count in counts.items()]
    return sorted(once, key=lambda f: ranks.index(f.diagnostic.severity))


def of_program(module: AnyOp) -> list[Finding]:
    """Findings about the behaviour of other tools on a program in AIR."""
    from allo_air.passes._analysis.findings import Findings
    from allo_air.passes.check._odd_trips import check_odd_trips

    result = Findings()
    check_odd_trips(module, result)
    return [_as_finding(diagnostic) for diagnostic in result.every if diagnostic.severity != "remark"]


def _as_finding(diagnostic: Diagnostic) -> Finding:
    """A check's diagnostic as a finding with its code."""
    code = diagnostic.code or "resource.limit"
    severity = "remark" if code in _HERE else diagnostic.severity
    _, info, last = diagnostic.message.rpartition("; ")
    cure = diagnostic.cure or (last if info else "")
    return _finding(replace(diagnostic, severity=severity, message=f"{code}: {diagnostic.message}", code=code, cure=cure))


def _finding(diagnostic: Diagnostic) -> Finding:
    return Finding(codes.find(diagnostic.code).name, 0, None, "design", "", "", "", diagnostic)
