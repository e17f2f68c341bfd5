"""The cache of compiled programs on disk. A key is a digest of everything that a program depends on. Processes share the cache.

Layout: `programs/KEY/` is a program as `store` writes it; `locks/XX` is the lock file for keys that begin with XX; `asked/ASK`
is the key of the program for a caller's request; `kernels/KEY` is a lowered kernel.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.core.atomic import write_atomically
from allo_air.errors import AlloAirError
from allo_air.program.lowering import Lowered
from allo_air.program.storage import store
from allo_air.program.stored_kernels import Kernels

LIMIT = 1 << 30
"""Default limit of the cache in bytes. Programs that were not used for longest are removed first."""


class LimitWarning(UserWarning):
    """A program is larger than the cache's limit."""


def default_folder() -> Path:
    """The user's cache folder for allo_air (platformdirs: `$XDG_CACHE_HOME/allo_air`, mostly `~/.cache/allo_air`)."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("allo_air", appauthor=False))


@dataclass(frozen=True)
class Cache:
    """A folder of compiled programs that holds at most `limit` bytes."""

    folder: Path
    limit: int = LIMIT

    def get_or_make(
        self,
        key: str,
        make: Callable[[], tuple[Lowered, dict[str, Any]]],
        is_current: Callable[[dict[str, object]], bool] = lambda _: True,
    ) -> tuple[Lowered, dict[str, Any], bool]:
        """The program under `key` with its manifest, and whether it was in the cache. If it was not, or was damaged, it is made
        and stored.

        A program whose manifest is not `is_current` is made again. Processes that need the same key at once compile it once. If
        the folder cannot be written, nothing is stored.
        """
        try:
            with self._locked(key):
                if (result := self._read(key)) is not None and is_current(result[1]):
                    return (*result, True)
                lowered, manifest = make()
                with contextlib.suppress(AlloAirError):
                    store.write(self._path(key), lowered, manifest, as_held=True)
                    self._drop_if_too_large(self._path(key))
        except OSError:
            lowered, manifest = make()
        else:
            self.shrink()
        return lowered, manifest, False

    def _drop_if_too_large(self, program: Path) -> None:
        """Removes a program that exceeds the limit by itself, and warns."""
        if (size := _size(program)) > self.limit:
            shutil.rmtree(program, ignore_errors=True)
            warnings.warn(
                f"the program has {size:,} bytes, and the cache in '{self.folder}' may hold {self.limit:,}: it is not kept, and"
                f" compiled again each time (its kernels are kept); raise the limit with cache_limit={size * 2}",
                LimitWarning,
                stacklevel=2,
            )

    def kernels(self, passes: str) -> Kernels:
        """The kernels that passes with digest `passes` have lowered."""
        return Kernels(self.folder / "kernels", passes)

    def lookup(self, ask: str, is_current: Callable[[dict[str, object]], bool]) -> tuple[Lowered, dict[str, Any]] | None:
        """The program that was recorded for request `ask`, with its manifest, if it is complete and `is_current`."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            entry = json.loads(self._ask_path(ask).read_text())
            with self._locked(key := _key_in(entry)):
                if (result := self._read(key)) is not None and is_current(result[1]):
                    return result[0], {**result[1], **entry["about"]}
        return None

    def note(self, ask: str, key: str, entries: Mapping[str, int]) -> None:
        """Records that request `ask` is answered by the program under `key`, with `entries` in its manifest."""
        with contextlib.suppress(OSError):
            write_atomically(self._ask_path(ask), json.dumps({"key": key, "about": entries}).encode())

    def check_writable(self) -> None:
        """Raises AlloAirError if the folder cannot be written."""
        try:
            for part in ("programs", "locks"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
                tempfile.TemporaryFile(dir=self.folder / part).close()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise AlloAirError(f"cannot keep programs in '{self.folder}': {why}; name another folder, or none") from None

    def _ask_path(self, ask: str) -> Path:
        return self.folder / "asked" / ask

    def _path(self, key: str) -> Path:
        return self.folder / "programs" / key

    def _read(self, key: str) -> tuple[Lowered, dict[str, Any]] | None:
        path = self._path(key)
        if not path.exists():
            return None
        try:
            result = store.read(path)
        except store.DamagedError:
            shutil.rmtree(path, ignore_errors=True)
            return None
        with contextlib.suppress(OSError):
            os.utime(path / store.MANIFEST)
        return result

    @contextlib.contextmanager
    def _locked(self, key: str, *, wait: bool = True) -> Iterator[None]:
        """Holds the lock of `key` against other processes and threads. Raises BlockingIOError if it is taken and `wait`
        is off.
        """
        path = self.folder / "locks" / key[:2]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            yield

    def entries(self) -> list[tuple[Path, int, float]]:
        """For every program: folder, bytes and time of last use; the least recently used first."""
        return _entries((self.folder / "programs").glob("[!.]*"), store.MANIFEST)

    def stored_kernels(self) -> list[tuple[Path, int, float]]:
        """The same for every kernel, which is a file."""
        return _entries((self.folder / "kernels").glob("[!.]*"), "")

    def size(self) -> int:
        """Bytes of all programs and kernels."""
        return sum(size for _, size, _ in [*self.entries(), *self.stored_kernels()])

    def shrink(self, limit: int | None = None) -> int:
        """Removes the least recently used programs and kernels until at most `limit` bytes remain; never a program in use.

        Returns the number of removed programs.
        """
        entries, removed = sorted([*self.entries(), *self.stored_kernels()], key=lambda e: e[2]), 0
        total = sum(size for _, size, _ in entries)
        for path, size, _ in entries:
            if total <= (self.limit if limit is None else limit):
                break
            with contextlib.suppress(OSError):
                if path.parent.name == "kernels":
                    path.unlink()
                else:
                    with self._locked(path.name, wait=False):
                        shutil.rmtree(path, ignore_errors=True)
                    removed += 1
                total -= size
        if removed:
            self._forget()
        return removed

    def _forget(self) -> None:
        """Removes the records of removed programs."""
        for note in (self.folder / "asked").glob("*"):
            with contextlib.suppress(OSError):
                try:
                    is_kept = self._path(_key_in(json.loads(note.read_text()))).exists()
                except (ValueError, TypeError, KeyError):
                    is_kept = False
                if not is_kept:
                    note.unlink()

    def clear(self) -> int:
        """Removes all programs and kernels, and temporary files of interrupted processes. Returns the number of programs."""
        removed = self.shrink(limit=-1)
        self._forget()
        for path in (self.folder / "programs").glob(".*"):
            shutil.rmtree(path, ignore_errors=True)
        for file in (self.folder / "kernels").glob(".*"):
            file.unlink(missing_ok=True)
        return removed


def _entries(paths: Iterator[Path], dated: str) -> list[tuple[Path, int, float]]:
    """Path, bytes and time of last use of entries of the cache, the oldest first. `dated` is the file whose time counts."""
    entries = []
    for path in paths:
        with contextlib.suppress(OSError):
            entries.append((path, _size(path), (path / dated).stat().st_mtime))
    return sorted(entries, key=lambda e: e[2])


def _size(path: Path) -> int:
    """Bytes of a file, or of the files in a folder."""
    return sum(f.stat().st_size for f in path.iterdir()) if path.is_dir() else path.stat().st_size


def _key_in(entry: Any) -> str:
    """The key in a record; ValueError if the record is damaged."""
    key = entry["key"]
    if not isinstance(key, str) or not key.isalnum():
        raise ValueError(f"{key!r} is not a key")
    return key
