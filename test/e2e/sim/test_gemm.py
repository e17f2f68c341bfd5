"""The GEMM pipelines' own output on the simulator against numpy: exact for integers, within the sum's rounding for bf16."""

import ml_dtypes
import numpy as np
import pytest

from allo_air import Matmul
from allo_air.sim.simulate import simulate
from helpers import allo_opt

_DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "bf16": ml_dtypes.bfloat16, "f32": np.float32}


@pytest.mark.parametrize(
    ("pipeline", "element", "result", "shape", "device"),
    [
        ("gemm-i8", "i8", "i32", (128, 64, 128), "npu2"),
        ("gemm-i16", "i16", "i32", (64, 64, 64), "npu1"),
        ("gemm-bf16", "bf16", "f32", (256, 128, 256), "npu1"),
    ],
)
def test_gemm(pipeline: str, element: str, result: str, shape: tuple[int, int, int], device: str) -> None:
    m, n, k = shape
    text = allo_opt(Matmul(m, n, k, element, result).text, f"--pipeline={pipeline}{{device={device}}}")
    rng = np.random.default_rng(m + n + k)
    kind, wide = _DTYPES[element], np.float64 if result == "f32" else np.int64
    draw = rng.standard_normal if element == "bf16" else lambda size: rng.integers(-100, 100, size)
    a, b = draw((m, k)).astype(kind), draw((k, n)).astype(kind)
    c = np.zeros((m, n), _DTYPES[result])
    report = simulate(text, a, b, c)
    assert report.ok
    wanted = a.astype(wide) @ b.astype(wide)
    if result == "i32":
        np.testing.assert_array_equal(c, wanted)
        return
    # f32 sums of k exact products, in any order: k roundings of partial sums no larger than the sum of magnitudes
    bound = k * 2.0**-24 * (np.abs(a.astype(wide)) @ np.abs(b.astype(wide)))
    assert (np.abs(c - wanted) <= bound).all()
