"""Cycles that plans do not go below, told sooner than their cost: of a shape of tiles, and of a plan with any pieces in L2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import ceil, inf

from allo_air.arch import arch_of, core_of
from allo_air.device import Device
from allo_air.passes.linalg._candidates import Shape, longest_step, panel_tiles, spread_over, strips_of, ways
from allo_air.passes.linalg._cost import beside_code, code_cycles
from allo_air.passes.linalg._limits import crowds
from allo_air.passes.linalg._plan import Panel, Plan, up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import COLD_CYCLES, LOCK_CYCLES, PUSH_CYCLES, TAIL_CYCLES, TASK_CYCLES, Kernel
from allo_air.passes.linalg._traffic import tasks, traffic

PADDING = 1.02
"""What a plan that pads must gain over one that does not: the host copies padded arrays."""

PAIRING = 1.01
"""What a plan whose pieces of B come to pairs of memtiles must gain over one with each in one memtile."""

ON_FEWER = 1.02
"""What a plan must gain whose B comes, beside A, over fewer channels than it could by pairs of memtiles: each waits for those
of A, which are more, and on npu2 such plans take up to a tenth longer than is said, as simulated."""

TURNING = 1.1
"""What a plan whose channels take turns must gain over one with transfers of their own: of what bounds a few tiles, its launch
and its end among them, the estimate is a tenth off in the mean (bench/README.md)."""

_ROUNDING = 1 - 1e-9
"""What sums of a plan's parts may lack of their exact value."""


def of_shape(shape: Shape, problem: Problem, device: Device, kernel: Kernel) -> float:
    """Of plans with tiles of this shape: their MACs, their streams, and what they move.

    An operand of which a panel fits into L2 is read once.
    """
    cores_m, herd_m, cores_n, herd_n = shape
    m, n = up(problem.m, cores_m * herd_m), up(problem.n, cores_n * herd_n)
    tiles_m, tiles_n = m // (cores_m * herd_m), n // (cores_n * herd_n)
    deep = problem.k * problem.bits // 8
    a, b = m * deep, n * deep
    keeps_a, keeps_b = _keeps(herd_m, herd_n, problem, device)
    operands = min(a * tiles_n + b * tiles_m, a + b * tiles_m if keeps_a else inf, b + a * tiles_n if keeps_b else inf)
    moved = operands + m * n * problem.result_bits / 8
    compute = m * n * problem.k / (kernel.macs * cores_m * cores_n)
    streams = tiles_m * tiles_n * max(herd_m, herd_n) * deep / arch_of(device).stream_bytes
    return _ranked(max(compute, streams, moved / arch_of(device).memory_bytes), problem, (m, n) != (problem.m, problem.n))


