"""GEMM pipelines with functions of math on the result: what compiles runs, in vectors or in scalars, on both devices."""

import math

import ml_dtypes
import numpy as np
import pytest

import allo_air

SOURCE = """func.func @gemm(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>) -> tensor<16x16xf32> {{
  %low = arith.constant -1.5 : f32
  %high = arith.constant 1.5 : f32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x16xbf16>, tensor<16x16xbf16>) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  %d = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}}
      ins(%c : tensor<16x16xf32>) outs(%empty : tensor<16x16xf32>) {{
  ^bb0(%x: f32, %o: f32):
    {body}
    linalg.yield %y : f32
  }} -> tensor<16x16xf32>
  return %d : tensor<16x16xf32>
}}"""

BODIES = {
    "erf": ("%y = math.erf %x : f32", lambda c: np.vectorize(math.erf)(c)),
    "clampf": ("%y = math.clampf %x to [%low, %high] : f32", lambda c: np.clip(c, -1.5, 1.5)),
    "relu6": (
        "%p = arith.maximumf %x, %zero : f32\n%y = arith.minimumf %p, %high : f32",
        lambda c: np.clip(c, 0, 1.5),
    ),
    "scale and shift": ("%p = arith.mulf %x, %half : f32\n%y = arith.addf %p, %low : f32", lambda c: c * 0.5 - 1.5),
    "select": ("%p = arith.cmpf ogt, %x, %low : f32\n%y = arith.select %p, %x, %low : f32", lambda c: np.maximum(c, -1.5)),
}


@pytest.mark.parametrize(
    ("device", "name"), [("npu1", name) for name in BODIES] + [("npu2", "erf"), ("npu2", "scale and shift")]
)
def test_functions_of_the_result(device: str, name: str) -> None:
    body, function = BODIES[name]
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-2, 3, (16, 16)).astype(ml_dtypes.bfloat16) for _ in range(2))
    program = allo_air.compile(SOURCE.format(body=body), "gemm-bf16", device, cache=False)
    exact = function(a.astype(np.float64) @ b.astype(np.float64))
    np.testing.assert_allclose(program(a, b), exact, rtol=1e-5, atol=1e-6)
