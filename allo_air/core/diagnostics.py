"""Turns MLIR's locations and diagnostics into `allo_air.errors.Diagnostic`."""

import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from allo_air.errors import Diagnostic, DiagnosticError, Severity, placeless
from allo_air.mlir import AnyOp, ir


def position(location: ir.Location) -> tuple[str, int, int]:
    """`(file, line, column)` of an `ir.Location`, looking into names, fusions and call sites; `("", 0, 0)` if there is none."""
    if type(location) is ir.Location:  # an MLIRError's locations have no subclass
        location = ir.Location.from_attr(location.attr, location.context)
    match location:
        case ir.FileLineColLoc():
            return location.filename, location.start_line, location.start_col
        case ir.NameLoc():
            return position(location.child_loc)
        case ir.CallSiteLoc():
            inner = position(location.callee)
            return inner if inner[1] else position(location.caller)
        case ir.FusedLoc():
            return next((p for p in map(position, location.locations) if p[1]), ("", 0, 0))
    return "", 0, 0


def given_name(location: ir.Location, kind: str) -> str:
    """Returns the SSA name, such as `%a`, that the value at `location` has in the text; empty if the name is unknown or of
    another `kind`.

    The assembly records names of buffers and locks (by the operation's name) and of host buffers (`argument`).
    """
    if isinstance(location, ir.FusedLoc):
        return next(filter(None, (given_name(each, kind) for each in location.locations)), "")
    if not isinstance(location, ir.NameLoc):
        return ""
    result, _, name = location.name_str.partition(" %")
    return f"%{name}" if result == kind and name else ""


def called(op: ir.Operation) -> str:
    """The name that the file gives an operation: its symbol, else its SSA name, else empty."""
    attributes = op.operation.attributes
    if "sym_name" in attributes:
        return str(attributes["sym_name"].value)
    return given_name(op.operation.location, op.operation.name)


def diagnostic(value: ir.Diagnostic | ir.DiagnosticInfo) -> Diagnostic:
    """Converts a diagnostic of the bindings to a `Diagnostic`, without MLIR's notes that print the whole operation."""
    severity: Severity = str(value.severity).rsplit(".", 1)[-1].lower()  # type: ignore[assignment]
    notes = tuple(diagnostic(n) for n in value.notes if not n.message.startswith("see current operation:"))
    return Diagnostic(severity, *position(value.location), _in_our_words(value.message), notes)


def _in_our_words(message: str) -> str:
    """`message` with the options of allo-opt instead of MLIR's advice on unregistered dialects."""
    text, _, advice = message.partition(". If this is intended, please use ")
    if not advice.startswith("-allow-unregistered-dialect"):
        return message
    return f"{text}; 'allo-opt --show-dialects' lists the registered ones, and '--allow-unregistered-dialect' accepts others"


def error_at(op: Any, message: str, *notes: str, code: str = "") -> DiagnosticError:
    """An error about `op`, at its location, in MLIR's wording: `'air.herd' op message`; `code` is one of `allo_air.codes`."""
    operation = op.operation
    attached = tuple(placeless("note", n) for n in notes)
    text = f"'{operation.name}' op {message}"
    return DiagnosticError([Diagnostic("error", *position(operation.location), text, attached, code)])


def translate(error: ir.MLIRError) -> DiagnosticError:
    """The DiagnosticError for an `ir.MLIRError`."""
    diagnostics = list(dict.fromkeys(diagnostic(d) for d in error.error_diagnostics))  # one mistake may break many operations
    return DiagnosticError(diagnostics or [placeless("error", str(error.args[0] if error.args else error))])


_LISTENING: ContextVar[Callable[[Diagnostic], None] | None] = ContextVar("listening", default=None)


def emit(value: Diagnostic) -> None:
    """Passes a diagnostic to the innermost Listener, or prints it on standard error if there is no listener.

    The bindings let Python emit errors only. Passes emit warnings and remarks with this function and continue.
    """
    listener = _LISTENING.get()
    if listener is not None:
        listener(value)
    else:
        print(value, file=sys.stderr)


def warn_at(op: Any, message: str) -> None:
    """Emits a warning about `op`, at its location, in MLIR's wording."""
    _emit_at(op, "warning", message)


def remark_at(op: Any, message: str) -> None:
    """Emits a remark about `op`, at its location, in MLIR's wording."""
    _emit_at(op, "remark", message)


def _emit_at(op: AnyOp, severity: Severity, message: str) -> None:
    operation = op.operation
    emit(Diagnostic(severity, *position(operation.location), f"'{operation.name}' op {message}"))


class Listener:
    """Passes each diagnostic that MLIR, or `emit`, emits in `context` on to `report`, for as long as the `with` block lasts."""

    def __init__(self, context: ir.Context, report: Callable[[Diagnostic], None]):
        self._context, self._report = context, report

    def __enter__(self) -> "Listener":
        def hear(value: ir.Diagnostic) -> bool:
            self._report(diagnostic(value))
            return True

        self._handler = self._context.attach_diagnostic_handler(hear)
        self._outer = _LISTENING.set(self._report)
        return self

    def __exit__(self, *_: object) -> None:
        _LISTENING.reset(self._outer)
        self._handler.detach()
        del self._handler  # breaks a cycle of references through C++, which Python's collector does not see
