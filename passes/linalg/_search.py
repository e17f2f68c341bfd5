"""The choice of tile sizes: every size that could be best, within the limits, by estimated cycles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf

from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.passes._analysis.columns import reconfiguration
from allo_air.passes.linalg._candidates import Shape, Sizes, candidates, shapes_of, turns_of, units
from allo_air.passes.linalg._cost import Cost, beside_code, code_cycles, cost
from allo_air.passes.linalg._limits import WHOLE, broken, overfull
from allo_air.passes.linalg._plan import Plan, up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import LAUNCH_CYCLES, TAIL_CYCLES, Kernel, kernels, peak_macs

PADDING = 1.05
"""What a plan that pads must gain over one that does not: the host copies padded arrays."""

TURNING = 1.2
"""What a plan whose channels take turns must gain over one with transfers of their own: of what bounds a few tiles, its launch
and its end among them, the estimate is a fifth off at worst (bench/README.md)."""

_ROUNDING = 1 - 1e-9
"""What sums of a plan's parts may lack of their exact value."""


@dataclass(frozen=True)
class Choice:
    """The best plan and its cost."""

    plan: Plan
    cost: Cost


def choose(problem: Problem, device: Device, given: Sizes, bfp16: bool = False) -> Choice | str:
    """The plan of least cost; where none keeps the limits, what the most modest one breaks."""
    found = ranked(problem, device, given, bfp16)
    return found if isinstance(found, str) else found[0]


def ranked(problem: Problem, device: Device, given: Sizes, bfp16: bool = False, count: int = 1) -> list[Choice] | str:
    """The `count` plans of least cost that differ in tiles, cores or panel, the best one first; or what `choose` says."""
    found = _ranked(
        problem, _On(device.name, device.columns, device.rows, device.mem_rows, id(device.tiles), device), given, bfp16, count
    )
    return found if isinstance(found, str) else [*found]


@dataclass(frozen=True)
class _On:
    """A device, or some columns of it: which, as a key."""

    name: str
    columns: int
    rows: int
    mem_rows: tuple[int, ...]
    tiles: int
    device: Device = field(compare=False)


@lru_cache(maxsize=256)
def _ranked(problem: Problem, on: _On, given: Sizes, bfp16: bool, count: int) -> list[Choice] | str:
    """As `ranked`; the layers of a model are often alike."""
    device = on.device
    known = kernels(device.arch, problem.element, bfp16)
    wrong = [units(given, kernel.micro) for kernel in known]
    fitting = [kernel for kernel, why in zip(known, wrong, strict=True) if not why]
    if not fitting:
        return str(wrong[0])
    best = _Best(count)
    for kernel in _for_rows(fitting, problem.m):
        _search(problem, device, kernel, given, _peak(problem, device, bfp16), best)
    if found := best.choices():
        return found
    if best.refused:
        return best.refused[1]
    kept = f"a panel of {given.panel.upper()}"
    return (
        f"{kept} would keep the channel that other operands of the result share"
        if problem.epilogue
        else f"{kept} has one tile to serve"
    )


def _for_rows(known: list[Kernel], m: int) -> list[Kernel]:
    """Of kernels that differ in the rows of a micro-tile, the one of most that `m` fills; for fewer rows, the two of fewest."""
    known = sorted(known, key=lambda kernel: -kernel.micro[0])
    filled = [kernel for kernel in known if kernel.micro[0] <= m and kernel.vector]
    return filled[:1] or known[-2:]


def _search(problem: Problem, device: Device, kernel: Kernel, given: Sizes, peak: float, best: _Best) -> None:
    """Adds to `best` what could be among them with micro-tiles of `kernel`."""

    def is_hopeful(plan: Plan) -> bool:
        gain = TURNING if plan.turns else 1
        return all(floor * gain < best.limit for floor in _floors(plan, problem, device, kernel))

    shapes = sorted((_least(tile, problem, device, kernel), tile) for tile in shapes_of(problem, device, kernel, given))
    for turned in turns_of(problem):
        for least, tile in shapes:
            if least * (TURNING if any(turned) else 1) >= best.limit:
                break
            if any(turned) and (min(tile[0], tile[2]) == 1 or tile[0] * tile[2] <= WHOLE):
                continue
            for plans in candidates(tile, problem, device, kernel, given, turned, is_hopeful):
                for plan in plans:
                    full = overfull(plan, problem, device)
                    if why := full or broken(plan, problem, device):
                        best.refuse(plan, problem, why)
                        if full:
                            break  # as are longer pieces
                        continue
                    price = cost(plan, problem, device, kernel, peak)
                    padded = plan.padded(problem) != (problem.m, problem.n, problem.k)
                    cycles = price.cycles * (PADDING if padded else 1) * (TURNING if plan.turns else 1)
                    cycles += _copied(plan, problem, device)
                    best.add((cycles, plan.cores), Choice(plan, price))


