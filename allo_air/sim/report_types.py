"""The result of a simulation: cycles, findings and counters as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.arch import arch_of
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.device import DEVICES
from allo_air.errors import DiagnosticError
from allo_air.sim.finding import Finding as Finding
from allo_air.sim.finding import Place as Place
from allo_air.sim.finding import make_finding as make_finding
from allo_air.sim.verdict import Verdict, verdict_of


class SimulationError(DiagnosticError):
    """The design has an error, or the run stopped; `report` has all details."""

    def __init__(self, report: Report):
        self.report = report
        super().__init__(finding.diagnostic for finding in report.findings)

    def __str__(self) -> str:
        verdict = self.report.verdict
        info = [str(f) for f in verdict.findings if f.diagnostic.severity != "remark"]
        cure = [f"cure: {verdict.cure}"] if verdict.cure else []
        return "\n".join([str(verdict), *cure, *info]) if info else str(self.report)


class NotSimulated(DiagnosticError):
    """The simulator cannot execute the design in this form, which may be right: lower it first."""


@dataclass(frozen=True)
class CoreReport:
    """The work of a core in cycles; `regions` maps a region of its code to (times, cycles)."""

    tile: Place
    finished: bool
    last_cycle: int
    busy: int
    call: int
    lock_stall: int
    stream_stall: int
    cascade_stall: int
    macs: int
    vector_cycles: int
    regions: dict[int, tuple[int, int]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class ChannelReport:
    """The work of a DMA channel: 32-bit words, BDs and tasks that ended, and cycles."""

    tile: Place
    direction: str
    channel: int
    words: int
    bds: int
    tasks: int
    busy: int
    starved: int
    stalled: int
    lock_stall: int
    first_cycle: int
    last_cycle: int


@dataclass(frozen=True)
class ControllerReport:
    """The work of the controller: instructions, and the cycles of these and of waits."""

    instructions: int
    busy: int
    sync_stall: int
    syncs: int
    pushes: int
    ignored_writes: int
    done_cycle: int


@dataclass(repr=False)
class Report:
    """The result of one run; `status` is `done`, `deadlock`, `fault` (stopped at a finding) or `limit`."""

    device: str
    sequence: str
    status: str
    cycles: int
    findings: list[Finding]
    cores: list[CoreReport] = field(default_factory=list)
    channels: list[ChannelReport] = field(default_factory=list)
    controller: ControllerReport | None = None
    memory: dict[Place, tuple[int, int]] = field(default_factory=dict)
    """Bytes of buffers, and bytes of data memory, by tile."""
    words_moved: int = 0
    ddr_bytes: int = 0
    clock_mhz: float = 0
    seconds: float = 0.0
    """Wall clock that the simulation took."""
    events: dict[str, Any] = field(default_factory=dict)
    regions: list[Any] = field(default_factory=list)
    """The meanings of the region numbers in `CoreReport.regions`, from the cores' compiler."""
    origins: list[Any] = field(default_factory=list)
    """The writer of each byte: an `allo_air.sim.provenance.Provenance` for each run; empty unless it was recorded."""
    compared: list[Any] = field(default_factory=list)
    """Comparisons of results with expected results, each an `allo_air.program.checks.comparison.Comparison`."""
    steps: int = 0
    """Events that the simulation took."""
    engine_seconds: float = 0.0
    """Wall clock of the run itself, without making the array and compiling its cores."""
    written: list[Any] = field(default_factory=list)
    """The state of the host's buffers after the run, as `allo_air.sim.results` counts it."""

    orders: str = ""
    """The extent of the search over other orders; empty if there was none."""
    kernel: str = ""
    """The device that was loaded."""
    parts: list[Report] = field(default_factory=list)
    """The reports of the devices that the sequence has loaded, in order, where these are several."""

    code: str = "compiled"
    """How the code of cores is priced: as `compiled` from MLIR, or as `scheduled` by hand."""
    estimated: bool = False
    """Whether the report is an estimate: only time was computed, and repeated iterations were counted, not run."""
    assumed: int = 0
    """Conditions on data in a core's code for which an estimate counts the longer branch; the time is then an upper bound."""
    built_in_kernels: tuple[str, ...] = ()
    """The external functions for which no kernel was given, so that the simulator's own ran in their place."""
    code_bytes: dict[Place, int] = field(default_factory=dict)
    """Estimated bytes of the code of each core, as far as it ran (allo_air.sim.cores.code_size)."""

    @property
    def ok(self) -> bool:
        """Whether the run ended without an error."""
        return self.status == "done" and not any(finding.is_error for finding in self.findings)

    @property
    def microseconds(self) -> float:
        """The time that the host sees: the cycles at the clock of the run, the launch, and the loads of further
        configurations.
        """
        if not self.clock_mhz:
            return 0.0
        return self.cycles / self.clock_mhz + LAUNCH_MICROSECONDS + self.reconfiguring

    @property
    def reconfiguring(self) -> float:
        """Microseconds for loading further configurations during the run."""
        return max(0, len(self.parts) - 1) * arch_of(DEVICES[self.device]).reload_microseconds

    @property
    def verdict(self) -> Verdict:
        """The verdict on the design in a word, and its findings, the cause first."""
        return verdict_of(self)

    def raise_for_findings(self) -> None:
        """Raises SimulationError with all findings, unless the run ended without an error."""
        if not self.ok:
            raise SimulationError(self)

    def __str__(self) -> str:
        macs = sum(core.macs for core in self.cores)
        rate = f", {macs / self.cycles:.1f} MACs/cycle" if macs and self.cycles else ""
        text = f", {len(self.findings)} finding{'s' * (len(self.findings) > 1)}" if self.findings else ""
        head = f"{self.device} @{self.sequence}: {self.status} after {self.cycles} cycles{rate}{text}"
        return "\n".join([head, *map(str, self.findings), *([head] if self.findings else [])])

    __repr__ = __str__
