"""Chooses the plan of a matrix multiplication: a best-first search of the candidates within the limits, by estimated cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from heapq import heappop, heappush
from math import inf

from allo_air.device import Device
from allo_air.passes.linalg._candidates import candidates, could_use_more_channels, multiplexed_choices
from allo_air.passes.linalg._cost import Cost, cost
from allo_air.passes.linalg._limits import exceeds_capacity, exceeds_dma, has_cores, lacks_descriptors
from allo_air.passes.linalg._lower_bounds import PlanBounds, ShapeBounds
from allo_air.passes.linalg._plan import GemmPlan, Panel
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._ranking import most_ranked, penalized, unpadding_cycles
from allo_air.passes.linalg._rates import Kernel, kernels, peak_macs
from allo_air.passes.linalg._shapes import Shape, shapes, spread_columns
from allo_air.passes.linalg._shim_channels import MAX_UNSPLIT_CORES
from allo_air.passes.linalg._sizes import Sizes, size_error


@dataclass(frozen=True)
class Choice:
    """A plan and its cost."""

    plan: GemmPlan
    cost: Cost


def cheapest_plan(problem: Problem, device: Device, sizes: Sizes, bfp16: bool = False, *, within: float = inf) -> Choice | str:
    """The plan with the lowest cost. If none respects the limits, the text of the limit that the smallest plan exceeds.

    With `bfp16`, bf16 operands are multiplied in block floating point. If every plan takes more than `within` cycles, the
    result may be a text, too.
    """
    choices = ranked(problem, device, sizes, bfp16, within=within)
    return choices if isinstance(choices, str) else choices[0]


def ranked(
    problem: Problem, device: Device, sizes: Sizes, bfp16: bool = False, count: int = 1, *, within: float = inf
) -> list[Choice] | str:
    """The `count` cheapest plans that differ in tiles, cores or panel, the best one first; without any, as `cheapest_plan`."""
    choices = _ranked(problem, device, sizes, bfp16, count, within)
    return choices if isinstance(choices, str) else [*choices]


def evaluate(plan: GemmPlan, problem: Problem, device: Device, bfp16: bool = False) -> Choice | None:
    """`plan` with its cost; None if it exceeds a limit."""
    kernel = next((k for k in kernels(device.arch, problem.element, bfp16) if k.micro == plan.micro), None)
    if kernel is None or exceeds_capacity(plan, problem, device) or exceeds_dma(plan, problem, device):
        return None
    return Choice(plan, cost(plan, problem, device, kernel, _peak(problem, device, bfp16)))


@dataclass(frozen=True)
class _Record:
    """Results of earlier searches of a problem: the best choices, the cycles by which the last is ranked, and the most
    cycles within which there are none.
    """

    choices: list[Choice] | str | None = None
    rank: float = inf
    without: float = 0


SEARCHES: dict[tuple[object, ...], _Record] = {}
"""By problem, device, sizes and number of choices. The layers of a model are often equal, and several passes plan each."""
_MOST_SEARCHES = 256


def _ranked(problem: Problem, device: Device, sizes: Sizes, bfp16: bool, count: int, within: float) -> list[Choice] | str:
    """Like `ranked`; searches only if no earlier search, within as many cycles or others, has the answer."""
    key = (problem, device.name, device.columns, device.rows, device.mem_rows, id(device.tiles), sizes, bfp16, count)
    record = SEARCHES.get(key, _Record())
    limit = most_ranked(within, problem, device)
    if record.choices is not None and (limit == inf or record.rank < limit):
        return record.choices
    if within < inf and (within <= record.without or limit < record.rank < inf):
        return _none_within(within)
    best = _Best(count, limit)
    result = _search(problem, device, sizes, bfp16, best, within)
    if not isinstance(result, str) and len(result) == count:
        record = replace(record, choices=result, rank=best.limit)
    elif within == inf:
        record = replace(record, choices=result)
    elif isinstance(result, str):
        record = replace(record, without=max(record.without, within))
    if len(SEARCHES) >= _MOST_SEARCHES:
        del SEARCHES[next(iter(SEARCHES))]
    SEARCHES[key] = record
    return result


def _none_within(within: float) -> str:
    return f"no plan takes at most {within:.3g} cycles"


def _search(problem: Problem, device: Device, sizes: Sizes, bfp16: bool, best: _Best, within: float) -> list[Choice] | str:
    """The choices of a search that fills `best`, all within its limit."""
    all_kernels = kernels(device.arch, problem.element, bfp16)
    errors = [size_error(sizes, kernel.micro, device) for kernel in all_kernels]
    suitable = [kernel for kernel, error in zip(all_kernels, errors, strict=True) if not error]
    if not suitable:
        return str(errors[0])
    for kernel in _kernels_for_rows(suitable, problem.m):
        _SearchTree(problem, device, kernel, sizes, _peak(problem, device, bfp16), best).search()
    if choices := best.choices():
        return choices
    if within < inf:
        return _none_within(within)
    if best.refused:
        return best.refused[1]
    panel = f"a panel of {sizes.panel.upper()}"
    if problem.epilogue:
        return f"{panel} occupies the channel of an operand that epilogue operands share"
    return f"{panel} is used by a single tile, so it saves nothing"


def _peak(problem: Problem, device: Device, bfp16: bool) -> float:
    """MACs per cycle of all cores of `device`."""
    return peak_macs(device.arch, problem.element, bfp16) * device.columns * len(device.core_rows)


def _kernels_for_rows(suitable: list[Kernel], m: int) -> list[Kernel]:
    """The vector kernel with the largest micro-tile that `m` rows fill; or, if they fill no micro-tile, the two kernels with
    the smallest ones.
    """
    by_rows = sorted(suitable, key=lambda kernel: -kernel.micro[0])
    filled = [kernel for kernel in by_rows if kernel.micro[0] <= m and kernel.vector]
    return filled[:1] or by_rows[-2:]


Visit = Callable[[], None]
"""The search of a subtree."""
Rank = tuple[float, int, tuple[float, Shape, Panel, int]]
"""The order of plans: cycles, then cores. Equal ones are ordered by their place in the tree: the bound of the shape, the shape,
the channel of epilogue operands, and the number of the candidate.
"""


@dataclass
class _SearchTree:
    """The plans with micro-tiles of `kernel` as a tree.

    Its levels are: the shape; the channel of epilogue operands; steps along k with panels; pieces of L2. Each subtree has a
    lower bound of the cycles of its plans. The subtree with the lowest bound is searched first. A subtree whose bound is above
    the best plans is never searched.
    """

    problem: Problem
    device: Device
    kernel: Kernel
    sizes: Sizes
    peak: float
    """MACs per cycle of all cores."""
    best: _Best
    queue: _Queue = field(default_factory=lambda: _Queue())
    infeasible: list[Visit] = field(default_factory=list)
    """Subtrees whose plans all exceed limits; searched only if there is no plan, for the message."""

    @property
    def allows_pairs(self) -> bool:
        """Whether B may go to pairs of memtiles."""
        return self.sizes.allows_pairs(self.device)

    @cached_property
    def bounds(self) -> ShapeBounds:
        """The bounds of plans with tiles of one shape."""
        return ShapeBounds(self.problem, self.device, self.kernel, self.allows_pairs, self.sizes.k_step)

    def search(self) -> None:
        """Adds the best plans of the tree to `best`."""
        for shape in shapes(self.problem, self.device, self.kernel, self.sizes):
            bound = self.bounds.of_shape(shape)
            cores = shape.cores_m, shape.cores_n
            if has_cores(self.device, *cores) or spread_columns(*cores, self.device):
                self.queue.add(bound, partial(self._visit_shape, bound, shape))
            else:
                for multiplexed in self._channels(shape):
                    self.infeasible.append(partial(self._visit_steps, bound, shape, multiplexed, is_infeasible=True))
        while visit := self.queue.next(self.best.limit):
            visit()
        if self.best.limit == inf:
            for visit in self.infeasible:
                visit()

    def _visit_shape(self, shape_bound: float, shape: Shape) -> None:
        """Queues each channel that epilogue operands may share, by a bound without the traffic of operands."""
        for multiplexed in self._channels(shape):
            bound = self.bounds.of_cores(shape, multiplexed)
            self.queue.add(bound, partial(self._visit_channel, shape_bound, shape, multiplexed))

    def _channels(self, shape: Shape) -> tuple[Panel, ...]:
        """The channels that epilogue operands may share; "" stands for their own."""
        one_core_along = min(shape.cores_m, shape.cores_n) == 1 or shape.cores_m * shape.cores_n <= MAX_UNSPLIT_CORES
        return ("",) if one_core_along else multiplexed_choices(self.problem)

    def _visit_channel(self, shape_bound: float, shape: Shape, multiplexed: Panel) -> None:
        """Queues the same plans by a tighter bound, with the traffic of operands."""
        bound = self.bounds.of_traffic(shape, multiplexed)
        visit = partial(self._visit_steps, shape_bound, shape, multiplexed)
        if bound is None:
            self.infeasible.append(partial(visit, is_infeasible=True))
        else:
            self.queue.add(bound, visit)

    def _visit_steps(self, shape_bound: float, shape: Shape, multiplexed: Panel, *, is_infeasible: bool = False) -> None:
        """Queues the candidates: steps along k, panels, pairs of memtiles."""
        plan_bounds = PlanBounds(self.problem, self.device, self.kernel, self.allows_pairs)
        for number, (plan, pieces) in enumerate(
            candidates(shape, self.problem, self.device, self.kernel, self.sizes, multiplexed)
        ):
            visit = partial(self._visit_pieces, plan, pieces, (shape_bound, shape, multiplexed, number))
            if is_infeasible:
                visit()
            elif lacks_descriptors(plan, self.problem, self.device):
                self.infeasible.append(visit)
            else:
                self._queue_by_bounds(plan_bounds.of(plan, pieces), visit)

    def _queue_by_bounds(self, bounds: Iterator[float], visit: Visit) -> None:
        """Queues `visit` by the first of its increasing `bounds`. The next, more expensive one is computed only when the
        search comes to it.
        """
        bound = next(bounds, None)
        if bound is None:
            visit()
        else:
            self.queue.add(bound, partial(self._queue_by_bounds, bounds, visit))

    def _visit_pieces(self, candidate: GemmPlan, pieces: tuple[int, ...], place: tuple[float, Shape, Panel, int]) -> None:
        """Evaluates `candidate` with each of the `pieces`."""
        problem, device = self.problem, self.device
        for k_piece in pieces:
            plan = candidate.varied(k_piece=k_piece)
            if error := exceeds_capacity(plan, problem, device):
                self.best.refuse(plan, problem, error)
                break  # longer pieces also exceed this limit
            if error := exceeds_dma(plan, problem, device):
                self.best.refuse(plan, problem, error)
                continue
            price = cost(plan, problem, device, self.kernel, self.peak)
            fewer_channels = self.allows_pairs and could_use_more_channels(plan, problem, device)
            cycles = penalized(price.cycles, plan, fewer_channels=fewer_channels, padded=plan.pads(problem))
            cycles += unpadding_cycles(plan, problem, device)
            self.best.add((cycles, plan.cores, place), Choice(plan, price))


class _Queue:
    """A priority queue of subtrees, ordered by the lower bounds of their cycles."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Visit]] = []
        self._count = 0

    def add(self, bound: float, visit: Visit) -> None:
        self._count += 1  # equal bounds: first in, first out
        heappush(self._heap, (bound, self._count, visit))

    def next(self, limit: float) -> Visit | None:
        """Removes the subtree with the lowest bound; None if no bound is below `limit`."""
        return heappop(self._heap)[2] if self._heap and self._heap[0][0] < limit else None


