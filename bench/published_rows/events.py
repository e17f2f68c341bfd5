"""Cycles of a trace's events."""

from __future__ import annotations

from typing import Any

from allo_air.sim import _engine

_PHASE = {"begin": 0, "end": 1, "at": 2}


def cycles_of(report: Any, name: str, tile: tuple[int, int], phase: str = "at") -> list[int]:
    """Cycles at which event `name` of `tile` begins, ends, or is (`at`), in order."""
    events = report.events
    chosen = (
        (events["event"] == _engine.EVENT_NAMES.index(name))
        & (events["col"] == tile[0])
        & (events["row"] == tile[1])
        & (events["phase"] == _PHASE[phase])
    )
    return sorted(int(c) for c in events["cycle"][chosen])


def after(cycles: list[int], start: int) -> int:
    """The first of `cycles` that is not before `start`."""
    return next(c for c in cycles if c >= start)
