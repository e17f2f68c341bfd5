"""Runs the instruction words of one device on numpy arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from allo_air.arch import Timing, arch_of
from allo_air.core.calls import CLOCK, COUNT, FLAG, FUNCTION, SCHEDULE, SEED, TIMING
from allo_air.core.diagnostics import emit
from allo_air.errors import AlloAirError, DiagnosticError
from allo_air.sim import counters, deadlock, extents, findings, free_running, locks, results, starved, untraced
from allo_air.sim.array import Array, Design, configure
from allo_air.sim.control import Control
from allo_air.sim.naming import Names
from allo_air.sim.provenance import Provenance
from allo_air.sim.report_types import Finding, Report
from allo_air.sim.unrouted import unrouted

MAX_CYCLES = 10_000_000_000
"""Ten seconds of an NPU at 1 GHz."""


_STOPS = ("deadlock", "sync-without-end")
"""The engine's kinds for runs in which nothing moves any more, which `deadlock` explains."""

_MEMORY = ("data-race", "uninitialized-read")
"""What locks should prevent."""

_LEFT = "unconsumed-stream-data"
"""Its reason may lie further on: with whoever the receiver waits for."""


@dataclass(frozen=True)
class Settings:
    """How a device runs, as `simulate` takes it by name."""

    seed: int = 0
    strict: bool = True
    max_cycles: int = MAX_CYCLES
    trace: bool = False
    progress: Callable[[int, int], bool] | None = None
    timing: Timing | None = None
    record: bool = False
    mhz: float | None = None
    code: str = "scheduled"

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, kind.taken(name, getattr(self, name)))


_KINDS = {
    "seed": SEED, "strict": FLAG, "max_cycles": COUNT, "trace": FLAG, "progress": FUNCTION | None, "timing": TIMING | None,
    "record": FLAG, "mhz": CLOCK | None, "code": SCHEDULE,
}  # fmt: skip


def run(
    design: Design, name: str, control: Control, arrays: Mapping[int, Any], settings: Settings, before: Array | None = None
) -> tuple[Report, Array]:
    """Runs instruction words on a new array, which replaces `before`; returns it with the report, and raises no findings.

    `name` is what messages call the words, `arrays` are the host's buffers by the numbers that the words use.
    """
    began = time.perf_counter()
    layout = design.layout
    arch = arch_of(layout.device)
    timing = settings.timing or arch.timing(settings.mhz)
    array = configure(design, settings.seed, timing, before)
    engine = array.engine
    for index, data in arrays.items():
        engine.add_host_buffer(index, data.reshape(-1).view(np.uint8))
    try:
        engine.load(control.words)
    except ValueError as error:
        raise AlloAirError(f"the instruction words of @{name} are malformed: {error}") from None
    if settings.record:
        engine.record_origins()
    ready = time.perf_counter()
    try:
        result = engine.run(settings.max_cycles, settings.strict, settings.trace, settings.progress)
    finally:
        array.close()
    ran = time.perf_counter() - ready
    names = Names(design, control)
    untraced.warn(names, result.untraced)
    for warning in unrouted(names):
        emit(warning)
    found = _findings(names, result)
    status = "done" if result.status == "fault" and not found else result.status
    report = replace(
        _report(design, name, settings, result),
        status=status,
        findings=found,
        engine_seconds=ran,
        seconds=time.perf_counter() - began,
        events=dict(result.events) if settings.trace else {},
        origins=[Provenance(names, array, dict(arrays))] if settings.record else [],
        written=results.written(names, engine, arrays),
    )
    return report, array


def time_of(
    design: Design, name: str, control: Control, settings: Settings, before: Array | None = None, *, steady: bool = True
) -> tuple[Report, Array]:
    """As `run`, of a design whose cores are scripts: only the time is found, without arrays and checks.

    With `steady`, rounds of loops that take as long as those before them are not run, but counted.
    """
    began = time.perf_counter()
    timing = settings.timing or arch_of(design.layout.device).timing(settings.mhz)
    array = configure(design, settings.seed, timing, before, steady=steady)
    array.engine.load(control.words)
    ready = time.perf_counter()
    result = array.engine.run(settings.max_cycles, False, False, settings.progress)
    if result.findings:
        found = findings.finding_of(Names(design, control), result.findings[0], [])
        raise DiagnosticError([replace(found.diagnostic, message=f"{found.diagnostic.message}; simulate it to see more")])
    report = _report(design, name, settings, result)
    ended = time.perf_counter()
    assumed = getattr(design.cores, "assumed", 0)
    return replace(report, estimated=True, assumed=assumed, engine_seconds=ended - ready, seconds=ended - began), array


def _report(design: Design, name: str, settings: Settings, result: Any) -> Report:
    """What the engine has counted."""
    device = design.layout.device
    used: dict[Any, int] = {}
    for buffer in design.layout.buffers.values():
        used[buffer.tile] = used.get(buffer.tile, 0) + buffer.bytes
    return Report(
        device=device.name,
        sequence=name,
        status=result.status,
        cycles=result.cycles,
        findings=[],
        cores=counters.core_reports(result),
        channels=counters.channel_reports(result),
        controller=counters.controller_report(result),
        memory={tile: (used.get(tile, 0), device.tile(*tile).memory) for tile in sorted(design.layout.tiles)},
        words_moved=result.words_moved,
        steps=result.steps,
        ddr_bytes=result.ddr_bytes,
        clock_mhz=settings.mhz or arch_of(device).mhz,
        code=settings.code,
        regions=list(design.regions),
    )


def _findings(names: Names, result: Any) -> list[Finding]:
    found, design = [], names.design
    if not any(raw.kind == extents.KIND for raw in result.findings):
        found += extents.outside(design.layout, design.descriptors)
    for raw in result.findings:
        if raw.kind == _LEFT and free_running.sent_ahead(names, result, raw):
            continue
        if raw.kind not in _STOPS:
            told = locks.between(names, result, raw) if raw.kind in _MEMORY else []
            finding = findings.finding_of(names, raw, told)
            found.append(deadlock.trace_back(names, result, raw, finding) if raw.kind == _LEFT else finding)
    if result.status == "deadlock":
        found.append(deadlock.explain(names, result))
    if result.status == "done" and not found:
        found += starved.starved(names, result)
    if result.status == "limit":
        found.append(findings.limit_finding(result.cycles))
    return found
