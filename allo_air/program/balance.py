"""Checks a program in AIR before it is lowered or run: the ends of each channel must move the same number of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.errors import DiagnosticError

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

LEVELS = ("air", "channel")
"""Levels at which programs have channels."""


def check_balance(level: str, module: AnyOp) -> None:
    """Raises DiagnosticError if the ends of an AIR channel move different numbers of bytes; the program would hang or compute
    with wrong data.
    """
    if level not in LEVELS:
        return
    from allo_air.passes._analysis.findings import Findings
    from allo_air.passes.check._program_rules import check_program

    findings = Findings()
    check_program(module, findings)
    if findings.has_errors:
        raise DiagnosticError([d for d in findings.every if d.severity != "remark"])
