"""Jobs done by processes beside this one: one for each thread that asks, which may crash, and is ended in time."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from math import inf
from time import monotonic
from typing import Any

from allo_air.program.tuning.trial import Job, Outcome, run

EARLY = 1.0
"""Seconds before its end at which a process stops by itself, and says how far it came."""
_mine = threading.local()
"""The process of each thread: starting one takes as long as several small jobs."""


class _Process:
    """A process that reads jobs and writes their outcomes, a line each."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, as long as the process
        command = [sys.executable, "-c", "from allo_air.program.tuning.worker import serve; serve()"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)

    def ask(self, job: Mapping[str, Any], end: float) -> str | None:
        """The line for a job; None where the time is over first, and "" where the process ends."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            self._process.stdin.flush()
        told, source = b"", self._process.stdout.fileno()
        while not told.endswith(b"\n"):
            left = None if end == inf else max(end - monotonic(), 0)
            if not select.select([source], [], [], left)[0]:
                return None
            if not (more := os.read(source, 1 << 20)):
                return ""
            told += more
        return told.decode()

    def last_words(self) -> str:
        """How it ended, and the last line that it wrote of errors."""
        code = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"the process ended with code {code}: {lines[-1] if lines else 'it said nothing'}"

    def end(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.end()


def apart(job: Mapping[str, Any]) -> dict[str, Any]:
    """The outcome of a job (`asdict` of a Job), computed in a process of its own; both as plain data."""
    began, seconds = monotonic(), job["seconds"]
    process = _mine.process = getattr(_mine, "process", None) or _Process()
    told = process.ask({**job, "seconds": seconds - EARLY}, began + seconds)
    if not told:
        _mine.process = None
        outcome = Outcome("late") if told is None else Outcome("crashed", why=process.last_words())
        process.end()
        return {**outcome.as_dict(), "seconds": monotonic() - began}
    return {**json.loads(told), "seconds": monotonic() - began}


def serve() -> None:
    """Does the jobs on standard input until it ends, and writes their outcomes to standard output."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what others print is no outcome
    for line in sys.stdin:
        print(json.dumps(run(Job(**json.loads(line))).as_dict()), file=out, flush=True)
