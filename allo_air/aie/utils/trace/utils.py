"""Statistics of traces in the JSON format of `parse_trace`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from allo_air.aie.utils.trace.parse import get_trace_summary

__all__ = ["get_cycles", "get_cycles_summary", "get_trace_summary", "get_vector_time"]


def get_cycles_summary(trace: object) -> list[list[Any]]:
    """For each process, its name and the cycles from each event 0 to the next event 1."""
    events = _events(trace)
    names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    results = []
    for process, name in names.items():
        begins = sorted((e for e in events if e.get("pid") == process and e["ph"] == "B"), key=lambda e: e["ts"])
        spans: list[Any] = []
        start = None
        for event in begins:
            if event["name"] == "INSTR_EVENT_0":
                start = event["ts"]
            elif event["name"] == "INSTR_EVENT_1" and start is not None:
                spans.append(event["ts"] - start)
                start = None
        results.append([name, *spans])
    return results


def get_cycles(trace: object) -> int | None:
    """The cycles of the first interval, in the first process that has one."""
    return next((int(spans[1]) for spans in get_cycles_summary(trace) if len(spans) > 1), None)


def get_vector_time(trace: object) -> int:
    """Cycles of vector instructions, in all processes."""
    begun: dict[Any, float] = {}
    total = 0.0
    for event in _events(trace):
        if event["name"] == "INSTR_VECTOR" and event["ph"] in "BE":
            if event["ph"] == "B":
                begun[event["pid"]] = event["ts"]
            elif event["pid"] in begun:
                total += event["ts"] - begun.pop(event["pid"])
    return int(total)


def _events(trace: Any) -> Sequence[Any]:
    """The events of a file, or the passed events."""
    if isinstance(trace, list):
        return trace
    with open(trace, encoding="utf-8") as text:
        return list(json.load(text))
