"""Vectors times a small matrix each: no launch for each, and the numbers of numpy."""

import ml_dtypes
import numpy as np
import pytest

import allo_air

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32}


@pytest.mark.parametrize(
    ("device", "kind", "element", "sizes", "most"),
    [
        ("npu1", "batch_matmul", "bf16", (12, 128, 64), 60_000),
        ("npu2", "batch_vecmat", "f32", (5, 34, 48), 60_000),
        ("npu1", "batch_matvec", "f32", (3, 64, 20), 60_000),
    ],
)
def test_vectors_times_matrices(device: str, kind: str, element: str, sizes: tuple[int, int, int], most: int) -> None:
    batch, k, n = sizes
    one = "1x" if kind == "batch_matmul" else ""
    x, y = f"tensor<{batch}x{one}{k}x{element}>", f"tensor<{batch}x{one}{n}xf32>"
    w = f"tensor<{batch}x{n}x{k}x{element}>" if kind == "batch_matvec" else f"tensor<{batch}x{k}x{n}x{element}>"
    ins = f"%w, %x : {w}, {x}" if kind == "batch_matvec" else f"%x, %w : {x}, {w}"
    source = f"""func.func @main(%x: {x}, %w: {w}) -> {y} {{
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : {y}
      %f = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
      %y = linalg.{kind} ins({ins}) outs(%f : {y}) -> {y}
      return %y : {y}
    }}"""
    program = allo_air.compile(source, "npu", device=device, cache=False)
    rng, dtype = np.random.default_rng(0), DTYPES[element]
    left = rng.integers(-3, 4, (batch, *([1] if one else []), k)).astype(dtype)
    right = rng.integers(-3, 4, (batch, n, k) if kind == "batch_matvec" else (batch, k, n)).astype(dtype)
    paths = "bk,bnk->bn" if kind == "batch_matvec" else "bk,bkn->bn"
    wanted = np.einsum(paths, left.reshape(batch, k).astype(np.float64), right.astype(np.float64))
    np.testing.assert_array_equal(program(left, right).reshape(batch, n), wanted)
    assert program.report().cycles < most
