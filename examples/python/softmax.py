"""A row softmax of a size that no tile divides, on both device generations."""

import numpy as np

import allo_air

SOURCE = """
func.func @softmax(%x: tensor<37x1000xf32>) -> tensor<37x1000xf32> {
  %empty = tensor.empty() : tensor<37x1000xf32>
  %result = linalg.softmax dimension(1) ins(%x : tensor<37x1000xf32>) outs(%empty : tensor<37x1000xf32>) -> tensor<37x1000xf32>
  return %result : tensor<37x1000xf32>
}
"""

x = np.random.default_rng(1).standard_normal((37, 1000), dtype=np.float32)
power = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
for device in ("npu1", "npu2"):
    program = allo_air.compile(SOURCE, "softmax", device=device)
    np.testing.assert_allclose(program(x), power / power.sum(axis=1, keepdims=True), rtol=1e-5, atol=1e-7)
    print(device, f"{program.report().cycles:,} cycles predicted")
print("PASS")
