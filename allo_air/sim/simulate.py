"""`simulate`: runs a file with an `aie.device` on numpy arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from allo_air.core.calls import COUNT, FLAG, FUNCTION, KERNELS, NAME, SEED, TIMING, WORDS, checked
from allo_air.core.diagnostics import emit, error_at, given_name
from allo_air.device import DEVICES
from allo_air.dialects._enums import DEVICE
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.sim import (
    array,
    control,
    counters,
    deadlock,
    extents,
    findings,
    free_running,
    host,
    locks,
    results,
    source,
    starved,
    untraced,
)
from allo_air.sim.layout import Layout
from allo_air.sim.naming import Names
from allo_air.sim.phases import Phase, phases_of
from allo_air.sim.provenance import Provenance
from allo_air.sim.report_types import Finding, NotSimulated, Report, SimulationError
from allo_air.sim.unrouted import unrouted
from allo_air.target.npu_unroll import flattened
from allo_air.target.npu_words import LOADPDI, LoadPdi, starts_of

ARCHITECTURES = ("AIE2", "AIE2p")
"""What the simulator has registers, cores and timing of."""

MAX_CYCLES = 10_000_000_000
"""Ten seconds of an NPU at 1 GHz."""


_STOPS = ("deadlock", "sync-without-end")
"""The engine's kinds for runs in which nothing moves any more, which `deadlock` explains."""

_MEMORY = ("data-race", "uninitialized-read")
"""What locks should prevent."""

_LEFT = "unconsumed-stream-data"
"""Its reason may lie further on: with whoever the receiver waits for."""


@checked(
    device=NAME | None,
    sequence=NAME | None,
    kernels=KERNELS | None,
    seed=SEED,
    strict=FLAG,
    max_cycles=COUNT,
    trace=FLAG,
    timing=TIMING | None,
    record=FLAG,
    words=WORDS | None,
    progress=FUNCTION | None,
)
def simulate(
    source_: Any,
    *arrays: Any,
    device: str | None = None,
    sequence: str | None = None,
    kernels: Mapping[str, Callable[..., Any]] | None = None,
    seed: int = 0,
    strict: bool = True,
    max_cycles: int = MAX_CYCLES,
    trace: bool = False,
    progress: Callable[[int, int], bool] | None = None,
    timing: Any = None,
    record: bool = False,
    words: Sequence[int] | None = None,
) -> Report:
    """Runs the runtime sequence of an `aie.device` and returns what happened; results are written into `arrays`.

    `source_` is a path, MLIR text or a module, `arrays` are the host's buffers in the order of the sequence's arguments,
    C-contiguous, with elements as wide as the arguments'. `device` and `sequence` name one where there are several. `kernels`
    holds, for each external function that cores call, a Python function (see `allo_air.sim.cores.kernel.Kernel`), or MLIR that
    defines it: a path, text or a module. `seed` decides the stochastic part of the model.
    If `strict`, the first finding ends the run and is raised as SimulationError; otherwise the run goes on as the hardware
    would, and the report lists all of them. `trace` keeps events. `progress(cycle, instructions)` may return False to end the
    run. `timing` is an `allo_air.sim.timing.Timing`. With `record`, the report's `origins` tell who wrote each byte.
    `words` are run in place of the instruction words that the file's sequence gives. Raises AlloAirError where the file or the
    arrays cannot be run.
    """
    module = source.load(source_)
    with module.context, ir.Location.unknown(module.context):
        module = flattened(module)
        chosen = source.choose(module, device, sequence)
        host.check(chosen[1], arrays)
        settings = {
            "strict": strict, "max_cycles": max_cycles, "trace": trace, "progress": progress, "timing": timing,
            "record": record,
        }  # fmt: skip
        phases = phases_of(module, *chosen)
        if words is not None:
            _check_words(words, phases, chosen[1])
        report = _run(phases, chosen[1], dict(enumerate(arrays)), kernels or {}, seed, words, settings)
        report.origins = [replace(origin, owner=module) for origin in report.origins]
        if report.ok:
            report.findings += results.judge(chosen[1], arrays, report.written)
            report.written = []
            for finding in report.findings:
                if not finding.is_error:
                    emit(finding.diagnostic)
    if strict and not report.ok:
        raise SimulationError(report)
    return report


def _check_words(words: Sequence[int], phases: list[Phase], sequence: Any) -> None:
    """AlloAirError where `words` are not those of the file, and the file loads several devices: words do not tell where."""
    if sum(bool(phase.steps) for phase in phases) < 2:
        return
    starts = [*starts_of(words), len(words)]
    given = [list(words[a:b]) for a, b in pairwise(starts) if words[a] & 0xFF != LOADPDI]
    made = [[w & 0xFFFFFFFF for w in i.words()] for phase in phases for _, i in phase.steps if not isinstance(i, LoadPdi)]
    if given != made:
        raise AlloAirError(
            f"words= are not those of @{sequence.sym_name}, which loads several devices; words do not say which: leave them out"
        )


