"""A replacement of package `filelock`, if it is not installed. Programs use it to reserve an NPU."""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Any


class Timeout(TimeoutError):
    """The lock was not released in time."""

    def __init__(self, lock_file: str):
        super().__init__(f"The file lock '{lock_file}' could not be acquired.")
        self.lock_file = lock_file


class FileLock:
    """A lock on a file, held by one process at a time. Its holder may acquire it repeatedly."""

    def __init__(self, lock_file: str | os.PathLike[str], timeout: float = -1, **_: object):
        self.lock_file, self.timeout = os.fspath(lock_file), timeout
        self._file: Any = None
        self._held = 0

    @property
    def is_locked(self) -> bool:
        """Whether this object holds the lock."""
        return self._held > 0

    def acquire(
        self, timeout: float | None = None, poll_interval: float = 0.05, blocking: bool = True, **_: object
    ) -> FileLock:
        """Acquires the lock. Waits at most `timeout` seconds (if negative: forever), then raises Timeout."""
        if not self._held:
            self._take(self.timeout if timeout is None else timeout, poll_interval, blocking)
        self._held += 1
        return self

    def _take(self, timeout: float, poll: float, blocking: bool) -> None:
        import fcntl

        file = open(self.lock_file, "a")  # noqa: SIM115
        begin = time.monotonic()
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if not blocking or 0 <= timeout <= time.monotonic() - begin:
                    file.close()
                    raise Timeout(self.lock_file) from None
            time.sleep(poll)
        self._file = file

    def release(self, force: bool = False) -> None:
        """Releases the lock."""
        self._held = 0 if force else max(0, self._held - 1)
        if not self._held and self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> FileLock:
        return self.acquire()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.release()


SoftFileLock = UnixFileLock = FileLock
