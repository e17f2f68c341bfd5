"""Chooses tile sizes: searches every size that could be best, within the limits, by estimated cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from heapq import heappop, heappush
from math import inf

from allo_air.device import Device
from allo_air.passes.linalg import _lower_bounds as lower_bounds
from allo_air.passes.linalg._candidates import Shape, Sizes, candidates, has_more, shapes_of, turns_of, units
from allo_air.passes.linalg._cost import Cost, cost
from allo_air.passes.linalg._limits import WHOLE, broken, crowds, overfull
from allo_air.passes.linalg._plan import GemmPlan, Panel
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import Kernel, kernels, peak_macs


@dataclass(frozen=True)
class Choice:
    """The best plan and its cost."""

    plan: GemmPlan
    cost: Cost


def choose(problem: Problem, device: Device, sizes: Sizes, bfp16: bool = False) -> Choice | str:
    """The plan with the lowest cost. If none respects the limits, the text of the limit that the smallest plan exceeds."""
    result = ranked(problem, device, sizes, bfp16)
    return result if isinstance(result, str) else result[0]


def ranked(problem: Problem, device: Device, sizes: Sizes, bfp16: bool = False, count: int = 1) -> list[Choice] | str:
    """The `count` cheapest plans that differ in tiles, cores or panel, the best one first; if none, as in `choose`."""
    result = _ranked(
        problem, _On(device.name, device.columns, device.rows, device.mem_rows, id(device.tiles), device), sizes, bfp16, count
    )
    return result if isinstance(result, str) else [*result]


@dataclass(frozen=True)
class _On:
    """A device, or some columns of it, as a key."""

    name: str
    columns: int
    rows: int
    mem_rows: tuple[int, ...]
    tiles: int
    device: Device = field(compare=False)


@lru_cache(maxsize=256)
def _ranked(problem: Problem, on: _On, sizes: Sizes, bfp16: bool, count: int) -> list[Choice] | str:
    """Like `ranked`, cached: the layers of a model are often equal."""
    device = on.device
    all_kernels = kernels(device.arch, problem.element, bfp16)
    wrong = [units(sizes, kernel.micro) for kernel in all_kernels]
    fitting = [kernel for kernel, why in zip(all_kernels, wrong, strict=True) if not why]
    if not fitting:
        return str(wrong[0])
    best = _Best(count)
    for kernel in _for_rows(fitting, problem.m):
        _Tree(problem, device, kernel, sizes, _peak(problem, device, bfp16), best).search()
    if choices := best.choices():
        return choices
    if best.refused:
        return best.refused[1]
    panel_text = f"a panel of {sizes.panel.upper()}"
    return (
        f"{panel_text} would keep the channel that other operands of the result share"
        if problem.epilogue
        else f"{panel_text} has one tile to serve"
    )


def _for_rows(candidates: list[Kernel], m: int) -> list[Kernel]:
    """The kernel with the most rows of a micro-tile that `m` fills; for fewer rows, the two kernels with the smallest
    micro-tiles.
    """
    candidates = sorted(candidates, key=lambda kernel: -kernel.micro[0])
    filled = [kernel for kernel in candidates if kernel.micro[0] <= m and kernel.vector]
    return filled[:1] or candidates[-2:]


@dataclass
class _Tree:
    """The plans with micro-tiles of `kernel`, as a tree: tile shapes, transfers of other operands, steps along k with panels,
    pieces of L2.

    The most promising subtree is searched first; a subtree that cannot be among the best is skipped.
    """

    problem: Problem
    device: Device
    kernel: Kernel
    fixed: Sizes
    peak: float
    best: _Best
    open: _Open = field(default_factory=lambda: _Open())
    full: list[Callable[[], None]] = field(default_factory=list)
    """Searches of plans that exceed limits, run only to report the reason if no plan is found."""

    @property
    def pairs(self) -> bool:
        """Whether B may go to pairs of memtiles."""
        return self.fixed.pairs(self.device)

    def search(self) -> None:
        """Adds the plans that could be among the best."""
        for shape in shapes_of(self.problem, self.device, self.kernel, self.fixed):
            floor = lower_bounds.of_shape(shape, self.problem, self.device, self.kernel)
            self.open.add(floor, partial(self._visit_multiplexings, (floor, shape)))
        while look := self.open.next(self.best.limit):
            look()
        if self.best.limit == inf:
            for look in self.full:
                look()

    def _visit_multiplexings(self, place: tuple[float, Shape]) -> None:
        _, shape = place
        single = min(shape[0], shape[2]) == 1 or shape[0] * shape[2] <= WHOLE
        for multiplexed in turns_of(self.problem):
            if multiplexed and single:
                continue
            floor = lower_bounds.of_cores(shape, self.problem, self.device, self.kernel, multiplexed, pairs=self.pairs)
            self.open.add(floor, partial(self._moved, place, multiplexed))

    def _moved(self, place: tuple[float, Shape], multiplexed: Panel) -> None:
        floor = lower_bounds.of_turns(place[1], self.problem, self.device, self.kernel, multiplexed, pairs=self.pairs)
        if floor is None:
            self.full.append(partial(self._steps, place, multiplexed, anyway=True))
        else:
            self.open.add(floor, partial(self._steps, place, multiplexed))

    def _steps(self, place: tuple[float, Shape], multiplexed: Panel, *, anyway: bool = False) -> None:
        result = candidates(place[1], self.problem, self.device, self.kernel, self.fixed, multiplexed)
        plans = lower_bounds.OfPlans(self.problem, self.device, self.kernel, self.pairs)
        for number, (plan, pieces) in enumerate(result):
            price = partial(self._price, plan, pieces, (*place, multiplexed, number))
            if anyway:
                price()
            elif crowds(plan, self.problem, self.device):
                self.full.append(price)
            else:
                self._further(plans.of(plan, pieces), price)

    def _further(self, higher: Iterator[float], price: Callable[[], None]) -> None:
        floor = next(higher, None)
        if floor is None:
            price()
        else:
            self.open.add(floor, partial(self._further, higher, price))

    def _price(self, whole: GemmPlan, pieces: tuple[int, ...], place: tuple[float, Shape, Panel, int]) -> None:
        problem, device = self.problem, self.device
        for plan in (whole.varied(k_piece=k_piece) for k_piece in pieces):
            full = overfull(plan, problem, device)
            if why := full or broken(plan, problem, device):
                self.best.refuse(plan, problem, why)
                if full:
                    break  # as are longer pieces
                continue
            price = cost(plan, problem, device, self.kernel, self.peak)
            fewer = self.pairs and has_more(plan, problem, device)
            cycles = lower_bounds.ranked(price.cycles, plan, fewer=fewer, padded=plan.pads(problem))
            cycles += lower_bounds.copied(plan, problem, device)
            self.best.add((cycles, plan.cores, place), Choice(plan, price))


class _Open:
    """A priority queue of subtrees, ordered by a lower bound of their cycles."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def add(self, floor: float, look: Callable[[], None]) -> None:
        self._count += 1
        heappush(self._heap, (floor, self._count, look))

    def next(self, limit: float) -> Callable[[], None] | None:
        """The next subtree, unless its bound is above `limit`."""
        return heappop(self._heap)[2] if self._heap and self._heap[0][0] < limit else None


