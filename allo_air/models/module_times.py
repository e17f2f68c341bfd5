"""Divides the predicted time among the modules of a model: the runs of their kernels, and a share of the configuration
loads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from allo_air.core.user_lines import line_of, modules_of
from allo_air.models.host_choice import bytes_of, host_microseconds
from allo_air.models.parts import HOST, Graph, Part
from allo_air.program.host.linked import Run
from allo_air.program.reports.figures import Figures


@dataclass(frozen=True)
class ModuleRow:
    """The time of a module in one place: predicted microseconds, of which `loading` for configurations, bytes, and bound.

    A configuration's time is divided among its modules by the loops and the bytes of their operations. `why` is the reason for
    running on the host; `kernels` are its kernels on the array.
    """

    module: str
    where: str
    lines: tuple[str, ...]
    microseconds: float
    loading: float
    bytes: int
    bound: str
    kernels: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class _Share:
    """The share that some operations have in a configuration."""

    ops: tuple[int, ...]
    kernel: str
    microseconds: float
    loading: float
    bytes: float
    bound: str


def of_host(graph: Graph, part: Part, reasons: Mapping[int, str]) -> list[ModuleRow]:
    """The module rows of a part on the host."""
    shares = []
    for n in part.ops:
        if not graph.computes((n,)):
            continue
        moved = sum(bytes_of(v.type) for v in (*graph.ops[n].operands, *graph.ops[n].results))
        shares.append(_Share((n,), "", host_microseconds(graph, (n,)), 0.0, moved, "the host"))
    return _module_rows(graph, HOST, shares, reasons)


def of_array(graph: Graph, part: Part, figures: Figures, runs: Sequence[Run]) -> list[ModuleRow]:
    """The module rows of a part on the array, whose program has `runs`."""
    operations = _operations(graph, part, runs)
    kernels = figures.configurations
    if not operations:
        time = figures.cycles / figures.mhz
        share = _Share(part.ops, "one kernel", time, 0.0, figures.run.ddr_bytes, figures.bound)
        return _module_rows(graph, part.where, [share], {})
    shares = []
    load = figures.reconfiguring / max(1, figures.reconfigurations)
    for number, kernel in enumerate(kernels):
        inside = [(run, ops) for run, ops in zip(runs, operations, strict=True) if run.configuration == number]
        weights = [max(host_microseconds(graph, ops), 1e-3) for _, ops in inside]
        for (run, ops), weight in zip(inside, weights, strict=True):
            part_of = weight / sum(weights)
            loading = load * part_of if number else 0.0
            time, moved = kernel.microseconds * part_of, kernel.bytes * part_of
            shares.append(_Share(ops, run.kernel, time, loading, moved, kernel.bound))
    return _module_rows(graph, part.where, shares, {})


def _operations(graph: Graph, part: Part, runs: Sequence[Run]) -> list[tuple[int, ...]]:
    """The operations of each run; operations without a known run belong to the run of their first user."""
    results: list[list[int]] = [[] for _ in runs]
    run_of: dict[int, int] = {}
    for number, run in enumerate(runs):
        for n in dict.fromkeys(part.at(line) for line in run.lines):
            if n in part.ops:
                results[number].append(n)
                run_of.setdefault(n, number)
    for n in reversed(part.ops):
        users = [run_of[u] for u in graph.users[n] if u in run_of]
        if n not in run_of and users:
            run_of[n] = min(users)
            results[run_of[n]].append(n)
    return [tuple(sorted(ops)) for ops in results]


def _module_rows(graph: Graph, where: str, shares: Sequence[_Share], reasons: Mapping[int, str]) -> list[ModuleRow]:
    results: dict[str, list[tuple[_Share, float]]] = {}
    ops: dict[str, list[int]] = {}
    for share in shares:
        weights: dict[str, float] = {}
        for n, module in _named(graph, share.ops):
            weights[module] = weights.get(module, 0.0) + max(host_microseconds(graph, (n,)), 1e-6)
            ops.setdefault(module, []).append(n)
        for module, weight in (weights or {"": 1.0}).items():
            results.setdefault(module, []).append((share, weight / (sum(weights.values()) or 1.0)))
    rows = []
    for module, calls in results.items():
        longest = max(calls, key=lambda t: t[0].microseconds * t[1])[0]
        lines = dict.fromkeys(line_of(graph.ops[n].location) for n in ops.get(module, ()))
        rows.append(
            ModuleRow(
                module,
                where,
                tuple(line for line in lines if line not in ("", module)),
                sum((s.microseconds + s.loading) * w for s, w in calls),
                sum(s.loading * w for s, w in calls),
                round(sum(s.bytes * w for s, w in calls)),
                longest.bound,
                tuple(dict.fromkeys(s.kernel for s, _ in calls if s.kernel)),
                next((reasons[n] for n in ops.get(module, ()) if reasons.get(n)), ""),
            )
        )
    return rows


def _named(graph: Graph, ops: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Each operation with its module: the first name of its location, since later names are those of fused operations."""
    for n in ops:
        yield n, next(iter(modules_of(graph.ops[n].location)), "")
