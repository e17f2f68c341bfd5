"""Assigns addresses to the buffers in the data memory of a tile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.arch.limits import BUFFER_ALIGNMENT


@dataclass
class Memory:
    """A data memory of `size` bytes in `banks` of equal size, with the occupied spans (start, end, name) and the alignment of
    buffers.
    """

    size: int
    banks: int
    occupied: list[tuple[int, int, str]] = field(default_factory=list)
    alignment: int = BUFFER_ALIGNMENT

    def copy(self, alignment: int = BUFFER_ALIGNMENT) -> Memory:
        return Memory(self.size, self.banks, list(self.occupied), alignment)

    def bank(self, number: int) -> range:
        length = self.size // self.banks
        return range(number * length, (number + 1) * length)

    def overlapping(self, start: int, size: int) -> str | None:
        """The name of the first occupied span that overlaps [start, start + size); None if these bytes are free."""
        return next((name for low, high, name in self.occupied if low < start + size and start < high), None)

    def take(self, start: int, size: int, name: str) -> None:
        self.occupied = sorted([*self.occupied, (start, start + size, name)])

    def fit(self, size: int, inside: range) -> int | None:
        """The lowest aligned address in `inside` with `size` free bytes; None if there is none."""
        start = self._aligned(inside.start)
        for low, high, _ in self.occupied:
            if low >= start + size:
                break
            start = max(start, self._aligned(high))
        return start if start + size <= inside.stop else None

    def _aligned(self, address: int) -> int:
        return -(-address // self.alignment) * self.alignment


@dataclass(frozen=True)
class UnplacedBuffer:
    """A buffer without an address; `bank` is the bank that the user requested."""

    op: Any
    name: str
    size: int
    bank: int | None


def bank_aware(memory: Memory, requests: list[UnplacedBuffer]) -> dict[str, tuple[int, int]] | None:
    """(address, bank) by buffer name: first the buffers with a requested bank, then the others round-robin over the banks; the
    largest first in both. None if they do not fit.
    """
    results: dict[str, tuple[int, int]] = {}
    next_bank = 0
    for item in sorted(requests, key=lambda w: (w.bank is None, -w.size)):
        banks = [item.bank] if item.bank is not None else [(next_bank + i) % memory.banks for i in range(memory.banks)]
        for bank in banks:
            start = memory.fit(item.size, memory.bank(bank))
            if start is not None:
                memory.take(start, item.size, item.name)
                results[item.name] = start, bank
                next_bank = bank + 1 if item.bank is None else next_bank
                break
        else:
            return None
    return results


def sequential(memory: Memory, requests: list[UnplacedBuffer]) -> dict[str, tuple[int, int]] | None:
    """(address, first bank) by buffer name: each at the lowest free address. None if they do not fit."""
    results: dict[str, tuple[int, int]] = {}
    for item in requests:
        inside = range(memory.size) if item.bank is None else memory.bank(item.bank)
        start = memory.fit(item.size, inside)
        if start is None:
            return None
        memory.take(start, item.size, item.name)
        results[item.name] = start, start // (memory.size // memory.banks)
    return results
