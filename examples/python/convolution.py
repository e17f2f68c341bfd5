"""A 3x3 convolution with a bias and a ReLU, by pipeline npu, and the plan of its kernels."""

import numpy as np

import allo_air

SOURCE = """
#whole = affine_map<(n, f, y, x) -> (n, f, y, x)>
#channel = affine_map<(n, f, y, x) -> (f)>
func.func @conv(%image: tensor<1x6x14x17xf32>, %weights: tensor<9x6x3x3xf32>, %bias: tensor<9xf32>) -> tensor<1x9x12x15xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x9x12x15xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x9x12x15xf32>) -> tensor<1x9x12x15xf32>
  %sums = linalg.conv_2d_nchw_fchw ins(%image, %weights : tensor<1x6x14x17xf32>, tensor<9x6x3x3xf32>)
      outs(%init : tensor<1x9x12x15xf32>) -> tensor<1x9x12x15xf32>
  %result = linalg.generic {indexing_maps = [#whole, #channel, #whole],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %bias : tensor<1x9x12x15xf32>, tensor<9xf32>) outs(%empty : tensor<1x9x12x15xf32>) {
    ^bb0(%sum: f32, %b: f32, %out: f32):
      %biased = arith.addf %sum, %b : f32
      %relu = arith.maximumf %biased, %zero : f32
      linalg.yield %relu : f32
  } -> tensor<1x9x12x15xf32>
  return %result : tensor<1x9x12x15xf32>
}
"""

rng = np.random.default_rng(5)
image, weights, bias = (rng.standard_normal(shape, dtype=np.float32) for shape in ((1, 6, 14, 17), (9, 6, 3, 3), (9,)))
windows = np.lib.stride_tricks.sliding_window_view(image[0], (3, 3), axis=(1, 2))
wanted = np.maximum(np.einsum("cyxij,fcij->fyx", windows, weights) + bias[:, None, None], 0)

program = allo_air.compile(SOURCE, "npu", device="npu1")
np.testing.assert_allclose(program(image, weights, bias)[0], wanted, atol=1e-3)
print(program.explain())
print("PASS")
