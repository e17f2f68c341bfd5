"""The best tiles of a kernel found so far. A search uses them to skip candidates."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from allo_air.passes.map._cost import STEP, Cost, Price, compute, cost
from allo_air.passes.map._demand import Demand
from allo_air.passes.map._limits import fits_l2
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._search import legal
from allo_air.passes.map._space import Space
from allo_air.passes.map._transfers import walkable


@dataclass
class Best:
    """The cheapest tiles on each choice of cores, with fewer cycles than `limit`. The search offers tiles from last to first.

    A launch takes at least the cycles that a core computes in it (`cost`). Tiles for which this bound is too high are skipped.
    """

    space: Space
    priced: dict[int, Price]
    limit: float = inf
    by_cores: dict[tuple[int, int], tuple[Cost, Tiles]] = field(default_factory=dict)

    def may(self, cores: tuple[int, int], launches: int, needed: Demand | None = None) -> bool:
        """Whether this number of launches on these cores can be better; `needed` says what a core's tile needs."""
        each = STEP if needed is None else compute(needed, self.priced)
        return launches * (each + STEP) <= self._least(cores)

    def offer(self, tiles: Tiles, needed: Demand) -> None:
        """Takes tiles that are no worse, so that the first of equals is kept, and that respect the limits."""
        price = cost(self.space, tiles, needed, self.priced)
        old = self.by_cores.get(tiles.cores)
        if price.cycles > self.limit or (old is not None and (price.cycles, price.work) > (old[0].cycles, old[0].work)):
            return
        if fits_l2(self.space, tiles, needed) and legal(self.space, tiles, needed) and walkable(self.space, tiles, needed):
            self.by_cores.pop(tiles.cores, None)
            self.by_cores[tiles.cores] = price, tiles

    @property
    def ranked(self) -> list[tuple[Cost, Tiles]]:
        """The tiles found, in the order of the search."""
        return list(self.by_cores.values())[::-1]

    def _least(self, cores: tuple[int, int]) -> float:
        old = self.by_cores.get(cores)
        return self.limit if old is None else old[0].cycles
