"""Runs the instruction words of one device on numpy arrays."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.arch import arch_of
from allo_air.core.diagnostics import emit
from allo_air.errors import AlloAirError
from allo_air.sim import extents, objects, program_memory, queues, results, starved, untraced
from allo_air.sim.array import Array, Design, configure
from allo_air.sim.control import Control
from allo_air.sim.naming import Names
from allo_air.sim.report_types import Finding, Report
from allo_air.sim.settings import Settings
from allo_air.sim.tasks import Walker
from allo_air.sim.timed import report_of
from allo_air.sim.unrouted import unrouted

if TYPE_CHECKING:
    from allo_air.sim._engine import Result

_CURABLE = ("hang.lock-cycle", "hang.stream", "hang.arbiter")
"""Kinds of hangs for which the smallest fix is searched."""


def run(
    design: Design,
    name: str,
    control: Control,
    arrays: Mapping[int, np.ndarray],
    settings: Settings,
    before: Array | None = None,
    scratchpad: Sequence[int] = (),
) -> tuple[Report, Array]:
    """Runs instruction words on a new array, which replaces `before`; returns the array and the report, and raises no
    findings.

    `name` is the name of the words in messages, `arrays` are the host's buffers by their numbers in the words, `scratchpad`
    is the data that the host gives the controller.
    """
    began = time.perf_counter()
    layout = design.layout
    arch = arch_of(layout.device)
    timing = settings.timing_of(arch)
    array = configure(design, settings.seed, timing, before)
    engine = array.engine
    for index, data in arrays.items():
        engine.add_host_buffer(index, data.reshape(-1).view(np.uint8))
    try:
        engine.load(control.words)
    except ValueError as error:
        raise AlloAirError(f"the instruction words of @{name} are malformed: {error}") from None
    if scratchpad:
        engine.set_scratchpad(list(scratchpad))
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
    findings = _findings(names, result)
    walker = Walker(names)
    stopped = result.status == "deadlock" or any(f.code == "stream.left-over" for f in findings)
    findings += objects.parts(names, walker, stopped=stopped) + queues.overfull_queues(names, walker, findings)
    searched = ""
    if settings.orders > 0 and result.status == "done" and not any(f.is_error for f in findings):
        codes = {f.code for f in findings}
        more, searched = _orders(array, names, result, settings)
        findings += [f for f in more if f.code not in codes]
    if settings.orders > 0 and result.status == "deadlock" and findings and findings[0].code in _CURABLE:
        findings[0] = _with_cure(findings[0], array, names, result, settings)
    status = "done" if result.status == "fault" and not findings else result.status
    report = replace(
        report_of(design, name, settings, result),
        status=status,
        findings=[*findings, *program_memory.findings(design)],
        orders=searched,
        engine_seconds=ran,
        seconds=time.perf_counter() - began,
        events=dict(result.events) if settings.trace else {},
        origins=_origins(names, array, arrays) if settings.record else [],
        written=results.accesses_of_run(names, engine, arrays),
    )
    return report, array


def _origins(names: Names, array: Array, arrays: Mapping[int, np.ndarray]) -> list[Any]:
    from allo_air.sim.provenance import Provenance

    return [Provenance(names, array, dict(arrays))]


def _findings(names: Names, result: Result) -> list[Finding]:
    raw = bool(result.findings)
    findings = [] if raw and any(r.kind == extents.KIND for r in result.findings) else _out_of_buffer(names)
    if raw or result.status != "done":
        from allo_air.sim.explained import explained

        findings += explained(names, result)
    if result.status == "done" and not findings:
        findings += starved.starved(names, result)
    return findings


def _orders(array: Array, names: Names, result: Result, settings: Settings) -> tuple[list[Finding], str]:
    from allo_air.sim.orders.order_findings import findings_of_orders

    return findings_of_orders(names, _state_of_run(array, result), settings.orders, near=settings.margins)


def _with_cure(finding: Finding, array: Array, names: Names, result: Result, settings: Settings) -> Finding:
    from allo_air.sim.orders.order_findings import with_cure

    return with_cure(finding, names, _state_of_run(array, result), settings.orders)


def _state_of_run(array: Array, result: Result) -> Any:
    from allo_air.sim.orders.extract import RunFacts

    began = {((use.col, use.row), use.lock): use.initial for use in result.locks}
    return RunFacts(began, array.engine.core_steps)


def _out_of_buffer(names: Names) -> list[Finding]:
    return extents.out_of_buffer(names.design.layout, names.design.descriptors)
