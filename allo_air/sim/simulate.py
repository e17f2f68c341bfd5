"""`simulate`: runs a file with an `aie.device` on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from allo_air.asm import read
from allo_air.core.calls import KERNELS, NAME, WORDS, checked
from allo_air.core.contexts import reused_context
from allo_air.core.diagnostics import emit, given_name
from allo_air.core.texts import text_of
from allo_air.device import Coordinate
from allo_air.errors import AlloAirError, DiagnosticError
from allo_air.mlir import AnyOp, ir
from allo_air.sim import control, scratchpad
from allo_air.sim.array import Array, Design, elaborate, loaded
from allo_air.sim.packaged import packaged
from allo_air.sim.phases import Phase, phases_of
from allo_air.sim.report_types import Report, SimulationError
from allo_air.sim.settings import MAX_CYCLES, Settings
from allo_air.sim.timed import time_of
from allo_air.target.npu_unroll import flattened
from allo_air.target.npu_values import Values, split
from allo_air.target.npu_words import LOADPDI, LoadPdi, starts_of
from allo_air.target.sequences import choose_sequence, configuring

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from allo_air.dialects._aie_tiles import RuntimeSequenceOp
    from allo_air.interp.uninterpreted import Uninterpreted


@checked(device=NAME | None, sequence=NAME | None, kernels=KERNELS | None, words=WORDS | None)
def simulate(
    source_: str | Path | AnyOp,
    *arrays: object,
    device: str | None = None,
    sequence: str | None = None,
    kernels: Mapping[str, Callable[..., Uninterpreted]] | None = None,
    seed: int = 0,
    strict: bool = True,
    max_cycles: int = MAX_CYCLES,
    trace: bool = False,
    progress: Callable[[int, int], bool] | None = None,
    timing: Any = None,
    record: bool = False,
    mhz: float | None = None,
    code: str = "compiled",
    words: Sequence[int] | None = None,
    values: Mapping[str, object] | None = None,
    package: bytes | Sequence[bytes] | Mapping[str, bytes] | None = None,
    parameters: Mapping[str, object] | None = None,
    orders: float = 0.5,
    margins: bool = False,
) -> Report:
    """Runs the runtime sequence of an `aie.device` and returns the outcome; results are written into `arrays`.

    `source_` is a path, MLIR text or a module, `arrays` are the host's buffers in the order of the sequence's arguments,
    C-contiguous, with elements as wide as the arguments'. `device` and `sequence` name one where there are several. `kernels`
    holds, for each external function that cores call, a Python function (see `allo_air.sim.cores.kernel.Kernel`), or MLIR
    that defines it: a path, text or a module. `seed` decides the stochastic part of the model. If `strict`, the first finding
    ends the run and is raised as SimulationError; otherwise the run goes on as the hardware would, and the report lists all
    of them. `trace` keeps events. `progress(cycle, instructions)` may return False to end the run. `timing` is an
    `allo_air.arch.Timing`. With `record`, the report's `origins` have the writer of each byte. `mhz` is the clock, the
    device's default one if None; memory does not follow it. `code` selects how the code of cores is priced: `compiled` as
    Peano compiles it from MLIR, or `scheduled` as by hand (`allo_air.core_model.schedule`); reports show both. `words` replace
    the instruction words of the file's sequence. `values` are the sequence's scalar arguments by name or number, as `{"n":
    4}`; the others are passed in `arrays`, as numbers. `package` has the bytes of an xclbin, a PDI, a transaction or CDO
    files, which configure the array instead of the file; only the programs of the cores are the file's. `parameters` are the
    values of scratchpad parameters by name, as `{"n": 4}`. `orders` is the maximum time in seconds of a search over other
    orders after a successful run; 0 disables it. With `margins` it also reports how close the design is to a hang. Raises
    AlloAirError if the file or the arrays cannot be run.
    """
    settings = Settings(
        seed, strict, max_cycles, trace, progress, timing, record, mhz, code, package, parameters, orders, margins
    )
    module = load(source_)
    with module.context, ir.Location.unknown(module.context):
        value, numbers = split(choose_sequence(module, device, sequence)[1], arrays, values or {})
    return Simulation(module, device, sequence, numbers).run(value, settings, kernels or {}, words)


def load(source: str | Path | AnyOp) -> Any:
    """The module of a path, of MLIR text, or of an Operation or Module; its context lives as long as it does. Raises
    AlloAirError if the file cannot be read.
    """
    if hasattr(source, "operation"):
        return source.operation
    text, name = text_of(source, "simulate")
    with reused_context(text), ir.Location.unknown():
        return read(text, name)


class Simulation:
    """A runtime sequence of a module, ready to run any number of times; `values` are its scalar arguments."""

    def __init__(
        self, module: Any, device: str | None = None, sequence: str | None = None, values: Values | None = None
    ) -> None:
        with module.context, ir.Location.unknown(module.context):
            self.module = flattened(module, device, sequence, values)
            self.device, self.sequence = choose_sequence(self.module, device, sequence)
            self._phases: list[Phase] | None = None
            self._kernels: Mapping[str, Any] = {}
            self._designs: dict[Any, Design] = {}

    def begin(self, arrays: Sequence[np.ndarray], settings: Settings, kernels: Mapping[str, object]) -> None:
        """Starts to compile the code of the cores for `run`, in parallel to other work."""
        from allo_air.sim import host

        with self.module.context, ir.Location.unknown(self.module.context):
            host.check(self.sequence, arrays)
            self._elaborate(self._prepared(kernels), settings)

    def run(
        self,
        arrays: Sequence[np.ndarray],
        settings: Settings,
        kernels: Mapping[str, object],
        words: Sequence[int] | None = None,
    ) -> Report:
        """Runs on `arrays`, as `simulate` does."""
        from allo_air.sim import host, results

        with self.module.context, ir.Location.unknown(self.module.context):
            host.check(self.sequence, arrays)
            phases = self._prepared(kernels)
            if words is not None:
                _check_words(words, phases, self.sequence)
            report = self._run(phases, dict(enumerate(arrays)), settings, words)
            report.origins = [replace(origin, owner=self.module) for origin in report.origins]
            if report.ok:
                report.findings += results.check_written(self.sequence, arrays, report.written)
                report.written = []
                for finding in report.findings:
                    if not finding.is_error:
                        emit(finding.diagnostic)
        if settings.strict and not report.ok:
            raise SimulationError(report)
        return report

    def estimate(self, settings: Settings, kernels: Mapping[str, object], *, steady: bool = True) -> Report:
        """Estimates the time of a run without data: nothing is computed or checked, and repeated iterations are counted, not
        run.

        The report's only findings are about program memory. Its status is `done`, or the status with which a run would end.
        Raises DiagnosticError if control flow depends on data.
        """
        with self.module.context, ir.Location.unknown(self.module.context):
            phases = self._prepared(kernels)
            reports: list[Report] = []
            if steady:
                with suppress(DiagnosticError):  # the end of a run is the same without leaps
                    reports = self._timed(phases, settings, True)
            if not reports or any(report.status != "done" for report in reports):
                reports = self._timed(phases, settings, False)
        return _joined(reports)

    @property
    def programs(self) -> dict[Coordinate, int]:
        """Numbers of the programs of the device's cores, after they ran; cores with the same program have the same number."""
        programs: dict[Coordinate, int] = {}
        for (device, *_), design in self._designs.items():
            codes = getattr(design.cores, "codes", {}) if device == self.device else {}
            programs |= {place: id(code.native) for place, code in codes.items()}
        return programs

    def _prepared(self, kernels: Mapping[str, object]) -> list[Phase]:
        """The phases; designs are for `kernels` from now on."""
        if self._phases is None:
            self._phases = phases_of(self.module, self.device, self.sequence)
        if kernels.keys() != self._kernels.keys() or any(kernels[n] is not k for n, k in self._kernels.items()):
            self._designs, self._kernels = {}, dict(kernels)
        return self._phases

    def _timed(self, phases: list[Phase], settings: Settings, steady: bool) -> list[Report]:
        reports: list[Report] = []
        before: Array | None = None
        for phase in phases:
            if not phase.steps and phase is not phases[-1]:
                before = loaded(phase.device, before, timing_only=True)
                continue
            design = self._design(phase, settings.code, scripts=True)
            words = control.control_of(design.layout.device, phase.steps)
            report, before = time_of(design, self.sequence.sym_name, words, settings, before, steady=steady)
            report.kernel = phase.device.sym_name
            reports.append(report)
            if report.status != "done":
                break
        return reports

    def _run(
        self, phases: list[Phase], arrays: Mapping[int, np.ndarray], settings: Settings, value: Sequence[int] | None
    ) -> Report:
        """Runs the phases, each on the state after the previous one. A single phase runs the words `value`."""
        self._elaborate(phases, settings)  # all of them first: LLVM compiles one while the next is lowered
        from allo_air.sim.run import run

        name = self.sequence.sym_name
        names = tuple(given_name(a.location, "argument") for a in self.sequence.body.blocks[0].arguments)
        reports: list[Report] = []
        before: Array | None = None
        alone = sum(bool(phase.steps) for phase in phases) == 1
        numbers = {d.sym_name: n for n, d in enumerate(configuring(self.module), 1)}
        devices = len({phase.device.sym_name for phase in phases if phase.steps or phase is phases[-1]})
        entries = scratchpad.table(self.module, (i for phase in phases for _, i in phase.steps), settings.parameters or {})
        for phase in phases:
            if not phase.steps and phase is not phases[-1]:
                before = loaded(phase.device, before)
                continue
            design = self._design(phase, settings.code)
            words = control.control_of(design.layout.device, phase.steps, names)
            if settings.package is not None:
                design = packaged(design, _of_device(settings.package, phase.device.sym_name, numbers, alone=devices == 1))
            if value is not None and alone and phase.steps:
                words = control.of_words(value, words)
            report, before = run(design, name, words, arrays, settings, before, entries)
            report.kernel = phase.device.sym_name
            reports.append(report)
            if not report.ok and settings.strict:
                break
        return _joined(reports)

    def _elaborate(self, phases: list[Phase], settings: Settings) -> None:
        for phase in phases:
            if phase.steps or phase is phases[-1]:
                self._design(phase, settings.code)

    def _design(self, phase: Phase, code: str, scripts: bool = False) -> Design:
        """The design of a phase's device, elaborated once for each way of pricing `code`, and for `scripts`."""
        key = phase.device, code, scripts
        if key not in self._designs:
            self._designs[key] = elaborate(phase.device, self._kernels, code == "compiled", scripts, phase.layout)
        return self._designs[key]


