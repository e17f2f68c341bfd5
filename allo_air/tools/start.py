"""Where the commands of the shell begin: Ctrl-C ends a tool without a traceback from here on, not only when it has started."""

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
    """Runs a tool; until it answers Ctrl-C itself, that ends it as it ends programs that are not Python's."""
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
    """Prints a warning: one of an old name as a note, since where Python noticed it says nothing to users of a tool."""
    from allo_air.core.renamed import RenamedWarning

    text = (
        f"note: {message}\n"
        if issubclass(category, RenamedWarning)
        else warnings.formatwarning(message, category, filename, lineno, line)
    )
    print(text, end="", file=file or sys.stderr)
