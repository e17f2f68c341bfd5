"""Runs jobs in separate processes, one for each calling thread. A job may crash, and is ended at its time limit."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from time import monotonic
from typing import Any

from allo_air.core.processes import Process, answer
from allo_air.program.tuning.trial import Job, Outcome, run

EARLY = 1.0
"""Seconds before its time limit at which a process stops by itself and reports its progress."""
_mine = threading.local()
"""The process of each thread, which is reused since starting one takes as long as several small jobs."""


def run_job(job: Mapping[str, Any]) -> dict[str, Any]:
    """Runs a job (`asdict` of a Job) in a separate process; returns its outcome as plain data."""
    began, seconds = monotonic(), job["seconds"]
    process = _mine.process = getattr(_mine, "process", None) or Process(__name__)
    info = process.ask(json.dumps({**job, "seconds": seconds - EARLY}).encode(), began + seconds)
    if not info:
        _mine.process = None
        outcome = Outcome("late") if info is None else Outcome("crashed", why=_last_words(process))
        process.end()
        return {**outcome.as_dict(), "seconds": monotonic() - began}
    return {**json.loads(info), "seconds": monotonic() - began}


def _last_words(process: Process) -> str:
    ended, *lines = process.last_words()
    return f"{ended}: {lines[-1] if lines else 'it printed nothing'}"


def serve() -> None:
    """Runs the jobs on standard input until it ends, and writes their outcomes to standard output."""
    answer(lambda job: json.dumps(run(Job(**json.loads(job))).as_dict()).encode())
