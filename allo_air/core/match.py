"""Match failure as a value: why an operation does not have the form that a rewrite or a planner needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from allo_air.core.diagnostics import error_at
from allo_air.errors import DiagnosticError

Result = TypeVar("Result")


@dataclass(frozen=True)
class NoMatch:
    """The reason of a match failure. A caller with an alternative reads `message`; a caller without one raises `error`."""

    error: DiagnosticError

    @property
    def message(self) -> str:
        """The reason, which begins with the operation's name."""
        return self.error.diagnostics[0].message


def no_match(op: object, message: str, *notes: str) -> NoMatch:
    """The match failure of `op`; `message` continues `'air.herd' op`, as in `error_at`."""
    return NoMatch(error_at(op, message, *notes))


def expect_match(result: Result | NoMatch) -> Result:
    """`result`, or a DiagnosticError if it is a match failure."""
    if isinstance(result, NoMatch):
        raise result.error
    return result
