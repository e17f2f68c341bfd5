"""Finds the bottleneck of a run from the share of cycles in which each part of the machine was busy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from allo_air.sim.report_types import ChannelReport, Report

_SERIAL = 0.5
"""If all shares are below this, no part is the bound: the run waits for one part after another."""
_PAUSES = 0.1
"""Share of a shim channel's time that it may wait for DDR before DDR counts as the bottleneck: more than the pauses of
refreshes and of starting a task.
"""


@dataclass(frozen=True)
class Load:
    """The busiest unit of a part of the machine: its `cycles` of work, their `share` of the run, and its name.

    External memory has no counters. Its unit is the shim channel that moves words or waits for it longest; `waits` is the share
    of waiting.
    """

    part: str
    unit: str
    cycles: int
    share: float
    waits: float = 0.0

    def __str__(self) -> str:
        if not self.waits:
            return f"{self.part}: {self.unit} at work {100 * self.share:.0f} % of the time"
        moves = self.share - self.waits
        return f"{self.part}: {self.unit} waits for it {100 * self.waits:.0f} % of the time and moves words {100 * moves:.0f} %"


def loads(report: Report, rows: Callable[[tuple[int, int]], str]) -> list[Load]:
    """The busiest unit of every part, the most loaded first: compute, movement at L1, L2 and L3, DDR, and the controller.

    `rows` gives the kind of a tile. A core works when it computes or issues lock and stream instructions, a channel when it
    moves words. Waiting of a shim channel for DDR (MM2S starved, S2MM stalled) counts as work of DDR, except its pauses.
    """
    candidates = [_busiest("compute", ((f"core {c.tile}", c.busy + c.call) for c in report.cores), report.cycles)]
    shims = [c for c in report.channels if rows(c.tile) == "shim_noc"]
    for part, kind in (("L1 movement", "core"), ("L2 movement", "mem")):
        units = ((channel_name(c, kind), c.busy) for c in report.channels if rows(c.tile) == kind)
        candidates.append(_busiest(part, units, report.cycles))
    own = ((channel_name(c, ""), c.busy + (0 if _lacks(c) else _waits(c))) for c in shims)
    candidates += [_busiest("L3 movement", own, report.cycles), _memory(shims, report.cycles)]
    if report.controller is not None:
        candidates.append(_busiest("control", [("instruction stream", report.controller.busy)], report.cycles))
    return sorted((f for f in candidates if f is not None), key=lambda f: -f.share)


def channel_name(channel: ChannelReport, kind: str) -> str:
    """`memtile (0, 1) MM2S 2`."""
    tile = {"core": "core", "mem": "memtile"}.get(kind, "shim")
    return f"{tile} {channel.tile} {channel.direction} {channel.channel}"


def _waits(channel: ChannelReport) -> int:
    """Cycles in which a shim channel waits for DDR."""
    return channel.starved if channel.direction == "MM2S" else channel.stalled


def _lacks(channel: ChannelReport) -> bool:
    """Whether DDR is the bottleneck of a shim channel."""
    return _waits(channel) > _PAUSES * (channel.busy + _waits(channel))


def _memory(shims: list[ChannelReport], cycles: int) -> Load | None:
    """The load of external memory: that of the busiest shim channel among those that wait for it. None if none waits."""
    most = max(filter(_lacks, shims), key=lambda c: c.busy + _waits(c), default=None)
    if most is None or not cycles:
        return None
    busy_time = most.busy + _waits(most)
    return Load("external memory", channel_name(most, ""), busy_time, min(1.0, busy_time / cycles), _waits(most) / cycles)


def _busiest(part: str, units: Iterable[tuple[str, int]], cycles: int) -> Load | None:
    busiest = max(units, key=lambda u: u[1], default=None)
    if busiest is None or not cycles:
        return None
    unit, work = busiest
    return Load(part, unit, work, min(1.0, work / cycles))


def verdict(items: list[Load]) -> str:
    """One sentence that names the bound."""
    if not items:
        return "nothing ran"
    first = items[0]
    if first.share < _SERIAL:
        return f"latency: no part works half of the time, they wait for one another (most: {first})"
    return str(first)


def as_dict(load: Load) -> dict[str, Any]:
    """The load as JSON data."""
    waits = {"waits": load.waits} if load.waits else {}
    return {"part": load.part, "unit": load.unit, "cycles": load.cycles, "share": load.share, **waits}
