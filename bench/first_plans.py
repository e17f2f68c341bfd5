"""Matrix products of bf16 on npu2 as the planner proposes them first, beside the best published time of each.

    python bench/first_plans.py

The published times are the fastest of all methods in mlir-air's kernel_registry (April to September 2026), whose products are
of block floating point, too. Predictions are those of code that Peano compiles, with the launch.
"""

from __future__ import annotations

import allo_air

BEST = {
    ("f32", 512, 512, 512): 150, ("f32", 1024, 1024, 1024): 343, ("f32", 2048, 2048, 512): 585,
    ("f32", 2048, 2048, 2048): 2019, ("f32", 2048, 2048, 8192): 8301, ("f32", 2048, 8192, 2048): 7014,
    ("bf16", 512, 512, 512): 153, ("bf16", 1024, 1024, 1024): 482, ("bf16", 2048, 2048, 512): 901,
    ("bf16", 2048, 1024, 3072): 2574, ("bf16", 2048, 2048, 2048): 2764, ("bf16", 2048, 896, 4864): 4132,
}  # fmt: skip
"""Microseconds by type of the result, M, K and N."""


def product(out: str, m: int, k: int, n: int) -> str:
    """A function that multiplies bf16."""
    a, b, c = f"tensor<{m}x{k}xbf16>", f"tensor<{k}x{n}xbf16>", f"tensor<{m}x{n}x{out}>"
    return f"""func.func @gemm(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant 0.0 : {out}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {out}) outs(%empty : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
  return %r : {c}
}}"""


def main() -> None:
    """Prints a line for each product."""
    print(f"{'result':8}{'M x K x N':20}{'published':>10}{'predicted':>10}{'ratio':>7}")
    for (out, *sizes), best in BEST.items():
        program = allo_air.compile(product(out, *sizes), pipeline="npu", device="npu2", bfp16=True)
        time = program.estimate(code="compiled").microseconds
        print(f"{out:8}{' x '.join(map(str, sizes)):20}{best:10}{time:10.0f}{time / best:7.2f}", flush=True)


if __name__ == "__main__":
    main()
