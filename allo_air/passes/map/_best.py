"""Collects the best tiles that a search has found, and prunes candidates that cannot be better."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from allo_air.passes.map._cost import LAUNCH, Cost, compute, cost, least_starting
from allo_air.passes.map._demand import STEP, Demand
from allo_air.passes.map._limits import fits_l2
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._search import legal
from allo_air.passes.map._space import Space
from allo_air.passes.map._transfers import walkable


@dataclass
class Best:
    """The cheapest tiles, and the cheapest ones on another number of cores, with fewer cycles than `limit`. The search offers
    tiles from the last to the first.

    The computation of a core in a launch, and the start of channels (`cost`), bound the cycles from below. Tiles whose bound is
    too high are skipped.
    """

    space: Space
    limit: float = inf
    by_cores: dict[tuple[int, int], tuple[Cost, Tiles]] = field(default_factory=dict)
    started: dict[tuple[int, int], tuple[float, float]] = field(default_factory=dict)
    second: float = inf
    """Cycles of the cheapest tiles on other cores than the cheapest of all."""

    def is_worth(self, cores: tuple[int, int], launches: int, needed: Demand | None = None) -> bool:
        """Whether `launches` launches on these cores could be better than the best tiles; `needed` are the needs of a core's
        tile.
        """
        if cores not in self.started:
            self.started[cores] = least_starting(self.space, cores)
        lead, starts = self.started[cores]
        cycles = STEP if needed is None else compute(needed)
        return max(lead + launches * (cycles + LAUNCH), starts) <= self._least(cores)

    def offer(self, tiles: Tiles, needed: Demand) -> None:
        """Stores tiles that respect the limits and are no worse, so that the first in search order wins if costs are equal."""
        price = cost(self.space, tiles, needed)
        old = self.by_cores.get(tiles.cores)
        if price.cycles > self.limit or (old is not None and (price.cycles, price.work) > (old[0].cycles, old[0].work)):
            return
        if fits_l2(self.space, tiles, needed) and legal(self.space, tiles, needed) and walkable(self.space, tiles, needed):
            self.by_cores.pop(tiles.cores, None)
            self.by_cores[tiles.cores] = price, tiles
            if len(self.by_cores) > 1:
                self.second = sorted(price.cycles for price, _ in self.by_cores.values())[1]

    @property
    def ranked(self) -> list[tuple[Cost, Tiles]]:
        """The tiles found, in the order of the search."""
        return list(self.by_cores.values())[::-1]

    def _least(self, cores: tuple[int, int]) -> float:
        """The most cycles with which tiles on these cores could be the cheapest, or the cheapest on another number of cores."""
        return min(self.by_cores[cores][0].cycles if cores in self.by_cores else self.limit, self.second)
