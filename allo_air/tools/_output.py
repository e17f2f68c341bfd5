"""The output of `allo-run`: a summary, or all tables with --verbose."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.program.reports.report import Report

_LEAST = 80
"""Least width of the tables in columns. On a narrower terminal lines wrap, which is easier to read than narrower tables."""


def _console() -> Any:
    from rich.console import Console

    return Console(file=sys.stdout, width=max(shutil.get_terminal_size().columns, _LEAST))


def print_report(report: Report, options: Namespace, verdict: Callable[[], None] | None = None) -> None:
    """Prints `report` in the format that `options` select; `verdict` precedes the figures."""
    from allo_air.program.reports.render import plain_text, rich_summary

    if options.picture:
        print(report.picture(), end="\n\n")
    if verdict is not None:
        verdict()
    figures = report if options.verbose else rich_summary(report)
    if sys.stdout.isatty():
        _console().print(figures)
    else:
        print(plain_text(figures))


def print_line(text: str, style: str = "") -> None:
    """Prints a line, in colour on a terminal."""
    from rich.text import Text

    _console().print(Text(text, style=style), soft_wrap=True)
