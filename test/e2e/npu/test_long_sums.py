"""Matrices of long rows times a vector: all channels of the shims bring them, and the numbers are those of numpy."""

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.arch import arch_of
from allo_air.device import DEVICES

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32}


@pytest.mark.parametrize(
    ("device", "element", "result", "rows", "k", "part"),
    [
        ("npu1", "bf16", "f32", 2048, 2048, 0.75),
        ("npu1", "bf16", "bf16", 1056, 2304, 0.45),
        ("npu1", "f32", "f32", 1024, 1152, 0.7),
        ("npu1_2col", "bf16", "f32", 512, 1024, 0),
        ("npu1_1col", "bf16", "f32", 512, 512, 0),
        ("npu1", "bf16", "f32", 1001, 257, 0),
        ("npu2", "bf16", "bf16", 1024, 1024, 0),
    ],
)
def test_matrix_times_vector(device: str, element: str, result: str, rows: int, k: int, part: float) -> None:
    """`part` is that of the time which external memory takes for the matrix, at least."""
    w, x, y = f"tensor<{rows}x{k}x{element}>", f"tensor<{k}x{element}>", f"tensor<{rows}x{result}>"
    wide = f"tensor<{rows}xf32>"
    last = f"%b = arith.truncf %r : {wide} to {y}" if result == "bf16" else f"%b = arith.addf %r, %f : {wide}"
    source = f"""func.func @main(%w: {w}, %x: {x}) -> {y} {{
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : {wide}
      %f = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}
      %r = linalg.matvec ins(%w, %x : {w}, {x}) outs(%f : {wide}) -> {wide}
      {last}
      return %b : {y}
    }}"""
    program = allo_air.compile(source, "npu", device=device, cache=False)
    rng, dtype = np.random.default_rng(0), DTYPES[element]
    matrix, vector = rng.integers(-2, 3, (rows, k)).astype(dtype), rng.integers(-2, 3, k).astype(dtype)
    wanted = matrix.astype(np.float64) @ vector.astype(np.float64)
    np.testing.assert_array_equal(program(matrix, vector), wanted.astype(DTYPES[result]))
    assert program.report().cycles * part < matrix.nbytes / arch_of(DEVICES[device]).memory_bytes
