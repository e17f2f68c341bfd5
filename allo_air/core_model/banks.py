"""Memory banks: those of a core's buffers, and how long the accesses of the busiest bank take.

A compute tile's data memory has four banks of 16 KiB, each made of two single-port memories of 128 bits
(simulator-semantics.md 24). A vector access uses both halves of its bank for a cycle, a scalar access one half. Accesses of
the same bank in the same cycle wait (timing.md: "bank conflict = +1 cycle each"; AIE2P: "the two loads must hit different 16
KiB banks"). DMAs give way to the core at no cost (simulator-semantics.md 25) and are not modelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.arch import banks

SCALAR_SHARE = 0.5
"""The share of a bank that a scalar access uses: one of two halves, either one equally often."""

Shares = banks.Shares
"""The banks of a buffer; empty if they are unknown."""


@dataclass(frozen=True)
class Accesses:
    """The `cycles` for which the accesses of one buffer, in one iteration, occupy its bank."""

    shares: Shares
    cycles: float


def shares_of(memory: int, offset: int, size: int) -> Shares:
    """The shares of a buffer of `size` bytes in each bank; it starts at `offset` of data memory number `memory` (of those
    that the core can access).
    """
    return tuple((memory << 8 | bank, share) for bank, share in banks.shares(offset, size))


def busiest_bank_cycles(accesses: Sequence[Accesses]) -> int:
    """Cycles that the busiest bank needs for the accesses of one iteration, rounded to whole cycles."""
    return int(banks.busiest_bank_cycles((a.shares, a.cycles) for a in accesses if a.shares) + 0.5)
