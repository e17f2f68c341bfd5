"""What bounds a run: the share of its cycles that each part of the machine was at work."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from allo_air.sim.report_types import ChannelReport, Report

_SERIAL = 0.5
"""Share below which no part is called the bound: then the run waits for one part after another."""


@dataclass(frozen=True)
class Load:
    """The busiest unit of a part of the machine: `cycles` of work, as a `share` of the run, and which unit it was."""

    part: str
    unit: str
    cycles: int
    share: float

    def __str__(self) -> str:
        return f"{self.part}: {self.unit} at work {100 * self.share:.0f} % of the time"


def loads(report: Report, rows: Callable[[tuple[int, int]], str]) -> list[Load]:
    """The busiest unit of every part, most loaded first: compute, movement at L1, L2 and L3, and the controller.

    `rows` gives the kind of a tile. A core works when it computes or issues lock and stream instructions; a channel when words
    move, and a shim channel also while it waits for DDR (MM2S starved, S2MM stalled).
    """
    found = [_most("compute", ((f"core {c.tile}", c.busy + c.call) for c in report.cores), report.cycles)]
    for part, kind in (("L1 movement", "core"), ("L2 movement", "mem"), ("L3 movement", "shim_noc")):
        channels = [c for c in report.channels if rows(c.tile) == kind]
        found.append(_most(part, ((channel_name(c, kind), _moving(c, kind)) for c in channels), report.cycles))
    if report.controller is not None:
        found.append(_most("control", [("instruction stream", report.controller.busy)], report.cycles))
    return sorted((f for f in found if f is not None), key=lambda f: -f.share)


def channel_name(channel: ChannelReport, kind: str) -> str:
    """`memtile (0, 1) MM2S 2`."""
    tile = {"core": "core", "mem": "memtile"}.get(kind, "shim")
    return f"{tile} {channel.tile} {channel.direction} {channel.channel}"


def _moving(channel: ChannelReport, kind: str) -> int:
    if kind != "shim_noc":
        return channel.busy
    return channel.busy + (channel.starved if channel.direction == "MM2S" else channel.stalled)


def _most(part: str, units: Iterable[tuple[str, int]], cycles: int) -> Load | None:
    busiest = max(units, key=lambda u: u[1], default=None)
    if busiest is None or not cycles:
        return None
    unit, work = busiest
    return Load(part, unit, work, min(1.0, work / cycles))


def verdict(found: list[Load]) -> str:
    """One sentence that names the bound."""
    if not found:
        return "nothing ran"
    first = found[0]
    if first.share < _SERIAL:
        return f"latency: no part works half of the time, they wait for one another (most: {first})"
    return str(first)


def as_dict(load: Load) -> dict[str, Any]:
    """For JSON."""
    return {"part": load.part, "unit": load.unit, "cycles": load.cycles, "share": load.share}
