"""Writes traces in Chrome's JSON format, which Perfetto opens, with the names of mlir-aie's own traces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError

_BEGIN, _END, _INSTANT = 0, 1, 2
_LAST = 1
"""Duration in cycles of an event without a duration; the hardware's trace gives it one cycle."""


def chrome_events(events: dict[str, object], names: tuple[str, ...], rows: dict[tuple[int, int], str], end: int) -> list[Any]:
    """The trace as a list: `M` entries that name processes (a tile's unit) and threads (an event), then `B`/`E` pairs by cycle.

    `events` are the engine's arrays, `names` the names of its event codes, `rows` the kind of each tile. `ts` counts cycles
    (Perfetto shows one as 1 us). An event that has not ended at cycle `end` ends there.
    """
    processes: dict[tuple[int, int, str], int] = {}
    threads: dict[tuple[int, int], int] = {}
    counts: dict[int, int] = {}
    head: list[Any] = []
    body: list[Any] = []
    for cycle, tile, unit, code, phase in _rows(events):
        label = _unit(unit, rows.get(tile, "core"))
        process = (*tile, label)
        if process not in processes:
            processes[process] = len(processes)
            name = f"{label}_trace for tile{tile[1]},{tile[0]}"
            labels = f"{label} ({tile[0]}, {tile[1]})"
            head.append({"name": "process_name", "ph": "M", "pid": processes[process], "args": {"name": name}})
            head.append({"name": "process_labels", "ph": "M", "pid": processes[process], "args": {"labels": labels}})
        pid = processes[process]
        if (pid, code) not in threads:
            threads[pid, code] = counts.get(pid, 0)
            counts[pid] = threads[pid, code] + 1
            entry = {"name": "thread_name", "ph": "M", "pid": pid, "tid": threads[pid, code], "args": {"name": names[code]}}
            head.append(entry)
        common = {"name": names[code], "pid": pid, "tid": threads[pid, code], "args": {}}
        if phase != _END:
            body.append({**common, "ph": "B", "ts": cycle})
        if phase != _BEGIN:
            body.append({**common, "ph": "E", "ts": cycle + (_LAST if phase == _INSTANT else 0)})
    return head + _paired(body, end)


def _rows(events: dict[str, Any]) -> Iterator[tuple[int, tuple[int, int], int, int, int]]:
    columns = [events[name].tolist() for name in ("cycle", "col", "row", "unit", "event", "phase")]
    for cycle, column, row, unit, code, phase in zip(*columns, strict=True):
        yield cycle, (column, row), unit, code, phase


def _unit(unit: int, kind: str) -> str:
    """`core` or `mem` of a core tile, `memtile`, `shim`."""
    return {"mem": "memtile", "shim_noc": "shim"}.get(kind, "core" if unit == 0 else "mem")


def _paired(body: list[Any], end: int) -> list[Any]:
    """Sorted by time, with an `E` for every `B`. An event that is open at the end is closed; an `E` without `B` is dropped."""
    paired = []
    open_: dict[tuple[int, int], Any] = {}
    for entry in sorted(body, key=lambda e: (e["ts"], e["ph"] == "B")):
        key = entry["pid"], entry["tid"]
        if entry["ph"] == "B" and key in open_:
            paired.append({**open_.pop(key), "ph": "E", "ts": entry["ts"]})
        if entry["ph"] == "B":
            open_[key] = entry
        elif open_.pop(key, None) is None:
            continue
        paired.append(entry)
    paired += [{**entry, "ph": "E", "ts": max(end, entry["ts"] + _LAST)} for entry in open_.values()]
    return paired


def event_names() -> tuple[str, ...]:
    """Names of the engine's event codes."""
    from allo_air.sim import _engine

    return tuple(_engine.EVENT_NAMES)


def _events_of(events: dict[str, Any], tiles: Mapping[tuple[int, int], str]) -> dict[str, Any]:
    """The events of `tiles`."""
    chosen_rows = [
        i for i, tile in enumerate(zip(events["col"].tolist(), events["row"].tolist(), strict=True)) if tile in tiles
    ]
    return {name: column[chosen_rows] for name, column in events.items()}


def trace_of(outcome: Any, tiles: Mapping[tuple[int, int], str] | None = None) -> list[Any]:
    """The Chrome trace of a simulator's report. Raises AlloAirError if it ran without `trace`.

    With `tiles`, only these tiles, under the given names.
    """
    from allo_air.device import DEVICES

    if not outcome.events:
        raise AlloAirError("the run kept no events; run it with trace=True")
    device = DEVICES[outcome.device]
    kinds = {(c, r): str(device.kind(c, r)) for c in range(device.columns) for r in range(device.rows)}
    if tiles is None:
        return chrome_events(outcome.events, event_names(), kinds, outcome.cycles)
    entries = chrome_events(_events_of(outcome.events, tiles), event_names(), kinds, outcome.cycles)
    names = {f"({column}, {row})": name for (column, row), name in tiles.items()}
    for entry in entries:
        if entry["name"] == "process_labels":
            unit, place = entry["args"]["labels"].split(" ", 1)
            entry["args"]["labels"] = f"{names[place]}: {unit} {place}"
    return entries


def write_trace(path: Path, outcome: object, tiles: Mapping[tuple[int, int], str] | None = None) -> None:
    """Writes the Chrome trace of a simulator's report to `path`; by default of all tiles."""
    entries = trace_of(outcome, tiles)
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    try:
        path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    except OSError as error:
        raise AlloAirError(f"cannot write '{path}': {error.strerror}") from None