def _of_device(package: object, name: str, numbers: Mapping[str, int], *, alone: bool) -> Any:
    """The writes of `package` that load device `name`; a full ELF has `numbers` instead of names."""
    if not isinstance(package, Mapping):
        if not alone:
            raise AlloAirError(
                "the run loads several devices; give package= as a dictionary, the bytes of a file for each device"
            )
        return package
    if package and all(isinstance(key, int) for key in package) and numbers.get(name) in package:
        return package[numbers[name]]
    if name not in package:
        raise AlloAirError(f"package= has no device @{name}; it has {', '.join(f'@{n}' for n in package)}")
    return package[name]


def _joined(reports: list[Report]) -> Report:
    if len(reports) == 1:
        return reports[0]
    from allo_air.sim.joined import joined

    return joined(reports)


def _check_words(words: Sequence[int], phases: list[Phase], sequence: RuntimeSequenceOp) -> None:
    """Raises AlloAirError if `words` differ from those of the file and the file loads several devices: words do not show
    where.
    """
    if sum(bool(phase.steps) for phase in phases) < 2:
        return
    starts = [*starts_of(words), len(words)]
    values = [list(words[a:b]) for a, b in pairwise(starts) if words[a] & 0xFF != LOADPDI]
    results = [[w & 0xFFFFFFFF for w in i.words()] for phase in phases for _, i in phase.steps if not isinstance(i, LoadPdi)]
    if values != results:
        raise AlloAirError(
            f"words= are not those of @{sequence.sym_name}, which loads several devices; words do not say which: leave them out"
        )
