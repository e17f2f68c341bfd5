"""Reads trace buffers: `parse_trace` returns the events of each unit as a list that Perfetto reads."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.utils.trace.packets import decode
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError
from allo_air.target.trace_modules import MODULES

__all__ = ["get_trace_summary", "main", "parse_trace"]

_UNITS = tuple(MODULES)
_TITLES = {"core": "core_trace", "mem": "mem_trace", "shimtile": "shim_trace", "memtile": "memtile_trace"}


def parse_trace(trace_buffer: object, mlir_module_str: str = "", colshift: int = 0, **keywords: object) -> list[dict[str, Any]]:
    """Begins and ends of events, in cycles, with a process for each unit and a thread for each slot."""
    refuse(keywords, "parse_trace", ignored=("debug", "verbose"))
    names = _names(mlir_module_str)
    results: list[dict[str, Any]] = []
    for process, ((kind, _id, column, row), traced) in enumerate(sorted(decode(trace_buffer).items())):
        unit = _UNITS[kind]
        slots = names.get((unit, column - colshift, row), [])
        title = f"{_TITLES[unit]} for tile{row},{column - colshift}"
        results.append({"name": "process_name", "ph": "M", "pid": process, "args": {"name": title}})
        for slot in range(8):
            label = slots[slot] if slot < len(slots) else f"slot {slot}"
            results.append({"name": "thread_name", "ph": "M", "pid": process, "tid": slot, "args": {"name": label}})
            for first, last in traced.runs(slot):
                for phase, cycle in (("B", first), ("E", last + 1)):
                    results.append({"name": label, "ts": cycle, "ph": phase, "pid": process, "tid": slot, "args": {}})
    return results


def _names(text: str) -> dict[tuple[str, int, int], list[str]]:
    """The events of each slot by unit, column and row, as the module declares them."""
    if "aie.trace" not in text:
        return {}
    from allo_air.aie.ir import Context, Module
    from allo_air.air.passmanager import PassManager

    module = Module.parse(text, Context())
    with module.context:
        PassManager.parse("builtin.module(aie-place-tiles)").run(module.operation)
    names = {}
    for trace in walk_named(module.operation, "aie.trace"):
        tile = trace.opview.tile.owner.opview
        packets = list(walk_named(trace, "aie.trace.packet"))
        unit = _UNITS[packets[0].opview.type] if packets else "core"
        events = [str(e.opview.event).partition('"')[2].partition('"')[0] for e in walk_named(trace, "aie.trace.event")]
        names[(unit, tile.col, tile.row)] = events
    return names


def get_trace_summary(events: list[dict[str, Any]]) -> dict[str, float]:
    """The first, least, mean and greatest number of cycles from a kernel's event 0 to event 1, on the first core with such
    events."""
    spans: list[float] = []
    for process in dict.fromkeys(e.get("pid") for e in events):
        spans = _spans([e for e in events if e.get("pid") == process])
        if spans:
            break
    if not spans:
        return {}
    return {"first": spans[0], "min": min(spans), "avg": sum(spans) / len(spans), "max": max(spans)}


def _spans(events: list[dict[str, Any]]) -> list[float]:
    """The cycles from each event 0 to the next event 1; an event 0 that another one follows first is skipped."""
    begins = [e for e in events if e["ph"] == "B" and e.get("name") in ("INSTR_EVENT_0", "INSTR_EVENT_1")]
    spans: list[float] = []
    start = None
    for each in sorted(begins, key=lambda e: e["ts"]):
        if each["name"] == "INSTR_EVENT_0":
            start = each["ts"]
        elif start is not None:
            spans.append(each["ts"] - start)
            start = None
    return spans


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = ArgumentParser("parse.py", description="Events of a trace buffer, as JSON that Perfetto reads.")
    parser.add_argument("-i", "--input", "--filename", required=True, help="words in hexadecimal, one a line")
    parser.add_argument("-m", "--mlir", required=True, help="the design, with its aie.trace operations")
    parser.add_argument("-o", "--output", help="a file; else it is printed")
    parser.add_argument("-c", "--colshift", type=int, default=0, help="the column in which the design begins")
    options = parser.parse_args(arguments)
    try:
        words = [int(line, 16) for line in Path(options.input).read_text().split()]
        text = Path(options.mlir).read_text()
    except OSError as why:
        raise AlloAirError(f"parse.py: cannot read '{why.filename}': {why.strerror}") from why
    except ValueError as why:
        raise AlloAirError(f"parse.py: {why}") from why
    import numpy as np

    shown = json.dumps(parse_trace(np.array(words, np.uint32), text, options.colshift), indent=1)
    if options.output:
        Path(options.output).write_text(shown)
    else:
        print(shown)


if __name__ == "__main__":
    try:
        main()
    except AlloAirError as problem:
        sys.exit(f"error: {problem}")
