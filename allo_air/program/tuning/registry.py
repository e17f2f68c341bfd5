"""Exports the result of tuning: as an entry of a registry in JSON, or as the program's source with its tiles."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.errors import OptionError
from allo_air.passes._analysis.tuned_plans import Candidate
from allo_air.program.storage.digest import sha256
from allo_air.program.tuning.trial import Job, program_of

if TYPE_CHECKING:
    from allo_air.program.program import Program

TILED = "tiled"
"""The level of the exported source: its loops have the plan's tiles, and no later pass plans."""
_SAME = ("source", "pipeline", "options", "device", "core_code")
"""The fields by which an existing entry of a registry is replaced."""


@dataclass(frozen=True)
class Choice:
    """A job with its best plans, these plans by kernel name, and the cycles with them and with the planners' own."""

    job: Job
    plans: Mapping[str, Candidate]
    cycles: int
    untuned: int


def write(choice: Choice, path: str | os.PathLike[str]) -> None:
    """Writes the best plans to `path`: for `.json`, into a registry with its other entries; for `.mlir`, the tiled program.

    Raises OptionError like `check`.
    """
    check(path)
    file = Path(path)
    if file.suffix == ".json":
        new = entry(choice)
        rest = [e for e in _entries(file) if any(e.get(name) != new[name] for name in _SAME)]
        file.write_text(json.dumps([*rest, new], indent=2) + "\n")
    else:
        file.write_text(program_of(choice.job).text(TILED))


def check(path: str | os.PathLike[str]) -> None:
    """Raises OptionError for a file that `write` cannot write: another suffix, a missing folder, or JSON that is no
    registry.
    """
    file = Path(path)
    if file.suffix not in (".json", ".mlir"):
        raise OptionError(f"'{path}' ends in '{file.suffix}'; a registry is a .json file, the tiled program a .mlir file")
    if not file.parent.is_dir():
        raise OptionError(f"'{path}' is in no folder that exists")
    if file.suffix == ".json":
        _entries(file)


def entry(choice: Choice) -> dict[str, Any]:
    """A registry entry: shapes and types, device, plans, predicted time and error.

    `cycles` are simulated; `microseconds` are at `clock_mhz`, including the launch. Both are predictions. `error` is the
    largest difference from the interpreter's result on random inputs, relative to the largest element.
    """
    job = choice.job
    program = program_of(job)
    inputs, results = _run(program, job.code)
    report = program.report().run
    return {
        "source": f"{job.name or job.pipeline}, sha256 {sha256(job.text.encode())[:16]}",
        "pipeline": job.pipeline,
        "options": job.options,
        "device": job.device,
        "arguments": [f"{a.role}: {'x'.join(map(str, (*a.shape, a.element)))}" for a in program.arguments],
        "core_code": job.code,
        "plans": {name: json.loads(plan.plan) for name, plan in choice.plans.items()},
        "cycles": choice.cycles,
        "untuned_cycles": choice.untuned,
        "clock_mhz": report.clock_mhz,
        "microseconds": round(report.microseconds, 3),
        "error": _error(job, inputs, results),
        "version": job.version,
    }


def _run(program: Program, code: str) -> tuple[list[Any], list[Any]]:
    from allo_air.program.host import arrays

    inputs = arrays.random_inputs(program.arguments, 0)
    result = program(*inputs, code=code)
    return inputs, list(result) if isinstance(result, tuple) else [result]


def _error(job: Job, inputs: list[Any], results: list[Any]) -> float:
    from allo_air.program.source import Source
    from allo_air.program.stage import run_stage

    expected_arrays = [array for _, array in run_stage(Source(job.text, job.name), arrays=inputs).outputs]
    pairs = [(np.asarray(r, np.float64), np.asarray(w, np.float64)) for r, w in zip(results, expected_arrays, strict=True)]
    return float(max(np.abs(r - w).max(initial=0) / (np.abs(w).max(initial=0) or 1) for r, w in pairs))


def _entries(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        return []
    try:
        entries = json.loads(file.read_text())
    except json.JSONDecodeError as error:
        raise OptionError(f"'{file}' is not a registry: {error}") from None
    if not isinstance(entries, list) or not all(isinstance(item, dict) for item in entries):
        raise OptionError(f"'{file}' is not a registry, which is a list of entries; name another file")
    return entries
