"""Lower bounds on the cycles of plans, cheaper than their cost: for a tile shape, and for a plan with any pieces in L2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, inf

from allo_air.arch import arch_of, core_of, machine_of
from allo_air.device import Device
from allo_air.passes._analysis.columns import reconfiguration
from allo_air.passes.linalg._candidates import could_use_more_channels, pair_variants, tiles_per_panel
from allo_air.passes.linalg._cost import beside_code, code_cycles
from allo_air.passes.linalg._limits import MIN_PIECE, lacks_descriptors
from allo_air.passes.linalg._plan import GemmPlan, Panel, up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import LOCK_CYCLES, PANEL_PARTS, Kernel
from allo_air.passes.linalg._shapes import Shape, spread_columns
from allo_air.passes.linalg._shim_descriptors import shim_descriptors
from allo_air.passes.linalg._steps import longest_step, strip_counts
from allo_air.passes.linalg._traffic import Traffic, panel_parts, result_traffic, traffic

PADDING = 1.02
"""Penalty of a plan that pads: the host copies padded arrays."""

FEWER_CHANNELS = 1.02
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
    keeps_a, keeps_b = _fit_panels(herd_m, herd_n, problem, device)
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
    free = _least_plan(shape, problem, device, kernel, multiplexed)
    result = pair_variants(free, problem, device) if pairs else (free,)
    tile = _computing_cycles(free, _with_large_epilogue(problem), device, kernel)
    controlled = _least_control_cycles(free, problem, device)
    cycles = min(
        _launch_cycles(free, problem, device, result_traffic(way, problem, device), controlled)(tile, 0) for way in result
    )
    return penalized(cycles, free, fewer=False, padded=free.pads(problem)) * _ROUNDING + unpadding_cycles(free, problem, device)


def of_traffic(
    shape: Shape, problem: Problem, device: Device, kernel: Kernel, multiplexed: Panel, *, pairs: bool = True
) -> float | None:
    """A bound for the same plans that includes external memory with the longest possible runs; None if no such plan respects
    the limits.
    """
    _, herd_m, _, herd_n = shape
    free = _least_plan(shape, problem, device, kernel, multiplexed)
    k, spread = free.k, free.spread
    large = _with_large_epilogue(problem)
    if lacks_descriptors(free, problem, device, large):
        return None
    keeps: dict[Panel, bool] = dict(zip(("a", "b"), _fit_panels(herd_m, herd_n, problem, device), strict=True))
    panels: list[Panel] = [
        p for p, fits in keeps.items() if fits and not (spread or (problem.epilogue and multiplexed in ("", p)))
    ]
    tile = _computing_cycles(free, large, device, kernel)
    shortest = min(MIN_PIECE, ceil(problem.k / 8)) if problem.epilogue else MIN_PIECE
    result = pair_variants(free, problem, device) if pairs else (free,)
    fewer = pairs and could_use_more_channels(free, problem, device)
    padded, smooth = free.pads(problem), arch_of(device).memory_share_at_least
    floors = []
    for way in result:
        moved = traffic(way, large, device, smooth)
        for panel in ("", *panels):
            plan = way.varied(panel=panel, tiles=tiles_per_panel(panel, shape, problem, device)) if panel else way
            # Runs as long as can be are those of all of k, whatever panel there is; but pairs of memtiles halve pieces alone.
            memory = traffic(plan, large, device, smooth) if way.paired and panel == "b" else moved.with_panel(plan)
            moving = max(_traffic_cycles(plan, large, device, memory), _control_cycles(plan, problem, device))
            first = _first_cycles(plan, memory, min(1, shortest / k), 1 / PANEL_PARTS)
            cycles = _launch_cycles(free, problem, device, memory, moving)(tile, first)
            floors.append(penalized(cycles, plan, fewer=fewer and not panel, padded=padded))
    return min(floors) * _ROUNDING + unpadding_cycles(free, problem, device)


def _least_plan(shape: Shape, problem: Problem, device: Device, kernel: Kernel, multiplexed: Panel) -> GemmPlan:
    """A plan with steps of one micro-tile and the least possible padding along k."""
    cores_m, herd_m, cores_n, herd_n = shape
    unit = kernel.micro[2]
    k = up(problem.k, unit)
    strips = strip_counts(problem, herd_m // kernel.micro[0])[-1]
    spread = spread_columns(cores_m, cores_n, device)
    return GemmPlan(
        herd_m, herd_n, cores_m, cores_n, kernel.micro, unit, k, k, multiplexed=multiplexed, spread=spread, strips=strips
    )


def _computing_cycles(free: GemmPlan, problem: Problem, device: Device, kernel: Kernel) -> float:
    """Cycles of a tile: its products, the streams of its operands, and the locks of the longest possible steps."""
    area = free.herd_m * free.herd_n
    deep, _, around = beside_code(free.varied(k_step=free.k, strips=1), _without_epilogue(problem), device)
    steps = ceil(problem.k / longest_step(free, problem, device))
    stores = area * problem.accumulator_bits / core_of(device.arch).store_bits if kernel.vector else 0
    code = max(area * problem.k / kernel.macs, steps * stores) + steps * (area * kernel.around + LOCK_CYCLES)
    if kernel.parts > 1:
        code += kernel.split * problem.k * (free.herd_m + free.herd_n)
    return max(code, deep * problem.k / free.k) + around


@dataclass
class PlanBounds:
    """Bounds for plans with tiles of one shape whose other operands alternate alike. Many of these plans move the same
    data.
    """

    problem: Problem
    device: Device
    kernel: Kernel
    pairs: bool = True
    """Whether B may come to pairs of memtiles."""
    _traffics: dict[tuple[int, int, Panel, bool], _PlanTraffic] = field(default_factory=dict)

    def of(self, plan: GemmPlan, pieces: tuple[int, ...]) -> Iterator[float]:
        """Increasing bounds for `plan` with any of `pieces` in L2, each more expensive to compute: traffic, then cores."""
        key = plan.k, plan.k_step if plan.shared else 0, plan.panel, plan.paired
        moved = self._traffics.get(key) or self._traffics.setdefault(key, self._moved(plan))
        first = _first_cycles(plan, moved.memory, pieces[0] / plan.k, moved.part)
        feed, _, around = beside_code(plan, self.problem, self.device)
        yield moved.times * moved.launch(feed + around, first) + moved.more
        for banks in (False, True):
            tile = max(code_cycles(plan, self.problem, self.device, self.kernel, banks=banks), feed) + around
            yield moved.times * moved.launch(tile, first) + moved.more

    def _moved(self, plan: GemmPlan) -> _PlanTraffic:
        problem, device = self.problem, self.device
        memory = traffic(plan, problem, device)
        moving = max(_traffic_cycles(plan, problem, device, memory), _control_cycles(plan, problem, device))
        fewer = self.pairs and could_use_more_channels(plan, problem, device)
        return _PlanTraffic(
            memory,
            1 / panel_parts(plan, problem, device) if plan.panel else 1,
            _launch_cycles(plan, problem, device, memory, moving),
            penalized(1, plan, fewer=fewer, padded=plan.pads(problem)) * _ROUNDING,
            unpadding_cycles(plan, problem, device),
        )


@dataclass(frozen=True)
class _PlanTraffic:
    """The traffic of a plan, the first part of a panel, and how to get the cycles of all launches from those of a tile."""

    memory: Traffic
    part: float
    launch: Callable[[float, float], float]
    times: float
    more: float


def penalized(cycles: float, plan: GemmPlan, *, fewer: bool, padded: bool) -> float:
    """The cycles by which a plan is ranked; `fewer`: its B could use more channels."""
    return cycles * (PADDING if padded else 1) * (FEWER_CHANNELS if fewer and not plan.paired else 1)


def unpadding_cycles(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """Cycles of a kernel that removes the padding from the result, if the next kernel needs it without."""
    if not problem.handed_on or plan.padded(problem)[:2] == (problem.m, problem.n):
        return 0
    moved = 2 * problem.batch * problem.m * problem.n * problem.result_bits / 8
    return moved / arch_of(device).memory_bytes + reconfiguration(device)


def _launch_cycles(
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
    pushes = start.push * (memory.channels_a + memory.channels_b)
    result = pushes + start.push * memory.channels_result + leaves

    def cycles(tile: float, first: float) -> float:
        computing = tiles * max(tile, leaves)
        memory_first = pushes / 2 + start.cold + max(computing, problem.batch * moving)
        return max(memory_first, pushes + start.cold + first + computing + leaves, result) + after

    return cycles


def _first_cycles(plan: GemmPlan, memory: Traffic, piece: float, part: float) -> float:
    """Cycles of the first operands, of which the parts `piece` and, of a panel, `part` arrive first.

    Pieces of L2 may use more channels than all of k if cores lie along one dimension.
    """
    return 0 if plan.spread else memory.cycles(part if plan.panel == "a" else piece, part if plan.panel == "b" else piece, 0)


def _traffic_cycles(plan: GemmPlan, problem: Problem, device: Device, memory: Traffic) -> float:
    """Cycles of external memory and the shims' channels for a matrix."""
    m, n, _ = plan.padded(problem)
    if plan.spread:  # pieces of L2 may come over more channels than all of k at once
        operands = m * plan.k * (n // plan.launch_n) + n * plan.k * (m // plan.launch_m)
        return (operands * problem.bits + m * n * problem.result_bits) / 8 / arch_of(device).memory_bytes
    return m // plan.launch_m * (n // plan.launch_n) * ((plan.tiles - 1) * memory.steady_cycles + memory.swap_cycles)


def _least_control_cycles(free: GemmPlan, problem: Problem, device: Device) -> float:
    """A bound of the same for any panel."""
    if not problem.epilogue:
        return 0
    shape = Shape(free.cores_m, free.herd_m, free.cores_n, free.herd_n)
    panels: list[Panel] = ["", *(p for p in ("a", "b") if free.multiplexed not in ("", p))]
    plans = (free.varied(panel=p, tiles=tiles_per_panel(p, shape, problem, device)) if p else free for p in panels)
    return min(_control_cycles(plan, problem, device) for plan in plans)


def _control_cycles(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """Cycles of the control processor for a matrix."""
    if not problem.epilogue:
        return 0
    return machine_of(device).push * shim_descriptors(plan, problem, device)[1] / problem.batch


@lru_cache(maxsize=16)
def _without_epilogue(problem: Problem) -> Problem:
    """Without other operands."""
    return replace(problem, epilogue=())


@lru_cache(maxsize=16)
def _with_large_epilogue(problem: Problem) -> Problem:
    """With the other operands of the result's size, which arrive equally often for any step along k."""
    return replace(problem, epilogue=tuple(o for o in problem.epilogue if o.along == "mn"))


def _fit_panels(herd_m: int, herd_n: int, problem: Problem, device: Device) -> tuple[bool, bool]:
    """Whether L2 has room for a panel of A, and for one of B."""
    deep, room = problem.k * problem.bits // 8, device.tiles["mem"].memory
    return herd_m * deep <= room, herd_n * deep <= room
