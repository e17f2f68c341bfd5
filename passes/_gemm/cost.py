"""Cycles of a plan: the slowest of cores, streams and external memory, and what none of them hides."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.passes._gemm.plan import Plan
from allo_air.passes._gemm.problem import Problem
from allo_air.passes._gemm.rates import ACCUMULATOR_CYCLES, MEMORY_BYTES, STREAM_BYTES


@dataclass(frozen=True)
class Cost:
    """Estimated cycles, what bounds them, and the part of the cores' peak rate that the problem (without padding) gets."""

    cycles: float
    bound: str
    peak: float

    def __str__(self) -> str:
        return f"about {self.cycles:.3g} cycles, bound by {self.bound}, {100 * self.peak:.0f} % of the device's peak"


def cost(plan: Plan, problem: Problem, arch: str, macs: float, all_cores: int) -> Cost:
    """The cost of `plan` where a core retires `macs` MACs a cycle at best and the device has `all_cores`.

    A step over k takes m*n*k/P + c*m*n cycles in the core while the streams bring the next operands. A launch iteration waits
    for its first operands, and for its result to leave, as the result has one buffer.
    """
    m, n, k = plan.padded(problem)
    launches = problem.batch * (m // plan.launch_m) * (n // plan.launch_n)
    steps, area, stream = k // plan.k_step, plan.herd_m * plan.herd_n, STREAM_BYTES[arch]
    compute = area * (plan.k_step / macs + ACCUMULATOR_CYCLES[arch] * problem.accumulator_bits / 32)
    feed = max(plan.herd_m, plan.herd_n) * plan.k_step * problem.bits / 8 / stream
    result = area * problem.result_bits / 8 / stream
    moved = (plan.launch_m + plan.launch_n) * k * problem.bits / 8 + plan.cores * area * problem.result_bits / 8
    inside = {"the cores": steps * compute, "the streams": steps * feed}
    bound = max(inside, key=inside.__getitem__)
    iteration = inside[bound] + feed + result + area
    memory = moved / MEMORY_BYTES[arch]
    if memory > iteration:
        bound, iteration = "external memory", memory
    cycles = launches * iteration
    ideal = problem.batch * problem.m * problem.n * problem.k / (macs * all_cores)
    return Cost(cycles, bound, ideal / cycles)
