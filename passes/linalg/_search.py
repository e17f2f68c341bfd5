"""The choice of tile sizes: every size that could be best, within the limits, by estimated cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import Literal

from allo_air.arch import arch_of
from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.passes._analysis.columns import reconfiguration
from allo_air.passes.linalg._cost import Cost, cost, tile_cycles
from allo_air.passes.linalg._epilogue_operands import no_turns
from allo_air.passes.linalg._limits import WHOLE, broken, l1, max_readings, overfull
from allo_air.passes.linalg._plan import DESCRIPTORS, L2_PIECE, Panel, Plan, piece, up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import LAUNCH_CYCLES, TAIL_CYCLES, Kernel, kernels, peak_macs

MAX_TILE = 256
"""Rows and columns of a core's tile that are tried: a larger one leaves L1 no room for a step of k that pays."""

PADDING = 1.05
"""What a plan that pads must gain over one that does not: the host copies padded arrays."""

TURNING = 1.2
"""What a plan whose channels take turns must gain over one with transfers of their own: of what bounds a few tiles, its launch
and its end among them, the estimate is a fifth off at worst (bench/README.md)."""

_STEP = 64
"""Elements along k of a usual step."""

_ROUNDING = 1 - 1e-9
"""What sums of a plan's parts may lack of their exact value."""


