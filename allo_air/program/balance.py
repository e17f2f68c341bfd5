"""What is wrong with a program in AIR before it is lowered or run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.errors import DiagnosticError

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

LEVELS = ("air", "channel")
"""Levels whose programs have channels."""


def check_balance(level: str, module: AnyOp) -> None:
    """DiagnosticError where ends of AIR channels do not move as many bytes, which hangs or goes on with the wrong data."""
    if level not in LEVELS:
        return
    from allo_air.passes._analysis.findings import Findings
    from allo_air.passes.check._program_rules import check_program

    findings = Findings()
    check_program(module, findings)
    if findings.has_errors:
        raise DiagnosticError([d for d in findings.every if d.severity != "remark"])
