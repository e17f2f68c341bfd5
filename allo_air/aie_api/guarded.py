"""Copies of a kernel's arguments, with a pattern around each one and memory without access around that."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence

import numpy as np

from allo_air.errors import counted

_GUARD = 512
"""Bytes on either side of an argument that a kernel must not change; the headers use the same number."""
_PATTERN = 0xA5
_LINE = 64
_FENCE = 4 << 20
"""Bytes without access on either side: more than a core's index reaches by mistake."""
_MOST_FREE = 16
_free: dict[int, list[mmap.mmap]] = {}
"""Memory of calls that have ended, by its size."""

_protect = ctypes.CDLL(None, use_errno=True).mprotect
_protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def span(value: np.ndarray) -> tuple[int, int]:
    """Addresses of the first byte of an array and of the one after its last."""
    begin = value.__array_interface__["data"][0]
    return begin, begin + sum((n - 1) * s for n, s in zip(value.shape, value.strides, strict=True)) + value.itemsize


def merged(arrays: Sequence[np.ndarray]) -> list[tuple[int, int]]:
    """The stretches of memory of `arrays`, those that overlap as one."""
    results: list[tuple[int, int]] = []
    for begin, end in sorted(span(a) for a in arrays if a.size):
        if results and begin < results[-1][1]:
            results[-1] = (results[-1][0], max(end, results[-1][1]))
        else:
            results.append((begin, end))
    return results


class Guarded:
    """A copy of a stretch of memory, as aligned as that, with a pattern before and after it."""

    def __init__(self, stretch: tuple[int, int]):
        self.begin, self.end = stretch
        size = self.end - self.begin
        self._room = -(-(size + 2 * (_GUARD + _LINE)) // mmap.PAGESIZE) * mmap.PAGESIZE
        self._map = _fenced(self._room)
        self.memory = np.frombuffer(self._map, np.uint8, self._room, _FENCE)
        self.memory[:] = _PATTERN
        base = self.memory.ctypes.data + _GUARD
        self.copy = base + (self.begin - base) % _LINE
        self.offset = self.copy - self.memory.ctypes.data
        ctypes.memmove(self.copy, self.begin, size)

    def address_of(self, value: np.ndarray) -> int | None:
        begin, end = span(value) if value.size else (self.begin, self.begin)
        return self.copy + begin - self.begin if self.begin <= begin and end <= self.end else None

    def damage(self) -> str | None:
        """The offset at which the pattern was overwritten."""
        size = self.end - self.begin
        before, behind = self.memory[: self.offset], self.memory[self.offset + size :]
        if (behind != _PATTERN).any():
            return f"{counted(int(np.argmax(behind != _PATTERN)), 'byte')} after the {size}"
        if (before != _PATTERN).any():
            return f"{counted(int(np.argmax(before[::-1] != _PATTERN)) + 1, 'byte')} before the {size}"
        return None

    def copy_back(self) -> None:
        ctypes.memmove(self.begin, self.copy, self.end - self.begin)

    def release(self) -> None:
        """Returns the memory for later calls."""
        free = _free.setdefault(self._room, [])
        if len(free) < _MOST_FREE:
            free.append(self._map)


def _fenced(room: int) -> mmap.mmap:
    """`room` bytes between two stretches without access, from calls that have ended or new."""
    try:
        return _free[room].pop()
    except (KeyError, IndexError):
        pass
    whole = mmap.mmap(-1, room + 2 * _FENCE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(whole))
    for address in (begin, begin + _FENCE + room):
        _protect(address, _FENCE, 0)
    return whole
