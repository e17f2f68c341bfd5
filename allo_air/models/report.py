"""The report of a model's run: the place of each operation with the reason, transfers, and predicted time."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from allo_air.errors import counted
from allo_air.models.module_times import ModuleRow
from allo_air.models.parts import HOST
from allo_air.program.host.linked import Run
from allo_air.program.reports.figures import Figures

if TYPE_CHECKING:
    from rich.console import Group

_WIDTH = 120
Table: TypeAlias = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""A head and rows."""


@dataclass(frozen=True)
class Row:
    """One operation: the number of its part, its line in the model if known, and why it is on the host."""

    part: int
    operation: str
    line: str
    where: str
    why: str
    module: str = ""
    """The module that contains it (`layers.3.attn`), or ONNX's node; empty if unknown."""


@dataclass(frozen=True)
class PartRow:
    """A part: its number of operations, bytes in and out, predicted cycles (None on the host), and microseconds.

    All are predicted: those of the array at the nominal clock, those of the host at assumed rates (models/host_choice.py).
    """

    number: int
    where: str
    operations: int
    input_bytes: int
    output_bytes: int
    cycles: int | None
    microseconds: float


@dataclass(frozen=True)
class ModelReport:
    """The report of a model's last run; `figures` are those of the array's programs."""

    name: str
    device: str
    parts: list[PartRow]
    rows: list[Row]
    figures: list[Figures]
    runs: list[Sequence[Run]]
    """For each of `figures`: the runs of kernels of the program; empty for a program that is one kernel."""
    modules: list[ModuleRow] = field(default_factory=list)
    """The time of each module of the model, in execution order."""
    error: float | None = None
    """The largest difference of the last results from float64, relative to the largest number, if products are narrower than
    f32.
    """
    compiled: str = ""
    """The number of kernels that were compiled for the model, and of those from the cache."""

    @property
    def microseconds(self) -> float:
        """Predicted microseconds on the array, including launches and configuration loads, without the host's time."""
        return sum(f.microseconds for f in self.figures)

    @property
    def reconfigurations(self) -> int:
        """Number of loads of configurations, including the first one of each program."""
        return sum(f.reconfigurations + 1 for f in self.figures)

    @property
    def crossed(self) -> int:
        """Bytes transferred between host and array."""
        return sum(p.input_bytes + p.output_bytes for p in self.parts if p.where != HOST)

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON could hold it."""
        totals: dict[str, Any] = {
            "microseconds": self.microseconds,
            "reconfigurations": self.reconfigurations,
            "crossed": self.crossed,
        }
        totals["compiled"] = self.compiled
        report: dict[str, Any] = {
            "name": self.name,
            "device": self.device,
            "error": self.error,
            "compiled": self.compiled,
            **totals,
        }
        report |= {"parts": [asdict(p) for p in self.parts], "operations": [asdict(r) for r in self.rows]}
        report["modules"] = [asdict(m) for m in self.modules]
        programs = [
            f.as_dict() | {"runs": [asdict(run) for run in runs]} for f, runs in zip(self.figures, self.runs, strict=True)
        ]
        return {**report, "programs": programs}

    def text(self) -> str:
        """The report as plain text."""
        from rich.console import Console

        console = Console(file=io.StringIO(), width=_WIDTH, color_system=None, legacy_windows=False)
        console.print(self)
        return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())  # type: ignore[attr-defined]

    @property
    def summary(self) -> str:
        """The report in a sentence."""
        total = (
            f"{self.name} on {self.device}: predicted {self.microseconds:,.0f} us on the array in"
            f" {counted(self.reconfigurations, 'configuration')}, {self.crossed:,} bytes between host and array"
        )
        if self.compiled:
            total += f"; {self.compiled}"
        if self.error is not None:
            total += f"; results within {self.error:.1e} of float64's, relative to the largest"
        return total

    def __rich__(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        tables = (self.parts_table(), self.modules_table(), self.configurations_table(), self.operations_table())
        return Group(Text(self.overview, style="bold"), *(_table(*t) for t in tables))

    @property
    def overview(self) -> str:
        """The report in five lines: the total, loading, the slowest modules, the modules on the host, and the most common
        bounds.
        """
        loading = sum(f.reconfiguring for f in self.figures)
        launching = sum(f.launching for f in self.figures)
        whole = self.microseconds or 1.0
        lines = [self.summary]
        lines.append(
            f"loading further configurations takes {loading:,.0f} us ({loading / whole:.0%}), launching {launching:,.0f} us"
            f" ({launching / whole:.0%})"
        )
        inside = [m for m in self.modules if m.where != HOST]
        slowest = sorted(inside, key=lambda m: -m.microseconds)[:3]
        lines.append("slowest: " + (", ".join(f"{_module(m.module)} {m.microseconds:,.0f} us" for m in slowest) or "none"))
        outside = sorted((m for m in self.modules if m.where == HOST), key=lambda m: -m.microseconds)
        info = ", ".join(f"{_module(m.module)} {m.microseconds:,.0f} us" for m in outside[:3])
        lines.append(f"on the host: {info}{', ...' if outside[3:] else ''}" if outside else "on the host: nothing")
        bounds: Counter[str] = Counter()
        for m in inside:
            bounds[_kind(m.bound)] += round(m.microseconds - m.loading)
        lines.append("bound by: " + (", ".join(f"{bound} {us:,} us" for bound, us in bounds.most_common()) or "nothing"))
        return "\n".join(lines)

    def parts_table(self) -> Table:
        """The placement of the parts, the transferred tensors, and the time of each part."""
        head = ("part", "where", "operations", "bytes in", "bytes out", "cycles", "us")
        rows: list[tuple[str, ...]] = []
        for p in self.parts:
            cycles = f"{p.cycles:,}" if p.cycles is not None else "-"
            numbers = (f"{p.operations:,}", f"{p.input_bytes:,}", f"{p.output_bytes:,}", cycles, f"{p.microseconds:,.0f}")
            rows.append((str(p.number), p.where, *numbers))
        return head, rows

    def modules_table(self) -> Table:
        """For each module: place, predicted time, time of configuration loads, bytes and bound; the slowest first."""
        head = ("module", "lines", "where", "us", "loading", "bytes", "bound by, or why", "kernels")
        rows: list[tuple[str, ...]] = []
        for m in sorted(self.modules, key=lambda m: -m.microseconds):
            lines = ", ".join(map(_shortened, m.lines[:2])) + (", ..." if m.lines[2:] else "")
            numbers = (f"{m.microseconds:,.0f}", f"{m.loading:,.0f}", f"{m.bytes:,}")
            kernels = ", ".join(m.kernels[:3]) + (", ..." if m.kernels[3:] else "")
            rows.append((_module(m.module), lines or "-", m.where, *numbers, m.why or _kind(m.bound), kernels or "-"))
        return head, rows

    def configurations_table(self) -> Table:
        """Each load of a configuration, in order: the kernels that then run, and their time without the load."""
        rows: list[tuple[str, ...]] = []
        for figures, runs in zip(self.figures, self.runs, strict=True):
            for number, part in enumerate(figures.configurations):
                names = dict.fromkeys(run.kernel for run in runs if run.configuration == number)
                numbers = (part.cycles, round(part.microseconds), part.bytes, part.code_bytes)
                rows.append((part.name, ", ".join(names) or "-", *(f"{n:,}" for n in numbers), _kind(part.bound)))
        return ("configuration", "kernels", "cycles", "us", "bytes", "code bytes", "bound by"), rows

    def operations_table(self) -> Table:
        """The operations of each line of the model, with their placement and the reason."""
        rows_alike = Counter((r.line, r.where, r.why, r.operation) for r in self.rows)
        lines: dict[tuple[str, str, str], list[str]] = {}
        for (line, where, why, operation), count in rows_alike.items():
            lines.setdefault((line, where, why), []).append(operation if count == 1 else f"{count} {operation}")
        rows: list[tuple[str, ...]] = []
        for (line, where, why), operations in lines.items():
            rows.append((_shortened(line) or "-", ", ".join(operations), where, why))
        return ("line", "operations", "where", "why"), rows

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for n, column in enumerate(head):
        numbers = n > 0 and all(row[n].replace(",", "").isdigit() or row[n] == "-" for row in rows)
        table.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _module(name: str) -> str:
    """The name of a module; operations outside of modules belong to "(the model)"."""
    return name or "(the model)"


def _kind(bound: str) -> str:
    """The kind of a bound, without its numbers."""
    return bound.partition(":")[0]


def _shortened(line: str) -> str:
    """A source line relative to the current folder, or with only the last folder of its path."""
    path = Path(line)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else "/".join(path.parts[-2:])
