"""Errors at the line of the user's Python program, which the layers for other projects' programs share."""

from __future__ import annotations

import contextlib
import runpy
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError

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


def run_file(path: Path) -> dict[str, Any]:
    """The names that the user's Python file `path` defines; its exceptions become AlloAirErrors with its line.

    As when Python runs the file, its folder is the first of `sys.path`, and stays there for imports of its functions.
    """
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return runpy.run_path(str(path), run_name="<allo-run>")
    except AlloAirError:
        raise
    except (Exception, SystemExit) as why:  # any exception of the user's file
        raise _at_user_line(why, path) from why


def _at_user_line(why: BaseException, path: Path) -> AlloAirError:
    frames = traceback.extract_tb(why.__traceback__)
    if isinstance(why, ModuleNotFoundError) and (why.name or "").partition(".")[0] in ("air", "aie"):
        users = [f for f in frames if not f.filename.startswith((*_NOT_USERS, "<frozen")) and f.filename != runpy.__file__]
        file, line = (users[-1].filename, users[-1].lineno or 0) if users else (str(path), 0)
        top = str(why.name).partition(".")[0]
        text = f"there is no module '{why.name}'; run it under allo-env, which provides it, as in `allo-env allo-tune ...`"
        return DiagnosticError([Diagnostic("error", file, line, 0, f"{text}, or import 'allo_air.{top}' instead")])
    lines = [entry.lineno for entry in frames if entry.filename == str(path)]
    number = why.lineno if isinstance(why, SyntaxError) else lines[-1] if lines else None
    return AlloAirError(f"'{path}{f':{number}' if number else ''}' raises {type(why).__name__}: {why}")