def of_turns(shape: Shape, problem: Problem, device: Device, kernel: Kernel, turns: Panel) -> float | None:
    """Of those whose other operands take turns so: as long as external memory takes, in runs as long as can be; None where no
    such plan keeps the limits."""
    cores_m, herd_m, cores_n, herd_n = shape
    if spread_over(cores_m, cores_n, device):
        return 0
    unit = kernel.micro[2]
    k = up(problem.k, unit)
    strips = strips_of(problem, herd_m // kernel.micro[0])[-1]
    free = Plan(herd_m, herd_n, cores_m, cores_n, kernel.micro, unit, k, k, turns=turns, strips=strips)
    large = _of_large(problem)
    if crowds(free, problem, device, large):
        return None
    keeps: dict[Panel, bool] = dict(zip(("a", "b"), _keeps(herd_m, herd_n, problem, device), strict=True))
    panels = [panel for panel, fits in keeps.items() if fits and not (problem.epilogue and turns in ("", panel))]
    plans = [
        replace(way, panel=panel, tiles=panel_tiles(panel, shape, problem, device))
        for way in ways(free, problem, device)
        for panel in ("", *panels)
    ]
    moving = min(max(_moving(plan, large, device, smooth=True), _controlled(plan, problem, device)) for plan in plans)
    m, n = up(problem.m, free.array_m), up(problem.n, free.array_n)
    computing = m // free.array_m * (n // free.array_n) * _computing(free, large, device, kernel)
    return _ranked(max(moving, computing) * _ROUNDING, problem, (m, n) != (problem.m, problem.n), turns)


def _computing(free: Plan, problem: Problem, device: Device, kernel: Kernel) -> float:
    """Of a tile: its products and its operands' streams, and the locks of steps as long as can be."""
    area = free.herd_m * free.herd_n
    deep, _, around = beside_code(replace(free, k_step=free.k, strips=1), replace(problem, epilogue=()), device)
    steps = ceil(problem.k / longest_step(free, problem, device))
    stores = area * problem.accumulator_bits / core_of(device.arch).store_bits if kernel.vector else 0
    code = max(area * problem.k / kernel.macs, steps * stores) + steps * LOCK_CYCLES
    return max(code, deep * problem.k / free.k) + around


def of_plan(plan: Plan, problem: Problem, device: Device, kernel: Kernel) -> Iterator[float]:
    """Of `plan` with whatever pieces in L2, ever higher, and longer to tell: of what it moves, and of its cores."""
    m, n, k = plan.padded(problem)
    padded = (m, n, k) != (problem.m, problem.n, problem.k)
    moving = max(_moving(plan, problem, device), _controlled(plan, problem, device))
    yield _ranked(moving * _ROUNDING, problem, padded, plan.turns)
    tiles = m // plan.array_m * (n // plan.array_n)
    feed, _, around = beside_code(plan, problem, device)
    for banks in (False, True):
        tile = max(code_cycles(plan, problem, device, kernel, banks=banks), feed) + around
        yield _ranked(max(tiles * tile, moving) * _ROUNDING, problem, padded, plan.turns)


def _moving(plan: Plan, problem: Problem, device: Device, *, smooth: bool = False) -> float:
    """Cycles of external memory and the shims' channels for a matrix; `smooth` where k may get longer, which lets runs end with
    lines of memory."""
    m, n, _ = plan.padded(problem)
    arch = arch_of(device)
    if plan.spread:  # pieces of L2 may come over more channels than all of k at once
        operands = m * plan.k * (n // plan.launch_n) + n * plan.k * (m // plan.launch_m)
        return (operands * problem.bits + m * n * problem.result_bits) / 8 / arch.memory_bytes
    memory = traffic(plan, problem, device, arch.memory_share_at_least if smooth else None)
    return m // plan.launch_m * (n // plan.launch_n) * ((plan.tiles - 1) * memory.steady + memory.swap)


def _controlled(plan: Plan, problem: Problem, device: Device) -> float:
    """Cycles of the control processor for a matrix."""
    m, n, _ = plan.padded(problem)
    return m // plan.launch_m * (n // plan.launch_n) * TASK_CYCLES * tasks(plan, problem, device)


@lru_cache(maxsize=16)
def _of_large(problem: Problem) -> Problem:
    """With those of the other operands that are as large as the result: they come as often whatever the step along k is."""
    return replace(problem, epilogue=tuple(o for o in problem.epilogue if o.along == "mn"))


def _keeps(herd_m: int, herd_n: int, problem: Problem, device: Device) -> tuple[bool, bool]:
    """Whether L2 has room for a panel of A, and for one of B."""
    deep, room = problem.k * problem.bits // 8, device.tiles["mem"].memory
    return herd_m * deep <= room, herd_n * deep <= room


def _ranked(cycles: float, problem: Problem, padded: bool, turns: Panel = "") -> float:
    """Cycles of a launch whose matrices take `cycles` each, as plans are ranked that pad or take turns, or do not."""
    return (
        (PUSH_CYCLES + COLD_CYCLES + TAIL_CYCLES + problem.batch * cycles)
        * (PADDING if padded else 1)
        * (TURNING if turns else 1)
    )
