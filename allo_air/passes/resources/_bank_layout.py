"""Chooses the addresses of a core's buffers so that its loops have few bank conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from allo_air.arch.banks import BANK_BYTES, busiest_bank_cycles, shares
from allo_air.arch.limits import BUFFER_ALIGNMENT


@dataclass(frozen=True)
class Body:
    """A loop body: its trip count, the minimal cycles of an iteration, and for each buffer (by number) the cycles of its
    accesses.
    """

    times: int
    least: int
    accesses: tuple[tuple[int, int], ...]


Placed = tuple[tuple[float, float], tuple[int, ...]]
"""The cycles of all loops, the cycles of bank accesses, and the addresses."""


@dataclass(frozen=True)
class Layout:
    """Places buffers of `sizes` bytes, which loops with `bodies` access, from address `first` on in `memory` bytes.

    Addresses are multiples of `alignment`.
    """

    sizes: Sequence[int]
    bodies: Sequence[Body]
    first: int
    memory: int
    alignment: int = BUFFER_ALIGNMENT

    def best(self, orders: Iterable[Sequence[int]]) -> Placed | None:
        """The best layout among `orders` of the buffers: with the fewest cycles of all loops, then the fewest of their banks;
        None if none fits.
        """
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
        """Improves the layout of `order`: exchanges two of the first `count` buffers as long as that helps."""
        order, best = list(order), self.best([order])
        result: Placed | None = None
        while best != result:
            result = best
            for first, second in combinations(range(count), 2):
                changed = list(order)
                changed[first], changed[second] = changed[second], changed[first]
                placed = self.best([changed])
                if placed is not None and (best is None or placed[0] < best[0]):
                    order, best = changed, placed
        return best

    def _packed(self, order: Sequence[int], *, whole: bool) -> tuple[int, ...] | None:
        """Consecutive addresses in `order`. With `whole`, a buffer that fits into a bank does not cross a bank border."""
        address, result = self.first, [0] * len(self.sizes)
        for number in order:
            address = -(-address // self.alignment) * self.alignment
            size = self.sizes[number]
            if whole and size <= BANK_BYTES < address % BANK_BYTES + size:
                address = -(-address // BANK_BYTES) * BANK_BYTES
            result[number] = address
            address += size
        return tuple(result) if address <= self.memory else None


def in_banks(body: Body, addresses: Sequence[int], sizes: Sequence[int]) -> float:
    """Cycles of the busiest bank during one iteration of `body`."""
    return busiest_bank_cycles((shares(addresses[n], sizes[n]), cycles) for n, cycles in body.accesses)
