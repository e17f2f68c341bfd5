"""Stores the plans that tuning found best, for planners, and the outcome of each of its simulations.

Layout below the cache's folder: `plans/VERSIONS/KERNEL` is the plan for the kernel with digest KERNEL, as planners read it.
`trials/PROGRAM/TRIAL` is the outcome of a simulation, by the digests of the program and of its plans.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from allo_air.core.atomic import write_atomically
from allo_air.errors import AlloAirError
from allo_air.passes._analysis.tuned_plans import Candidate, Planned, read
from allo_air.program.storage.digest import sha256, versions


def folder(cache: Path) -> Path:
    """The folder of the plans for this version, in the cache's folder `cache`. It may not exist yet."""
    return cache / "plans" / version()


@cache
def version() -> str:
    """The digest of the versions of allo_air, MLIR and our sources, for which plans are valid."""
    return sha256(json.dumps(versions()).encode())[:16]


def plan_texts(kernels: Iterable[Planned]) -> dict[str, str]:
    """By the kernel's digest: the plan that a kernel read from the folder, or "" if its planner chose it."""
    return {kernel.key: kernel.candidate.text if kernel.tuned else "" for kernel in kernels}


def are_current(plans: Path, plans_used: Mapping[str, str]) -> bool:
    """Whether the planners would read the same plans from folder `plans` as they have in `plans_used`."""
    results = {key: read(plans, key) for key in plans_used}
    return all(("" if plan is None else plan.text) == plans_used[key] for key, plan in results.items())


def store_plans(plans: Path, best: Mapping[str, Candidate]) -> None:
    """Writes the plans of kernels, by digest, into the folder `plans`. Raises AlloAirError if it cannot be written."""
    for key, candidate in best.items():
        _write(plans / key, candidate.text)


def write_plans(folder: Path, plans: Mapping[str, str]) -> None:
    """Writes plans, as text, into a new folder."""
    for key, text in plans.items():
        _write(folder / key, text)


def outcome(cache: Path, program: str, trial: str) -> dict[str, Any] | None:
    """The outcome of an earlier simulation of `trial`; None if there is none."""
    try:
        content = json.loads((cache / "trials" / program / trial).read_text())
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def keep_outcome(cache: Path, program: str, trial: str, outcome: Mapping[str, object]) -> None:
    """Stores the outcome of a simulation. Raises AlloAirError if the folder cannot be written."""
    _write(cache / "trials" / program / trial, json.dumps(outcome))


def clear(cache: Path) -> int:
    """Removes all plans and outcomes. Returns the number of plans."""
    count = sum(1 for path in (cache / "plans").glob("*/[!.]*"))
    for part in ("plans", "trials"):
        shutil.rmtree(cache / part, ignore_errors=True)
    return count


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise AlloAirError(f"cannot store results of tuning in '{path.parent}': {error.strerror}") from None
