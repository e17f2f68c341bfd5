"""Addresses of a core's buffers at which its loops access one memory bank at a time as seldom as can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from allo_air.arch.banks import BANK_BYTES, busy, shares
from allo_air.arch.limits import BUFFER_ALIGNMENT


@dataclass(frozen=True)
class Body:
    """A loop's body: how often it runs, the cycles of an iteration in any case, and those of its accesses by number of
    buffer."""

    times: int
    least: int
    accesses: tuple[tuple[int, int], ...]


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
        at = -(-at // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
        size = sizes[number]
        if whole and size <= BANK_BYTES < at % BANK_BYTES + size:
            at = -(-at // BANK_BYTES) * BANK_BYTES
        found[number] = at
        at += size
    return tuple(found) if at <= memory else None
