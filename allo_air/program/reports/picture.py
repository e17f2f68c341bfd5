"""The array as text: each used tile in its place, with the share of the run in which its busiest unit worked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.program.reports.figures import Figures

_WIDTH = 6
"""Number of characters of a tile's bar."""
_NAMES = {"core": "core", "mem": "memtile", "shim_noc": "shim", "shim_pl": "shim"}


def array_picture(report: Figures) -> str:
    """Rows of tiles from the top down, each with a bar and a percentage; unused tiles are dots."""
    busy = _busy_share(report)
    if not busy:
        return ""
    columns = range(min(c for c, _ in busy), max(c for c, _ in busy) + 1)
    rows = sorted({row for _, row in busy}, reverse=True)
    kinds = {row: next(report.device.kind(c, r) for c, r in busy if r == row) for row in rows}
    names = {row: f"{_NAMES.get(kinds[row], kinds[row])}s, row {row}" for row in rows}
    margin = max(map(len, names.values())) + 2
    lines = [f"{names[row]:{margin}}" + "  ".join(_cell(busy.get((c, row))) for c in columns) for row in rows]
    below = f"{'column':{margin}}" + "  ".join(f"{c:^{_WIDTH + 6}}" for c in columns)
    legend = "share of the run in which a core computes; of other tiles, in which the busiest DMA channel moves words"
    return "\n".join([*(line.rstrip() for line in lines), below.rstrip(), legend])


def _busy_share(report: Figures) -> dict[tuple[int, int], float]:
    """The share of the run in which a tile's core computes; for tiles without a core, in which its busiest channel moves
    words.
    """
    cycles = max(1, report.cycles)
    results = {core.tile: core.busy / cycles for core in report.run.cores}
    for channel in report.run.channels:
        if report.device.kind(*channel.tile) != "core" and (channel.words or channel.tasks):
            results[channel.tile] = max(results.get(channel.tile, 0.0), channel.busy / cycles)
    return results


def _cell(share: float | None) -> str:
    if share is None:
        return "." * _WIDTH + " " * 6
    full = min(_WIDTH, round(share * _WIDTH))
    return "█" * full + "░" * (_WIDTH - full) + f" {100 * share:3.0f} %"
