"""How a program runs: its design, parsed at first use, and its last run, which is repeated for a trace or a record."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, OptionError
from allo_air.program.host import arrays as args
from allo_air.program.host import copies
from allo_air.program.views import ProgramViews

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.reports.report import Report
    from allo_air.program.run.design import Design


@dataclass(frozen=True)
class Run:
    """The last call: the simulator's report, and the input arrays, so that it can run again with a trace."""

    outcome: Any
    arrays: tuple[Any, ...]
    settings: Mapping[str, Any]
    traced: bool


class ProgramRuns(ProgramViews):
    """The runs of an `allo_air.Program`, which has these attributes."""

    pipeline: str
    kernels: Mapping[str, Any]
    packaging: str
    renamed: tuple[str, str]
    _run: Run | None

    @property
    @abstractmethod
    def levels(self) -> tuple[str, ...]: ...

    @abstractmethod
    def text(self, level: str | None = None, *, syntax: str | None = None) -> str: ...

    def recorded(self, before: Sequence[np.ndarray]) -> Any:
        """Repeats the last call on the arrays `before`, which stay unchanged, and records who writes which byte."""
        from allo_air.program.checks.provenance import RecordedRun

        device = copies.to_device(self.lowered, self.arguments, before)
        assert self._run is not None
        report = self.simulated(device, **{**self._run.settings, "record": True, "strict": False, "progress": None})
        return RecordedRun(report.origins, before, device, self._device_array)

    def _device_array(self, number: int) -> tuple[int, Any] | None:
        """The device's array that contains an argument, and the positions of its elements there; None if there is none."""
        linked = self.lowered.linked
        return (
            (number, args.user_positions(self.arguments[number]))
            if linked is None
            else linked.device_buffer(number, self.arguments)
        )

    def simulated(self, device: Sequence[np.ndarray], **settings: Any) -> Any:
        """The simulator's report of a run on the device's arrays."""
        from allo_air.program.checks.source_lines import of_the_source
        from allo_air.program.run import quietly

        settings = {**settings, "words": self.lowered.words}
        unplaced = None if "_design" in vars(self) else self._unplaced
        report = None if unplaced is None else quietly.run(unplaced, device, settings)
        if report is not None:
            return report
        with of_the_source(self.lowered.texts, self.levels[-1], self.renamed) as at_source:
            return at_source(self._design.run(device, **settings))

    @cached_property
    def _design(self) -> Design:
        """The module of the last level, ready to run; parsed at first use."""
        from allo_air.program.run import designs

        return designs.parse_with_positions(self.text(), self.levels[-1], verified=bool(self.pipeline))

    @cached_property
    def _unplaced(self) -> Design | None:
        """The design of the last level without source locations. If there is anything to report, `_design` runs instead."""
        from allo_air.program.run import designs

        return designs.unplaced(self.lowered.texts, self.levels[-1]) if "_design" not in vars(self) and self.pipeline else None

    @property
    def _read(self) -> Design:
        return vars(self).get("_design") or self._unplaced or self._design

    def _execute(self, bound: Sequence[np.ndarray], settings: Mapping[str, object], trace: bool) -> None:
        device = copies.to_device(self.lowered, self.arguments, bound)
        outcome: Any = None
        if self.backend == "xrt":
            if extra := [n for n in settings if n != "seed"]:
                raise OptionError(f"{extra[0]}= is for the simulator; this program runs on backend 'xrt'")
            from allo_air.program.run.xrt import run as run_on_npu

            run_on_npu(self.lowered, device, self.packaging)
        else:
            outcome = self.simulated(device, trace=trace, **settings)
        copies.from_device(self.lowered, self.arguments, device, bound)
        self._run = Run(outcome, tuple(bound), settings, trace)

    @property
    def _last_report(self) -> Report | None:
        """The simulator's report of the last call; None without a call."""
        return None if self._run is None or self.backend != "sim" else self.reported(self._run.outcome)

    def _ran(self, *, trace: bool) -> Run:
        """The last run, repeated if `trace` is missing. A program that never ran, runs on seeded random arrays."""
        if self._run is None:
            bound = args.bind(self.arguments, args.random_inputs(self.arguments, 0))
            self._execute(bound, {"seed": 0, "kernels": self.kernels} if self.kernels else {"seed": 0}, trace)
        elif trace and not self._run.traced:
            if self.backend != "sim":
                raise AlloAirError(f"backend '{self.backend}' keeps no trace; compile with backend='sim'")
            import numpy as np

            bound = [
                array if a.role == "in" else np.array(array) for a, array in zip(self.arguments, self._run.arrays, strict=True)
            ]
            self._execute(bound, self._run.settings, trace)
        assert self._run is not None
        return self._run
