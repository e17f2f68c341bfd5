"""Assigns addresses to buffers that have none: distributed over the banks as mlir-aie does by default, or sequentially."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from allo_air.arch.limits import BUFFER_ALIGNMENT


@dataclass
class Space:
    """A data memory of `size` bytes in equal `banks`, with the allocated ranges."""

    size: int
    banks: int
    occupied: list[tuple[int, int]] = field(default_factory=list)

    def take(self, start: int, size: int) -> int:
        """Takes `size` bytes at `start`."""
        self.occupied.append((start, start + size))
        self.occupied.sort()
        return start

    def fit(self, size: int, low: int, high: int) -> int | None:
        """The lowest aligned start of `size` free bytes in [low, high)."""
        start = _aligned(low)
        for begin, end in self.occupied:
            if end <= start:
                continue
            if begin >= start + size:
                break
            start = _aligned(end)
        return start if start + size <= high else None

    def bank(self, number: int) -> tuple[int, int]:
        """The span of bank `number`."""
        length = self.size // self.banks
        return number * length, (number + 1) * length


def allocate(space: Space, sizes: Sequence[int], banks: Sequence[int | None], *, sequential: bool) -> list[int] | None:
    """The addresses of buffers of `sizes` bytes, each in its requested bank, if any; None if they do not fit.

    The largest buffers are placed first, round robin over the banks. If one does not fit into a bank, or with `sequential`,
    each is placed at the lowest free address, in order (hardware-flow.md: "default bank-aware [...] with fallback
    basic-sequential").
    """
    for spread in (False,) if sequential else (True, False):
        trial = Space(space.size, space.banks, list(space.occupied))
        result = _attempt(trial, sizes, banks, spread)
        if result is not None:
            space.occupied = trial.occupied
            return result
    return None


def _attempt(space: Space, sizes: Sequence[int], banks: Sequence[int | None], spread: bool) -> list[int] | None:
    starts: dict[int, int] = {}
    order = sorted(range(len(sizes)), key=lambda i: (banks[i] is None, -sizes[i] if spread else i))
    turn = 0
    for i in order:
        bank = banks[i]
        start = None
        if bank is not None:
            start = space.fit(sizes[i], *space.bank(bank))
            start = space.fit(sizes[i], 0, space.size) if start is None else start
        elif spread:
            for _ in range(space.banks):
                start = space.fit(sizes[i], *space.bank(turn % space.banks))
                turn += 1
                if start is not None:
                    break
        else:
            start = space.fit(sizes[i], 0, space.size)
        if start is None:
            return None
        starts[i] = space.take(start, sizes[i])
    return [starts[i] for i in range(len(sizes))]


def _aligned(address: int) -> int:
    return -(-address // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
