"""Addresses of a core's buffers that minimize bank conflicts in its loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from allo_air.arch.banks import BANK_BYTES, busy, shares
from allo_air.arch.limits import BUFFER_ALIGNMENT


@dataclass(frozen=True)
class Body:
    """A loop's body: its trip count, the minimal cycles of an iteration, and the cycles of its accesses by buffer number."""

    times: int
    least: int
    accesses: tuple[tuple[int, int], ...]


Placed = tuple[tuple[float, float], tuple[int, ...]]
"""The cycles of all loops, those of their banks, and the addresses."""


@dataclass(frozen=True)
class Layout:
    """Buffers of `sizes` bytes that loops with `bodies` access, placed from `first` on in `memory` bytes.

    They begin at multiples of `alignment`.
    """

    sizes: Sequence[int]
    bodies: Sequence[Body]
    first: int
    memory: int
    alignment: int = BUFFER_ALIGNMENT

    def best(self, orders: Iterable[Sequence[int]]) -> Placed | None:
        """The best of `orders`: the fewest cycles of all loops, then of their banks; None if none fits."""
        best: Placed | None = None
        tried = set[tuple[int, ...]]()
        for order in orders:
            for whole in (False, True):
                result = self._packed(order, whole=whole)
                if result is None or result in tried:
                    continue
                tried.add(result)
                times = [(body.times, body.least, in_banks(body, result, self.sizes)) for body in self.bodies]
                rank = sum(n * max(least, t) for n, least, t in times), sum(n * t for n, _, t in times)
                if best is None or rank < best[0]:
                    best = rank, result
        return best

    def near(self, order: Sequence[int], count: int) -> Placed | None:
        """The layout after exchanging two of the first `count` in `order`, repeatedly, as long as an exchange improves it."""
        order, best = list(order), self.best([order])
        result: Placed | None = None
        while best != result:
            result = best
            for one, other in combinations(range(count), 2):
                changed = list(order)
                changed[one], changed[other] = changed[other], changed[one]
                placed = self.best([changed])
                if placed is not None and (best is None or placed[0] < best[0]):
                    order, best = changed, placed
        return best

    def _packed(self, order: Sequence[int], *, whole: bool) -> tuple[int, ...] | None:
        """Consecutive addresses in `order`; with `whole`, no buffer that fits a bank crosses a bank border."""
        at, result = self.first, [0] * len(self.sizes)
        for number in order:
            at = -(-at // self.alignment) * self.alignment
            size = self.sizes[number]
            if whole and size <= BANK_BYTES < at % BANK_BYTES + size:
                at = -(-at // BANK_BYTES) * BANK_BYTES
            result[number] = at
            at += size
        return tuple(result) if at <= self.memory else None


def in_banks(body: Body, addresses: Sequence[int], sizes: Sequence[int]) -> float:
    """Cycles of the busiest bank in an iteration of `body`."""
    return busy((shares(addresses[n], sizes[n]), cycles) for n, cycles in body.accesses)
