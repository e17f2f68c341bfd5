"""Memory banks: which of them a core's buffers lie in, and how long its accesses keep the busiest one busy.

A compute tile's data memory has four banks of 16 KiB, each of two single-port memories of 128 bits side by side
(simulator-semantics.md 24). A vector access takes both halves of its bank for a cycle, a scalar one half of it; what comes in
the same cycle to the same bank waits (timing.md: "bank conflict = +1 cycle each"; AIE2P: "the two loads must hit different
16 KiB banks"). DMAs give way to the core at no cost (simulator-semantics.md 25), so that they are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

BANK_BYTES = 1 << 14
SCALAR_SHARE = 0.5
"""A scalar access is in one of the two halves of a bank, in either as often."""

Shares = tuple[tuple[int, float], ...]
"""Banks that a buffer lies in, each with the share of the buffer that is there; empty where that is not known."""


@dataclass(frozen=True)
class Accesses:
    """`cycles` that one iteration's accesses of one buffer keep the bank busy that they go to."""

    shares: Shares
    cycles: float


def shares_of(memory: int, offset: int, size: int) -> Shares:
    """The shares of a buffer of `size` bytes at `offset` of data memory number `memory` (of those that the core sees)."""
    end = offset + size
    banks = range(offset // BANK_BYTES, -(-end // BANK_BYTES))
    parts = [(b, min(end, (b + 1) * BANK_BYTES) - max(offset, b * BANK_BYTES)) for b in banks]
    return tuple((memory << 8 | b, bytes_ / size) for b, bytes_ in parts)


def busy(found: Sequence[Accesses]) -> int:
    """Cycles that the busiest bank needs for the accesses of one iteration.

    Accesses of one buffer go to the same of its banks; where they are in the buffer is independent of the other buffers, so
    that the mean over all combinations counts, rounded to whole cycles.
    """
    known = [a for a in found if a.shares]
    mean = 0.0
    for combination in product(*(a.shares for a in known)):
        cycles: dict[int, float] = defaultdict(float)
        for access, (bank, _) in zip(known, combination, strict=True):
            cycles[bank] += access.cycles
        mean += prod(share for _, share in combination) * max(cycles.values(), default=0.0)
    return int(mean + 0.5)
