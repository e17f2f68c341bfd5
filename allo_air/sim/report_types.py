"""What a simulation returns: cycles, findings and counters as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air import codes
from allo_air.codes import code_of
from allo_air.errors import Diagnostic, DiagnosticError, Severity, placeless

Place = tuple[int, int]
"""Column, row."""


class SimulationError(DiagnosticError):
    """A design did what it must not, or stopped; `report` holds all there is to know."""

    def __init__(self, report: Report):
        self.report = report
        super().__init__(finding.diagnostic for finding in report.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.report.findings)) or str(self.report)


class NotSimulated(DiagnosticError):
    """The simulator cannot execute the design as it stands, which does not make it wrong: lower it first."""


@dataclass(frozen=True)
class Finding:
    """One defect of the design, seen `count` times, at first in `cycle`.

    `kind` is one of the engine's (`uninitialized-read`, `out-of-buffer`, `data-race`, `lock-overflow`, `lock-underflow`,
    `unconsumed-stream-data`, `channel-misuse`, `sync-without-end`, `host-out-of-bounds`, `bad-instruction`, `deadlock`, ...),
    `limit`, a run that took longer than `max_cycles`, or one about results (`overlapping-results`, `unwritten-results`,
    `wrong-result` where it is not as expected), or `core-code`, what hardware would compute otherwise. `tile` is where it is
    seen, `unit` the module (`core`, `dma`, ...).
    """

    kind: str
    cycle: int
    tile: Place | None
    unit: str
    channel: str
    lock: str
    buffer: str
    diagnostic: Diagnostic
    count: int = 1
    holders: tuple[str, ...] = ()
    """Who holds what others wait for, a sentence each; the foreign ones come first."""

    @property
    def code(self) -> str:
        """The stable code, a name of `allo_air.codes`."""
        return self.diagnostic.code or code_of(self.kind)

    @property
    def cure(self) -> str:
        """What to do: as worked out for this case, else what the code's table says."""
        return self.diagnostic.cure or codes.find(self.code).cure

    @property
    def verdict(self) -> codes.Verdict:
        """What the finding says of the design."""
        found = codes.find(self.code).verdict
        if self.is_error or found in ("right", "undecided"):
            return found
        return {"wrong": "may be wrong", "hangs": "may hang"}.get(found, found)  # type: ignore[return-value]

    @property
    def is_error(self) -> bool:
        """Whether the design is wrong; a warning may be what its author wants."""
        return self.diagnostic.severity == "error"

    @property
    def message(self) -> str:
        """What happened and what to do, with its notes a line each."""
        return "\n".join([self.diagnostic.message, *map(str, self.diagnostic.notes)])

    @property
    def line(self) -> int:
        """Line of the source, 0 where there is none."""
        return self.diagnostic.line

    def as_dict(self) -> dict[str, Any]:
        """Everything as numbers and text, for JSON."""
        given = self.diagnostic
        return {
            "code": self.code, "severity": given.severity, "verdict": self.verdict, "message": given.message,
            "file": given.file, "line": given.line, "column": given.column, "cure": self.cure, "holders": list(self.holders),
            "story": [note.message for note in given.notes], "kind": self.kind, "cycle": self.cycle, "tile": self.tile,
            "unit": self.unit, "channel": self.channel, "lock": self.lock, "buffer": self.buffer, "count": self.count,
        }  # fmt: skip

    def __str__(self) -> str:
        return "\n".join([str(self.diagnostic), *(f"  {note}" for note in self.diagnostic.notes)])


def found(
    code: str,
    message: str,
    at: tuple[str, int, int] = ("", 0, 0),
    *,
    cure: str = "",
    story: Sequence[str] = (),
    holders: Sequence[str] = (),
    severity: Severity | None = None,
    kind: str = "",
    cycle: int = 0,
    tile: Place | None = None,
    unit: str = "",
    channel: str = "",
    lock: str = "",
    buffer: str = "",
) -> Finding:
    """A finding by its code, at `file, line, column`: `message` is its headline, `story` how it comes to that, a line each.

    `kind` is the engine's word, where it has one.
    """
    severity = severity or codes.find(code).severity
    notes = tuple(placeless("note", line) for line in (*holders, *story))
    diagnostic = Diagnostic(severity, *at, f"{kind or code}: {message}", notes, code, cure)
    return Finding(kind or code, cycle, tile, unit, channel, lock, buffer, diagnostic, holders=tuple(holders))


@dataclass(frozen=True)
class CoreReport:
    """What a core did, in cycles; `regions` maps a region of its code to (times, cycles)."""

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
    """What a DMA channel did: 32-bit words, BDs and tasks finished, and cycles."""

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
    """What the controller did: instructions, and the cycles they and the waits took."""

    instructions: int
    busy: int
    sync_stall: int
    syncs: int
    pushes: int
    ignored_writes: int
    done_cycle: int


@dataclass(repr=False)
class Report:
    """The outcome of one run; `status` is `done`, `deadlock`, `fault` (stopped at a finding) or `limit`."""

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
    """What the region numbers of `CoreReport.regions` mean, as the cores' compiler says."""
    origins: list[Any] = field(default_factory=list)
    """Who wrote each byte, an `allo_air.sim.provenance.Provenance` for each run; empty unless it was recorded."""
    compared: list[Any] = field(default_factory=list)
    """Results held against what was expected, an `allo_air.program.checks.comparison.Comparison` each."""
    steps: int = 0
    """Events that the simulation took."""
    engine_seconds: float = 0.0
    """Wall clock of the run itself, without making the array and compiling its cores."""
    written: list[Any] = field(default_factory=list)
    """What became of the host's buffers, as `allo_air.sim.results` counts it."""

    kernel: str = ""
    """The device that was loaded."""
    parts: list[Report] = field(default_factory=list)
    """The reports of the devices that the sequence has loaded, in order, where these are several."""

    code: str = "scheduled"
    """How the code of cores is priced: as `scheduled` by hand, or as `compiled` from MLIR."""
    estimated: bool = False
    """Whether only the time was found: nothing was computed or checked, and rounds that repeat were counted, not run."""
    assumed: int = 0
    """Conditions on data in a core's code, of which an estimate counts the longer way: it is an upper bound then."""

    @property
    def ok(self) -> bool:
        """Whether the run came to its end without a finding that is an error."""
        return self.status == "done" and not any(finding.is_error for finding in self.findings)

    @property
    def microseconds(self) -> float:
        """The cycles at the clock of the run."""
        return self.cycles / self.clock_mhz if self.clock_mhz else 0.0

    def raise_for_findings(self) -> None:
        """SimulationError with all findings, if there are any."""
        if not self.ok:
            raise SimulationError(self)

    def __str__(self) -> str:
        macs = sum(core.macs for core in self.cores)
        rate = f", {macs / self.cycles:.1f} MACs/cycle" if macs and self.cycles else ""
        found = f", {len(self.findings)} finding{'s' * (len(self.findings) > 1)}" if self.findings else ""
        head = f"{self.device} @{self.sequence}: {self.status} after {self.cycles} cycles{rate}{found}"
        return "\n".join([head, *map(str, self.findings), *([head] if self.findings else [])])

    __repr__ = __str__
