"""The errors of the DSL: Python's own classes by name and by inheritance, which also know the user's line."""

from __future__ import annotations

import builtins
import contextlib
import sys
from pathlib import Path
from types import FrameType

from allo_air.errors import AlloAirError, Diagnostic

__all__ = ["IndexError", "NotImplementedError", "RuntimeError", "TypeError", "ValueError", "user_place"]

_NOT_USERS = (str(Path(__file__).parents[2]), contextlib.__file__)


def user_place() -> tuple[str, int]:
    """File and line of the innermost call that is not in this package; empty and 0 without one."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_NOT_USERS):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "", 0


class MisuseError(AlloAirError):
    """A program that cannot be expressed; `file` and `line` are the user's."""

    def __init__(self, message: str):
        self.file, self.line = user_place()
        super().__init__(message)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return (Diagnostic("error", self.file, self.line, 0, str(self)),)


class TypeError(MisuseError, builtins.TypeError):
    """Something of a kind that cannot stand there."""


class ValueError(MisuseError, builtins.ValueError):
    """Numbers, shapes or types that do not fit."""


class IndexError(MisuseError, builtins.IndexError):
    """Subscripts of another number than the dimensions, or outside of the extents."""


class RuntimeError(MisuseError, builtins.RuntimeError):
    """Something at a place or a time where it cannot be."""


class NotImplementedError(MisuseError, builtins.NotImplementedError):
    """Something that the DSL does not have."""


for _kind in (TypeError, ValueError, IndexError, RuntimeError, NotImplementedError):
    _kind.__module__ = "builtins"  # a traceback shows `ValueError: ...`, as programs and their tests expect
