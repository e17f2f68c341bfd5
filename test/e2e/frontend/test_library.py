"""The library's layers, systolic arrays and regions, held against numpy."""

import ml_dtypes
import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.errors import AlloAirError
from allo_air.ir.types import float32, int8, int16, int32
from allo_air.library import nn, systolic
from allo_air.library.aie.modules import FA, GEMM

RNG = np.random.default_rng(17)
X, X4 = RNG.standard_normal((6, 8), dtype=np.float32), RNG.standard_normal((2, 3, 8, 8), dtype=np.float32)
W, BIAS = RNG.standard_normal((10, 8), dtype=np.float32), RNG.standard_normal(10, dtype=np.float32)
G, H = RNG.standard_normal((2, 8), dtype=np.float32)


def rows_softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(q, k, v, heads):
    split = [np.split(t, heads, axis=1) for t in (q, k, v)]
    return np.concatenate([rows_softmax(a @ b.T / a.shape[1] ** 0.5) @ c for a, b, c in zip(*split, strict=True)], axis=1)


def convolved(x, kernel, bias):
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    out = np.zeros((2, 4, 4, 4), np.float32)
    for i in range(4):
        for j in range(4):
            out[:, :, i, j] = np.einsum("ncrq,ocrq->no", padded[:, :, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3], kernel) + bias
    return out


KERNEL, FOUR = RNG.standard_normal((4, 3, 3, 3), dtype=np.float32), RNG.standard_normal(4, dtype=np.float32)
POOLED = X4.reshape(2, 3, 4, 2, 4, 2)
MEAN, SPREAD = X.mean(1, keepdims=True), X.std(1, keepdims=True)
CASES = [
    (nn.linear2d, [6, 10, 8], (X, W, BIAS), X @ W.T + BIAS),
    (nn.linear3d, [1, 6, 8, 10], (X[None], W, BIAS), (X @ W.T + BIAS)[None]),
    (nn.relu4d, [2, 3, 8, 8], (X4,), np.maximum(X4, 0)),
    (nn.softmax, [6, 8], (X,), rows_softmax(X)),
    (nn.log_softmax, [6, 8], (X,), np.log(rows_softmax(X))),
    (nn.layer_norm, [6, 8], (X, G, H), (X - MEAN) / np.sqrt(SPREAD**2 + 1e-5) * G + H),
    (nn.GeLU, [6, 8], (X,), 0.5 * X * (1 + np.tanh(np.sqrt(2 / np.pi) * (X + 0.044715 * X**3)))),
    (nn.scaled_dot_product_attention, [2, 6, 8], (X, X + 1, X * 2), attention(X, X + 1, X * 2, 2)),
    (nn.conv2d, [2, 3, 4, 8, 8, 3, 3, 4, 4, 2, 1, 1], (X4, KERNEL, FOUR), convolved(X4, KERNEL, FOUR)),
    (nn.maxpool2d, [2, 3, 8, 8, 2, 4, 4, 2, 0], (X4,), POOLED.max((3, 5))),
    (nn.avgpool2d, [2, 3, 8, 8, 2, 4, 4, 2, 0], (X4,), POOLED.mean((3, 5))),
    (nn.batchnorm1d, [6, 8], (X, G, H, 0.5, H, G**2), G * (X - H) / np.sqrt(G**2 + 0.5) + H),
]


@pytest.mark.parametrize(("function", "sizes", "given", "wanted"), CASES, ids=[c[0].__name__ for c in CASES])
def test_layers(function, sizes, given, wanted):
    s = allo.customize(function, instantiate=[float32, *sizes])
    if (rewrite := getattr(nn, f"schedule_{function.__name__}", None)) is not None:
        rewrite(s)
    np.testing.assert_allclose(s.build()(*given), wanted, rtol=1e-3, atol=1e-4)


def test_layers_in_a_function():
    def top(X: float32[6, 8], W: float32[10, 8], b: float32[10]) -> float32[6, 10]:
        return nn.relu2d[float32, 6, 10](nn.linear2d[float32, 6, 10, 8, "fc"](X, W, b))

    s = allo.customize(top)
    s.compose(nn.linear2d, id="fc", instantiate=[float32, 6, 10, 8])
    s.compose([nn.relu2d], instantiate=[float32, 6, 10])
    assert "Z_i_buffer" in str(s.module) and "linear2d_fc" in str(s.module)
    np.testing.assert_allclose(s.build()(X, W, BIAS), np.maximum(X @ W.T + BIAS, 0), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("unfolded", [False, True])
def test_systolic_array(unfolded):
    s = allo.customize(systolic.systolic, instantiate=[int8, int8, int16, 8, 6, 4, 4, 2])
    if unfolded:
        systolic.schedule_systolic(s)
    a, b = RNG.integers(-8, 8, (8, 6)).astype(np.int8), RNG.integers(-8, 8, (6, 4)).astype(np.int8)
    c = np.zeros((8, 4), np.int16)
    s.build()(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int16) @ b)


def test_gemm_for_the_array():
    region, primitives = GEMM(16, 16, 32, 2, 1, 2, int16, int32)
    run = df.build(region, target="aie", mapping_primitives=primitives)
    a, b = RNG.integers(-9, 9, (16, 32)).astype(np.int16), RNG.integers(-9, 9, (32, 16)).astype(np.int16)
    c = np.zeros((16, 16), np.int32)
    run(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)
    with pytest.raises(AlloAirError, match="M = 16 is not divided by its 3 parts"):
        GEMM(16, 16, 32, 3, 1, 2, int16, int32)


def test_boxes_go_to_memtiles_that_have_bds_for_them():
    region, primitives = GEMM(32, 32, 96, 1, 2, 24, int8, int32)
    a, b = (RNG.integers(-9, 9, shape).astype(np.int8) for shape in ((32, 96), (96, 32)))
    c = np.zeros((32, 32), np.int32)
    df.build(region, target="aie", mapping_primitives=primitives, device_type="npu1")(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)


def test_a_layer_in_a_region():
    @df.region()
    def top(A: float32[6, 8], B: float32[6, 8]):
        @df.kernel(mapping=[1], args=[A, B])
        def core(a: float32[6, 8], b: float32[6, 8]):
            b[:, :] = nn.relu2d[float32, 6, 8](a)

    found = np.zeros_like(X)
    df.build(top, target="aie")(X, found)
    np.testing.assert_array_equal(found, np.maximum(X, 0))


def test_flash_attention_for_the_array():
    size, width = 48, 12
    top, primitives = FA(size, width, Q_tile=24, q_chunk=6, kv_chunk=16)
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((size, width)).astype(ml_dtypes.bfloat16) for _ in range(3))
    out = np.zeros((size, width), ml_dtypes.bfloat16)
    df.build(top, target="aie", mapping_primitives=primitives)(q, k, v, out)
    scores = q.astype(float) @ k.astype(float).T / np.sqrt(width)
    weights = np.exp(scores - scores.max(1, keepdims=True))
    wanted = weights / weights.sum(1, keepdims=True) @ v.astype(float)
    np.testing.assert_allclose(out.astype(float), wanted, atol=1e-2)
    with pytest.raises(AlloAirError, match="48 is not divided by kv_chunk = 7"):
        FA(48, 12, 24, 6, 7)
    with pytest.raises(AlloAirError, match="73,728 bytes, and a core has 63,488"):
        FA(512, 64, 64, 64, 64)