def _run(
    phases: list[Phase],
    sequence: Any,
    arrays: Mapping[int, Any],
    kernels: Mapping[str, Any],
    seed: int,
    given: Sequence[int] | None,
    settings: Any,
) -> Report:
    """Runs the phases of `sequence`, each on what the one before it leaves; the words `given` where it is one alone."""
    name, names = sequence.sym_name, tuple(given_name(a.location, "argument") for a in sequence.body.blocks[0].arguments)
    reports: list[Report] = []
    before = None
    alone = sum(bool(phase.steps) for phase in phases) == 1
    for phase in phases:
        if not phase.steps and phase is not phases[-1]:
            before = array.configured(phase.device, before)
            continue

        def words(layout: Layout, phase: Phase = phase) -> control.Control:
            made = control.control_of(layout.device, phase.steps, names)
            return control.of_words(given, made) if given is not None and alone and phase.steps else made

        report, before = _run_design(phase.device, name, words, arrays, kernels, seed, before, **settings)
        reports.append(report)
        if not report.ok and settings["strict"]:
            break
    return reports[0] if len(reports) == 1 else _joined(reports)


def run_words(
    device_op: Any,
    name: str,
    words: Callable[[Layout], control.Control],
    arrays: Mapping[int, Any],
    kernels: Mapping[str, Callable[..., Any]],
    seed: int = 0,
    **settings: Any,
) -> Report:
    """Runs the instruction words that `words` gives for the device's layout; `name` is what messages call them.

    `arrays` are the host's buffers by the numbers that the words use. The rest is as in `simulate`; nothing is raised for
    findings.
    """
    return _run_design(device_op, name, words, arrays, kernels, seed, None, **settings)[0]


def _run_design(
    device_op: Any,
    name: str,
    words: Callable[[Layout], control.Control],
    arrays: Mapping[int, Any],
    kernels: Mapping[str, Callable[..., Any]],
    seed: int,
    before: Any,
    *,
    strict: bool = True,
    max_cycles: int = MAX_CYCLES,
    trace: bool = False,
    progress: Callable[[int, int], bool] | None = None,
    timing: Any = None,
    record: bool = False,
) -> tuple[Report, Any]:
    """As `run_words`, on what the array `before` leaves; returns this one's as well."""
    began = time.perf_counter()
    from allo_air.sim import _engine
    from allo_air.sim.timing import for_arch

    device = DEVICES[DEVICE.keyword(device_op.device)]
    arch, nominal = device.arch, device.nominal_mhz
    if arch not in ARCHITECTURES:
        wrong = error_at(device_op, f"is of {arch}, which the simulator does not know; it knows {' and '.join(ARCHITECTURES)}")
        raise NotSimulated(wrong.diagnostics)
    constants = (timing or for_arch(arch, nominal)).as_dict()
    design = array.elaborate(device_op, _engine.Array, constants, seed, kernels, before)
    program = words(design.layout)
    for index, data in arrays.items():
        design.engine.add_host_buffer(index, data.reshape(-1).view(np.uint8))
    try:
        design.engine.load(program.words)
    except ValueError as error:
        raise AlloAirError(f"the instruction words of @{name} are malformed: {error}") from None
    if record:
        design.engine.record_origins()
    ready = time.perf_counter()
    try:
        result = design.engine.run(max_cycles, strict, trace, progress)
    finally:
        for kernel in design.cores.kernels if design.cores is not None else ():
            kernel.close()
    ran = time.perf_counter() - ready
    names = Names(design, program)
    untraced.warn(names, result.untraced)
    for warning in unrouted(names):
        emit(warning)
    found = _findings(names, result, design)
    status = "done" if result.status == "fault" and not found else result.status
    layout = design.layout
    used = {tile: sum(b.bytes for b in layout.buffers.values() if b.tile == tile) for tile in layout.bases}
    report = Report(
        device=layout.device.name,
        sequence=name,
        status=status,
        cycles=result.cycles,
        findings=found,
        cores=counters.core_reports(result),
        channels=counters.channel_reports(result),
        controller=counters.controller_report(result),
        memory={tile: (size, layout.device.tile(*tile).memory) for tile, size in sorted(used.items())},
        words_moved=result.words_moved,
        steps=result.steps,
        engine_seconds=ran,
        ddr_bytes=result.ddr_bytes,
        clock_mhz=layout.device.nominal_mhz,
        seconds=time.perf_counter() - began,
        events=dict(result.events) if trace else {},
        origins=[Provenance(names, dict(arrays))] if record else [],
        regions=list(design.cores.regions) if design.cores is not None else [],
        written=results.written(names, design.engine, arrays),
    )
    return report, design.engine


def _findings(names: Names, result: Any, design: array.Elaborated) -> list[Finding]:
    found = []
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


def _joined(reports: list[Report]) -> Report:
    """One report of runs one after the other; counters are the last one's."""
    last = reports[-1]
    status = next((r.status for r in reports if r.status != "done"), "done")
    last.status, last.findings = status, [f for r in reports for f in r.findings]
    last.written = [part for r in reports for part in r.written]
    last.cycles = sum(r.cycles for r in reports)
    last.words_moved = sum(r.words_moved for r in reports)
    last.steps = sum(r.steps for r in reports)
    last.engine_seconds = sum(r.engine_seconds for r in reports)
    last.ddr_bytes = sum(r.ddr_bytes for r in reports)
    last.origins = [origin for r in reports for origin in r.origins]
    last.seconds = sum(r.seconds for r in reports)
    return last
