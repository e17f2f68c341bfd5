"""Softmax over rows and columns that no core holds: one kernel, whose numbers are those of numpy."""

import ml_dtypes
import numpy as np
import pytest

import allo_air

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32}


@pytest.mark.parametrize(
    ("device", "element", "shape", "dimension"),
    [
        ("npu1_1col", "f32", (600, 64), 0),
        ("npu1_1col", "f32", (4, 8193), 1),
        ("npu2_2col", "bf16", (999, 130), 0),
        pytest.param("npu1", "f32", (1024, 1024), 0, marks=pytest.mark.slow),
        pytest.param("npu1", "f32", (64, 10007), 1, marks=pytest.mark.slow),
        pytest.param("npu2", "bf16", (1001, 999), 0, marks=pytest.mark.slow),
    ],
)
def test_softmax(device: str, element: str, shape: tuple[int, int], dimension: int) -> None:
    kind = f"tensor<{shape[0]}x{shape[1]}x{element}>"
    source = f"""func.func @main(%x: {kind}) -> {kind} {{
      %e = tensor.empty() : {kind}
      %r = linalg.softmax dimension({dimension}) ins(%x : {kind}) outs(%e : {kind}) -> {kind}
      return %r : {kind}
    }}"""
    program = allo_air.compile(source, "npu", device=device, cache=False)
    text = program.text()
    assert text.count("aie.device(") - ("aiex.configure" in text) == 1
    x = np.random.default_rng(0).standard_normal(shape).astype(DTYPES[element])
    powers = np.exp(x.astype(np.float64) - x.astype(np.float64).max(dimension, keepdims=True))
    wanted = powers / powers.sum(dimension, keepdims=True)
    np.testing.assert_allclose(program(x).astype(np.float64), wanted, rtol=1e-5 if element == "f32" else 4e-2, atol=1e-9)
