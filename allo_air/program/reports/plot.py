"""Pictures of a run: the roofline of its device, and the timeline of its tiles (matplotlib, extra `plot`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, OptionError, counted
from allo_air.program.reports.figures import Figures

if TYPE_CHECKING:
    from types import ModuleType

KINDS = ("roofline", "timeline")
_TIMELINE = ("INSTR_VECTOR", "LOCK_STALL", "STREAM_STALL", "CASCADE_STALL", "MEMORY_STALL", "PORT_RUNNING")
"""Prefixes of the names of events in the timeline."""


def kind_of(path: Path) -> str:
    """The kind of picture in `path`, by the file's name. Raises OptionError for other names."""
    for kind in KINDS:
        if kind in path.stem:
            return kind
    advice = "call it roofline.png or timeline.png (svg, pdf as well), or graph.svg"
    raise OptionError(f"'{path}' does not name a known picture: {advice}")


def check(path: Path) -> None:
    """Raises AlloAirError if no picture can be written to `path`: because of its name, its folder, or missing matplotlib."""
    kind_of(path)
    formats = pyplot().Figure().canvas.get_supported_filetypes()
    if path.suffix.removeprefix(".") not in formats:
        raise OptionError(f"'{path}' is not a picture that can be drawn; its name may end in {', '.join(sorted(formats))}")
    if not path.parent.is_dir():
        raise AlloAirError(f"cannot write '{path}': there is no folder '{path.parent}'")


def pyplot() -> Any:
    """matplotlib without a display; raises an AlloAirError that says how to install it."""
    try:
        import matplotlib
    except ImportError:
        raise AlloAirError("plots need matplotlib: pip install 'allo-air[plot]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    return plt


def save(path: Path, shown: Figures) -> None:
    """Draws a report in the picture that the name of `path` selects. A timeline needs a run with trace."""
    kind, plt = kind_of(path), pyplot()
    figure = roofline(plt, shown) if kind == "roofline" else timeline(plt, shown)
    write(plt, figure, path)


def write(plt: ModuleType, figure: Any, path: Path) -> None:
    """Writes a figure to `path` and closes it. Raises AlloAirError if that fails."""
    try:
        figure.savefig(path, dpi=150, bbox_inches="tight")
    except (OSError, ValueError) as error:
        raise AlloAirError(f"cannot write '{path}': {error}") from None
    finally:
        plt.close(figure)


def roofline(plt: ModuleType, shown: Figures) -> Any:
    """TOPS over operations per byte of DDR: the peak of the cores in use, the shim DMAs, the measured DDR, and the run."""
    import numpy as np

    if not shown.macs or not shown.run.ddr_bytes:
        raise AlloAirError("no roofline: the run counted no multiply-accumulates, or moved nothing to or from DDR")
    clock = shown.mhz * 1e6
    intensity = 2 * shown.macs / shown.run.ddr_bytes
    x = np.geomspace(min(1.0, intensity / 4), max(4096.0, intensity * 4), 200)
    top = 2 * shown.peak_per_cycle * clock / 1e12 if shown.peak_per_cycle else None
    channels = len({c.tile for c in shown.run.channels if shown.device.kind(*c.tile) == "shim_noc"}) * 2
    shim, ddr = channels * shown.arch.stream_bytes * clock, shown.arch.memory_gigabytes
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for bandwidth, style, name in (
        (shim, "-", f"shim DMA, {channels} MM2S channels: {shim / 1e9:.0f} GB/s"),
        (ddr * 1e9, "--", f"DDR, contiguous: {ddr:.0f} GB/s"),
    ):
        y = x * bandwidth / 1e12
        axes.loglog(x, y if top is None else np.minimum(y, top), style, label=name)
    if top is not None:
        axes.axhline(top, color="black", linewidth=1, label=f"{counted(shown.cores, 'core')}, {shown.element}: {top:.2f} TOPS")
    axes.plot([intensity], [shown.tera_ops], "o", color="crimson", label=f"this run: {shown.tera_ops:.3f} TOPS")
    axes.set_xlabel("operations per byte of DDR traffic")
    axes.set_ylabel(f"TOPS at {shown.mhz / 1000:.2f} GHz")
    axes.set_title(shown.title, fontsize=9)
    axes.grid(True, which="both", alpha=0.2)
    axes.legend(fontsize=8)
    return figure


def timeline(plt: ModuleType, shown: Figures) -> Any:
    """A row for every core and every active DMA port, with bars for computing, stalls and moved words; time is in cycles."""
    from allo_air.program.reports.trace import trace_of

    bars = _bars(trace_of(shown.run))
    rows = sorted({row for row, _ in bars}, key=_order)
    figure, axes = plt.subplots(figsize=(11, max(2.5, 0.16 * len(rows) + 1.2)))
    colours = {"INSTR_VECTOR": "seagreen", "PORT_RUNNING": "steelblue", "LOCK_STALL": "silver"}
    named = set()
    for (row, event), spans in bars.items():
        family = next(name for name in _TIMELINE if event.startswith(name))
        label = None if family in named else family
        named.add(family)
        colour = colours.get(family, "indianred")
        axes.broken_barh(spans, (rows.index(row) - 0.4, 0.8), facecolors=colour, label=label)
    axes.set_yticks(range(len(rows)), rows, fontsize=6)
    axes.invert_yaxis()
    axes.set_xlim(0, max(1, shown.cycles))
    axes.set_xlabel("cycles")
    axes.set_title(shown.title, fontsize=9)
    if named:
        axes.legend(fontsize=7, loc="upper right")
    return figure


def _bars(entries: list[Any]) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Spans (start, cycles) by row and event."""
    names = {e["pid"]: e["args"]["labels"] for e in entries if e["name"] == "process_labels"}
    begun: dict[tuple[int, int], int] = {}
    bars: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for entry in entries:
        if entry["ph"] == "B":
            begun[entry["pid"], entry["tid"]] = entry["ts"]
        elif entry["ph"] == "E" and entry["name"].startswith(_TIMELINE):
            start = begun[entry["pid"], entry["tid"]]
            port = entry["name"].removeprefix("PORT_RUNNING").replace("_", " ")
            row = names[entry["pid"]] + (port if entry["name"].startswith("PORT_RUNNING") else "")
            bars.setdefault((row, entry["name"]), []).append((start, entry["ts"] - start))
    return bars


def _order(row: str) -> tuple[int, str]:
    """From the host up: shim, memtile, then cores."""
    return next((i for i, unit in enumerate(("shim", "memtile", "mem", "core")) if row.startswith(f"{unit} ")), 9), row
