"""Runs child processes that answer requests in bytes. A crash of a child becomes an error, and children end with this
process.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from math import inf
from time import monotonic

_LENGTH = struct.Struct("<Q")
"""The header of each question and each answer."""


def usable_cores() -> int:
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Process:
    """A process that runs `serve` of the module `name`."""

    def __init__(self, name: str) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, as long as the process
        command = [sys.executable, "-c", f"from {name} import serve; serve()"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        self._owner = os.getpid()

    @property
    def is_mine(self) -> bool:
        """Whether this process started the child, and not a process from which this one was forked."""
        return self._owner == os.getpid()

    def ask(self, question: bytes, end: float = inf) -> bytes | None:
        """Sends `question` and returns the answer; None if `monotonic()` reaches `end` first, b"" if the child ends."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(_LENGTH.pack(len(question)))
            self._process.stdin.write(question)
            self._process.stdin.flush()
        head = self._read(_LENGTH.size, end)
        return self._read(_LENGTH.unpack(head)[0], end) if head else head

    def _read(self, count: int, end: float) -> bytes | None:
        assert self._process.stdout is not None
        data, source = bytearray(), self._process.stdout.fileno()
        while len(data) < count:
            remaining_time = None if end == inf else max(end - monotonic(), 0)
            if not select.select([source], [], [], remaining_time)[0]:
                return None
            if not (more := os.read(source, min(count - len(data), 1 << 24))):
                return b""
            data += more
        return bytes(data)

    def last_words(self) -> list[str]:
        """The exit code and the error output of the process."""
        code = self._process.wait()
        self._errors.seek(0)
        return [f"the process ended with code {code}", *self._errors.read().decode(errors="replace").strip().splitlines()]

    def end(self) -> None:
        """Kills the child."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            if self.is_mine:
                self.end()


def answer(function: Callable[[bytes], bytes]) -> None:
    """Answers the questions on standard input by `function` until it ends; Ctrl-C is for the process that asks.

    If that process ends during an answer, this one ends, too, even if `function` never returns.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    source, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # ignore output of other programs
    while head := source.read(_LENGTH.size):
        question = source.read(_LENGTH.unpack(head)[0])
        with _ends_with(source.fileno()):
            info = function(question)
        out.write(_LENGTH.pack(len(info)) + info)
        out.flush()


@contextlib.contextmanager
def _ends_with(pipe: int) -> Iterator[None]:
    """Within the context, SIGIO ends this process when the other end of `pipe` is closed; no data arrives on the pipe.

    A thread cannot watch the pipe, since MLIR's passes hold Python's lock.
    """
    flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_ASYNC)
    try:
        if select.select([pipe], [], [], 0)[0]:  # closed before
            raise SystemExit
        yield
    finally:
        fcntl.fcntl(pipe, fcntl.F_SETFL, flags)
