"""The output of `allo-run`: a summary, or with --verbose all tables."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.program.reports.report import Report

_LEAST = 80
"""Columns of a narrow terminal: it wraps lines, which is easier to read than tables of that width."""


def _console() -> Any:
    from rich.console import Console

    return Console(file=sys.stdout, width=max(shutil.get_terminal_size().columns, _LEAST))


def show(report: Report, options: Namespace, verdict: Callable[[], None] | None = None) -> None:
    """Prints `report` as `options` want it, its `verdict` before the figures."""
    from allo_air.program.reports.render import plain, rich_summary

    if options.picture:
        print(report.picture(), end="\n\n")
    if verdict is not None:
        verdict()
    figures = report if options.verbose else rich_summary(report)
    if sys.stdout.isatty():
        _console().print(figures)
    else:
        print(plain(figures))


def say(text: str, style: str = "") -> None:
    """Prints a line, in colour on a terminal."""
    from rich.text import Text

    _console().print(Text(text, style=style), soft_wrap=True)
