"""A plain Python function on the array: compiled at its first call for the types and shapes of the arguments."""

import numpy as np

import allo_air


@allo_air.jit(device="npu2")
def layer(x, w, b):
    return allo_air.relu(allo_air.matmul(x, w) + b)


rng = np.random.default_rng(0)
x, w, b = (rng.standard_normal(shape, dtype=np.float32) for shape in ((20, 32), (32, 24), (24,)))
np.testing.assert_allclose(layer(x, w, b), np.maximum(x @ w + b, 0), atol=1e-4)
x, w, b = (rng.integers(-9, 9, shape, dtype=np.int32) for shape in ((7, 5), (5, 11), (11,)))
assert (layer(x, w, b) == np.maximum(x @ w + b, 0)).all(), "another type and shape: compiled again"
print("PASS")
