"""Memory banks: which of them a core's buffers lie in, and how long its accesses keep the busiest one busy.

A compute tile's data memory has four banks of 16 KiB, each of two single-port memories of 128 bits side by side
(simulator-semantics.md 24). A vector access takes both halves of its bank for a cycle, a scalar one half of it; what comes in
the same cycle to the same bank waits (timing.md: "bank conflict = +1 cycle each"; AIE2P: "the two loads must hit different
16 KiB banks"). DMAs give way to the core at no cost (simulator-semantics.md 25), so that they are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.arch import banks

SCALAR_SHARE = 0.5
"""A scalar access is in one of the two halves of a bank, in either as often."""

Shares = banks.Shares
"""The banks of a buffer; empty if they are unknown."""


@dataclass(frozen=True)
class Accesses:
    """`cycles` that one iteration's accesses of one buffer keep the bank busy that they go to."""

    shares: Shares
    cycles: float


def shares_of(memory: int, offset: int, size: int) -> Shares:
    """The shares of a buffer of `size` bytes at `offset` of data memory number `memory` (of those that the core sees)."""
    return tuple((memory << 8 | bank, share) for bank, share in banks.shares(offset, size))


def busy(accesses: Sequence[Accesses]) -> int:
    """Cycles that the busiest bank needs for the accesses of one iteration, rounded to whole cycles."""
    return int(banks.busy((a.shares, a.cycles) for a in accesses if a.shares) + 0.5)