@dataclass(frozen=True)
class Sizes:
    """Sizes that the user gave; 0 is free. Where any is given, a panel stays in L2 only if `panel` asks for it."""

    herd_m: int = 0
    herd_n: int = 0
    k_step: int = 0
    cores_m: int = 0
    cores_n: int = 0
    panel: Literal["auto", "none", "a", "b"] = "auto"

    @property
    def free(self) -> bool:
        """Whether no size is given."""
        return not (self.herd_m or self.herd_n or self.k_step or self.cores_m or self.cores_n)

    @property
    def pieces(self) -> tuple[int, ...]:
        """Least elements along k of an L2 buffer that are tried."""
        return tuple(L2_PIECE * part // 8 for part in (1, 2, 4, 8, 16, 32)) if self.free or any(self.panels) else (L2_PIECE,)

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels that are tried."""
        match self.panel:
            case "auto":
                return ("", "a", "b") if self.free else ("",)
            case "none":
                return ("",)
        return (self.panel,)


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
    wrong = [_units(given, kernel.micro) for kernel in known]
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
        return _floor(plan, problem, device, kernel) * (TURNING if plan.turns else 1) < best.limit

    shapes = sorted((_least(tile, problem, device, kernel), tile) for tile in _shapes(problem, device, kernel, given))
    for turned in _turns(problem):
        for least, tile in shapes:
            if least * (TURNING if any(turned) else 1) >= best.limit:
                break
            if any(turned) and (min(tile[0], tile[2]) == 1 or tile[0] * tile[2] <= WHOLE):
                continue
            for plans in _candidates(tile, problem, device, kernel, given, turned, is_hopeful):
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


def _units(given: Sizes, micro: tuple[int, int, int]) -> str | None:
    for name, value, unit in zip(
        ("herd-m", "herd-n", "k-step"), (given.herd_m, given.herd_n, given.k_step), micro, strict=True
    ):
        if value < 0 or value % unit:
            return f"{name}={value} is no multiple of {unit}, the size of the micro-tile of this type and device"
    for name, value in (("cores-m", given.cores_m), ("cores-n", given.cores_n)):
        if value < 0:
            return f"{name}={value} is negative; 0 leaves it open"
    return None


Shape = tuple[int, int, int, int]
"""Cores and tile in the directions of m and n: cores_m, herd_m, cores_n, herd_n."""


def _shapes(problem: Problem, device: Device, kernel: Kernel, given: Sizes) -> Iterator[Shape]:
    rows = len(device.core_rows)
    m_unit, n_unit, _ = kernel.micro
    # Two rows of cores in a device of one column: air-collapse-herd lays a herd of four cores along a column.
    across = {1, 2} if device.columns == 1 else {device.columns}
    for cores_m, herd_m in _tiles(problem.m, across, m_unit, given.cores_m, given.herd_m):
        for cores_n, herd_n in _tiles(problem.n, {rows, rows // 2}, n_unit, given.cores_n, given.herd_n):
            yield cores_m, herd_m, cores_n, herd_n


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


def _floor(plan: Plan, problem: Problem, device: Device, kernel: Kernel) -> float:
    """Cycles that `plan` does not go below: those of its cores, and what it moves."""
    m, n, k = plan.padded(problem)
    operands = m * k * (n // plan.launch_n) + n * k * (m // plan.launch_m)
    moved = (operands * problem.bits + m * n * problem.result_bits) / 8
    compute = m // plan.array_m * (n // plan.array_n) * max(tile_cycles(plan, problem, device, kernel)[:2]) * _ROUNDING
    return _bound(max(compute, moved / arch_of(device).memory_bytes), problem, (m, n, k) != (problem.m, problem.n, problem.k))


def _bound(cycles: float, problem: Problem, padded: bool) -> float:
    """Cycles of a launch whose matrices take `cycles` each, ranked as a plan that pads or does not."""
    return (LAUNCH_CYCLES + TAIL_CYCLES + problem.batch * cycles) * (PADDING if padded else 1)


def _candidates(
    shape: Shape,
    problem: Problem,
    device: Device,
    kernel: Kernel,
    given: Sizes,
    turned: tuple[Panel, ...],
    is_hopeful: Callable[[Plan], bool],
) -> Iterator[Iterator[Plan]]:
    """The plans with tiles of this shape, those that differ in the pieces of L2 together, short ones first.

    On the channels `turned` other operands of the result come in turns with steps along k; "": on none."""
    for turns in turned:
        for k_step, k in _steps(problem, device, kernel.micro, shape, given.k_step, turns):
            cores_m, herd_m, cores_n, herd_n = shape
            sizes = herd_m, herd_n, cores_m, cores_n, kernel.micro, k_step, k
            whole = Plan(*sizes, k, turns=turns)
            if turns and (k // k_step % 2 or no_turns(whole, problem)):
                continue
            fits = not l1(whole, problem, device)
            for panel in given.panels if fits else given.panels[:1]:
                along, tile = (problem.n, cores_n * herd_n) if panel == "a" else (problem.m, cores_m * herd_m)
                tiles = _evenly(-(-along // tile), max_readings(device)) if panel else 1
                if panel and (tiles == 1 or (problem.epilogue and turns in ("", panel))):
                    continue
                if is_hopeful(Plan(*sizes, k, panel, tiles, turns)):
                    # Each piece has a buffer descriptor of its own where tiles of other operands follow them.
                    few = [k // count for count in range(1, min(8, k) + 1)] if problem.epilogue else []
                    pieces = sorted({piece(k, k_step, least) for least in (*given.pieces, *few)})
                    yield (Plan(*sizes, k_piece, panel, tiles, turns) for k_piece in pieces)


def _turns(problem: Problem) -> list[tuple[Panel, ...]]:
    """The channels on which other operands of the result may come in turns with steps along k ("": none), those first that are
    likely better: with many steps, turns."""
    if not problem.epilogue:
        return [("",)]
    apart: tuple[Panel, ...] = ("",)
    turned: tuple[Panel, ...] = ("a", "b")
    return [turned, apart] if problem.k > DESCRIPTORS * _STEP else [apart, turned]


def _tiles(extent: int, most: set[int], unit: int, cores: int, tile: int) -> list[tuple[int, int]]:
    """Cores and tile for an extent: for each number of cores and of launch tiles, the smallest tiles that cover the extent."""
    found: set[tuple[int, int]] = set()
    # Other numbers of cores than the full ones pay only where they save padding, which matters for few micro-tiles alone.
    few = extent <= 16 * unit * max(most)
    # Two for a single micro-tile: a herd of one row has no more channels from external memory than one core.
    useful = max(2, min(max(most), -(-extent // unit)))
    for count in {cores} if cores else set(range(1, useful + 1)) if few else most:
        if tile:
            found.add((count, tile))
            continue
        largest = min(MAX_TILE, up(-(-extent // count), unit))
        for size in range(unit, largest + 1, unit):
            launches = -(-extent // (count * size))
            # In whole micro-tiles, and in twos and fours of them, which share loaded operands.
            found |= {(count, up(-(-extent // (count * launches)), many * unit)) for many in (1, 2, 4)}
    return sorted(found)


def _evenly(tiles: int, most: int) -> int:
    """How many of `tiles` a panel serves, at most `most`, so that panels serve alike."""
    return -(-tiles // -(-tiles // most))


def _steps(
    problem: Problem, device: Device, micro: tuple[int, int, int], shape: Shape, given: int, turns: Panel
) -> Iterator[tuple[int, int]]:
    """Steps and padded extents along k: the longest step that fits in L1, and shorter ones that pad less or divide evenly."""
    unit = micro[2]
    cores_m, herd_m, cores_n, herd_n = shape
    # In turns, as many steps as make buffers shared.
    cores, k = ((cores_m, cores_n), DESCRIPTORS * unit) if turns else ((1, 1), unit)
    one = Plan(herd_m, herd_n, *cores, micro, unit, k, unit, turns=turns)
    fixed = one.l1_bytes(problem) - unit * one.step_bytes(problem)
    room = core_room(device) - fixed
    longest = max(unit, room // one.step_bytes(problem) // unit * unit)
    count = -(-problem.k // longest)
    steps = (
        {given}
        if given
        else {up(-(-problem.k // c), unit) for c in (count, count + 1, 2 * count)} | {min(longest, up(problem.k, unit))}
    )
    if not given:
        steps |= {
            s for s in (1 << p for p in range(1, 10)) if s % unit == 0 and longest <= 4 * s and s <= min(longest, problem.k)
        }
    for step in sorted(steps):
        piece = up(L2_PIECE, step)
        for whole in {up(problem.k, unit) for unit in (step, 2 * step, piece, 2 * piece)}:
            yield step, whole
