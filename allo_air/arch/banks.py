"""Memory banks: the banks that a buffer occupies, and the cycles that accesses keep the busiest one busy.

A core's data memory has four banks of 16 KiB (docs/sources.md#device). Accesses to one bank in the same cycle wait for each
other (docs/sources.md#timing: "bank conflict = +1 cycle each").
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import product

from allo_air.device import CORE_TILE

BANK_BYTES = CORE_TILE.memory // CORE_TILE.banks

Shares = tuple[tuple[int, float], ...]
"""The banks that a buffer occupies, each with its share of the buffer."""


@cache
def shares(offset: int, size: int) -> Shares:
    """The shares of a buffer of `size` bytes at `offset`."""
    end = offset + size
    banks = range(offset // BANK_BYTES, -(-end // BANK_BYTES))
    return tuple((b, (min(end, (b + 1) * BANK_BYTES) - max(offset, b * BANK_BYTES)) / size) for b in banks)


def busiest_bank_cycles(accesses: Iterable[tuple[Shares, float]]) -> float:
    """The mean number of cycles that the busiest bank needs. `accesses` has the banks of each buffer and the cycles of its
    accesses.

    The accesses of one buffer are assumed to go to one of its banks, chosen with the bank's share as probability and
    independently of the other buffers.
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
