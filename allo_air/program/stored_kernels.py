"""Stores lowered kernels in the cache's folder, for programs of all processes.

A kernel is the file `kernels/KEY`, where KEY is a digest of the module from which it was lowered. The file has a digest of the
rest, a JSON header, and bytecode of the lowered module and of the module at the end of each level. Names, locations and weights
differ by program, and are not stored.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from allo_air.core.atomic import write_atomically

_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True)
class Stored:
    """A lowered kernel: bytecode of its module and its levels, and notes of passes."""

    module: bytes
    levels: Mapping[str, bytes]
    notes: Mapping[str, str]


@dataclass(frozen=True)
class Kernels:
    """The lowered kernels in a cache; `passes` is the digest of the passes that lower them."""

    folder: Path
    passes: str

    def key(self, text: str) -> str:
        """The key of the kernel with canonical text `text`."""
        return hashlib.sha256(f"{self.passes}\n{text}".encode()).hexdigest()

    def read(self, key: str) -> Stored | None:
        """Reads the kernel `key`; None if it is missing or damaged."""
        path = self.folder / key
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, zlib.error):
            content = path.read_bytes()
            digest, data = content[:_DIGEST], content[_DIGEST:]
            if hashlib.sha256(data).digest() != digest:
                return None
            os.utime(path)
            return _unpacked(zlib.decompress(data))
        return None

    def write(self, key: str, kernel: Stored) -> None:
        """Writes `kernel` as `key` in one step. If the folder cannot be written, nothing is stored."""
        data = zlib.compress(_packed(kernel), 1)
        with contextlib.suppress(OSError):
            write_atomically(self.folder / key, hashlib.sha256(data).digest() + data)


def _packed(kernel: Stored) -> bytes:
    parts = {"": kernel.module, **kernel.levels}
    head = json.dumps({"parts": {name: len(part) for name, part in parts.items()}, "notes": dict(kernel.notes)}).encode()
    return head + b"\n" + b"".join(parts.values())


def _unpacked(data: bytes) -> Stored:
    head, _, rest = data.partition(b"\n")
    text = json.loads(head)
    parts, start = dict[str, bytes](), 0
    for name, size in text["parts"].items():
        parts[name] = rest[start : start + size]
        start += size
    return Stored(parts.pop(""), parts, text["notes"])
