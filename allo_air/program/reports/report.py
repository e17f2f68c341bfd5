"""The report of a run, as data and text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.device import DEVICES
from allo_air.program.reports.figures import Figures
from allo_air.sim import report_types as sim

if TYPE_CHECKING:
    from rich.console import Group


class Report(Figures):
    """The figures of a run, with methods that show them."""

    def text(self) -> str:
        """The report as plain text, 100 columns wide."""
        from allo_air.program.reports.render import plain_text

        return plain_text(self)

    def picture(self) -> str:
        """The array as text, with the load of each tile."""
        from allo_air.program.reports.picture import array_picture

        return array_picture(self)

    def __rich__(self) -> Group:
        from allo_air.program.reports.render import rich_report

        return rich_report(self)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def of_run(title: str, outcome: sim.Report, element: str = "") -> Report:
    """The Report of a design that was only simulated here, not compiled."""
    return Report(title, outcome, DEVICES[outcome.device], element, sum(c.macs for c in outcome.cores))
