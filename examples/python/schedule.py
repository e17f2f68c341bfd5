"""One function, three targets: scheduled for the CPU, as C++ for high-level synthesis, and mapped to the array."""

import numpy as np

import allo_air as allo
from allo_air.ir.types import int32


def gemm(A: int32[32, 48], B: int32[48, 16]) -> int32[32, 16]:
    C: int32[32, 16] = 0
    for i, j, k in allo.grid(32, 16, 48, name="gemm"):
        C[i, j] += A[i, k] * B[k, j]
    return C


schedule = allo.customize(gemm)
schedule.split("i", factor=8)
schedule.reorder("k", "j")
schedule.pipeline("j")
A, B = (np.random.default_rng(3).integers(-9, 9, shape, dtype=np.int32) for shape in ((32, 48), (48, 16)))
for target, options in (("llvm", {}), ("vitis_hls", {"mode": "csim"}), ("aie", {"device": "npu1"})):
    result = schedule.build(target=target, **options)(A, B)
    np.testing.assert_array_equal(result, A @ B)
    print(target, "ok")
print("PASS")
