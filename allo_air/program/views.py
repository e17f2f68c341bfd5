"""The views of a program and of its last run: report, explanation, trace, pictures, pages."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.calls import PATH, REPORT, checked
from allo_air.device import DEVICES
from allo_air.errors import AlloAirError
from allo_air.program.host.signature import Argument
from allo_air.program.lowering import Lowered

if TYPE_CHECKING:
    from allo_air.program.reports.report import Report
    from allo_air.program.run.design import Design


class ProgramViews(ABC):
    """The views of an `allo_air.Program`, which has these attributes."""

    lowered: Lowered
    device: str
    backend: Any
    macs: int | None

    @property
    @abstractmethod
    def arguments(self) -> tuple[Argument, ...]: ...

    @property
    @abstractmethod
    def notes(self) -> Mapping[str, str]: ...

    @property
    @abstractmethod
    def _design(self) -> Design: ...

    @property
    @abstractmethod
    def _read(self) -> Design: ...  # the design that was read, with or without locations

    @abstractmethod
    def _ran(self, *, trace: bool) -> Any: ...

    def report(self) -> Report:
        """The report of the last call: cycles, utilization, and the bound. Without a call, the program runs on seeded random
        inputs.
        """
        return self.reported(self._ran(trace=False).outcome)

    @property
    @abstractmethod
    def _last_report(self) -> Report | None: ...

    @checked(report=REPORT | None)
    def explain(self, report: Report | None = None) -> str:
        """An explanation of the program: its kernels with their plans in execution order, and its buffers.

        The cycles next to the planner's are those of `report` (from `estimate`, for example), by default of the last run, if
        there was one.
        """
        from allo_air.program.reports.explain import explain

        figures = report if report is not None else self._last_report
        return explain(str(self), self._design.sequence.operation, self.notes, self.lowered.linked, figures)

    @checked(path=PATH)
    def trace(self, path: str | os.PathLike[str]) -> None:
        """Writes the events of the last run as a Chrome trace, which Perfetto opens. Runs again if the last run kept no
        trace.
        """
        from allo_air.program.reports.trace import write_trace

        write_trace(Path(path), self._ran(trace=True).outcome)

    @checked(path=PATH)
    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws `roofline.png` or `timeline.png` (by the file's name, in any format of matplotlib; needs the extra `plot`).

        Another name that ends in .svg or .dot draws the graph: kernels with predicted times and bounds.
        """
        from allo_air.program.reports import graph, page, plot

        target = Path(os.fsdecode(path))
        if target.suffix in graph.SUFFIXES and not any(kind in target.stem for kind in plot.KINDS):
            page.write(target, (graph.dot if target.suffix == ".dot" else graph.svg)(self.graph()))
            return
        plot.check(target)
        plot.save(target, self.reported(self._ran(trace="timeline" in target.stem).outcome))

    def graph(self, prefix: str = "") -> Any:
        """The kernels in execution order, as nodes of a plot; names begin with `prefix`."""
        from allo_air.program.reports.graph import kernels_of

        buffers = () if self.lowered.linked is None else self.lowered.linked.buffers
        return kernels_of(str(self), self._design.sequence.operation, self.report(), buffers, prefix)

    @checked(path=PATH)
    def report_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the report of the last run as one self-contained HTML file: graph, kernels, timeline, roofline."""
        from allo_air.program.reports import page

        shown = self.report()
        summary = f"predicted {shown.cycles:,} cycles, {shown.microseconds:,.1f} us; bound by {shown.bound}"
        page.write(Path(os.fsdecode(path)), page.html_page(str(self), summary, [self.graph()], [shown]))

    def reported(self, outcome: Any) -> Report:
        """The Report for the simulator's `outcome`."""
        from allo_air.program.reports.report import Report
        from allo_air.program.reports.usage import tile_usage
        from allo_air.sim.cores.bfp16 import uses_block_floats

        if self.backend != "sim":
            raise AlloAirError(f"backend '{self.backend}' measures no cycles; compile with backend='sim' for a report")
        element, device = self.arguments[0].element if self.arguments else "", self._read.device
        if uses_block_floats(device, DEVICES[self.device].arch):
            element = "bfp16"
        macs = self.macs if self.macs is not None else sum(c.macs for c in outcome.cores)
        tiles, notes = tuple(tile_usage(device)), tuple(self.notes.items())
        return Report(str(self), outcome, DEVICES[self.device], element, macs, tiles, notes)
