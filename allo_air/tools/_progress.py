"""Shows progress on standard error, on a terminal or if an option requests it."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Any

EVERY = 0.1
"""Seconds between two updates of the line."""


class Progress:
    """A line that shows the current work: passes by number, then simulated cycles and instructions.

    On a terminal it appears after `after` seconds. Elsewhere it is written once a second if `lines` is set. `quiet` turns it
    off.
    """

    def __init__(self, instructions: int = 0, *, quiet: bool = False, lines: bool = False, after: float = 0):
        terminal = sys.stderr.isatty()
        self._quiet = quiet or not (terminal or lines)
        self._lines = not terminal
        self._next = monotonic() + (1 if self._lines else after)
        self._bar: Any = None
        self._task: Any = None
        self.instructions = instructions

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._quiet = True
        if self._bar is not None:
            self._bar.stop()

    def compiling(self, name: str, done: int, total: int) -> None:
        """Called before pass `name` runs."""
        self._show(f"compiling: {name}", done, total)

    def executing(self, done: int, total: int) -> None:
        """Called after the execution of each module of --verify-each=execute."""
        self._show("executing the modules after passes", done, total)

    def simulating(self, cycle: int, done: int) -> bool:
        """Called by the simulator about ten times a second; the result True continues the simulation."""
        self._show(f"simulating: cycle {cycle:,}", done, self.instructions or None)
        return True

    def tuning(self, what: str, done: int, total: int) -> None:
        """Called a few times a second during tuning, with the number of simulated plans."""
        self._show(f"tuning: {what}", done, total)

    def doing(self, what: str) -> None:
        """Called before work of unknown duration."""
        self._show(what, 0, None)

    def _show(self, what: str, done: int, total: int | None) -> None:
        if self._quiet or monotonic() < self._next:
            return
        if self._lines:
            self._next = monotonic() + 1
            sys.stderr.write(f"{what} ({done} of {total})\n" if total else f"{what}\n")
            return
        self._next = monotonic() + EVERY
        if self._bar is None:
            self._bar = _bar()
            self._task = self._bar.add_task(what, total=total)
        self._bar.update(self._task, description=what, completed=done, total=total, refresh=True)


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = TextColumn("{task.description:40}"), BarColumn(30), TextColumn("{task.percentage:3.0f} %"), TimeElapsedColumn()
    # No refreshing thread, since the running code may fork.
    result = Bar(*columns, console=Console(file=sys.stderr), transient=True, auto_refresh=False)
    result.start()
    return result
