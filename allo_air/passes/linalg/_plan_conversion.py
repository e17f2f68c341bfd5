"""Converts a `GemmPlan` to the `Plan` that is attached to a function, and back; and a summary for the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from allo_air.device import Device
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes.linalg._cost import Cost
from allo_air.passes.linalg._plan import GemmPlan, Panel
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._shim_channels import spread_route
from allo_air.passes.linalg._traffic import panel_parts
from allo_air.plan.plan import Plan, Route
from allo_air.plan.schema import plan_of


def planned(function: ir.Operation) -> GemmPlan | None:
    """The plan that `plan-gemm` attached to `function`; None if there is none."""
    plan = plan_of(function)
    return None if plan is None else gemm_plan(plan)


def gemm_plan(plan: Plan) -> GemmPlan | None:
    """`plan` as the plan of a matrix multiplication; None if it is of another family or its sizes do not divide each other."""
    if plan.family != "matmul" or not len(plan.padded) == len(plan.core) == len(plan.micro) == 3 or len(plan.cores) != 2:
        return None
    a, b = plan.route("a"), plan.route("b")
    panel: Panel = "a" if a.panel else "b" if b.panel else ""
    strips, multiplexed = plan.route("c").parts, plan.route("others").multiplexed
    values = (*plan.core, *plan.cores, *plan.micro, plan.padded[2], plan.piece, strips)
    if any(size < 1 for size in values) or multiplexed not in ("", "a", "b"):
        return None
    m, n, k = plan.micro
    if any(size % unit for size, unit in zip(plan.core, (m * strips, n, k), strict=True)):
        return None
    (herd_m, herd_n, step), extent, piece = plan.core, plan.padded[2], plan.piece
    if extent % step or extent % piece or piece % step:
        return None
    sizes = herd_m, herd_n, *plan.cores, (m, n, k), step, extent, piece, panel, max(1, a.panel, b.panel)
    return GemmPlan(*sizes, cast(Panel, multiplexed), plan.spread, strips, plan.is_paired)


def to_plan(gemm: GemmPlan, problem: Problem, device: Device, cost: Cost | None = None) -> Plan:
    """`gemm` on `device` as passes and the tuner read it, with its `cost`, the reason for the choice."""
    padded, launch = gemm.padded(problem), (gemm.launch_m, gemm.launch_n, gemm.k)
    return Plan(
        "matmul",
        f"{_description(gemm, problem)}; {cost or ''}",
        padded,
        launch,
        problem.batch * (padded[0] // launch[0]) * (padded[1] // launch[1]),
        (gemm.herd_m, gemm.herd_n, gemm.k_step),
        gemm.micro,
        (gemm.cores_m, gemm.cores_n),
        gemm.spread,
        gemm.k_piece,
        narrow=bool(problem.wide_bits),
        routes=tuple(r for r in _routes(gemm, problem, device) if r != Route(r.operand)),
        l1=gemm.l1_bytes(problem),
        moved=round(cost.moved_bytes) if cost else 0,
        descriptors=gemm.core_descriptors(problem),
    )


def _routes(gemm: GemmPlan, problem: Problem, device: Device) -> Iterator[Route]:
    """The routes of A, B, the result and the epilogue operands."""
    for operand in "ab":
        has_panel, memtiles = gemm.panel == operand, 1 + (gemm.paired and operand == "b")
        yield replace(
            spread_route(gemm, problem, device, operand) if gemm.spread else Route(operand, channels=memtiles),
            panel=gemm.tiles if has_panel else 0,
            parts=panel_parts(gemm, problem, device) if has_panel else 1,
            memtiles=memtiles,
        )
    yield Route("c", parts=gemm.strips)
    yield Route("others", multiplexed=gemm.multiplexed)


def _description(gemm: GemmPlan, problem: Problem) -> str:
    """All choices as text for the user."""
    m, n, k = gemm.micro
    sizes = f"core tile {gemm.herd_m}x{gemm.herd_n}, k step {gemm.k_step}, micro-tile {m}x{n}x{k}"
    panel = f", panel of {gemm.panel.upper()} in L2 for {counted(gemm.tiles, 'tile')}" if gemm.panel else ""
    steps = gemm.k // gemm.k_step
    rounded = (
        f", sums rounded to {counted(problem.accumulator_bits, 'bit')} after each of {counted(steps, 'step')}"
        if problem.wide_bits
        else ""
    )
    return (
        f"herd {gemm.cores_m}x{gemm.cores_n}, {sizes}, L1 "
        f"{counted(gemm.l1_bytes(problem), 'byte')}{panel}{_channels(gemm)}{rounded}"
    )


def summary(gemm: GemmPlan) -> str:
    """Cores, tiles, pieces and panel as text that distinguishes candidates for the user."""
    panel = f", panel of {gemm.panel.upper()} for {counted(gemm.tiles, 'tile')}" if gemm.panel else ""
    sizes = f"tile {gemm.herd_m}x{gemm.herd_n}x{gemm.k_step}, pieces of {gemm.k_piece}"
    return f"herd {gemm.cores_m}x{gemm.cores_n}, {sizes}{panel}{_channels(gemm)}"


def _channels(gemm: GemmPlan) -> str:
    """A description of the routes of B, of epilogue operands and of the result that differ from the default."""
    multiplexed = f", epilogue operands on the channel of {gemm.multiplexed.upper()}" if gemm.multiplexed else ""
    strips = f", result in {counted(gemm.strips, 'strip')}" if gemm.strips > 1 else ""
    return multiplexed + strips + (", B by pairs of memtiles" if gemm.paired else "")
