"""Errors of a run: each has a location, and most name a second operation."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import position
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp


class RunError(DiagnosticError):
    """The program did something that is wrong in any order of events; located at `op`, with a note for each of `related`."""

    def __init__(self, op: AnyOp, message: str, *related: tuple[Any, str]):
        notes = tuple(Diagnostic("note", *place_of(o), f"'{name_of(o)}' {text}") for o, text in related)
        super().__init__([Diagnostic("error", *place_of(op), f"'{name_of(op)}' op {message}", notes)])


class Unsupported(RunError):
    """The interpreter has no rule for the operation."""


class PoisonRead(RunError):
    """Memory is read that nothing has written."""


class OutOfBounds(RunError):
    """An access leaves its buffer."""


class UseAfterFree(RunError):
    """A buffer is touched after, or without order to, its deallocation."""


class Race(RunError):
    """Two accesses to the same element, one of them a write, that no token, channel or program order separates."""


class Leftover(RunError):
    """A put sends data that no get receives."""


class Deadlock(RunError):
    """Nothing can go on, and the function is not done."""


def place_of(op: AnyOp) -> tuple[str, int, int]:
    """`(file, line, column)` of an operation."""
    return position(op.operation.location)


def name_of(op: AnyOp) -> str:
    """The operation's name as its text has it."""
    name = str(op.operation.name)
    return "affine.if" if name == "air.affine_if" else name
