"""The engine's counters as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.sim.report_types import ChannelReport, ControllerReport, CoreReport

if TYPE_CHECKING:
    from allo_air.sim._engine import Result

_CORE = (
    "finished", "last_cycle", "busy", "call", "lock_stall", "stream_stall", "cascade_stall", "macs", "vector_cycles", "regions",
)  # fmt: skip
_CHANNEL = (
    "channel", "words", "bds", "tasks", "busy", "starved", "stalled", "lock_stall", "first_cycle", "last_cycle",
)  # fmt: skip
_CONTROLLER = ("instructions", "busy", "sync_stall", "syncs", "pushes", "ignored_writes", "done_cycle")


def core_reports(result: Result) -> list[CoreReport]:
    """The counters of the cores, ordered by tile."""
    return [CoreReport((c.col, c.row), **{n: getattr(c, n) for n in _CORE}) for c in result.cores]


def channel_reports(result: Result) -> list[ChannelReport]:
    """The counters of the DMA channels, ordered by tile, direction and number."""
    return [
        ChannelReport((c.col, c.row), ("S2MM", "MM2S")[c.direction], **{n: getattr(c, n) for n in _CHANNEL})
        for c in result.channels
    ]


def controller_report(result: Result) -> ControllerReport:
    """The counters of the instruction stream."""
    return ControllerReport(**{n: getattr(result.controller, n) for n in _CONTROLLER})
