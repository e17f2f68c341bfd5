"""Renders reports for the terminal, as tables with rich and as plain text."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from allo_air.program.reports.figures import Figures

_WIDTH = 100


def plain_text(report: Figures | Group) -> str:
    """The report, or a part of it, without colours."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=_WIDTH, color_system=None, legacy_windows=False)
    console.print(report)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())  # type: ignore[attr-defined]


def rich_report(report: Figures) -> Group:
    """The report as rich objects: one line, a summary, tables of cores, DMA channels and tiles, and the line again."""
    from rich.console import Group
    from rich.text import Text

    short = Text(one_line(report), style="bold")
    parts: list[Any] = [short, Text(), _summary(report)]
    if report.kernels:
        parts.append(_kernels(report))
    parts.append(_loads(report))
    if report.run.cores:
        parts.append(_cores(report))
    if report.run.channels:
        parts.append(_channels(report))
    if report.tiles:
        parts.append(_tiles(report))
    return Group(*parts, short)


def rich_summary(report: Figures) -> Group:
    """The run in about eight lines, then in one line."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    run, peak = report.run, report.peak_per_cycle
    rows = [("program", report.title), *((name, value.partition(";")[0]) for name, value in _notes(report))]
    rows.append(("time", time(report)))
    if report.macs:
        of_peak = f" of {peak:,} peak on {counted(report.cores, 'core')}" if peak else f" on {counted(report.cores, 'core')}"
        rows.append(("rate", f"{report.macs_per_cycle:,.1f} MACs/cycle{of_peak}, {report.tera_ops:.3f} TOPS"))
    rows += [("core code", core_code(report))] if report.core_code[0] else []
    rows += _built_in(report)
    rows.append(("data", f"{run.ddr_bytes:,} bytes to and from DDR, {run.words_moved:,} words moved"))
    rows += [("bound", report.bound)] if report.loads else []
    rows += [_tool_time(report)] if run.seconds else []
    for name, value in rows:
        table.add_row(name, Text(value, overflow="fold"))
    return Group(table, Text(one_line(report), style="bold"))


def _notes(report: Figures) -> list[tuple[str, str]]:
    """The notes on the program. Notes on one of several kernels are in Program.explain()."""
    return [(name, value) for name, value in report.notes if " " not in name]


def _built_in(report: Figures) -> list[tuple[str, str]]:
    """The row with the external functions without a kernel."""
    names = report.run.built_in_kernels
    return [("kernels", f"not given, the simulator's own: {', '.join(names)}")] if names else []


def _tool_time(report: Figures) -> tuple[str, str]:
    """How long the tool itself took."""
    return "estimated in" if report.run.estimated else "simulated in", f"{report.run.seconds:.2f} s"


def time(report: Figures) -> str:
    """The time of a run, with the parts for launch and further configuration loads."""
    parts = [f"{report.launching:,.0f} us for the launch"]
    if report.reconfigurations:
        times = f"{report.reconfigurations} configuration{'s' * (report.reconfigurations > 1)} loaded in between"
        parts.append(f"{report.reconfiguring:,.0f} us for {times}")
    return f"{report.microseconds:,.1f} us, of it {' and '.join(parts)}, at {report.clock}"


def core_code(report: Figures) -> str:
    """How the cores' code is priced, and the other price."""
    scheduled, compiled = report.core_code
    work = "cycles of work in a core"
    if report.run.code == "compiled":
        return f"priced as Peano compiles it from MLIR, {compiled:,} {work}; scheduled by hand at best {scheduled:,}"
    return f"priced as scheduled by hand, {scheduled:,} {work}; as Peano compiles it from MLIR {compiled:,}"


def code_size(report: Figures) -> str:
    """The longest code of a core, and the program memory that it shares with run-time functions."""
    longest = max(report.code_bytes, key=lambda code: code.bytes)
    place = f"core {longest.tiles[0]}" + (f" of @{longest.device}" if longest.device else "")
    return f"at most about {longest.bytes:,} of {longest.of:,} bytes of program memory, {place}"


