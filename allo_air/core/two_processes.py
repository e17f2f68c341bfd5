"""Work for a second process: one end of a list, whose neighbours are similar and share compiled code, or one later result."""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from multiprocessing import get_context
from time import perf_counter
from typing import Any, BinaryIO, Generic, TypeVar

from allo_air.core.processes import usable_cores

Job = TypeVar("Job")
Key = TypeVar("Key")
Value = TypeVar("Value")

PATIENCE = 10.0
"""A fork that sends nothing for so many seconds, and for as long as this process has worked, waits for a lock."""

LEAST_JOBS = 4
"""A fork is not worth its start for fewer jobs that take some hundredths of a second."""


def can_fork() -> bool:
    """Whether a second process has a core, and can be forked.

    Other threads, as those of notebooks and progress bars, do not matter on Linux: if one of them held a lock that the fork
    needs, `make_all` does without the fork. Elsewhere, system libraries may crash.
    """
    return hasattr(os, "fork") and usable_cores() > 1 and (sys.platform == "linux" or threading.active_count() == 1)


def make_all(jobs: Sequence[object], make: Callable[[Any], object], tell: Callable[[int], None]) -> Generator[Any, None, None]:
    """Yields `make(job)` for each of `jobs`, in order; `tell` gets the number of finished ones.

    `make` runs in this process from the front, and in a forked process from the back, which sends its results as pickles. If
    the fork crashes or hangs, this process computes the missing results.
    """
    ends = _Ends(len(jobs))
    begin = perf_counter()

    def backwards(out: BinaryIO) -> None:
        while (index := ends.next(1)) is not None:
            pickle.dump((index, make(jobs[index])), out, pickle.HIGHEST_PROTOCOL)
            out.flush()

    child, back = _forked(backwards)
    sent: dict[int, Any] = {}
    reader = threading.Thread(target=_receive, args=(back, sent), daemon=True)
    reader.start()
    next_job = 0
    try:
        while (number := ends.next(0)) is not None:
            assert number == next_job
            yield make(jobs[next_job])
            next_job += 1
            tell(next_job + len(sent))
        since, worked, count = perf_counter(), perf_counter() - begin, len(sent)
        while reader.is_alive() and perf_counter() - since < max(PATIENCE, worked):
            reader.join(0.1)
            tell(next_job + len(sent))
            if len(sent) > count:
                since, count = perf_counter(), len(sent)
        for index in range(next_job, len(jobs)):
            yield sent[index] if index in sent else make(jobs[index])
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def with_memo(jobs: Sequence[Job], work: Callable[[Job], object], memo: dict[Key, Value]) -> None:
    """Calls `work(job)` for each of `jobs`, in order, where `work` keeps in `memo` what takes long to compute.

    A forked process does the same from the back. Its new entries of `memo`, whose values are never changed in place, are in
    this process before it comes to their job; so this process does all work, but computes only half of it.
    """
    here = os.getpid()

    def new_entries(job: Job) -> dict[Key, Value]:
        if os.getpid() == here:
            return {}
        before = dict(memo)
        work(job)
        return {key: value for key, value in memo.items() if before.get(key) is not value}

    if len(jobs) < LEAST_JOBS or not can_fork():
        for job in jobs:
            work(job)
        return
    with closing(make_all(jobs, new_entries, lambda _: None)) as back:
        for job, entries in zip(jobs, back, strict=True):
            memo.update(entries)
            work(job)


class Ahead(Generic[Value]):
    """The result of `compute`. From `start` on, a forked process computes it while this one does something else."""

    def __init__(self, compute: Callable[[], Value], takes_long: Callable[[], bool]) -> None:
        self.compute, self.takes_long = compute, takes_long
        self._is_started = False
        self._child = 0
        self._begin = 0.0
        self._back: BinaryIO | None = None

    def start(self) -> None:
        """Forks a process, the first time, if that is possible and `takes_long()`."""
        is_first, self._is_started = not self._is_started, True
        if not is_first or not can_fork() or not self.takes_long():
            return
        self._begin = perf_counter()
        self._child, self._back = _forked(lambda out: pickle.dump((0, self.compute()), out, pickle.HIGHEST_PROTOCOL))

    def result(self) -> Value:
        """The result; this process computes it if there is no other one, or if that crashes or hangs."""
        sent: dict[int, Value] = {}
        if self._back is not None:
            reader = threading.Thread(target=_receive, args=(self._back, sent), daemon=True)
            reader.start()
            reader.join(max(PATIENCE, perf_counter() - self._begin))
        return sent[0] if 0 in sent else self.compute()

    def end(self) -> None:
        """Ends the other process."""
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0
        if self._back is not None:
            self._back.close()
            self._back = None


class _Ends:
    """How many things have been taken from each end, as both processes see it."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.lock = get_context("fork").Lock()
        self.taken = mmap.mmap(-1, 16)

    def next(self, end: int) -> int | None:
        """Takes the next thing from the front (0) or the back (1); None if all are taken."""
        with self.lock:
            done_counts = [int.from_bytes(self.taken[8 * e : 8 * e + 8], "little") for e in (0, 1)]
            if sum(done_counts) == self.count:
                return None
            self.taken[8 * end : 8 * end + 8] = (done_counts[end] + 1).to_bytes(8, "little")
        return self.count - 1 - done_counts[1] if end else done_counts[0]


def _forked(send: Callable[[BinaryIO], None]) -> tuple[int, BinaryIO]:
    """Forks a process that calls `send` with a pipe and leaves without tearing the interpreter down. Returns its number and the
    end of the pipe to read from.
    """
    back, front = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, see can_fork
        child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(back)
            with os.fdopen(front, "wb") as out:
                send(out)
            code = 0
        finally:
            os._exit(code)
    os.close(front)
    return child, os.fdopen(back, "rb")


def _receive(pipe: BinaryIO, sent: dict[int, object]) -> None:
    with pipe:
        while True:
            try:
                index, made_there = pickle.load(pipe)
            except (EOFError, pickle.UnpicklingError):
                return
            sent[index] = made_there
