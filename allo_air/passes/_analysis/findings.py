"""The findings of a check: errors that fail the pass, warnings and remarks that do not."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import emit, position
from allo_air.errors import Diagnostic, DiagnosticError, Severity
from allo_air.mlir import AnyOp, ir

Note = tuple[Any, str]
"""An operation, or None for a note without a place, and a text."""


class Findings:
    """Collects findings; equal texts at one operation are reported once.

    `code` is a name of `allo_air.codes`; findings without one get the collection's.
    """

    code = ""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, int, str], Diagnostic] = {}

    def error(self, op: AnyOp, message: str, *notes: Note, code: str = "") -> None:
        """Code that cannot work: `'name' op message` at `op`."""
        self._add("error", op, message, notes, code)

    def warning(self, op: AnyOp, message: str, *notes: Note, code: str = "") -> None:
        """Code that may fail, depending on facts that are unknown here."""
        self._add("warning", op, message, notes, code)

    def remark(self, op: ir.Operation, message: str, *notes: Note) -> None:
        """Code that works and could be better."""
        self._add("remark", op, message, notes)

    def undecided(self, op: ir.Operation, message: str, *notes: Note) -> None:
        """A remark on a question that the check cannot decide, with the reason."""
        self._add("remark", op, f"not decided: {message}", notes, "check.undecided")

    @property
    def every(self) -> list[Diagnostic]:
        """All findings, in order."""
        return list(self._found.values())

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self._found.values())

    def deliver(self) -> None:
        """Emits the warnings and remarks; with errors, raises DiagnosticError with all."""
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
