"""Lists the plans to try for one shape. They differ in the steps along k, the pieces in L2, the panels, and the use of memtile
pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from allo_air.device import Device
from allo_air.passes.linalg._limits import exceeds_l1, exceeds_l2, max_panel_reads
from allo_air.passes.linalg._limits_epilogue import transfer_mismatch
from allo_air.passes.linalg._memtile_pairs import halves_columns, may_gain
from allo_air.passes.linalg._plan import GemmPlan, Panel, piece_size
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import Kernel
from allo_air.passes.linalg._shapes import Shape, spread_columns
from allo_air.passes.linalg._shim_channels import MAX_UNSPLIT_CORES, parts_of_b
from allo_air.passes.linalg._sizes import Sizes
from allo_air.passes.linalg._steps import strips_and_steps

MAX_EPILOGUE_PIECES = 8
"""Largest number of pieces of k to try if there are epilogue operands: each of these pieces then needs a buffer descriptor."""


def candidates(
    shape: Shape, problem: Problem, device: Device, kernel: Kernel, sizes: Sizes, multiplexed: Panel
) -> Iterator[tuple[GemmPlan, tuple[int, ...]]]:
    """The plans to try with this shape, each with its pieces to try: elements along k of an L2 buffer, in ascending order.

    The plans themselves have a single piece, all of k. `multiplexed` is the operand on whose channel epilogue operands
    alternate with steps along k; "" if there is none.
    """
    cores_m, herd_m, cores_n, herd_n = shape
    spread = spread_columns(cores_m, cores_n, device)

    @cache
    def fits_panel(panel: Panel, paired: bool) -> bool:
        """Whether a panel fits in L2 with the shortest pieces and steps."""
        plan = GemmPlan(herd_m, herd_n, cores_m, cores_n, kernel.micro, 1, problem.k, 1, panel, paired=paired)
        return not exceeds_l2(plan, problem, device)

    for strips, k_step, k in strips_and_steps(problem, device, kernel.micro, shape, sizes.k_step, multiplexed):
        plan = GemmPlan(
            herd_m,
            herd_n,
            cores_m,
            cores_n,
            kernel.micro,
            k_step,
            k,
            k_piece=k,
            multiplexed=multiplexed,
            spread=spread,
            strips=strips,
        )
        if multiplexed and (k // k_step % 2 or transfer_mismatch(plan, problem)):
            continue
        if strips > 1 and (k_step == k or not exceeds_l1(plan.varied(strips=1), problem, device)):
            continue  # strips only save memory
        pieces = _pieces(plan, problem, sizes)
        variants = pair_variants(plan, problem, device) if sizes.allows_pairs(device) else (plan,)
        if spread:
            yield from ((variant, pieces) for variant in variants)
            continue
        # The first panel is enough to report a plan that does not fit.
        panels = sizes.allowed_panels[:1] if exceeds_l1(plan, problem, device) else sizes.allowed_panels
        for panel in panels:
            for variant in variants:
                if not panel:
                    yield variant, pieces
                    continue
                if panels[0] == "" and not problem.epilogue and not fits_panel(panel, variant.paired):
                    continue
                streams = cores_n // parts_of_b(variant, device) if variant.paired and panel == "b" else 1
                tiles = tiles_per_panel(panel, shape, problem, device, streams)
                if tiles > 1 and not (problem.epilogue and multiplexed in ("", panel)):
                    yield variant.varied(panel=panel, tiles=tiles), pieces


def _pieces(plan: GemmPlan, problem: Problem, sizes: Sizes) -> tuple[int, ...]:
    """The pieces to try for `plan`: whole steps that divide k, in ascending order."""
    bounds = [*sizes.min_pieces]
    if problem.epilogue:
        bounds += [plan.k // count for count in range(1, min(MAX_EPILOGUE_PIECES, plan.k) + 1)]
    if plan.spread and sizes.is_empty:
        bounds.append(2 * max(sizes.min_pieces))
    return tuple(sorted({piece_size(plan.k, plan.k_step, bound) for bound in bounds}))


def pair_variants(plan: GemmPlan, problem: Problem, device: Device) -> tuple[GemmPlan, ...]:
    """`plan` with pieces of B for one memtile each, and for pairs of memtiles if that could be faster."""
    paired = plan.varied(paired=True)
    if plan.cores <= MAX_UNSPLIT_CORES:
        return (plan,)
    if not may_gain(plan, problem, device, parts_of_b(plan, device), parts_of_b(paired, device)):
        return (plan,)
    if plan.spread and halves_columns(plan.spread, device):
        return (paired,)
    return plan, paired


def could_use_more_channels(plan: GemmPlan, problem: Problem, device: Device) -> bool:
    """Whether B could use more channels with pairs of memtiles than with `plan`."""
    variants = pair_variants(plan, problem, device)
    if plan.panel or plan.spread or len(variants) == 1:
        return False
    return 2 * parts_of_b(variants[1], device) > parts_of_b(plan, device)


def multiplexed_choices(problem: Problem) -> tuple[Panel, ...]:
    """The operands on whose channel epilogue operands may alternate with steps along k ("": none)."""
    return ("", "a", "b") if problem.epilogue else ("",)


def tiles_per_panel(panel: Panel, shape: Shape, problem: Problem, device: Device, streams: int = 1) -> int:
    """The number of tiles that use a panel which `streams` streams read; 1 without a panel.

    It is as large as the locks allow, and about equal for all panels of the product.
    """
    if not panel:
        return 1
    cores_m, herd_m, cores_n, herd_n = shape
    extent, tile = (problem.n, cores_n * herd_n) if panel == "a" else (problem.m, cores_m * herd_m)
    tiles = -(-extent // tile)
    panels = -(-tiles // max_panel_reads(device, streams))
    return -(-tiles // panels)
