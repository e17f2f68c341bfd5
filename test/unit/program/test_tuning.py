"""Which plans a tuning simulates, what it keeps, and where it goes on; outcomes are made up."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.passes._analysis.tuned_plans import Candidate
from allo_air.program.tuning.report import Tuned
from allo_air.program.tuning.search import Search
from allo_air.program.tuning.trial import Job, Kernel, Outcome, run

RESULT = ([[1.0], [1.0], [1.0]],)


def plan(name: str) -> Candidate:
    return Candidate(name, name, 10.0, 4)


class Made(Executor):
    """Simulations that give what `cycles` says of their plans, an exception's text as a failure."""

    def __init__(self, cycles: Callable[..., float], kernels: dict[str, str]):
        self.cycles, self.kernels, self.asked = cycles, kernels, list[dict[str, str]]()

    def submit(self, _: Any, job: dict[str, Any], /) -> Future[dict[str, Any]]:  # type: ignore[override]
        plans = {key: Candidate.of(text).plan for key, text in job["plans"].items()}
        self.asked.append(plans)
        future: Future[dict[str, Any]] = Future()
        future.set_result(self._outcome(plans, job).as_dict())
        return future

    def _outcome(self, plans: dict[str, str], job: dict[str, Any]) -> Outcome:
        took = {key: plan(plans.get(key, names[0])) for key, names in self.kernels.items()}
        ranking = {key: tuple(map(plan, names)) if job["ranking"] else () for key, names in self.kernels.items()}
        try:
            cycles = self.cycles(**{key: candidate.plan for key, candidate in took.items()})
        except ValueError as error:
            return Outcome("failed", why=str(error))
        if cycles > job["cycles"]:
            return Outcome("slower", cycles)
        wrong = ([[2.0], [1.0], [1.0]],)
        kernels = tuple(Kernel(key, key, took[key], ranking[key]) for key in self.kernels)
        return Outcome("ran", cycles, "", kernels, wrong if "w" in plans.values() else RESULT)


def search(made: Made, kept: Path, seconds: float = 60) -> Search:
    return Search(Job("", "", "npu", "npu1", ranking=9), kept, "program", made, 1, monotonic() + seconds, lambda *_: None)


def test_the_fastest_plan_is_best_and_a_wrong_one_never_is(tmp_path: Path) -> None:
    def cycles(a: str) -> float:
        if a == "f":
            raise ValueError("does not fit")
        return {"o": 100, "x": 90, "y": 80, "z": 120, "w": 1}[a]

    found = search(Made(cycles, {"a": "oxyzwf"}), tmp_path)
    best = found.run()
    assert best.outcome.cycles == 80 and best.plans["a"][1].plan == "y"
    told = str(Tuned("title", Job("", "", "npu", "npu1"), tuple(found.rows), best, found.left, 1.0))
    for line in (
        "the planner's own",
        "best, 1.25 times as fast",
        "> 120",
        "failed: does not fit",
        "failed: its results differ",
    ):
        assert line in told
    assert "100 -> 80 simulated cycles" in told


def test_plans_of_several_kernels_are_tried_one_by_one_and_the_best_together(tmp_path: Path) -> None:
    made = Made(lambda a, b: {"o": 50, "x": 40}[a] + {"o": 60, "y": 55, "z": 70}[b], {"a": "ox", "b": "oyz"})
    best = search(made, tmp_path).run()
    assert best.outcome.cycles == 95
    assert made.asked == [{}, {"a": "x"}, {"b": "y"}, {"b": "z"}, {"a": "x", "b": "y"}]


def test_gains_that_do_not_add_up_are_added_one_by_one(tmp_path: Path) -> None:
    gains = {"a": 10, "b": 9, "c": 8}

    def cycles(**plans: str) -> float:
        new = {name for name, taken in plans.items() if taken == "x"}
        return 100 - sum(gains[n] for n in new) + (50 if {"a", "b"} <= new else 0)

    best = search(Made(cycles, dict.fromkeys(gains, "ox")), tmp_path).run()
    assert best.outcome.cycles == 82 and set(best.plans) == {"a", "c"}


def test_another_run_takes_what_the_first_one_simulated(tmp_path: Path) -> None:
    cycles = {"o": 100, "x": 90, "y": 80}
    first = Made(lambda a: cycles[a], {"a": "ox"})
    assert search(first, tmp_path).run().outcome.cycles == 90
    again = Made(lambda a: cycles[a], {"a": "ox"})
    best = search(again, tmp_path).run()
    assert again.asked == [] and best.outcome.cycles == 90 and best.again


def test_nothing_starts_when_the_time_is_over(tmp_path: Path) -> None:
    class Slow(Made):
        def submit(self, *given: Any) -> Any:  # type: ignore[override]
            found.end = monotonic()
            return super().submit(*given)

    found = search(Slow(lambda a: 100, {"a": "oxy"}), tmp_path)
    assert found.run().outcome.cycles == 100
    assert found.left == 2 and len(found.rows) == 1


def test_another_version_simulates_nothing() -> None:
    found = run(Job("", "", "npu", "npu1", version="other"))
    assert found.status == "failed" and "another version" in found.why


def test_a_program_without_plans_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AlloAirError, match="nothing to tune"):
        search(Made(lambda: 1, {}), tmp_path).run()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pipeline": "air-npu"}, "nothing to tune: pipeline 'air-npu' chooses no tiles"),
        ({"budget": 0}, "budget is 0, expected a time in seconds, above 0"),
        ({"bugdet": 5}, "no argument 'bugdet'; did you mean 'budget'"),
        ({"cluster": "tcp://127.0.0.1:1", "executor": Made(lambda: 1, {})}, "executor= and cluster="),
    ],
)
def test_misuse(given: dict[str, Any], said: str, tmp_path: Path) -> None:
    source = "func.func @f() { return }"
    with pytest.raises(AlloAirError, match=said.replace("(", r"\(")):
        allo_air.tune(source, **{"pipeline": "npu", "cache_dir": tmp_path, **given})