def one_line(report: Figures) -> str:
    """The run in one line: status, cycles, MACs per cycle, and the bound."""
    status = "estimated" if report.run.estimated and report.run.status == "done" else report.run.status
    parts = [f"{status}: {report.cycles:,} cycles"]
    if report.reconfigurations:
        parts[0] += f" and {report.reconfiguring:,.0f} us to load configurations"
    if report.macs:
        of_peak = f" ({100 * report.efficiency:.1f} % of peak)" if report.efficiency else ""
        parts.append(f"{report.macs_per_cycle:,.1f} MACs/cycle{of_peak}")
    if report.loads:
        parts.append(f"bound by {report.bound.split(':')[0]}")
    return ", ".join(parts) + (
        " (at most: where data decide what a core computes, the longer way)" if report.run.assumed else ""
    )


def _table(title: str, *columns: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _summary(report: Figures) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    run = report.run
    rows = [("program", report.title), *_notes(report)]
    rows += [
        ("status", run.status),
        ("cycles", f"{report.cycles:,}"),
        ("time", time(report)),
    ]
    if report.macs:
        peak = report.peak_per_cycle
        of_peak = f" of {peak:,} peak ({100 * (report.efficiency or 0):.1f} %)" if peak else " (no peak known for this type)"
        rows.append(("MACs/cycle", f"{report.macs_per_cycle:,.1f}{of_peak} on {counted(report.cores, 'core')}"))
        rows.append(("rate", f"{report.tera_ops:.3f} TOPS at that clock, {report.macs:,} MACs"))
    rows += [("core code", core_code(report))] if report.core_code[0] else []
    rows += [("code size", code_size(report))] if report.code_bytes else []
    rows += _built_in(report)
    rows += [("bound", report.bound), ("data", f"{run.ddr_bytes:,} bytes to and from DDR, {run.words_moved:,} words moved")]
    rows.append(("model", report.arch.caveat))
    if run.seconds:
        rows.append(_tool_time(report))
    for name, value in rows:
        table.add_row(name, Text(value, overflow="fold"))
    return table


def _kernels(report: Figures) -> Table:
    table = _table("Kernels, in the order that they run", "device", "cycles", "us", "DDR bytes", "code bytes", "bound")
    for kernel in report.kernels:
        bound = kernel.bound.split(":")[0]
        numbers = (f"{kernel.microseconds:,.1f}", f"{kernel.bytes:,}", f"{kernel.code_bytes:,}")
        table.add_row(kernel.name, f"{kernel.cycles:,}", *numbers, bound)
    return table


def _loads(report: Figures) -> Table:
    table = _table("Busiest unit of each part", "part", "unit", "cycles", "of the run")
    for load in report.loads:
        table.add_row(load.part, load.unit, f"{load.cycles:,}", _percent(load.cycles, report.cycles))
    return table


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _cores(report: Figures) -> Table:
    table = _table("Cores", "tile", "computing", "locks, calls", "lock stall", "stream stall", "MACs", "MACs/cycle", "of peak")
    peak = report.peak_per_cycle
    for core in report.run.cores:
        rate = core.macs / report.cycles if report.cycles else 0.0
        shares = (core.busy, core.call, core.lock_stall, core.stream_stall + core.cascade_stall)
        of_peak = f"{100 * rate * report.cores / peak:.1f} %" if peak else "-"
        cells = [_percent(s, report.cycles) for s in shares]
        table.add_row(str(core.tile), *cells, f"{core.macs:,}", f"{rate:.1f}", of_peak)
    return table


def _channels(report: Figures) -> Table:
    table = _table("DMA channels", "channel", "words", "BDs", "tasks", "moving", "starved", "stalled", "lock stall")
    from allo_air.program.reports.bottleneck import channel_name

    for channel in report.run.channels:
        if not channel.words and not channel.tasks:
            continue
        shares = (channel.busy, channel.starved, channel.stalled, channel.lock_stall)
        name = channel_name(channel, report.device.kind(*channel.tile))
        cells = [_percent(s, report.cycles) for s in shares]
        table.add_row(name, f"{channel.words:,}", str(channel.bds), str(channel.tasks), *cells)
    return table


def _tiles(report: Figures) -> Table:
    table = _table("Tiles", "tile", "kind", "memory", "of", "used", "locks", "BDs")
    for tile in report.tiles:
        memory = (f"{tile.memory:,}", f"{tile.memory_of:,}", _percent(tile.memory, tile.memory_of))
        bds = f"{tile.bds} of {tile.bds_of}" if tile.memory_of else f"at run time, of {tile.bds_of}"
        table.add_row(f"({tile.column}, {tile.row})", tile.kind, *memory, f"{tile.locks} of {tile.locks_of}", bds)
    return table
