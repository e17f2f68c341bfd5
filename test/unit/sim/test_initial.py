"""Initial values of buffers, element type by element type."""

import ml_dtypes
import numpy as np
import pytest

from allo_air.sim.layout import Layout
from allo_air.target.initial import initial_bytes


@pytest.mark.parametrize(
    ("kind", "dense", "expected"),
    [
        ("3xi32", "[1, -2, 3]", np.array([1, -2, 3], np.int32)),
        ("4xi8", "-1", np.full(4, -1, np.int8)),
        ("2xf32", "[1.5, -0.25]", np.array([1.5, -0.25], np.float32)),
        ("4xbf16", "1.5", np.full(4, 1.5, ml_dtypes.bfloat16)),
        ("2x2xbf16", "[[1.5, -2.0], [3.0e8, 0x7F80]]", np.array([1.5, -2, 3e8, np.inf], ml_dtypes.bfloat16)),
        ("3xf16", "[0.5, -1.0, 65504.0]", np.array([0.5, -1, 65504], np.float16)),
        ("3xf8E4M3FN", "[1.0, -1.5, 0x7F]", np.array([0x38, 0xBC, 0x7F], np.uint8)),
        ("2xf8E5M2", "1.0", np.array([0x3C, 0x3C], np.uint8)),
        ("2xf8E4M3FNUZ", "[1.0, 0.5]", np.array([1.0, 0.5], ml_dtypes.float8_e4m3fnuz)),
        ("3xi4", "[1, -2, 7]", np.array([1, 14, 7], np.uint8)),
        ("2xi24", "[1, -2]", np.array([1, 0, 0, 0xFE, 0xFF, 0xFF], np.uint8)),
        ("1xi128", "-1", np.full(16, 255, np.uint8)),
        ("200xbf16", str([float(n) for n in range(200)]), np.arange(200).astype(ml_dtypes.bfloat16)),
    ],
)
def test_values_become_bytes(laid_out: object, kind: str, dense: str, expected: np.ndarray) -> None:
    layout: Layout = laid_out(f"%t = aie.tile(0, 2)\n%a = aie.buffer(%t) : memref<{kind}> = dense<{dense}>")  # type: ignore[operator]
    [buffer] = layout.buffers.values()
    assert initial_bytes(buffer.op) == expected.tobytes()
