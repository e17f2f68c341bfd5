"""Lower bounds on the cycles of plans, for the branch-and-bound search of `_search`.

A bound holds for many plans at once and is cheaper to compute than their cost. The bounds get tighter, and more expensive, with
each level of the search tree:

    ShapeBounds.of_shape     all plans with tiles of one shape: MACs, streams, and traffic with perfect reuse
    ShapeBounds.of_cores     those whose epilogue operands arrive in one way: also the code of the cores, with the best of the
                             steps along k, and the control processor
    ShapeBounds.of_traffic   the same plans: also external memory, with the longest possible runs
    PlanBounds.of            plans that differ only in their pieces in L2: also their step along k

No plan has fewer cycles than any of its bounds (test_lower_bounds.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, inf

from allo_air.arch import arch_of, machine_of
from allo_air.device import Device
from allo_air.passes.linalg._candidates import could_use_more_channels, pair_variants, tiles_per_panel
from allo_air.passes.linalg._cost import code_cycles, cycles_around_code, fill_and_drain
from allo_air.passes.linalg._launch_bounds import (
    LaunchBound,
    control_cycles,
    first_operand_cycles,
    launch_bound,
    traffic_cycles,
)
from allo_air.passes.linalg._limits import MIN_PIECE, lacks_descriptors
from allo_air.passes.linalg._plan import GemmPlan, Panel, round_up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._ranking import PADDING, penalized, unpadding_cycles
from allo_air.passes.linalg._rates import PANEL_PARTS, Kernel
from allo_air.passes.linalg._shapes import Shape, spread_columns
from allo_air.passes.linalg._shim_channels import least_channels
from allo_air.passes.linalg._steps import strip_counts, strips_and_steps
from allo_air.passes.linalg._traffic import Traffic, panel_parts, result_traffic, traffic

_ROUNDING = 1 - 1e-9
"""A bound is a sum in another order than the cost: this factor covers the rounding errors of both."""


@dataclass
class ShapeBounds:
    """Bounds for all plans with tiles of one shape."""

    problem: Problem
    device: Device
    kernel: Kernel
    pairs: bool = True
    """Whether B may come to pairs of memtiles."""
    k_step: int = 0
    """The user's choice of the elements along k in a step, or 0."""
    _codes: dict[tuple[Shape, Panel], float] = field(default_factory=dict)

    def of_shape(self, shape: Shape) -> float:
        """A bound for all plans with tiles of this shape: the start of their channels, and the slowest of their MACs, their
        streams, and their traffic.

        An operand of which L2 can hold a panel is read once, another for each row or column of tiles.
        """
        problem, device = self.problem, self.device
        arch, machine, (cores_m, herd_m, cores_n, herd_n) = arch_of(device), machine_of(device), shape
        m, n = round_up(problem.m, cores_m * herd_m), round_up(problem.n, cores_n * herd_n)
        tiles_m, tiles_n = m // (cores_m * herd_m), n // (cores_n * herd_n)
        k_bytes, area = problem.k * problem.bits // 8, herd_m * herd_n
        a, b = m * k_bytes, n * k_bytes
        keeps_a, keeps_b = _fit_panels(herd_m, herd_n, problem, device)
        operands = min(a * tiles_n + b * tiles_m, a + b * tiles_m if keeps_a else inf, b + a * tiles_n if keeps_b else inf)
        moving = problem.batch * (operands + m * n * problem.result_bits / 8) / arch.memory_bytes
        fill, drain = fill_and_drain(area, problem, device)
        tile = max(area * problem.k / self.kernel.macs, max(herd_m, herd_n) * k_bytes / arch.stream_bytes) + fill + drain
        computing = problem.batch * tiles_m * tiles_n * tile
        lead = machine.lead(*least_channels(cores_m, cores_n, spread_columns(cores_m, cores_n, device), device))
        begins = lead if machine.holds_tasks else lead / 2
        cycles = machine.cold + max(begins + moving, lead + computing) + drain + machine.tail
        return cycles * (PADDING if (m, n) != (problem.m, problem.n) else 1) * _ROUNDING

    def of_cores(self, shape: Shape, multiplexed: Panel) -> float:
        """A bound for the plans of `shape` whose epilogue operands share the channel of `multiplexed`: cores, control
        processor, and the start of channels.
        """
        problem, device = self.problem, self.device
        least = _least_plan(shape, problem, device, self.kernel, multiplexed)
        control, tile = _least_control_cycles(least, problem, device), self._tile_cycles(least)
        cycles = min(
            launch_bound(least, problem, device, result_traffic(variant, problem, device), control).cycles(tile, 0)
            for variant in self._variants(least)
        )
        ranked = penalized(cycles, least, fewer_channels=False, padded=least.pads(problem))
        return ranked * _ROUNDING + unpadding_cycles(least, problem, device)

    def of_traffic(self, shape: Shape, multiplexed: Panel) -> float | None:
        """A bound for the same plans that includes external memory with the longest possible runs; None if no such plan
        respects the limits.
        """
        problem, device, (_, herd_m, _, herd_n) = self.problem, self.device, shape
        least = _least_plan(shape, problem, device, self.kernel, multiplexed)
        matrices = _with_matrix_epilogue(problem)
        if lacks_descriptors(least, problem, device, matrices):
            return None
        fits: dict[Panel, bool] = dict(zip(("a", "b"), _fit_panels(herd_m, herd_n, problem, device), strict=True))
        panels: list[Panel] = [
            panel
            for panel, has_room in fits.items()
            if has_room and not (least.spread or (problem.epilogue and multiplexed in ("", panel)))
        ]
        tile = self._tile_cycles(least)
        shortest_piece = min(MIN_PIECE, ceil(problem.k / 8)) if problem.epilogue else MIN_PIECE
        fewer_channels = self.pairs and could_use_more_channels(least, problem, device)
        padded, slowdown = least.pads(problem), arch_of(device).memory_share_at_least
        bounds = []
        for variant in self._variants(least):
            without_panel = traffic(variant, matrices, device, slowdown)
            for panel in ("", *panels):
                tiles = tiles_per_panel(panel, shape, problem, device)
                plan = variant.varied(panel=panel, tiles=tiles) if panel else variant
                # The longest runs are those of all of k, with or without a panel. Pairs of memtiles halve pieces, not a panel
                # of B.
                halves_differ = variant.paired and panel == "b"
                memory = traffic(plan, matrices, device, slowdown) if halves_differ else without_panel.with_panel(plan)
                moving = max(traffic_cycles(plan, matrices, device, memory), control_cycles(plan, problem, device))
                first = first_operand_cycles(plan, memory, min(1, shortest_piece / least.k), 1 / PANEL_PARTS)
                cycles = launch_bound(least, problem, device, memory, moving).cycles(tile, first)
                bounds.append(penalized(cycles, plan, fewer_channels=fewer_channels and not panel, padded=padded))
        return min(bounds) * _ROUNDING + unpadding_cycles(least, problem, device)

    def _variants(self, least: GemmPlan) -> tuple[GemmPlan, ...]:
        return pair_variants(least, self.problem, self.device) if self.pairs else (least,)

    def _tile_cycles(self, least: GemmPlan) -> float:
        """A bound of the cycles of a tile: its code, the streams of its operands, and what surrounds the code."""
        longest = least.varied(k_step=least.k, strips=1)
        streams, _, overhead = cycles_around_code(longest, _without_epilogue(self.problem), self.device)
        # Only with epilogue operands on a channel of A or B do steps depend on the number of cores.
        cores = (least.cores_m, least.cores_n) if least.shared else (1, 1)
        key = Shape(cores[0], least.herd_m, cores[1], least.herd_n), least.multiplexed
        code = self._codes.get(key) or self._codes.setdefault(key, self._code_cycles(least, *key))
        return max(code, streams * self.problem.k / least.k) + overhead

    def _code_cycles(self, least: GemmPlan, shape: Shape, multiplexed: Panel) -> float:
        """The cycles of a tile's code with the best of its steps."""
        problem, device, kernel = self.problem, self.device, self.kernel
        steps = {
            (step, k // step) for _, step, k in strips_and_steps(problem, device, kernel.micro, shape, self.k_step, multiplexed)
        }
        return min(code_cycles(least.varied(k_step=step, k=n * step), problem, device, kernel) for step, n in steps)


@dataclass
class PlanBounds:
    """Bounds for plans with tiles of one shape whose epilogue operands share one channel. Many of these plans have the same
    traffic, which is computed once.
    """

    problem: Problem
    device: Device
    kernel: Kernel
    pairs: bool = True
    """Whether B may come to pairs of memtiles."""
    _cache: dict[tuple[int, int, Panel, bool], _PlanTraffic] = field(default_factory=dict)

    def of(self, plan: GemmPlan, pieces: tuple[int, ...]) -> Iterator[float]:
        """Two increasing bounds for `plan` with any of `pieces` in L2: the streams of its operands, and the code of its cores,
        which is more expensive to compute.
        """
        key = plan.k, plan.k_step if plan.shared else 0, plan.panel, plan.paired
        of_plan = self._cache.get(key) or self._cache.setdefault(key, self._traffic(plan))
        first = first_operand_cycles(plan, of_plan.memory, pieces[0] / plan.k, of_plan.panel_part)
        streams, _, overhead = cycles_around_code(plan, self.problem, self.device)
        yield of_plan.ranked(streams + overhead, first)
        code = code_cycles(plan, self.problem, self.device, self.kernel)
        yield of_plan.ranked(max(code, streams) + overhead, first)

    def _traffic(self, plan: GemmPlan) -> _PlanTraffic:
        problem, device = self.problem, self.device
        memory = traffic(plan, problem, device)
        moving = max(traffic_cycles(plan, problem, device, memory), control_cycles(plan, problem, device))
        fewer_channels = self.pairs and could_use_more_channels(plan, problem, device)
        return _PlanTraffic(
            memory,
            1 / panel_parts(plan, problem, device) if plan.panel else 1,
            launch_bound(plan, problem, device, memory, moving),
            penalized(1, plan, fewer_channels=fewer_channels, padded=plan.pads(problem)) * _ROUNDING,
            unpadding_cycles(plan, problem, device),
        )


@dataclass(frozen=True)
class _PlanTraffic:
    """The terms that plans with the same traffic have in common."""

    memory: Traffic
    panel_part: float
    """The part of a panel that arrives first."""
    bound: LaunchBound
    factor: float
    """Penalties of the plan, and the rounding error."""
    unpadding: float
    """Cycles to remove the padding from the result."""

    def ranked(self, tile: float, first: float) -> float:
        """The bound by which the search orders plans, from the cycles of a tile and of the first operands."""
        return self.factor * self.bound.cycles(tile, first) + self.unpadding


def _least_plan(shape: Shape, problem: Problem, device: Device, kernel: Kernel, multiplexed: Panel) -> GemmPlan:
    """A plan with steps of one micro-tile, and so with the least possible padding along k."""
    cores_m, herd_m, cores_n, herd_n = shape
    k_step = kernel.micro[2]
    k = round_up(problem.k, k_step)
    strips = strip_counts(problem, herd_m // kernel.micro[0])[-1]
    spread = spread_columns(cores_m, cores_n, device)
    return GemmPlan(
        herd_m, herd_n, cores_m, cores_n, kernel.micro, k_step, k, k, multiplexed=multiplexed, spread=spread, strips=strips
    )


def _least_control_cycles(least: GemmPlan, problem: Problem, device: Device) -> float:
    """A bound of the cycles of the control processor for a matrix, with any panel."""
    if not problem.epilogue:
        return 0
    shape = Shape(least.cores_m, least.herd_m, least.cores_n, least.herd_n)
    panels: list[Panel] = ["", *(p for p in ("a", "b") if least.multiplexed not in ("", p))]
    plans = (least.varied(panel=p, tiles=tiles_per_panel(p, shape, problem, device)) if p else least for p in panels)
    return min(control_cycles(plan, problem, device) for plan in plans)


@lru_cache(maxsize=16)
def _without_epilogue(problem: Problem) -> Problem:
    return replace(problem, epilogue=())


@lru_cache(maxsize=16)
def _with_matrix_epilogue(problem: Problem) -> Problem:
    """`problem` with only those epilogue operands that have the result's size: they have as many bytes for any step along k."""
    return replace(problem, epilogue=tuple(o for o in problem.epilogue if o.along == "mn"))


def _fit_panels(herd_m: int, herd_n: int, problem: Problem, device: Device) -> tuple[bool, bool]:
    """Whether L2 has room for a panel of A, and for one of B."""
    k_bytes, room = problem.k * problem.bits // 8, device.tiles["mem"].memory
    return herd_m * k_bytes <= room, herd_n * k_bytes <= room
