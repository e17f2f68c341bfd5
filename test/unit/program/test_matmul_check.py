"""The check against numpy finds one wrong element, and nothing else."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from allo_air.program.checks.matmul import check_matmul, integer_matmul
from allo_air.program.matmul import Matmul

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
    c = blocked(a.astype(np.float64)) @ blocked(b.astype(np.float64).T).T
    described = Matmul(16, 16, 64)
    assert not check_matmul(described, a, b, c.astype(np.float32)).ok
    assert check_matmul(described, a, b, c.astype(np.float32), bfp16=True).ok
    assert not check_matmul(described, a, b, (c + 10).astype(np.float32), bfp16=True).ok


def blocked(a: Any) -> Any:
    """`a` in blocks of 8 along the rows, mantissas of 8 bits."""
    blocks = a.reshape(a.shape[0], -1, 8)
    step = 2.0 ** (np.floor(np.log2(np.abs(blocks).max(axis=2, keepdims=True))) - 6)
    return (np.round(blocks / step) * step).reshape(a.shape)
