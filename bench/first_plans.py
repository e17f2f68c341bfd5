"""Matrix products of bf16 on npu2 as the planner proposes them first, beside the best published time of each.

    python bench/first_plans.py

The published times are the fastest of all methods in mlir-air's kernel_registry (April to September 2026), whose products are
of block floating point, too. Predictions are those of code that Peano compiles, with the launch.
"""

from __future__ import annotations

import allo_air
from allo_air.program.matmul import Matmul

BEST = {
    ("f32", 512, 512, 512): 150, ("f32", 1024, 1024, 1024): 343, ("f32", 2048, 2048, 512): 585,
    ("f32", 2048, 2048, 2048): 2019, ("f32", 2048, 2048, 8192): 8301, ("f32", 2048, 8192, 2048): 7014,
    ("bf16", 512, 512, 512): 153, ("bf16", 1024, 1024, 1024): 482, ("bf16", 2048, 2048, 512): 901,
    ("bf16", 2048, 1024, 3072): 2574, ("bf16", 2048, 2048, 2048): 2764, ("bf16", 2048, 896, 4864): 4132,
}  # fmt: skip
"""Microseconds by type of the result, M, K and N."""


def main() -> None:
    """Prints a line for each product."""
    print(f"{'result':8}{'M x K x N':20}{'published':>10}{'predicted':>10}{'ratio':>7}")
    for (out, m, k, n), best in BEST.items():
        program = allo_air.compile(Matmul(m, n, k, "bf16", out).text, pipeline="npu", device="npu2", bfp16=True)
        time = program.estimate(code="compiled").microseconds
        print(f"{out:8}{f'{m} x {k} x {n}':20}{best:10}{time:10.0f}{time / best:7.2f}", flush=True)


if __name__ == "__main__":
    main()
