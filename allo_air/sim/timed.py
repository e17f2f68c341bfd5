"""The time of instruction words, without arrays and checks."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import emit
from allo_air.errors import DiagnosticError
from allo_air.sim import counters, program_memory
from allo_air.sim.array import Array, Design, configure
from allo_air.sim.control import Control
from allo_air.sim.report_types import Report
from allo_air.sim.settings import Settings

if TYPE_CHECKING:
    from allo_air.sim._engine import Result


def time_of(
    design: Design, name: str, control: Control, settings: Settings, before: Array | None = None, *, steady: bool = True
) -> tuple[Report, Array]:
    """Like `allo_air.sim.run.run`, for a design whose cores are scripts: only time is computed, without arrays and checks.

    With `steady`, iterations of loops that take as long as earlier ones are counted, not run.
    """
    began = time.perf_counter()
    timing = settings.timing_of(arch_of(design.layout.device))
    array = configure(design, settings.seed, timing, before, steady=steady)
    array.engine.load(control.words)
    ready = time.perf_counter()
    result = array.engine.run(settings.max_cycles, False, False, settings.progress)
    if result.findings:
        from allo_air.sim import findings
        from allo_air.sim.naming import Names

        match = findings.finding_of(Names(design, control), result.findings[0], [])
        raise DiagnosticError([replace(match.diagnostic, message=f"{match.diagnostic.message}; simulate it to see more")])
    report = report_of(design, name, settings, result)
    large = program_memory.findings(design)
    for finding in large:
        emit(finding.diagnostic)
    ended = time.perf_counter()
    assumed = getattr(design.cores, "assumed", 0)
    return replace(
        report, findings=large, estimated=True, assumed=assumed, engine_seconds=ended - ready, seconds=ended - began
    ), array


def report_of(design: Design, name: str, settings: Settings, result: Result) -> Report:
    """The counters of the engine."""
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
        code_bytes={tile: size.bytes for tile, size in design.code_sizes.items()},
        words_moved=result.words_moved,
        steps=result.steps,
        ddr_bytes=result.ddr_bytes,
        clock_mhz=settings.mhz or arch_of(device).mhz,
        code=settings.code,
        regions=list(design.regions),
        built_in_kernels=design.cores.built_in if design.cores is not None else (),
    )
