"""A compiled program: it runs on numpy arrays, reports how it ran, and can be saved and loaded."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from allo_air.asm.syntax import checked_state
from allo_air.core.calls import CLOCK, FLAG, NAME, PATH, SCHEDULE, SEED, checked, refuse_unknown
from allo_air.core.gc_pause import collect_less_often
from allo_air.dialects.states import printed_state
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.program.host import arrays as args
from allo_air.program.host import copies
from allo_air.program.host.signature import Argument, inputs, outputs
from allo_air.program.lowering import Lowered
from allo_air.program.runs import ProgramRuns, Run
from allo_air.program.storage import store

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.checks.comparison import Tolerance
    from allo_air.program.reports.report import Report
    from allo_air.program.run.package import Package

Backend = Literal["sim", "xrt"]
BACKENDS: tuple[str, ...] = ("sim", "xrt")
PACKAGING: tuple[str, ...] = ("auto", "own", "aiecc")


@dataclass(repr=False)
class Program(ProgramRuns):
    """A compiled program, which `allo_air.compile` and `allo_air.load` return; `c = program(a, b)` runs it.

    `arguments` are the host buffers in the order of the runtime sequence. `options` are the options of compile. `bfp16`: cores
    round operands to blocks. `kernels` replace external functions on the simulator.
    """

    lowered: Lowered
    pipeline: str
    device: str
    backend: Backend = "sim"
    options: Mapping[str, Any] = field(default_factory=dict)
    macs: int | None = None
    bfp16: bool = False
    cached: bool = False
    kernels: Mapping[str, Any] = field(default_factory=dict)
    packaging: str = "auto"
    """How to package for `backend="xrt"`: with our "own" writers, with "aiecc", or "auto": with aiecc if it is installed."""
    syntax: str | None = None
    """The version of the peers' assembly in which texts are returned and saved; None is the newest, or the version set for a
    tool.
    """
    renamed: tuple[str, str] = ("", "")
    """The name of the source at compile time, and its name now, for a program from the cache."""
    _run: Run | None = None

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise UnknownNameError("backend", str(self.backend), BACKENDS, f"there are {', '.join(BACKENDS)}")
        if self.packaging not in PACKAGING:
            raise UnknownNameError("packaging", str(self.packaging), PACKAGING, f"there are {', '.join(PACKAGING)}")
        if self.kernels and self.backend != "sim":
            raise AlloAirError("kernels= replaces object files on the simulator only; an NPU runs those that link_with names")

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """All host buffers."""
        return self.lowered.arguments

    @property
    def exact(self) -> bool:
        """Whether arrays must have the arguments' shapes. For a device that was compiled unchanged, only the transferred
        elements must exist.
        """
        return bool(self.pipeline) or any(a.shape != a.padded or a.layout for a in self.arguments)

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels whose IR is kept, from the source on."""
        return tuple(self.lowered.texts)

    @property
    def words(self) -> Any:
        """The instruction words as a numpy array of uint32."""
        import numpy as np

        return np.array(self.lowered.words, dtype=np.uint32)

    @property
    def notes(self) -> Mapping[str, str]:
        """Notes of the passes, such as the `plan` of a GEMM."""
        return self.lowered.notes

    @property
    def compiled(self) -> str:
        """The kernels that were compiled for it, and those from the cache; "" for one compiled kernel."""
        if self.cached:
            return "the program comes from the cache"
        return str(self.lowered.reuse) if self.lowered.reuse.kernels else ""

    @property
    def roundings(self) -> int:
        """How often sums are rounded to a narrower type (`narrow-sums` in the plan); 0 if they are not."""
        matches = (re.search(r"sums rounded to \d+ bits after each of (\d+) steps", note) for note in self.notes.values())
        return max((int(times[1]) for times in matches if times is not None), default=0)

    def tolerance(self, rtol: float | None = None, atol: float | None = None) -> Tolerance:
        """The tolerance of comparisons with expected results, with defaults for `rtol` and `atol`."""
        from allo_air.program.checks.comparison import Tolerance

        return Tolerance(rtol, atol, self.roundings, self.bfp16)

    @checked(level=NAME | None, syntax=NAME | None)
    def text(self, level: str | None = None, *, syntax: str | None = None) -> str:
        """The MLIR at `level` (one of `levels`), by default the last one.

        `syntax` is the version of the peers' assembly, "2026-03" or "2026-08"; by default that of `compile`.
        """
        from allo_air.program.texts import respelled

        target_syntax = self._syntax(syntax)
        level = self.levels[-1] if level is None else level
        if level not in self.lowered.texts:
            raise UnknownNameError("level", level, self.levels, f"this program has {', '.join(self.levels)}")
        text = self.lowered.texts[level]
        return text if target_syntax == self.lowered.syntax else respelled(text, target_syntax)

    def _syntax(self, value: str | None) -> str:
        name = value or self.syntax
        return printed_state() if name is None else checked_state(name)

    @checked(seed=SEED, trace=FLAG)
    @collect_less_often()
    def __call__(
        self,
        *arrays: object,
        out: object = None,
        seed: int = 0,
        trace: bool = False,
        expect: object = None,
        rtol: float | None = None,
        atol: float | None = None,
        **settings: Any,
    ) -> Any:
        """Runs on numpy arrays: the inputs in order, or all arguments (results are then written in place).

        Returns the result, or a tuple of several; these are new arrays unless `out` is set. `seed` fixes what varies on
        hardware. With `trace`, events are kept for `trace(path)`. `expect` are the expected results, with `rtol` and `atol` as
        in `allo_air.simulate`. More `settings` go to the simulator (`kernels`, `strict`, ...). Raises ArgumentError for a wrong
        number, shape or type of arguments, and the simulator's findings as errors.
        """
        from allo_air.program.simulate import simulator_settings

        rest = [n for n in simulator_settings() if n not in ("seed", "trace", "record", "device", "sequence", "words")]
        refuse_unknown("program", settings, ["out", "seed", "trace", "expect", "rtol", "atol", *rest])
        expectation = None if expect is None else self._expectation(expect, rtol, atol)
        bound = args.bind(self.arguments, arrays, out, exact=self.exact)
        if self.kernels:
            settings["kernels"] = {**self.kernels, **(settings.get("kernels") or {})}
        settings = {"seed": seed, **settings}
        before = self._copies(bound) if expectation is not None else []
        self._execute(bound, settings, trace)
        if expectation is not None:
            self._check(expectation, before, bound)
        return args.results(self.arguments, bound)

    def _expectation(self, expect: object, rtol: float | None, atol: float | None) -> Any:
        from allo_air.program.checks.expectation import Expectation

        return Expectation(expect, self.tolerance(rtol, atol))

    def _copies(self, bound: Sequence[np.ndarray]) -> list[Any]:
        """Copies of a call's arrays; the following run does not change them."""
        return [array.copy() if a.role != "in" else array for a, array in zip(self.arguments, bound, strict=True)]

    def _check(self, expectation: Any, before: Sequence[np.ndarray], after: Sequence[np.ndarray]) -> None:
        """Raises SimulationError if the run's results are not as expected (AlloAirError on an NPU, which records nothing)."""
        from allo_air.program.checks.results import results_of

        results = results_of(self.arguments, after)
        assert self._run is not None
        if self.backend == "sim":
            strict = bool(self._run.settings.get("strict", True))
            expectation.check(self._run.outcome, results, lambda: self.recorded(before), strict=strict)
        elif wrong := [c.message for c in expectation.compared(*results, None) if not c.ok]:
            raise AlloAirError("; ".join(wrong))

    @checked(mhz=CLOCK | None, code=SCHEDULE | None, steady=FLAG)
    @collect_less_often()
    def estimate(
        self,
        *,
        mhz: float | None = None,
        code: str = "compiled",
        steady: bool = True,
        kernels: Mapping[str, object] | None = None,
    ) -> Report:
        """Predicts the time of a call without data: the simulator's Report, without computed results.

        Cores only take their time. Repeating parts are simulated until their time repeats (with `steady` off, completely).
        `mhz` is the clock, and `code` how cores' code is priced, as in a call. `kernels` replace
        external functions, whose cycles are measured on zeros. Raises DiagnosticError if a core's time depends on data.
        """
        if self.backend != "sim":
            raise AlloAirError(f"backend '{self.backend}' is not estimated; compile with backend='sim'")
        values = {**self.kernels, **(kernels or {})}
        settings: dict[str, Any] = {"kernels": values, "steady": steady, "mhz": mhz, "code": code}
        if (design := self._unplaced) is not None:
            from allo_air.program.run.quietly import report_if_clean

            if (result := report_if_clean(design, lambda: design.estimate(**settings))) is not None:
                return self.reported(result)
        return self.reported(self._design.estimate(**settings))

    @checked(folder=PATH, syntax=NAME | None)
    def save(self, folder: str | os.PathLike[str], *, syntax: str | None = None) -> None:
        """Saves the MLIR of each level, the instruction words (`insts.bin`, `insts.txt`) and `manifest.json` in `folder`.

        For `syntax`, see `text`.
        """
        store.write(Path(folder), self.lowered.spelled(self._syntax(syntax)), self._about())

    @checked(folder=PATH, format=NAME, core_ir=PATH | None, peano=NAME | None)
    def package(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str = "xclbin",
        core_ir: str | os.PathLike[str] | None = None,
        peano: str | None = None,
    ) -> Package:
        """Writes files for XRT into `folder`: `xclbin` and instructions, or `elf`, `full-elf`, `pdi`, `txn`, `cdo`
        (docs/packaging.md).

        Needs no tool of AMD's except Peano for the cores' code. Peano (in the folder `peano`, or found automatically) compiles
        the LLVM IR of cores, `core_C_R.ll` in the folder `core_ir`. ELFs that are neither compiled nor named by `elf_file` in
        the design are missing. Weights, in the device's layout, are `buffer_N.npy`, where N is the number of the sequence's
        argument.
        """
        from allo_air.program.run.package import package

        constants = copies.constants_of(self.lowered)
        ir_of = None if core_ir is None else Path(core_ir)
        return package(self.text(), Path(folder), format, core_ir=ir_of, peano=peano, constants=constants)

    def _about(self) -> dict[str, Any]:
        names = ("pipeline", "device", "options", "macs", "bfp16")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        inputs_text = ", ".join(a.type_text for a in inputs(self.arguments))
        value = ", ".join(a.type_text for a in outputs(self.arguments))
        return f"{self.pipeline or 'device'} on {self.device}: ({inputs_text}) -> {value or 'nothing'}"
