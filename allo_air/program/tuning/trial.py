"""One simulation of a tuning: compiles a program with certain plans, runs it, and describes the outcome."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError
from allo_air.passes._analysis.tuned_plans import Candidate

if TYPE_CHECKING:
    from allo_air.program.program import Program

BUCKETS = 256
"""Number of signed sums of a result by which two runs are compared. Each element is in one sum."""
_CLOSE = 0.05
"""Largest relative difference of two such sums, by the norm of their elements; rounding to bf16 gives 0.004."""


@dataclass(frozen=True)
class Job:
    """A program as text with its pipeline, options, and plans by the kernels' digests.

    `ranking` is the number of candidates that its planners list. The simulation stops after `cycles`, everything stops after
    `seconds`.
    """

    text: str
    name: str
    pipeline: str
    device: str
    options: str = ""
    plans: Mapping[str, str] = field(default_factory=dict)
    ranking: int = 0
    cycles: float = inf
    seconds: float = inf
    code: str = "compiled"
    """How the cores' code is priced: scheduled, or compiled."""
    version: str = ""
    """The version of allo_air for which the plans are valid; "" for any."""


@dataclass(frozen=True)
class Kernel:
    """A kernel of a program: its digest and name, its plan, and its planner's ranking."""

    key: str
    name: str
    taken: Candidate
    ranking: tuple[Candidate, ...]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a Job.

    `status` is "ran" with the simulated `cycles`; "slower" or "late" if it was stopped after `cycles`; "failed" or "crashed"
    with the reason. `results` are signed sums, to compare with another run.
    """

    status: str
    cycles: float = 0
    why: str = ""
    kernels: tuple[Kernel, ...] = ()
    results: tuple[Any, ...] = ()
    seconds: float = 0

    def as_dict(self) -> dict[str, Any]:
        """The outcome as JSON data."""
        return asdict(self)

    @staticmethod
    def of(record: Mapping[str, Any]) -> Outcome:
        """The outcome from `as_dict`; TypeError or KeyError for other data."""
        kernels = tuple(
            Kernel(k["key"], k["name"], Candidate(**k["taken"]), tuple(Candidate(**c) for c in k["ranking"]))
            for k in record["kernels"]
        )
        return Outcome(**{**record, "kernels": kernels, "results": tuple(record["results"])})


class _Stopped(Exception):
    """Raised if the cycles or the seconds are over."""


def run(job: Job) -> Outcome:
    """Runs a job in this process and returns its outcome."""
    from allo_air.program.storage import tuned

    if job.version not in ("", tuned.version()):
        return Outcome("failed", why="allo_air has another version there than here; install the same")
    end = monotonic() + job.seconds
    reached = [0]

    def compiling(*_: object) -> None:
        if monotonic() >= end:
            raise _Stopped("late")

    def simulating(cycle: int, _: int) -> bool:
        reached[0] = cycle
        return cycle <= job.cycles and monotonic() < end

    try:
        return _run(job, compiling, simulating)
    except _Stopped:
        return Outcome("late")
    except AlloAirError as error:
        if reached[0] > job.cycles:
            return Outcome("slower", reached[0])
        if monotonic() >= end:
            return Outcome("late", reached[0])
        return Outcome("failed", why=str(error).splitlines()[0])


def _run(job: Job, compiling: Callable[..., None], simulating: Callable[[int, int], bool]) -> Outcome:
    import numpy as np

    from allo_air.program.host import arrays

    program = program_of(job, compiling)
    kernels = tuple(Kernel(k.key, k.function, k.candidate, k.ranking) for k in program.lowered.planned)
    result = program(*arrays.random_inputs(program.arguments, 0), progress=simulating, code=job.code)
    cycles = program.report().cycles
    results = result if isinstance(result, tuple) else (result,)
    return Outcome("ran", cycles, "", kernels, tuple(_sums(np.asarray(r)) for r in results))


def program_of(job: Job, compiling: Callable[..., None] | None = None) -> Program:
    """The compiled program of a job; `compiling` is called for each pass."""
    from allo_air.program import lowering
    from allo_air.program.recipe import recipe_of
    from allo_air.program.saved import from_manifest
    from allo_air.program.source import Source
    from allo_air.program.storage import tuned

    source = Source(job.text, job.name)
    with source.context, tempfile.TemporaryDirectory() as folder:
        tuned.write_plans(Path(folder), job.plans)
        recipe = recipe_of(job.pipeline, job.device, job.options).with_plans(folder, job.ranking)
        lowered = lowering.lower(source, recipe, progress=compiling or (lambda *_: None))
    return from_manifest(lowered, {"pipeline": job.pipeline, "device": lowered.device}, "sim")


def _sums(array: object) -> list[list[float]]:
    """For each bucket: the sum of its elements with random signs and their norm. Also whether the elements are integers."""
    import numpy as np

    flat = np.asarray(array).reshape(-1).astype(np.float64)
    rng = np.random.default_rng(0)
    signs, buckets = rng.choice([-1.0, 1.0], flat.size), rng.integers(0, BUCKETS, flat.size)
    finite = np.nan_to_num(flat, nan=12345.0, posinf=23456.0, neginf=-23456.0)
    sums = np.bincount(buckets, finite * signs, BUCKETS)
    return [
        sums.tolist(),
        np.sqrt(np.bincount(buckets, finite**2, BUCKETS)).tolist(),
        [float(np.asarray(array).dtype.kind in "iub")],
    ]


def are_equal_results(first: Outcome, second: Outcome) -> bool:
    """Whether two runs on the same inputs have the same results: integers exactly, floats up to rounding in another order."""
    import numpy as np

    if len(first.results) != len(second.results):
        return False
    for (a, size, exact), (b, _, _) in zip(first.results, second.results, strict=True):
        distances, norm = np.abs(np.subtract(a, b)), np.asarray(size)
        if (distances > (0 if exact[0] else _CLOSE * norm + 1e-30)).any():
            return False
    return True
