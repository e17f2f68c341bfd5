"""What a check finds: errors that fail the pass, warnings and remarks that do not."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import emit, position
from allo_air.errors import Diagnostic, DiagnosticError, Severity
from allo_air.mlir import AnyOp, ir

Note = tuple[Any, str]
"""An operation, or None for a note without a place, and a text."""


class Findings:
    """Collects what a check has to say; the same text at the same place is said once.

    `code` is a name of `allo_air.codes`; where a finding names none, it has the collection's.
    """

    code = ""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, int, str], Diagnostic] = {}

    def error(self, op: AnyOp, message: str, *notes: Note, code: str = "") -> None:
        """What cannot work: `'name' op message` at `op`."""
        self._add("error", op, message, notes, code)

    def warning(self, op: AnyOp, message: str, *notes: Note, code: str = "") -> None:
        """What may go wrong, depending on what is not known here."""
        self._add("warning", op, message, notes, code)

    def remark(self, op: ir.Operation, message: str, *notes: Note) -> None:
        """What works, and might be better."""
        self._add("remark", op, message, notes)

    def undecided(self, op: ir.Operation, message: str, *notes: Note) -> None:
        """A remark on what the check cannot decide, and why."""
        self._add("remark", op, f"not decided: {message}", notes, "check.undecided")

    @property
    def every(self) -> list[Diagnostic]:
        """All that was found, in order."""
        return list(self._found.values())

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self._found.values())

    def deliver(self) -> None:
        """Emits the warnings and remarks; with errors, raises DiagnosticError with all."""
        found = list(self._found.values())
        if self.has_errors:
            raise DiagnosticError(found)
        for diagnostic in found:
            emit(diagnostic)

    def _add(self, severity: Severity, op: Any, message: str, notes: tuple[Note, ...], code: str = "") -> None:
        place = position(op.operation.location)
        text = f"'{op.operation.name}' op {message}"
        attached = tuple(
            Diagnostic("note", *(("", 0, 0) if where is None else position(where.operation.location)), said)
            for where, said in notes
        )
        self._found.setdefault((*place, text), Diagnostic(severity, *place, text, attached, code or self.code))
