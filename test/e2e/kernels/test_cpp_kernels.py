"""Kernels written for the cores in C++ against the AIE API, run on the host and held against numpy."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from allo_air import AlloAirError, CppKernel

CC = Path(__file__).parent / "cc"
bf16 = ml_dtypes.bfloat16
ARCHITECTURES = ("AIE2", "AIE2p")


def aligned(array: Any) -> Any:
    """A copy of an array at an address that is a multiple of 64, as a core's buffers are."""
    raw = np.zeros(array.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    made = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made


@cache
def function(file: str, name: str, arch: str, defines: tuple[tuple[str, Any], ...]) -> Any:
    return CppKernel(CC / file, dict(defines)).function(name, arch)


def run(file: str, name: str, arch: str, *values: Any, **defines: Any) -> tuple[Any, list[Any]]:
    """What the function returns, and its arguments afterwards."""
    given = [aligned(v) if isinstance(v, np.ndarray) else v for v in values]
    return function(file, name, arch, tuple(defines.items()))(*given), given


def tiled(matrix: Any, rows: int, cols: int) -> Any:
    """A matrix as rows of tiles."""
    m, n = matrix.shape
    return np.ascontiguousarray(matrix.reshape(m // rows, rows, n // cols, cols).transpose(0, 2, 1, 3))


def untiled(tiles: Any) -> Any:
    m, n, rows, cols = tiles.shape
    return tiles.transpose(0, 2, 1, 3).reshape(m * rows, n * cols)


def drawn(rng: Any, kind: Any, shape: Any) -> Any:
    if kind in (bf16, np.float32):
        return rng.normal(size=shape).astype(kind)
    info = np.iinfo(kind)
    return rng.integers(info.min, info.max, shape, dtype=kind, endpoint=True)


MATMULS = [
    ("i8_i32", np.int8, np.int32),
    ("i8_i16", np.int8, np.int16),
    ("i8_i8", np.int8, np.int8),
    ("u8_u8", np.uint8, np.uint8),
    ("i16_i16", np.int16, np.int16),
    ("i16_i32", np.int16, np.int32),
    ("bf16_f32", bf16, np.float32),
    ("bf16_bf16", bf16, bf16),
]


@pytest.mark.parametrize(
    ("arch", "columns"),
    [
        pytest.param("AIE2", False, id="AIE2-B"),
        pytest.param("AIE2p", True, id="AIE2p-BT"),
        pytest.param("AIE2", True, id="AIE2-BT", marks=pytest.mark.slow),
        pytest.param("AIE2p", False, id="AIE2p-B", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(("name", "element", "result"), MATMULS, ids=[m[0] for m in MATMULS])
def test_matmul(name: str, element: Any, result: Any, arch: str, columns: bool) -> None:
    """Integers wrap where nothing else is set; the rounding of bf16 products is that of one sum in f32."""
    m, k, n = 32, 48, 32
    r, s, t = (4, 4, 4) if name.startswith("i16") else (8, 8, 8) if arch == "AIE2p" else (4, 8, 4) if "b" in name else (4, 8, 8)
    rng = np.random.default_rng(1)
    a, b, c = drawn(rng, element, (m, k)), drawn(rng, element, (k, n)), np.zeros((m, n), result)
    b_tiles = tiled(np.ascontiguousarray(b.T), t, s) if columns else tiled(b, s, t)
    defines = {"DIM_M": m, "DIM_K": k, "DIM_N": n, "B_COL_MAJ": 1} if columns else {"DIM_M": m, "DIM_K": k, "DIM_N": n}
    cycles, (_, _, found) = run("matmul.cc", f"matmul_{name}", arch, tiled(a, r, s), b_tiles, tiled(c, r, t), **defines)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    if element is bf16:
        error = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64)) * k * 2.0**-24
        rounding = np.abs(exact) * 2.0**-8 if result is bf16 else 0
        assert (np.abs(untiled(found).astype(np.float64) - exact) <= error + rounding).all()
    else:
        assert (untiled(found) == exact.astype(np.int64).astype(result)).all()
    assert cycles >= m * k * n / 512


def test_bf16_products_in_blocks_where_the_macro_says_so() -> None:
    rng = np.random.default_rng(2)
    a, b = drawn(rng, bf16, (16, 16)), drawn(rng, bf16, (16, 16))
    arguments = (tiled(a, 8, 8), tiled(b, 8, 8), tiled(np.zeros((16, 16), np.float32), 8, 8))
    _, (*_, blocks) = run("matmul.cc", "matmul_bf16_f32", "AIE2p", *arguments, AIE_API_EMULATE_BFLOAT16_MMUL_WITH_BFP16=1)

    def rounded(values: Any) -> Any:
        """Rows of 8 to multiples of 2^(E - 6), E the exponent of the largest."""
        rows = values.astype(np.float64).reshape(-1, 8)
        unit = 2.0 ** (np.floor(np.log2(np.abs(rows).max(axis=1, keepdims=True))) - 6)
        return (np.clip(np.rint(rows / unit), -128, 127) * unit).reshape(values.shape)

    assert not np.allclose(untiled(blocks), a.astype(np.float64) @ b.astype(np.float64), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(untiled(blocks), rounded(a) @ rounded(b.T.copy()).T, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_softmax(arch: str) -> None:
    x = np.random.default_rng(3).normal(size=256).astype(bf16)
    _, (_, found, _) = run("activation.cc", "softmax_bf16", arch, x, np.zeros(256, bf16), 256)
    e = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(found.astype(np.float64), e / e.sum(), rtol=3 * 2.0**-8 + (0.01 if arch == "AIE2p" else 0))


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("name", ["relu", "silu", "gelu"])
def test_activations(name: str, arch: str) -> None:
    x = np.linspace(-6, 6, 512).astype(bf16)
    _, (_, found, _) = run("activation.cc", f"{name}_bf16", arch, x, np.zeros(512, bf16), 512)
    wide = x.astype(np.float64)
    tanh = np.tanh(0.79788456 * (wide + 0.044715 * wide**3))
    wanted = {"relu": np.maximum(wide, 0), "silu": wide / (1 + np.exp(-wide)), "gelu": 0.5 * wide * (1 + tanh)}[name]
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=2.0**-5, atol=0 if name == "relu" else 2.0**-5)


def test_layer_norm_and_rope() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(64, 32)).astype(bf16)
    _, (_, found, *_) = run("activation.cc", "layer_norm_bf16", "AIE2p", x, np.zeros((64, 32), bf16), 64, 32)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(
        found.astype(np.float64), (wide - wide.mean(0)) / np.sqrt(wide.var(0) + 1e-5), rtol=0.01, atol=0.01
    )
    angles = rng.uniform(0, 6, 64)
    lut = np.stack([np.cos(angles), np.sin(angles)], 1).reshape(-1).astype(bf16)
    row = rng.normal(size=128).astype(bf16)
    _, (_, _, turned, _) = run("activation.cc", "rope_bf16", "AIE2p", row, lut, np.zeros(128, bf16), 128)
    (even, odd), (cos, sin) = ((v.astype(np.float64)[0::2], v.astype(np.float64)[1::2]) for v in (row, lut))
    rotated = np.stack([even * cos - odd * sin, even * sin + odd * cos], 1).reshape(-1)
    np.testing.assert_allclose(turned.astype(np.float64), rotated, atol=0.03)


@pytest.mark.parametrize("arch", ["AIE2", pytest.param("AIE2p", marks=pytest.mark.slow)])
def test_the_cores_own_products_and_comparisons(arch: str) -> None:
    rng = np.random.default_rng(8)
    a, b = drawn(rng, bf16, 32), drawn(rng, bf16, 32)
    _, (_, _, products, sums) = run("native.cc", "floats", arch, a, b, np.zeros(32, bf16), np.zeros(16, np.float32))
    exact = a.astype(np.float64) * b.astype(np.float64)
    assert (products == exact.astype(np.float32).astype(bf16)).all()
    np.testing.assert_allclose(sums, exact[:16] + 2 * exact[16:], rtol=1e-5, atol=1e-6)

    a, b, d = drawn(rng, np.int8, (4, 8)), drawn(rng, np.int8, (8, 8)), drawn(rng, np.int16, (4, 4))
    given = (a, b, np.zeros((4, 8), np.int32), d, np.zeros((4, 4), np.int32))
    _, (_, _, c, _, e) = run("native.cc", "matrices", arch, *given)
    assert (c == 2 * (a.astype(np.int32) @ b)).all() and (e == (d.astype(np.int64) @ d).astype(np.int32)).all()

    x, y = drawn(rng, np.int16, 32), drawn(rng, np.int16, 32)
    f = drawn(rng, np.float32, 16)
    _, (_, moved, _, pairs) = run("native.cc", "shifted", arch, x, np.zeros(64, np.int16), f, np.zeros(32, np.float32))
    assert (moved[:61] == np.concatenate([x[:15], x[1:16], x[2:17], x[3:19]])).all()
    assert (pairs.reshape(4, 8) == [f[i : i + 8] for i in (0, 2, 4, 6)]).all()
    both = np.concatenate([x, y])
    _, (_, reordered) = run("native.cc", "reordered", arch, both, np.zeros(64, np.int16))
    assert (reordered == np.concatenate([both[0::2], both[1::2]])).all()
    x[3] = y[3]
    given = (x, y, np.zeros(32, np.int16), np.zeros(64, np.uint8), np.zeros(3, np.uint32))
    _, (_, _, out, lanes, masks) = run("native.cc", "lanes", arch, *given)
    assert (out == np.abs(x - y)).all() and (lanes == x.view(np.uint8)).all()
    bits = [(masks[n] >> np.arange(32) & 1).astype(bool) for n in range(3)]
    assert all((m == w).all() for m, w in zip(bits, (x < y, x > 0, (x == y) | (x < 0)), strict=True))


def test_lines_of_pixels() -> None:
    rng = np.random.default_rng(5)
    a, b, blank = drawn(rng, np.uint8, 128), drawn(rng, np.uint8, 128), np.zeros(128, np.uint8)
    _, (_, found, *_) = run("vision.cc", "thresholdLine", "AIE2", a, blank, 128, 100, 255)
    assert (found == np.where(a > 100, 255, 0)).all()
    _, (_, _, found, _) = run("vision.cc", "bitwiseXORLine", "AIE2", a, b, blank, 128)
    assert (found == a ^ b).all()
    _, (_, _, found, *_) = run("vision.cc", "addWeightedLine", "AIE2", a, b, blank, 128, 12288, 12288, 10)
    total = a.astype(int) * 12288 + b.astype(int) * 12288 + (10 << 14)
    assert (found == np.clip(total + (1 << 13) >> 14, 0, 255)).all()
    pixels = drawn(rng, np.uint8, (128, 4))
    _, (_, found, _) = run("vision.cc", "rgba2grayLine", "AIE2", pixels, blank, 128)
    assert (found == np.clip(pixels[:, :3].astype(int) @ [9798, 19235, 3736] + (1 << 14) >> 15, 0, 255)).all()


def test_filter2d() -> None:
    rng = np.random.default_rng(6)
    lines = drawn(rng, np.uint8, (3, 96))
    kernel = np.zeros(16, np.int16)
    weights = rng.integers(-4096, 4096, (3, 3))
    kernel[[0, 1, 2, 4, 5, 6, 8, 9, 10]] = weights.reshape(-1)
    _, (*_, found, _, _) = run("vision.cc", "filter2dLine", "AIE2", *lines, np.zeros(96, np.uint8), 96, kernel)
    padded = np.pad(lines.astype(int), ((0, 0), (1, 1)), mode="edge")
    total = sum(weights[r, x] * padded[r, x : x + 96] for r in range(3) for x in range(3))
    assert (found == np.clip(total + (1 << 11) >> 12, 0, 255)).all()


def test_integers() -> None:
    rng = np.random.default_rng(7)
    x = rng.integers(-(2**31), 2**31, 256).astype(np.int32)
    _, (_, found, _) = run("vision.cc", "reduce_max_vector", "AIE2", x, np.zeros(1, np.int32), 256)
    assert found[0] == x.max()
    _, (_, found, _) = run("vision.cc", "reduce_add_vector", "AIE2p", x, np.zeros(1, np.int32), 256)
    assert found[0] == x.sum(dtype=np.int32)
    w = rng.integers(-(2**12), 2**12, 32).astype(np.int32)
    _, (_, found, *_) = run("vision.cc", "requantize", "AIE2p", w, np.zeros(32, np.int8), 4, 2.5, 0.5)
    assert (found == np.clip(np.rint(w / 32), -128, 127)).all()
    h = drawn(rng, np.int16, 64)
    _, (_, found, *_) = run("vision.cc", "scale_i16", "AIE2", h, np.zeros(64, np.int16), np.array([3], np.int32), 64)
    assert (found == h * np.int16(3)).all()
    m = drawn(rng, np.int8, (4, 16))
    _, (_, found) = run("vision.cc", "transpose_i8", "AIE2", m, np.zeros((16, 4), np.int8))
    assert (found == m.T).all()
    width, channels, outputs = 8, 16, 24
    x8, w8 = drawn(rng, np.int8, (channels, width)), drawn(rng, np.int8, (outputs, channels))
    acts = np.ascontiguousarray(x8.reshape(channels // 8, 8, width).transpose(0, 2, 1))
    packed = np.ascontiguousarray(w8.reshape(outputs // 8, 8, channels // 8, 8).transpose(0, 2, 3, 1))
    out = np.zeros((outputs // 8, width, 8), np.uint8)
    _, (_, _, found, *_) = run("vision.cc", "conv2dk1_i8", "AIE2", acts, packed, out, width, channels, outputs, 7)
    total = w8.astype(int) @ x8.astype(int)
    assert (found.transpose(0, 2, 1).reshape(outputs, width) == np.clip(total + 64 >> 7, 0, 255)).all()


def test_block_floating_point() -> None:
    rng = np.random.default_rng(8)
    a, b = (rng.normal(size=(8, 8)).astype(np.float32) for _ in range(2))
    _, (_, packed_a) = run("blocks.cc", "to_blocks", "AIE2p", a, np.zeros(72, np.uint8))
    _, (_, packed_b) = run("blocks.cc", "to_blocks", "AIE2p", np.ascontiguousarray(b.T), np.zeros(72, np.uint8))
    values = of_blocks(packed_a)
    np.testing.assert_allclose(values, a, atol=np.abs(a).max() * 2.0**-6)
    _, (_, _, c) = run("blocks.cc", "matmul_bfp16", "AIE2p", packed_a, packed_b, np.zeros((8, 8), np.float32))
    np.testing.assert_allclose(c, values @ of_blocks(packed_b).T, rtol=1e-5, atol=1e-5)


def of_blocks(packed: Any) -> Any:
    """The values of blocks of 8: an exponent, then 8 mantissas."""
    blocks = packed.reshape(-1, 9)
    return blocks[:, 1:].view(np.int8) * 2.0 ** (blocks[:, :1].astype(float) - 127 - 6)


def test_spellings() -> None:
    rng = np.random.default_rng(12)
    a, b = drawn(rng, np.uint8, 64), drawn(rng, np.uint8, 64)
    _, (_, _, found, *_) = run("spellings.cc", "weighted", "AIE2p", a, b, np.zeros(64, np.uint8), 12000, 9000, 7)
    total = a.astype(int) * 12000 + b.astype(int) * 9000 + (7 << 14)
    assert (found == np.clip(total + (1 << 13) >> 14, 0, 255)).all()
    x, y = rng.integers(-100, 100, 32).astype(np.int16), rng.integers(-100, 100, 32).astype(np.int16)
    _, (_, _, found) = run("spellings.cc", "sums", "AIE2p", x, y, np.zeros(3, np.int32))
    lanes = 2 * y.astype(int) - x.astype(int) - x.astype(int) * y
    assert found.tolist() == [(x.astype(int) * y + x).sum(), lanes[:16].max(), x[5]]
    packed = [np.zeros(72, np.uint8) for _ in range(3)]
    for blocks in packed:
        values = rng.normal(size=(8, 8)).astype(np.float32)
        _, (_, blocks[...]) = run("blocks.cc", "to_blocks", "AIE2p", values, blocks.copy())
    _, (_, _, found) = run("spellings.cc", "product", "AIE2p", *packed)
    left, right, before = (of_blocks(p) for p in packed)
    np.testing.assert_allclose(of_blocks(found), before + left @ right.T, atol=2.0**-3)


def test_matrix_times_vector() -> None:
    rng = np.random.default_rng(9)
    for kinds, element, result in (("i16_i32", np.int16, np.int32), ("bf16_f32", bf16, np.float32)):
        a, b = drawn(rng, element, (32, 32)), drawn(rng, element, 32)
        columns = np.ascontiguousarray(a.reshape(32, 16, 2).transpose(1, 0, 2))  # two columns to a word
        _, (*_, found) = run("tensors.cc", f"matvec_vectorized_{kinds}", "AIE2", columns, b, np.zeros(32, result))
        exact = a.astype(np.float64) @ b.astype(np.float64)
        if element is bf16:
            np.testing.assert_allclose(found, exact, atol=1e-4)
        else:
            assert (found == exact.astype(np.int64).astype(result)).all()


@pytest.mark.parametrize("check", [0, 1, 2], ids=["top", "middle", "bottom"])
def test_convolution_3x3(check: int) -> None:
    rng = np.random.default_rng(10)
    channels, outputs, width = 16, 16, 32
    x, w = drawn(rng, np.uint8, (3, channels, width)), drawn(rng, np.int8, (outputs, channels, 3, 3))
    lines = np.ascontiguousarray(x.reshape(3, channels // 8, 8, width).transpose(0, 1, 3, 2))
    packed = np.ascontiguousarray(w.reshape(outputs // 8, 8, channels // 8, 8, 3, 3).transpose(0, 2, 4, 5, 3, 1))
    out = np.zeros((outputs // 8, width, 8), np.uint8)
    shape = (width, channels, outputs, 3, 3, check, 10, 0)
    _, (_, _, _, _, found, *_) = run("tensors.cc", "conv2dk3_ui8", "AIE2", *lines, packed, out, *shape)
    padded = np.pad(x.astype(int), ((0, 0), (0, 0), (1, 1)))
    rows = [k for k in range(3) if (check, k) not in ((0, 0), (2, 2))]
    total = sum(w[:, :, k, j].astype(int) @ padded[k, :, j : j + width] for k in rows for j in range(3))
    rounded = np.sign(total) * (np.abs(total) + 512 >> 10)  # symmetric_inf
    assert (found.transpose(0, 2, 1).reshape(outputs, width) == np.clip(rounded, 0, 255)).all()


def test_tiles_of_i4_and_a_transpose() -> None:
    rng = np.random.default_rng(11)
    a, c = drawn(rng, np.int8, (8, 32)), drawn(rng, np.int8, (8, 16))
    b = rng.integers(-8, 8, (32, 16))
    pairs = tiled(b, 16, 8).reshape(-1, 2)
    packed = ((pairs[:, 0] & 15) | (pairs[:, 1] & 15) << 4).astype(np.int8)
    _, (_, _, found) = run("tensors.cc", "matmul_i8_i4", "AIE2", tiled(a, 4, 16), packed, tiled(c, 4, 8))
    assert (untiled(found) == (a.astype(int) @ b + c >> 4).astype(np.int8)).all()
    x = drawn(rng, np.int32, (16, 16))
    _, (_, found) = run("tensors.cc", "transpose_i32", "AIE2", x, np.zeros_like(x))
    assert (found == x.T).all()


def test_habits_of_kernels() -> None:
    rng = np.random.default_rng(12)
    x = drawn(rng, bf16, 64)
    wrong, (_, found, _) = run("habits.cc", "squares", "AIE2p", x, np.zeros(64, bf16), 64)
    assert wrong == 0
    assert (found == np.where(x > 0, x * x, bf16(0.5))).all()
    v = np.arange(16, dtype=np.int32)[::-1].copy()
    _, (_, masks, chosen) = run("habits.cc", "words", "AIE2", v, np.zeros(3, np.uint32), np.zeros(16, np.int32))
    assert masks.tolist() == [0xFF00, 0xFF00 & ~1, 5]
    assert (chosen == np.where(v < 8, v & 14, v)).all()
    h = drawn(rng, np.int16, 64)
    _, (_, found) = run("habits.cc", "rounds", "AIE2", h, np.zeros((4, 32), np.int16))
    zipped = np.stack([np.tile(h, 2).reshape(4, 32)[:, :16], np.tile(h[:16], (4, 1))], 2).reshape(4, 32)
    zipped[:, :3] += np.array([1, 2, 3], np.int16)
    assert (found == zipped).all()


def mistake(name: str, *values: Any, file: str = "vision.cc", **defines: Any) -> str:
    with pytest.raises(AlloAirError) as why:
        run(file, name, "AIE2", *values, **defines)
    return str(why.value)


def test_mistakes(tmp_path: Path) -> None:
    x = np.zeros(64, np.int32)
    assert "argument 0, which has 256" in mistake("reduce_add_vector", x, np.zeros(1, np.int32), 65)
    assert "takes 3 arguments (*i32, *i32, i32), the core gives 2" in mistake("reduce_add_vector", x, x)
    assert "argument 0 points to i32, the core gives a buffer of bf16" in mistake("reduce_add_vector", x.astype(bf16), x, 1)
    assert "has no function 'absent'" in mistake("absent", x)
    assert "there is no file" in mistake("f", x, file="none.cc")
    (tmp_path / "odd.cc").write_text(
        '#include <aie_api/aie.hpp>\nextern "C" {\nvoid f(int *a) { aie::frobnicate(a); }\n'
        "void behind(int *a) { a[64] = 1; }\nvoid odd(int *a) { aie::store_v(a + 1, aie::zeros<int, 16>()); }\n"
        "void stuck(int *a) { put_mcd(aie::zeros<int, 16>()); }\n}\n"
    )
    assert "aie::frobnicate is not in the emulation" in mistake("f", x, file=str(tmp_path / "odd.cc"))
    (tmp_path / "own.cc").write_text('#include <aie_api/aie.hpp>\nextern "C" void f(int *a) { a[0] = mul_elem_99(3); }\n')
    assert "if mul_elem_99 is a function of the core, the emulation" in mistake("f", x, file=str(tmp_path / "own.cc"))
    for text in ("void f(int *a) {}\n", "void f(int *a) {}\nvoid f(float *a) {}\n", "template <typename T> void f(T *a) {}\n"):
        (tmp_path / "mangled.cc").write_text(text)
        assert "function 'f' is not extern \"C\"" in mistake("f", x, file=str(tmp_path / "mangled.cc"))
    (tmp_path / "hint.cc").write_text(
        'extern "C" void f(int *a) { AIE_LOOP_NO_UNROLL for (int i = 0; i < 2; i++) a[i] = 1; }\n'
    )
    told = "AIE_LOOP_NO_UNROLL is a macro of aie_kernel_utils.h: include it"
    assert told in mistake("f", x, file=str(tmp_path / "hint.cc"))
    (tmp_path / "seven.cc").write_text(
        '#include <aie_api/aie.hpp>\nextern "C" void f(int *a) { aie::store_v(a, aie::load_v<7>(a)); }\n'
    )
    assert "aie::load_v<N>: N is a power of two" in mistake("f", x, file=str(tmp_path / "seven.cc"))
    (tmp_path / "odd.cc").write_text((tmp_path / "odd.cc").read_text().replace("aie::frobnicate(a);", ""))
    assert "writes 0 bytes after the 256 of argument 0" in mistake("behind", x, file=str(tmp_path / "odd.cc"))
    assert "an address that is not a multiple of 32" in mistake("odd", x, file=str(tmp_path / "odd.cc"))


LIBRARY_NAMES = """
#include <aie_api/aie.hpp>
#include <math.h>
extern "C" {
void sincos(int32 *in, int32 *out) { for (int i = 0; i < 64; i++) out[i] = in[i] + (int32)std::exp(0.0f); }
void exp(int32 *in, int32 *out) { sincos(in, out); }
void index(int32 *in, int32 *out) { exp(in, out); }
void sigaction(int32 *in, int32 *out) { index(in, out); }  // the code that calls kernels has this, too
}
"""
PLAIN_NAMES = """
extern "C" {
void y0(int *in, int *out) { for (int i = 0; i < 64; i++) out[i] = in[i] + 1; }
void rand(int *in, int *out) { y0(in, out); }
}
"""


@pytest.mark.parametrize(
    ("text", "name"), [(LIBRARY_NAMES, "sincos"), (LIBRARY_NAMES, "index"), (LIBRARY_NAMES, "sigaction"), (PLAIN_NAMES, "rand")]
)
def test_kernels_may_have_names_of_the_c_library(tmp_path: Path, text: str, name: str) -> None:
    source = tmp_path / "k.cc"
    source.write_text(text)
    assert name in CppKernel(source).names()
    x, y = aligned(np.arange(64, dtype=np.int32)), aligned(np.zeros(64, np.int32))
    CppKernel(source).function(name, "AIE2")(x, y)
    assert (y == x + 1).all()


def test_errors_of_a_kernel_with_a_name_of_the_c_library_stand_at_its_line(tmp_path: Path) -> None:
    source = tmp_path / "k.cc"
    source.write_text(LIBRARY_NAMES.replace("exp(in, out); }", "exp(in, wrong); }"))
    with pytest.raises(AlloAirError, match=r"k\.cc:7:.*'wrong' was not declared"):
        CppKernel(source).function("index", "AIE2")
