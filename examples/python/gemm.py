"""A matrix product with a bias and a ReLU, from MLIR text to the simulator, checked against numpy."""

import numpy as np
from ml_dtypes import bfloat16

import allo_air

SOURCE = """
func.func @layer(%a: tensor<60x96xbf16>, %b: tensor<96x40xbf16>, %bias: tensor<40xf32>) -> tensor<60x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<60x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<60x40xf32>) -> tensor<60x40xf32>
  %product = linalg.matmul ins(%a, %b : tensor<60x96xbf16>, tensor<96x40xbf16>)
                           outs(%init : tensor<60x40xf32>) -> tensor<60x40xf32>
  %result = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<60x40xf32>, tensor<40xf32>) outs(%empty : tensor<60x40xf32>) {
  ^bb0(%p: f32, %v: f32, %out: f32):
    %sum = arith.addf %p, %v : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<60x40xf32>
  return %result : tensor<60x40xf32>
}
"""

program = allo_air.compile(SOURCE, device="npu2")
rng = np.random.default_rng(0)
a, b = (rng.standard_normal(shape, dtype=np.float32).astype(bfloat16) for shape in ((60, 96), (96, 40)))
bias = rng.standard_normal(40, dtype=np.float32)
result = program(a, b, bias)
expected = np.maximum(a.astype(np.float64) @ b.astype(np.float64) + bias, 0)
np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
print(f"{program.report().cycles:,} cycles predicted, bound by {program.report().bound}")
print("PASS")
