"""Checks a run's results against expected arrays, with a tolerance, and traces wrong elements back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.program.checks import provenance
from allo_air.program.checks.comparison import Comparison, Tolerance, compare
from allo_air.program.checks.results import Result, pairs_with_expected
from allo_air.sim.report_types import Report, SimulationError


@dataclass(frozen=True)
class Expectation:
    """Expected arrays, in a form that `pairs_with_expected` accepts, and the tolerance."""

    arrays: Any
    tolerance: Tolerance

    @staticmethod
    def from_settings(settings: dict[str, Any]) -> Expectation | None:
        """Removes `expect`, `rtol` and `atol` from a call's settings; None if nothing is expected."""
        arrays, tolerance = settings.pop("expect", None), Tolerance(settings.pop("rtol", None), settings.pop("atol", None))
        return None if arrays is None else Expectation(arrays, tolerance)

    def compared(
        self, arguments: Sequence[Result], results: Sequence[Result], rerun: Callable[[], provenance.RecordedRun] | None
    ) -> list[Comparison]:
        """Compares a run's results with the expected ones. With `rerun`, which runs once more, wrong ones are traced back."""
        matches = [
            compare(result.names[0], result.number, result.array, expected, self.tolerance)
            for result, expected in pairs_with_expected(self.arrays, arguments, results)
        ]
        return matches if rerun is None else provenance.traced(matches, rerun)

    def check(
        self,
        report: Report,
        run_results: tuple[Sequence[Result], Sequence[Result]],
        rerun: Callable[[], provenance.RecordedRun],
        *,
        strict: bool,
    ) -> Report:
        """`report` with the comparisons, and with a finding for each wrong result. If `strict`, findings are raised as
        SimulationError.
        """
        report.compared = self.compared(*run_results, rerun)
        wrong = provenance.findings(report.compared)
        errors = [finding for finding in report.findings if finding.is_error]
        report.findings = [*errors, *wrong, *(finding for finding in report.findings if not finding.is_error)]
        if strict and not report.ok:
            raise SimulationError(report)
        return report
