"""Lower bounds on the cycles of plans, cheaper than their cost: for a tile shape, and for a plan with any pieces in L2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, inf

from allo_air.arch import arch_of, core_of, machine_of
from allo_air.device import Device
from allo_air.passes._analysis.columns import reconfiguration
from allo_air.passes.linalg._candidates import Shape, has_more, longest_step, panel_tiles, spread_over, strips_of, ways
from allo_air.passes.linalg._cost import beside_code, code_cycles
from allo_air.passes.linalg._limits import SHORTEST, crowds
from allo_air.passes.linalg._plan import GemmPlan, Panel, up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import LOCK_CYCLES, PANEL_PARTS, Kernel
from allo_air.passes.linalg._traffic import Traffic, panel_parts, result_alone, tasks, traffic

PADDING = 1.02
"""Penalty of a plan that pads: the host copies padded arrays."""

ON_FEWER = 1.02
"""Penalty of a plan whose B uses fewer channels than pairs of memtiles would allow. Channels of B then wait for the more
numerous ones of A; in simulation such plans take up to a tenth longer than estimated on npu2, since the estimate shares memory
evenly and does not model how pieces of A and B interleave."""

_ROUNDING = 1 - 1e-9
"""Relative rounding error of a sum over the parts of a plan."""


def of_shape(shape: Shape, problem: Problem, device: Device, kernel: Kernel) -> float:
    """A bound for plans with tiles of this shape: their MACs, their streams, and their traffic.

    An operand of which a panel fits into L2 is read once.
    """
    arch, (cores_m, herd_m, cores_n, herd_n) = arch_of(device), shape
    m, n = up(problem.m, cores_m * herd_m), up(problem.n, cores_n * herd_n)
    tiles_m, tiles_n = m // (cores_m * herd_m), n // (cores_n * herd_n)
    deep = problem.k * problem.bits // 8
    a, b = m * deep, n * deep
    keeps_a, keeps_b = _keeps(herd_m, herd_n, problem, device)
    operands = min(a * tiles_n + b * tiles_m, a + b * tiles_m if keeps_a else inf, b + a * tiles_n if keeps_b else inf)
    moved = operands + m * n * problem.result_bits / 8
    compute = m * n * problem.k / (kernel.macs * cores_m * cores_n)
    streams = tiles_m * tiles_n * max(herd_m, herd_n) * deep / arch.stream_bytes
    start = machine_of(device)
    cycles = start.push + start.cold + start.tail + problem.batch * max(compute, streams, moved / arch.memory_bytes)
    return cycles * (PADDING if (m, n) != (problem.m, problem.n) else 1)


def of_cores(
    shape: Shape, problem: Problem, device: Device, kernel: Kernel, multiplexed: Panel, *, pairs: bool = True
) -> float:
    """A bound for plans whose other operands alternate in this way: cores, control processor, and the start of channels.

    `pairs`: B may go to pairs of memtiles.
    """
    free = _free(shape, problem, device, kernel, multiplexed)
    result = ways(free, problem, device) if pairs else (free,)
    tile = _computing(free, _of_large(problem), device, kernel)
    controlled = _controlled_at_least(free, problem, device)
    cycles = min(_launch(free, problem, device, result_alone(way, problem, device), controlled)(tile, 0) for way in result)
    return ranked(cycles, free, fewer=False, padded=free.pads(problem)) * _ROUNDING + copied(free, problem, device)


def of_turns(
    shape: Shape, problem: Problem, device: Device, kernel: Kernel, multiplexed: Panel, *, pairs: bool = True
) -> float | None:
    """A bound for the same plans that includes external memory with the longest possible runs; None if no such plan respects
    the limits.
    """
    _, herd_m, _, herd_n = shape
    free = _free(shape, problem, device, kernel, multiplexed)
    k, spread = free.k, free.spread
    large = _of_large(problem)
    if crowds(free, problem, device, large):
        return None
    keeps: dict[Panel, bool] = dict(zip(("a", "b"), _keeps(herd_m, herd_n, problem, device), strict=True))
    panels: list[Panel] = [
        p for p, fits in keeps.items() if fits and not (spread or (problem.epilogue and multiplexed in ("", p)))
    ]
    tile = _computing(free, large, device, kernel)
    shortest = min(SHORTEST, ceil(problem.k / 8)) if problem.epilogue else SHORTEST
    result = ways(free, problem, device) if pairs else (free,)
    fewer = pairs and has_more(free, problem, device)
    padded, smooth = free.pads(problem), arch_of(device).memory_share_at_least
    floors = []
    for way in result:
        moved = traffic(way, large, device, smooth)
        for panel in ("", *panels):
            plan = way.varied(panel=panel, tiles=panel_tiles(panel, shape, problem, device)) if panel else way
            # Runs as long as can be are those of all of k, whatever panel there is; but pairs of memtiles halve pieces alone.
            memory = traffic(plan, large, device, smooth) if way.paired and panel == "b" else moved.of(plan)
            moving = max(_moving(plan, large, device, memory), _controlled(plan, problem, device))
            first = _first(plan, memory, min(1, shortest / k), 1 / PANEL_PARTS)
            cycles = _launch(free, problem, device, memory, moving)(tile, first)
            floors.append(ranked(cycles, plan, fewer=fewer and not panel, padded=padded))
    return min(floors) * _ROUNDING + copied(free, problem, device)


def _free(shape: Shape, problem: Problem, device: Device, kernel: Kernel, multiplexed: Panel) -> GemmPlan:
    """A plan with steps of one micro-tile and the least possible padding along k."""
    cores_m, herd_m, cores_n, herd_n = shape
    unit = kernel.micro[2]
    k = up(problem.k, unit)
    strips = strips_of(problem, herd_m // kernel.micro[0])[-1]
    spread = spread_over(cores_m, cores_n, device)
    return GemmPlan(
        herd_m, herd_n, cores_m, cores_n, kernel.micro, unit, k, k, multiplexed=multiplexed, spread=spread, strips=strips
    )


def _computing(free: GemmPlan, problem: Problem, device: Device, kernel: Kernel) -> float:
    """Cycles of a tile: its products, the streams of its operands, and the locks of the longest possible steps."""
    area = free.herd_m * free.herd_n
    deep, _, around = beside_code(free.varied(k_step=free.k, strips=1), _alone(problem), device)
    steps = ceil(problem.k / longest_step(free, problem, device))
    stores = area * problem.accumulator_bits / core_of(device.arch).store_bits if kernel.vector else 0
    code = max(area * problem.k / kernel.macs, steps * stores) + steps * (area * kernel.around + LOCK_CYCLES)
    if kernel.parts > 1:
        code += kernel.split * problem.k * (free.herd_m + free.herd_n)
    return max(code, deep * problem.k / free.k) + around


@dataclass
class OfPlans:
    """Bounds for plans with tiles of one shape whose other operands alternate alike. Many of these plans move the same
    data.
    """

    problem: Problem
    device: Device
    kernel: Kernel
    pairs: bool = True
    """Whether B may come to pairs of memtiles."""
    _known: dict[tuple[int, int, Panel, bool], _Moved] = field(default_factory=dict)

    def of(self, plan: GemmPlan, pieces: tuple[int, ...]) -> Iterator[float]:
        """Increasing bounds for `plan` with any of `pieces` in L2, each more expensive to compute: traffic, then cores."""
        key = plan.k, plan.k_step if plan.shared else 0, plan.panel, plan.paired
        moved = self._known.get(key) or self._known.setdefault(key, self._moved(plan))
        first = _first(plan, moved.memory, pieces[0] / plan.k, moved.part)
        feed, _, around = beside_code(plan, self.problem, self.device)
        yield moved.times * moved.launch(feed + around, first) + moved.more
        for banks in (False, True):
            tile = max(code_cycles(plan, self.problem, self.device, self.kernel, banks=banks), feed) + around
            yield moved.times * moved.launch(tile, first) + moved.more

    def _moved(self, plan: GemmPlan) -> _Moved:
        problem, device = self.problem, self.device
        memory = traffic(plan, problem, device)
        moving = max(_moving(plan, problem, device, memory), _controlled(plan, problem, device))
        fewer = self.pairs and has_more(plan, problem, device)
        return _Moved(
            memory,
            1 / panel_parts(plan, problem, device) if plan.panel else 1,
            _launch(plan, problem, device, memory, moving),
            ranked(1, plan, fewer=fewer, padded=plan.pads(problem)) * _ROUNDING,
            copied(plan, problem, device),
        )


@dataclass(frozen=True)
class _Moved:
    """The traffic of a plan, the first part of a panel, and how to get the cycles of all launches from those of a tile."""

    memory: Traffic
    part: float
    launch: Callable[[float, float], float]
    times: float
    more: float


def ranked(cycles: float, plan: GemmPlan, *, fewer: bool, padded: bool) -> float:
    """The cycles by which a plan is ranked; `fewer`: its B could use more channels."""
    return cycles * (PADDING if padded else 1) * (ON_FEWER if fewer and not plan.paired else 1)


def copied(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """Cycles of a kernel that removes the padding from the result, if the next kernel needs it without."""
    if not problem.handed_on or plan.padded(problem)[:2] == (problem.m, problem.n):
        return 0
    moved = 2 * problem.batch * problem.m * problem.n * problem.result_bits / 8
    return moved / arch_of(device).memory_bytes + reconfiguration(device)


def _launch(
    plan: GemmPlan, problem: Problem, device: Device, memory: Traffic, moving: float
) -> Callable[[float, float], float]:
    """Cycles of all launches, as in `cost`, from those of a tile and of the first operands.

    They include the tasks that start one after another, the first operands, the matrices for which external memory and control
    take `moving` each, and the last result.
    """
    m, n, _ = plan.padded(problem)
    leaves, start = memory.cycles(0, 0, 1), machine_of(device)
    after = plan.herd_m * plan.herd_n * problem.result_bits / 8 / arch_of(device).stream_bytes + start.tail
    tiles = problem.batch * (m // plan.array_m) * (n // plan.array_n)
    pushes = start.push * (memory.on_a + memory.on_b)
    result = pushes + start.push * memory.on_c + leaves

    def cycles(tile: float, first: float) -> float:
        computing = tiles * max(tile, leaves)
        memory_first = pushes / 2 + start.cold + max(computing, problem.batch * moving)
        return max(memory_first, pushes + start.cold + first + computing + leaves, result) + after

    return cycles


def _first(plan: GemmPlan, memory: Traffic, piece: float, part: float) -> float:
    """Cycles of the first operands, of which the parts `piece` and, of a panel, `part` arrive first.

    Pieces of L2 may use more channels than all of k if cores lie along one dimension.
    """
    return 0 if plan.spread else memory.cycles(part if plan.panel == "a" else piece, part if plan.panel == "b" else piece, 0)


def _moving(plan: GemmPlan, problem: Problem, device: Device, memory: Traffic) -> float:
    """Cycles of external memory and the shims' channels for a matrix."""
    m, n, _ = plan.padded(problem)
    if plan.spread:  # pieces of L2 may come over more channels than all of k at once
        operands = m * plan.k * (n // plan.launch_n) + n * plan.k * (m // plan.launch_m)
        return (operands * problem.bits + m * n * problem.result_bits) / 8 / arch_of(device).memory_bytes
    return m // plan.launch_m * (n // plan.launch_n) * ((plan.tiles - 1) * memory.steady + memory.swap)


def _controlled_at_least(free: GemmPlan, problem: Problem, device: Device) -> float:
    """A bound of the same for any panel."""
    if not problem.epilogue:
        return 0
    shape = free.cores_m, free.herd_m, free.cores_n, free.herd_n
    panels: list[Panel] = ["", *(p for p in ("a", "b") if free.multiplexed not in ("", p))]
    plans = (free.varied(panel=p, tiles=panel_tiles(p, shape, problem, device)) if p else free for p in panels)
    return min(_controlled(plan, problem, device) for plan in plans)


def _controlled(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """Cycles of the control processor for a matrix."""
    if not problem.epilogue:
        return 0
    return machine_of(device).push * tasks(plan, problem, device)[1] / problem.batch


@lru_cache(maxsize=16)
def _alone(problem: Problem) -> Problem:
    """Without other operands."""
    return replace(problem, epilogue=())


@lru_cache(maxsize=16)
def _of_large(problem: Problem) -> Problem:
    """With the other operands of the result's size, which arrive equally often for any step along k."""
    return replace(problem, epilogue=tuple(o for o in problem.epilogue if o.along == "mn"))


def _keeps(herd_m: int, herd_n: int, problem: Problem, device: Device) -> tuple[bool, bool]:
    """Whether L2 has room for a panel of A, and for one of B."""
    deep, room = problem.k * problem.bits // 8, device.tiles["mem"].memory
    return herd_m * deep <= room, herd_n * deep <= room
