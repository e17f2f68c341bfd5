"""Tuning: the planner's best plans are simulated, and later compilations take the fastest."""

import numpy as np

import allo_air

SOURCE = """
func.func @f(%a: tensor<96xi32>, %b: tensor<96xi32>) -> tensor<96xi32> {
  %e = tensor.empty() : tensor<96xi32>
  %c = linalg.add ins(%a, %b : tensor<96xi32>, tensor<96xi32>) outs(%e : tensor<96xi32>) -> tensor<96xi32>
  return %c : tensor<96xi32>
}
"""

if __name__ == "__main__":  # plans are simulated in processes that import this file
    tuned = allo_air.tune(SOURCE, budget=60, candidates=2, jobs=1, cache_dir="cache")
    print(tuned)
    assert tuned.cycles <= tuned.untuned, "tuning keeps the planner's own plan unless another is faster"
    program = allo_air.compile(SOURCE, cache_dir="cache")
    a, b = np.arange(96, dtype=np.int32), np.full(96, 7, np.int32)
    assert (program(a, b) == a + b).all()
    assert program.report().cycles == tuned.cycles
    print("PASS")
