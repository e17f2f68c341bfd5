"""Progress on standard error while something long goes on, where that is a terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any


class Progress:
    """A line that says what is done now: passes by number, then simulated cycles and instructions. Quiet off a terminal."""

    def __init__(self, instructions: int = 0, *, quiet: bool = False):
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        console = Console(file=sys.stderr)
        columns = (
            TextColumn("{task.description:40}"),
            BarColumn(30),
            TextColumn("{task.percentage:3.0f} %"),
            TimeElapsedColumn(),
        )
        self._bar = Bar(*columns, console=console, transient=True, disable=quiet or not console.is_terminal)
        self._task: Any = None
        self.instructions = instructions

    def __enter__(self) -> Progress:
        self._bar.start()
        self._task = self._bar.add_task("starting", total=None)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bar.stop()

    def compiling(self, name: str, done: int, total: int) -> None:
        """Called before pass `name` runs."""
        self._bar.update(self._task, description=f"compiling: {name}", completed=done, total=total)

    def simulating(self, cycle: int, done: int) -> bool:
        """Called by the simulator about ten times a second; True goes on."""
        total = self.instructions or None
        self._bar.update(self._task, description=f"simulating: cycle {cycle:,}", completed=done, total=total)
        return True
