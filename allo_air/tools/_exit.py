"""How the tools end: they print an error on standard error and return an exit code."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from allo_air.errors import AlloAirError, OptionError, PipelineSyntaxError, UnknownNameError, render
from allo_air.tools import _words

_OF_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)
"""Error numbers (errno) of an output that is full or closed."""


def exit_code_of(run: Callable[[], int], interrupted: str = "") -> int:
    """Returns the result of `run`, or an exit code if it raises: 2 for an error on the command line, 1 for an error in the
    input, 130 for Ctrl-C (with the message `interrupted`).
    """
    try:
        return run()
    except AlloAirError as error:
        print_error(error)
        return 2 if isinstance(error, OptionError | PipelineSyntaxError | UnknownNameError) else 1
    except KeyboardInterrupt:
        if interrupted:
            print(interrupted, file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 1
    except OSError as error:
        if error.errno not in _OF_OUTPUT:
            raise
        print(f"error: cannot write: {error.strerror}", file=sys.stderr)
        return 1


def print_error(error: AlloAirError) -> None:
    """Prints `error` with the source lines that it names. The text uses the option names of the command line."""
    for diagnostic in error.diagnostics:
        shown = replace(diagnostic, message=_words.of_command_line(diagnostic.message))
        print(render(shown, _line), file=sys.stderr)
    if summary := getattr(error, "summary", ""):
        print(f"note: {summary}", file=sys.stderr)


def _line(file: str, number: int) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8").split("\n")[number - 1]
    except (OSError, UnicodeDecodeError, IndexError, ValueError):
        return None
