"""Errors at the line of the user's Python program, which the layers for other projects' programs share."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from types import FrameType

from allo_air.errors import AlloAirError, Diagnostic

_NOT_USERS = (str(Path(__file__).parent), contextlib.__file__)


def user_place() -> tuple[str, int]:
    """File and line of the innermost call that is not in this package; empty and 0 without one."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_NOT_USERS):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "", 0


def at_place(error: UserError, place: tuple[str, int]) -> UserError:
    """`error` at another place of the program."""
    error.file, error.line = place
    return error


class UserError(AlloAirError):
    """A program that cannot be expressed; `file` and `line` are the user's."""

    def __init__(self, message: str):
        self.file, self.line = user_place()
        super().__init__(message)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return (Diagnostic("error", self.file, self.line, 0, str(self)),)
