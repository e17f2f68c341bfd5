"""The search of tuning: which plans are simulated, in which order, and which is best."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from allo_air.errors import AlloAirError
from allo_air.passes._analysis.tuned_plans import Candidate
from allo_air.program.storage import tuned
from allo_air.program.storage.digest import sha256
from allo_air.program.tuning.report import Plans, Row
from allo_air.program.tuning.trial import Job, Outcome, are_equal_results
from allo_air.program.tuning.worker import run_job

Progress = Callable[[str, int, int], None]
_MARGIN = 1.3
"""The last simulation, of all winners together, may take this many times longer than the first one; that time is reserved."""
_POLL = 0.25
"""Seconds between reports of progress."""


@dataclass
class Search:
    """Simulates variants of one program on `executor`, `jobs` at a time, until the time `end` (of time.monotonic).

    Outcomes are stored in `cache` by the digest `program`, and outcomes of earlier runs are read from there.
    """

    job: Job
    cache: Path
    program: str
    executor: Executor
    jobs: int
    end: float
    tell: Progress
    rows: list[Row] = field(default_factory=list)
    left: int = 0

    def run(self) -> Row:
        """Runs the search and returns the best row. Raises AlloAirError if nothing can be tuned, or there is no time for the
        first simulation.
        """
        own = self._run_default_plans()
        singles = self._singles(own)
        several = len({key for plans in singles for key in plans}) > 1
        reserve = _MARGIN * own.outcome.seconds if several else 0
        self._simulate(singles, own, self.end - reserve)
        if several:
            self._run_gains_together(own)
        self.left += sum(row.outcome.status == "late" for row in self.rows)
        return self.best

    @property
    def best(self) -> Row:
        """The row with the fewest cycles; the first of equal ones."""
        return min((row for row in self.rows if row.outcome.status == "ran"), key=lambda row: row.outcome.cycles)

    def _run_default_plans(self) -> Row:
        """Simulates the program with the planners' own plans, which also gives the candidates."""
        self.tell("simulating the planner's own plan", 0, 1)
        name = f"own-{self.job.ranking}"
        outcome = self._stored_outcome(name)
        if again := outcome is not None:
            result = outcome
        else:
            result = self._wait(self._submit(self.job, self.end))
            self._keep(name, result)
        assert result is not None
        if result.status == "late":
            raise AlloAirError("the budget ended before the planner's own plan was simulated; give a larger one")
        if result.status != "ran":
            raise AlloAirError(f"the program does not run with the planner's own plan: {result.why}")
        if not any(kernel.ranking for kernel in result.kernels):
            raise AlloAirError("there is nothing to tune: no pass of the pipeline chooses tiles for a kernel of this program")
        self.rows.append(Row({k.key: (k.name, k.taken) for k in result.kernels}, result, again))
        return self.rows[0]

    def _singles(self, own: Row) -> list[Plans]:
        """Variants with another plan for one kernel: first the best candidates of all kernels."""
        kernels = own.outcome.kernels
        longest = max(len(k.ranking) for k in kernels)
        return [
            {k.key: (k.name, k.ranking[place])}
            for place in range(longest)
            for k in kernels
            if place < len(k.ranking) and _identity(k.ranking[place]) != _identity(k.taken)
        ]

    def _simulate(self, plans_to_run: Iterable[Plans], own: Row, end: float) -> None:
        """Simulates the plans, several at a time, until `end`. Simulations that are slower than the best one are stopped."""
        todo, running = list(plans_to_run), dict[Future[dict[str, Any]], Plans]()
        total, done = len(todo), 0
        while todo or running:
            while todo and len(running) < self.jobs and monotonic() < end:
                plans = todo.pop(0)
                if (result := self._stored_outcome(_name(plans))) is not None:
                    self._add(plans, result, own, again=True)
                    done += 1
                    continue
                job = replace(self.job, ranking=0, plans=_texts(plans), cycles=self._bound(plans))
                running[self._submit(job, end)] = plans
            if not running and monotonic() >= end:
                break
            self.tell(f"simulating plans, best {self.best.outcome.cycles:,.0f} cycles", done, total)
            finished, _ = wait(running, timeout=_POLL, return_when=FIRST_COMPLETED)
            for future in finished:
                plans, result = running.pop(future), Outcome.of(future.result())
                done += 1
                self._add(plans, result, own)
        self.left += len(todo)

    def _bound(self, plans: Plans) -> float:
        """The number of cycles after which `plans` cannot be the best for their kernels."""
        ran = [row for row in self.rows if row.outcome.status == "ran"]
        return min(row.outcome.cycles for row in ran if row is ran[0] or row.plans.keys() <= plans.keys())

    def _run_gains_together(self, own: Row) -> None:
        """Simulates the best plans of all kernels that gained, together. If that is no gain, adds them one after another."""
        gains = {key: plan for row in self._gains(own) for key, plan in row.plans.items()}
        if len(gains) < 2:
            return
        self._simulate([gains], own, self.end)
        if self.best.plans == gains or len(gains) == 2:
            return
        best_plans: Plans = {}
        for key, plan in gains.items():
            if best_plans:
                self._simulate([{**best_plans, key: plan}], own, self.end)
            if not best_plans or self.best.plans == {**best_plans, key: plan}:
                best_plans = {**best_plans, key: plan}

    def _gains(self, own: Row) -> list[Row]:
        """The best row of each kernel that is faster than the planners' own plans, the largest gain first."""
        rows: dict[str, Row] = {}
        for row in sorted(self.rows[1:], key=lambda row: row.outcome.cycles):
            if row.outcome.status == "ran" and row.outcome.cycles < own.outcome.cycles:
                rows.setdefault(next(iter(row.plans)), row)
        return list(rows.values())

    def _add(self, plans: Plans, outcome: Outcome, own: Row, again: bool = False) -> None:
        if outcome.status == "ran" and not are_equal_results(own.outcome, outcome):
            outcome = Outcome("failed", why="its results differ from those of the planner's own plan; please report it")
        if not again:
            self._keep(_name(plans), outcome)
        self.rows.append(Row(plans, outcome, again))

    def _submit(self, job: Job, end: float) -> Future[dict[str, Any]]:
        return self.executor.submit(run_job, asdict(replace(job, seconds=max(end - monotonic(), 0))))

    def _wait(self, future: Future[dict[str, Any]]) -> Outcome:
        while True:
            finished, _ = wait([future], timeout=_POLL)
            if finished:
                return Outcome.of(future.result())
            self.tell("simulating the planner's own plan", 0, 1)

    def _stored_outcome(self, name: str) -> Outcome | None:
        result = tuned.outcome(self.cache, self.program, name)
        try:
            return None if result is None else Outcome.of(result)
        except (KeyError, TypeError):
            return None

    def _keep(self, name: str, outcome: Outcome) -> None:
        if outcome.status not in ("late", "crashed"):
            tuned.keep_outcome(self.cache, self.program, name, outcome.as_dict())


def _identity(candidate: Candidate) -> tuple[str, int]:
    return candidate.plan, candidate.columns


def _texts(plans: Plans) -> dict[str, str]:
    return {key: candidate.text for key, (_, candidate) in plans.items()}


def _name(plans: Plans) -> str:
    return sha256(json.dumps(sorted(_texts(plans).items())).encode())
