"""The result of tuning: a table of the simulated plans."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from allo_air.errors import counted
from allo_air.passes._analysis.tuned_plans import Candidate
from allo_air.program.tuning.trial import Job, Outcome

Plans = Mapping[str, tuple[str, Candidate]]
"""By the kernel's digest: the name and the plan of each kernel."""


@dataclass(frozen=True)
class Row:
    """A simulated program."""

    plans: Plans
    """The plans of its kernels."""
    outcome: Outcome
    again: bool = False
    """Whether an earlier tuning already simulated it."""


@dataclass(frozen=True)
class Tuned:
    """The result of tuning a program."""

    title: str
    job: Job
    """The program without plans."""
    rows: tuple[Row, ...]
    """All simulations, the first one with the planners' own plans."""
    best: Row
    left: int
    """Number of candidates that were not simulated for lack of time."""
    seconds: float

    @property
    def cycles(self) -> int:
        """Simulated cycles of the program with the best plans."""
        return int(self.best.outcome.cycles)

    @property
    def untuned(self) -> int:
        """Simulated cycles with the planners' own plans."""
        return int(self.rows[0].outcome.cycles)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the best plans: to a `.json` file as an entry of a registry, to a `.mlir` file as the tiled program.

        Raises OptionError for another suffix, and for a `.json` file that is not a registry.
        """
        from allo_air.program.tuning.registry import Choice, write

        kernels = self.best.outcome.kernels
        plans = {kernel.key: kernel.taken.text for kernel in kernels}
        names = {kernel.name: kernel.taken for kernel in kernels}
        write(Choice(replace(self.job, plans=plans, ranking=0), names, self.cycles, self.untuned), path)

    def __str__(self) -> str:
        rows = [("kernel", "plan", "planned cycles", "simulated", "outcome")]
        for row in self.rows:
            columns = self._outcome_columns(row)
            for name, candidate in row.plans.values():
                rows.append((name, candidate.shown, f"{candidate.cycles:,.0f}", *columns))
                columns = "", ""
        lines = [self.title, *_aligned(rows), "", self._summary()]
        return "\n".join(lines)

    def _outcome_columns(self, row: Row) -> tuple[str, str]:
        """The columns of a row for simulated cycles and outcome."""
        outcome, suffix = row.outcome, " (from an earlier run)" if row.again else ""
        match outcome.status:
            case "ran" if row is self.best:
                text = "the planner's own; best" if row is self.rows[0] else f"best, {self._faster(row)}"
            case "ran" if row is self.rows[0]:
                text = "the planner's own"
            case "ran":
                text = self._faster(row)
            case "slower":
                return f"> {outcome.cycles:,.0f}", f"stopped, slower{suffix}"
            case "late":
                return "", f"out of time{suffix}"
            case _:
                return "", f"failed: {outcome.why}{suffix}"
        return f"{outcome.cycles:,.0f}", text + suffix

    def _faster(self, row: Row) -> str:
        """The speed of a row relative to the planners' own plans."""
        ratio = self.untuned / row.outcome.cycles
        return f"{ratio:.2f} times as fast" if ratio >= 1 else f"{1 / ratio:.2f} times as slow"

    def _summary(self) -> str:
        summary = (
            "the planner's own plan is the best"
            if self.best is self.rows[0]
            else f"{self.untuned:,} -> {self.cycles:,} simulated cycles; compile takes this plan from now on"
        )
        rest = f"; {counted(self.left, 'candidate')} remain for another run" if self.left else ""
        return f"{counted(len(self.rows), 'plan')} in {self.seconds:.0f} s: {summary}{rest}"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows with aligned columns, numbers to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    right = {2, 3}
    return [
        "  ".join(
            text.rjust(w) if n in right else text.ljust(w) for n, (text, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
