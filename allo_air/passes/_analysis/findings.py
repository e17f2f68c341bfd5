"""Collects the findings of a check: errors, which fail the pass, and warnings and remarks, which do not."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import emit, position
from allo_air.errors import Diagnostic, DiagnosticError, Severity
from allo_air.mlir import AnyOp, ir

Note = tuple[Any, str]
"""An operation (or None if the note has no place) and a text."""


class Findings:
    """A collection of findings. Equal texts at one operation are reported once.

    `code` is a name of `allo_air.codes`, used for findings without a code of their own.
    """

    code = ""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, int, str], Diagnostic] = {}

    def error(self, op: AnyOp, message: str, *notes: Note, code: str = "") -> None:
        """Adds an error, for code that cannot work: `'name' op message` at `op`."""
        self._add("error", op, message, notes, code)

    def warning(self, op: AnyOp, message: str, *notes: Note, code: str = "") -> None:
        """Adds a warning, for code that may fail, depending on facts that the check does not know."""
        self._add("warning", op, message, notes, code)

    def remark(self, op: ir.Operation, message: str, *notes: Note) -> None:
        """Adds a remark, for code that works and could be better."""
        self._add("remark", op, message, notes)

    def undecided(self, op: ir.Operation, message: str, *notes: Note) -> None:
        """Adds a remark on a question that the check cannot decide, with the reason."""
        self._add("remark", op, f"not decided: {message}", notes, "check.undecided")

    @property
    def every(self) -> list[Diagnostic]:
        """All findings, in order."""
        return list(self._found.values())

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self._found.values())

    def deliver(self) -> None:
        """Emits the warnings and remarks. If there are errors, raises DiagnosticError with all of them."""
        values = list(self._found.values())
        if self.has_errors:
            raise DiagnosticError(values)
        for diagnostic in values:
            emit(diagnostic)

    def _add(self, severity: Severity, op: AnyOp, message: str, notes: tuple[Note, ...], code: str = "") -> None:
        place = position(op.operation.location)
        text = f"'{op.operation.name}' op {message}"
        attached = tuple(
            Diagnostic("note", *(("", 0, 0) if where is None else position(where.operation.location)), text)
            for where, text in notes
        )
        self._found.setdefault((*place, text), Diagnostic(severity, *place, text, attached, code or self.code))
