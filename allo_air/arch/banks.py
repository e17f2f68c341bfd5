"""Memory banks: which of them a buffer lies in, and how long accesses keep the busiest one busy.

A core's data memory has four banks of 16 KiB (docs/sources.md#device), and what comes to one bank in the same cycle waits
(docs/sources.md#timing: "bank conflict = +1 cycle each").
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import product

from allo_air.device import CORE_TILE

BANK_BYTES = CORE_TILE.memory // CORE_TILE.banks

Shares = tuple[tuple[int, float], ...]
"""Banks that a buffer lies in, each with the share of the buffer that is there."""


@cache
def shares(offset: int, size: int) -> Shares:
    """The shares of a buffer of `size` bytes at `offset`."""
    end = offset + size
    banks = range(offset // BANK_BYTES, -(-end // BANK_BYTES))
    return tuple((b, (min(end, (b + 1) * BANK_BYTES) - max(offset, b * BANK_BYTES)) / size) for b in banks)


def busiest_bank_cycles(accesses: Iterable[tuple[Shares, float]]) -> float:
    """Cycles that the busiest bank needs, where the accesses of each buffer take so many.

    Accesses of one buffer go to the same of its banks; where they are in the buffer is independent of the other buffers, so
    that the mean over all combinations counts.
    """
    return _busy(tuple(accesses))


@lru_cache(maxsize=1 << 15)
def _busy(accesses: tuple[tuple[Shares, float], ...]) -> float:
    counts = [count for _, count in accesses]
    mean = 0.0
    for places in product(*(item for item, _ in accesses)):
        cycles: dict[int, float] = {}
        likely: float = 1
        for (bank, share), count in zip(places, counts, strict=True):
            cycles[bank] = cycles.get(bank, 0.0) + count
            likely *= share
        mean += likely * max(cycles.values(), default=0.0)
    return mean