def priced(plan: GemmPlan, problem: Problem, device: Device, bfp16: bool = False) -> Choice | None:
    """A given plan with its cost; None if it exceeds a limit."""
    kernel = next((k for k in kernels(device.arch, problem.element, bfp16) if k.micro == plan.micro), None)
    if kernel is None or overfull(plan, problem, device) or broken(plan, problem, device):
        return None
    return Choice(plan, cost(plan, problem, device, kernel, _peak(problem, device, bfp16)))


def _peak(problem: Problem, device: Device, bfp16: bool) -> float:
    return peak_macs(device.arch, problem.element, bfp16) * device.columns * len(device.core_rows)


Rank = tuple[float, int, tuple[float, Shape, Panel, int]]
"""Cycles, cores, and the place among equal ones: the floor of the shape, the shape, the channel of other operands, and the
number of the steps and the panel."""


class _Best:
    """The best choices by rank; no two of them have the same tiles, cores and panel."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._found: dict[object, tuple[Rank, Choice]] = {}
        self.limit = inf
        """The bound below which a plan must rank to be added."""
        self.refused: tuple[tuple[int, int], str] | None = None
        """The smallest plan that exceeds a limit: its size, and the limit."""

    def refuse(self, plan: GemmPlan, problem: Problem, why: str) -> None:
        size = plan.l1_bytes(problem), plan.cores
        if self.refused is None or size < self.refused[0]:
            self.refused = size, f"core tile {plan.herd_m} x {plan.herd_n}, step {plan.k_step} {why}"

    def add(self, rank: Rank, choice: Choice) -> None:
        plan = choice.plan
        family = (
            (plan.cores_m, plan.cores_n, plan.herd_m, plan.herd_n, plan.panel, plan.multiplexed, plan.paired)
            if self._count > 1
            else None
        )
        if family in self._found and rank >= self._found[family][0]:
            return
        self._found[family] = rank, choice
        if len(self._found) >= self._count:
            worst = sorted(self._found, key=lambda f: self._found[f][0])
            for dropped in worst[self._count :]:
                del self._found[dropped]
            self.limit = self._found[worst[self._count - 1]][0][0]

    def choices(self) -> list[Choice]:
        return [choice for _, choice in sorted(self._found.values(), key=lambda pair: pair[0])]
