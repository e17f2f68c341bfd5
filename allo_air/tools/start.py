"""The entry points of the tools. From here on, Ctrl-C ends a tool without a traceback, also while its modules are imported."""

import signal
import sys
import warnings
from importlib import import_module
from typing import TextIO


def allo_env() -> int:
    """The command `allo-env`."""
    return _start("allo_env")


def allo_import() -> int:
    """The command `allo-import`."""
    return _start("allo_import")


def allo_opt() -> int:
    """The command `allo-opt`."""
    return _start("allo_opt")


def allo_run() -> int:
    """The command `allo-run`."""
    return _start("allo_run")


def allo_translate() -> int:
    """The command `allo-translate`."""
    return _start("allo_translate")


def allo_tune() -> int:
    """The command `allo-tune`."""
    return _start("allo_tune")


def _start(tool: str) -> int:
    """Runs a tool. Until the tool handles Ctrl-C itself, the system's default ends the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    warnings.showwarning = _print_warning
    watched = import_module(f"allo_air.tools.{tool}").watched
    return int(watched())


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Prints a warning. One about an old name becomes a note without a place, which would be in the tool's own code."""
    from allo_air.core.renamed import RenamedWarning

    text = (
        f"note: {message}\n"
        if issubclass(category, RenamedWarning)
        else warnings.formatwarning(message, category, filename, lineno, line)
    )
    print(text, end="", file=file or sys.stderr)
