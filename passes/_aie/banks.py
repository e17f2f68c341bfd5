"""Memory banks: which of them a buffer lies in, and how long accesses keep the busiest one busy.

A core's data memory has four banks of 16 KiB (facts/device.md), and what comes to one bank in the same cycle waits
(facts/timing.md: "bank conflict = +1 cycle each").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

BANK_BYTES = 1 << 14

ALIGNMENT = 32
"""Bytes; a core's narrowest vector load is 256 bits."""

Shares = tuple[tuple[int, float], ...]
"""Banks that a buffer lies in, each with the share of the buffer that is there."""


@dataclass(frozen=True)
class Body:
    """A loop's body: how often it runs, the cycles of an iteration in any case, and those of its accesses by number of
    buffer."""

    times: int
    least: int
    accesses: tuple[tuple[int, int], ...]


@cache
def shares(offset: int, size: int) -> Shares:
    """The shares of a buffer of `size` bytes at `offset`."""
    end = offset + size
    banks = range(offset // BANK_BYTES, -(-end // BANK_BYTES))
    return tuple((b, (min(end, (b + 1) * BANK_BYTES) - max(offset, b * BANK_BYTES)) / size) for b in banks)


def busy(accesses: Iterable[tuple[Shares, float]]) -> float:
    """Cycles that the busiest bank needs for so many accesses of each buffer, in the mean over the places in the buffers that
    they go to."""
    known = list(accesses)
    mean = 0.0
    for places in product(*(found for found, _ in known)):
        cycles: dict[int, float] = defaultdict(float)
        for (bank, _), (_, count) in zip(places, known, strict=True):
            cycles[bank] += count
        mean += prod(share for _, share in places) * max(cycles.values(), default=0.0)
    return mean


def spread(
    sizes: Sequence[int], bodies: Sequence[Body], orders: Iterable[Sequence[int]], first: int, memory: int
) -> tuple[int, ...] | None:
    """Addresses from `first` on for buffers of `sizes` bytes in `memory` bytes, in the best of `orders`; None where they do not
    fit. The fewest cycles of all loops win, then the fewest cycles of their banks."""
    best: tuple[tuple[float, float], tuple[int, ...]] | None = None
    for order in orders:
        for whole in (False, True):
            found = _packed(sizes, order, first, memory, whole)
            if found is None:
                continue
            times = [(body.times, body.least, in_banks(body, found, sizes)) for body in bodies]
            rank = sum(n * max(least, t) for n, least, t in times), sum(n * t for n, _, t in times)
            if best is None or rank < best[0]:
                best = rank, found
    return best[1] if best else None


def in_banks(body: Body, addresses: Sequence[int], sizes: Sequence[int]) -> float:
    """Cycles of the busiest bank in an iteration of `body`."""
    return busy((shares(addresses[n], sizes[n]), cycles) for n, cycles in body.accesses)


def _packed(sizes: Sequence[int], order: Sequence[int], first: int, memory: int, whole: bool) -> tuple[int, ...] | None:
    """Addresses one behind the other in `order`; with `whole`, none that a bank could hold crosses from one to the next."""
    at, found = first, [0] * len(sizes)
    for number in order:
        at = -(-at // ALIGNMENT) * ALIGNMENT
        size = sizes[number]
        if whole and size <= BANK_BYTES < at % BANK_BYTES + size:
            at = -(-at // BANK_BYTES) * BANK_BYTES
        found[number] = at
        at += size
    return tuple(found) if at <= memory else None
