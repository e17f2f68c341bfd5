"""Orders a program's kernels so that few configurations are loaded, and lets its intermediate buffers share memory in that
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from allo_air.mlir import AnyOp
from allo_air.passes._analysis.segments import loads
from allo_air.passes.partition._flow import Buffer, Flow, Place, Run


def dependences(flow: Flow) -> dict[Run, list[Run]]:
    """For each run of `flow`, which has no copies, the earlier ones that it must follow."""
    runs: list[Run] = list(flow.steps)
    return {run: [earlier for earlier in runs[:n] if _conflict(earlier, run)] for n, run in enumerate(runs)}


def grouped_by_device(flow: Flow, devices: Mapping[str, str], calls: Sequence[AnyOp]) -> list[Run]:
    """The runs of `flow` in an order that respects dependences, with runs of the same device together where possible.

    The next device is the one with the most ready runs; on a tie, the first in program order. If the order of `calls`, for
    which devices were merged, or the original order has fewer loads, it is kept.
    """
    todo: list[Run] = list(flow.steps)
    after = dependences(flow)
    place = {call: n for n, call in enumerate(calls)}
    merged = sorted(todo, key=lambda run: place.get(run.op, 0))
    done: list[Run] = []
    while todo:
        chosen = _next_runs(todo, after, done, devices)
        for run in chosen:
            done.append(run)
            todo.remove(run)
    return min((done, merged, list(flow.steps)), key=lambda runs: loads(runs, lambda run: devices[run.kernel]))


def _next_runs(todo: list[Run], after: Mapping[Run, list[Run]], done: list[Run], devices: Mapping[str, str]) -> list[Run]:
    """All runs of one device that can follow `done` without another device's runs."""
    best: list[Run] = []
    for device in dict.fromkeys(devices[run.kernel] for run in todo):
        runs: list[Run] = []
        for run in todo:
            if devices[run.kernel] == device and all(o in done or o in runs for o in after[run]):
                runs.append(run)
        if len(runs) > len(best):
            best = runs
    return best


def _conflict(first: Run, second: Run) -> bool:
    """Whether one of the runs writes data that the other one accesses."""
    return any(w.meets(p) for a, b in ((first, second), (second, first)) for w in a.touched(writes=True) for p in b.touched())


def share(flow: Flow, runs: list[Run]) -> None:
    """Makes intermediate buffers with disjoint lifetimes share memory; larger ones are placed first."""
    own = [b for b in flow.buffers if b.is_own and b.like is None]
    spans = {b: _span(b, runs) for b in own}
    buffers: list[tuple[Buffer, list[tuple[int, int]]]] = []
    for buffer in sorted(own, key=lambda b: -b.size):
        begin, end = spans[buffer]
        for candidate, lifetimes in buffers:
            if candidate.element == buffer.element and all(end < b or e < begin for b, e in lifetimes):
                lifetimes.append((begin, end))
                _replace(flow, runs, buffer, candidate)
                break
        else:
            buffers.append((buffer, [(begin, end)]))


def _span(buffer: Buffer, runs: list[Run]) -> tuple[int, int]:
    """The first and the last run that access `buffer`."""
    touching = [n for n, run in enumerate(runs) if any(p.buffer is buffer for p in run.places)]
    return (touching[0], touching[-1]) if touching else (0, -1)


def _replace(flow: Flow, runs: list[Run], old: Buffer, new: Buffer) -> None:
    flow.buffers.remove(old)
    for run in runs:
        run.places = [Place(new, p.offset, p.count) if p.buffer is old else p for p in run.places]