def priced(plan: Plan, problem: Problem, device: Device, bfp16: bool = False) -> Choice | None:
    """A plan that somebody has chosen, with its cost; None where it does not keep the limits."""
    kernel = next((k for k in kernels(device.arch, problem.element, bfp16) if k.micro == plan.micro), None)
    if kernel is None or overfull(plan, problem, device) or broken(plan, problem, device):
        return None
    return Choice(plan, cost(plan, problem, device, kernel, _peak(problem, device, bfp16)))


def _copied(plan: Plan, problem: Problem, device: Device) -> float:
    """Cycles of a kernel that takes the padding from the result, where the next one needs it so."""
    if not problem.handed_on or plan.padded(problem)[:2] == (problem.m, problem.n):
        return 0
    moved = 2 * problem.batch * problem.m * problem.n * problem.result_bits / 8
    return moved / arch_of(device).memory_bytes + reconfiguration(device)


def _peak(problem: Problem, device: Device, bfp16: bool) -> float:
    return peak_macs(device.arch, problem.element, bfp16) * device.columns * len(device.core_rows)


class _Best:
    """The best choices by rank, so many, of which no two have the same tiles, cores and panel; the first of equal ones."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._found: dict[object, tuple[tuple[float, int], Choice]] = {}
        self.limit = inf
        """What plans must be below to be among them."""
        self.refused: tuple[tuple[int, int], str] | None = None
        """The most modest plan that does not keep the limits: its size, and what it breaks."""

    def refuse(self, plan: Plan, problem: Problem, why: str) -> None:
        size = plan.l1_bytes(problem), plan.cores
        if self.refused is None or size < self.refused[0]:
            self.refused = size, f"core tile {plan.herd_m} x {plan.herd_n}, step {plan.k_step} {why}"

    def add(self, rank: tuple[float, int], choice: Choice) -> None:
        plan = choice.plan
        family = (plan.cores_m, plan.cores_n, plan.herd_m, plan.herd_n, plan.panel, plan.turns) if self._count > 1 else None
        if family in self._found and rank >= self._found[family][0]:
            return
        self._found[family] = rank, choice
        if len(self._found) >= self._count:
            worst = sorted(self._found, key=lambda f: self._found[f][0])
            for left in worst[self._count :]:
                del self._found[left]
            self.limit = self._found[worst[self._count - 1]][0][0]

    def choices(self) -> list[Choice]:
        return [choice for _, choice in sorted(self._found.values(), key=lambda pair: pair[0])]


def _least(shape: Shape, problem: Problem, device: Device, kernel: Kernel) -> float:
    """Cycles that no plan with tiles of this shape goes below: its MACs, its streams, and what it moves.

    An operand of which a panel fits into L2 is read once.
    """
    cores_m, herd_m, cores_n, herd_n = shape
    m, n = up(problem.m, cores_m * herd_m), up(problem.n, cores_n * herd_n)
    tiles_m, tiles_n = m // (cores_m * herd_m), n // (cores_n * herd_n)
    deep, room = problem.k * problem.bits // 8, device.tiles["mem"].memory
    a, b = m * deep, n * deep
    operands = min(
        a * tiles_n + b * tiles_m,
        a + b * tiles_m if herd_m * deep <= room else inf,
        b + a * tiles_n if herd_n * deep <= room else inf,
    )
    moved = operands + m * n * problem.result_bits / 8
    compute = m * n * problem.k / (kernel.macs * cores_m * cores_n)
    streams = tiles_m * tiles_n * max(herd_m, herd_n) * deep / arch_of(device).stream_bytes
    return _bound(max(compute, streams, moved / arch_of(device).memory_bytes), problem, (m, n) != (problem.m, problem.n))


def _floors(plan: Plan, problem: Problem, device: Device, kernel: Kernel) -> Iterator[float]:
    """Cycles that `plan` does not go below, ever higher, and longer to tell: of what it moves, and of its cores."""
    m, n, k = plan.padded(problem)
    operands = m * k * (n // plan.launch_n) + n * k * (m // plan.launch_m)
    moved = (operands * problem.bits + m * n * problem.result_bits) / 8 / arch_of(device).memory_bytes
    padded = (m, n, k) != (problem.m, problem.n, problem.k)
    yield _bound(moved, problem, padded)
    tiles = m // plan.array_m * (n // plan.array_n)
    feed, _, around = beside_code(plan, problem, device)
    for banks in (False, True):
        tile = max(code_cycles(plan, problem, device, kernel, banks=banks), feed) + around
        yield _bound(max(tiles * tile * _ROUNDING, moved), problem, padded)


def _bound(cycles: float, problem: Problem, padded: bool) -> float:
    """Cycles of a launch whose matrices take `cycles` each, ranked as a plan that pads or does not."""
    return (LAUNCH_CYCLES + TAIL_CYCLES + problem.batch * cycles) * (PADDING if padded else 1)
