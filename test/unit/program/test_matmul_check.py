"""The check against numpy finds one wrong element, and nothing else."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from allo_air.program.checks.blocks import round_factors, rounded
from allo_air.program.checks.matmul import check_matmul, integer_matmul
from allo_air.program.matmul import Matmul
from allo_air.program.source import source_of
from allo_air.program.stage import run_stage

K = 300


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
def test_integers_wrap_exactly(dtype: Any) -> None:
    limits, rng = np.iinfo(dtype), np.random.default_rng(1)
    a = rng.integers(limits.min, limits.max, (9, K), dtype=dtype, endpoint=True)
    b = rng.integers(limits.min, limits.max, (K, 7), dtype=dtype, endpoint=True)
    a[0], b[:, 0] = limits.min, limits.min
    exact = a.astype(object) @ b.astype(object)
    wanted = np.vectorize(lambda v: (v + 2**31) % 2**32 - 2**31)(exact).astype(np.int32)
    np.testing.assert_array_equal(integer_matmul(a, b, np.int32), wanted)
    described = Matmul(9, 7, K, np.dtype(dtype).name)
    assert check_matmul(described, a, b, wanted).ok
    wanted[8, 6] ^= 1
    found = check_matmul(described, a, b, wanted)
    assert not found.ok
    assert "1 of 63 elements differ from numpy, the first at [8, 6]" in found.message


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float32])
def test_floats_in_any_order_are_within_the_bound(dtype: Any) -> None:
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal(s, dtype=np.float32).astype(dtype) for s in ((9, K), (K, 7)))
    described = Matmul(9, 7, K, np.dtype(dtype).name)
    c = np.zeros((9, 7), np.float32)
    for k in reversed(range(K)):
        c += a[:, k : k + 1].astype(np.float32) * b[k].astype(np.float32)
    found = check_matmul(described, a, b, c)
    assert found.ok
    assert "K = 300, u = 2^-24" in found.message
    for wrong in (np.float32(c[2, 3] * 1.01 + 0.01), np.float32("nan"), np.float32("inf")):
        bad = c.copy()
        bad[2, 3] = wrong
        assert "the worst at [2, 3]" in check_matmul(described, a, b, bad).message
        assert not check_matmul(described, a, b, bad).ok


def test_one_term_left_out_is_found() -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal(s, dtype=np.float32).astype(ml_dtypes.bfloat16) for s in ((16, K), (K, 16)))
    c = a[:, 1:].astype(np.float32) @ b[1:].astype(np.float32)
    assert not check_matmul(Matmul(16, 16, K), a, b, c).ok


def test_products_of_nan_and_infinity_are_themselves_only() -> None:
    a, b = np.eye(3, dtype=np.float32), np.ones((3, 3), np.float32)
    a[0, 0], a[1, 1] = np.nan, np.inf
    c = np.array([[np.nan] * 3, [np.inf] * 3, [1] * 3], np.float32)
    assert check_matmul(Matmul(3, 3, 3, "f32"), a, b, c).ok
    assert "6 of 9 elements" in check_matmul(Matmul(3, 3, 3, "f32"), a, b, np.ones_like(c)).message


def test_blocks_of_floats_have_a_bound_of_their_own() -> None:
    rng = np.random.default_rng(4)
    a, b = (rng.standard_normal(s, dtype=np.float32).astype(ml_dtypes.bfloat16) for s in ((16, 64), (64, 16)))
    c = rounded(a.astype(np.float64), 1) @ rounded(b.astype(np.float64), 0)
    described = Matmul(16, 16, 64)
    assert not check_matmul(described, a, b, c.astype(np.float32)).ok
    assert check_matmul(described, a, b, c.astype(np.float32), bfp16=True).ok
    assert not check_matmul(described, a, b, (c + 10).astype(np.float32), bfp16=True).ok


def test_blocks_round_to_the_nearest_even_step() -> None:
    a = np.array([[128.0, 1.0, -3.0, 0.5, 127.75, 0, 0, -128.0, 1.5, np.inf, 0.7]]).T
    wanted = [[128.0, 0, -4.0, 0, 128.0, 0, 0, -128.0, 1.5, np.inf, 0.7]]
    np.testing.assert_array_equal(rounded(a, 0).T, wanted)
    a = np.array([[255.0, -255.0, 3.0]])
    np.testing.assert_array_equal(rounded(a, 1), [[254.0, -256.0, 4.0]])
    np.testing.assert_array_equal(rounded(np.zeros((2, 3)), 1), np.zeros((2, 3)))


SPELLINGS = {
    "linalg.matmul": (3, 20, 20, 5, ""),
    "linalg.matmul, transposed": (
        *(3, 20, 5, 20),
        "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]",
    ),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_interpreter_multiplies_in_blocks(name: str) -> None:
    *shape, maps = SPELLINGS[name]
    p, q, r, s = shape
    ta, tb = f"tensor<{p}x{q}xbf16>", f"tensor<{r}x{s}xbf16>"
    text = f"""func.func @f(%a: {ta}, %b: {tb}, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {{
  %0 = linalg.matmul {maps} ins(%a, %b : {ta}, {tb}) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}}"""
    rng = np.random.default_rng(5)
    a, b = (rng.standard_normal(s).astype(ml_dtypes.bfloat16) for s in ((p, q), (r, s)))
    along = 1 if maps else 0
    done = run_stage(source_of(text), None, [a, b, np.zeros((3, 5), np.float32)], prepare=round_factors)
    left, right = rounded(a, 1).astype(np.float64), rounded(b, along).astype(np.float64)
    wanted = left @ (right.T if maps else right)
    np.testing.assert_allclose(done.arrays[-1], wanted, atol=1e-5)
    assert np.abs(a.astype(np.float64) @ (b.T if maps else b).astype(np.float64) - wanted).max() > 1e-3


def test_the_interpreter_multiplies_windows_in_blocks() -> None:
    """Channels are rounded by eights, whatever the window."""
    x, w, y = (1, 6, 5, 11), (3, 2, 11, 4), (1, 4, 4, 4)
    tx, tw, ty = (f"tensor<{'x'.join(map(str, s))}x{e}>" for s, e in ((x, "bf16"), (w, "bf16"), (y, "f32")))
    text = f"""func.func @f(%a: {tx}, %b: {tw}, %c: {ty}) -> {ty} {{
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : {tx}, {tw}) outs(%c : {ty}) -> {ty}
  return %0 : {ty}
}}"""
    rng = np.random.default_rng(5)
    a, b = (rng.standard_normal(s).astype(ml_dtypes.bfloat16) for s in (x, w))
    done = run_stage(source_of(text), None, [a, b, np.zeros(y, np.float32)], prepare=round_factors)
    seen = sliding_window_view(rounded(a, 3).astype(np.float64), (3, 2), axis=(1, 2))
    wanted = np.einsum("nhwcuv,uvcf->nhwf", seen, rounded(b, 2).astype(np.float64))
    np.testing.assert_allclose(done.arrays[-1], wanted, atol=1e-5)