class _Best:
    """The `count` best choices by rank; no two of them have the same tiles, cores and panel."""

    def __init__(self, count: int, limit: float) -> None:
        self._count = count
        self._choices: dict[object, tuple[Rank, Choice]] = {}
        self.limit = limit
        """A plan with as many cycles or more is not among the best."""
        self.refused: tuple[tuple[int, int], str] | None = None
        """The smallest plan that exceeds a limit, as its L1 bytes and cores, and the message."""

    def refuse(self, plan: GemmPlan, problem: Problem, limit: str) -> None:
        """Stores the message for a plan that exceeds a limit, if no smaller plan does."""
        size = plan.l1_bytes(problem), plan.cores
        if self.refused is None or size < self.refused[0]:
            self.refused = size, f"core tile {plan.herd_m} x {plan.herd_n}, step {plan.k_step} {limit}"

    def add(self, rank: Rank, choice: Choice) -> None:
        """Adds a choice if it is among the best."""
        plan = choice.plan
        kind = (plan.cores_m, plan.cores_n, plan.herd_m, plan.herd_n, plan.panel, plan.multiplexed, plan.paired)
        key = kind if self._count > 1 else None
        if rank[0] > self.limit or (key in self._choices and rank >= self._choices[key][0]):
            return
        self._choices[key] = rank, choice
        if len(self._choices) >= self._count:
            keys = sorted(self._choices, key=lambda k: self._choices[k][0])
            for dropped in keys[self._count :]:
                del self._choices[dropped]
            self.limit = self._choices[keys[self._count - 1]][0][0]

    def choices(self) -> list[Choice]:
        """The best choices, the best one first."""
        return [choice for _, choice in sorted(self._choices.values(), key=lambda pair: pair[0])]
