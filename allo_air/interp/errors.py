"""Errors of a run: each has a location, and most name a second operation."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import position
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp


class RunError(DiagnosticError):
    """An error of the program, located at `op`, with a note for each of `related`."""

    def __init__(self, op: AnyOp, message: str, *related: tuple[Any, str]):
        notes = tuple(Diagnostic("note", *place_of(o), f"'{name_of(o)}' {text}") for o, text in related)
        super().__init__([Diagnostic("error", *place_of(op), f"'{name_of(op)}' op {message}", notes)])


class Unsupported(RunError):
    """The interpreter has no rule for the operation."""


class PoisonRead(RunError):
    """A read of unwritten memory."""


class OutOfBounds(RunError):
    """An access out of bounds."""


class UseAfterFree(RunError):
    """An access to a buffer after its deallocation, or unordered with it."""


class Race(RunError):
    """A race: two accesses to the same element, one of them a write, that no token, channel or program order orders."""


class Leftover(RunError):
    """A put sends data that no get receives."""


class Deadlock(RunError):
    """A deadlock: no agent can continue, and the function has not ended."""


def place_of(op: AnyOp) -> tuple[str, int, int]:
    """`(file, line, column)` of an operation."""
    return position(op.operation.location)


def name_of(op: AnyOp) -> str:
    """The operation's name in the user's text."""
    name = str(op.operation.name)
    return "affine.if" if name == "air.affine_if" else name
