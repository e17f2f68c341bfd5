"""Whole kernels in C++ by lines, rows and tiles, every element held against numpy: exactly for integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .test_cpp_kernels import bf16, drawn, run, tiled, untiled

BOTH = pytest.mark.parametrize("arch", ["AIE2", pytest.param("AIE2p", marks=pytest.mark.slow)])


@BOTH
@pytest.mark.parametrize("kind", [np.uint8, pytest.param(np.int16, marks=pytest.mark.slow), np.int32])
def test_thresholds(kind: Any, arch: str) -> None:
    x = drawn(np.random.default_rng(1), kind, 256)
    limit, most = x[3], x[4]
    over = x > limit
    wanted = [(over, most), (~over, most), (None, np.minimum(x, limit)), (over, x), (~over, x)]
    for type_, (where, value) in enumerate(wanted):
        name = f"threshold_{kind.__name__[0]}{8 * x.itemsize}"
        _, (_, found, *_) = run("lines.cc", name, arch, x, np.zeros_like(x), 256, int(limit), int(most), type_)
        assert (found == (value if where is None else np.where(where, value, 0))).all(), type_


def rounded(x: Any, shift: int) -> list[Any]:
    """x / 2^shift in the eight modes that lines.cc goes through."""
    v = x / 2.0**shift
    away = np.sign(v) * np.floor(abs(v) + 0.5)
    inwards = np.sign(v) * np.ceil(abs(v) - 0.5)
    down, nearest = np.floor(v), np.rint(v)
    odd = np.where(v - down == 0.5, down + (down % 2 == 0), nearest)
    return [down, np.ceil(v), np.floor(v + 0.5), np.ceil(v - 0.5), away, inwards, nearest, odd]


@BOTH
def test_every_rounding_with_every_saturation(arch: str) -> None:
    edges = [2**31 - 1, -(2**31), 2**30, -(2**30), 1000, -1000, 520, -520, 508, -508, 512, -516, 1016, 1020, -1020, -4]
    x = np.concatenate([np.arange(-80, 80), edges]).astype(np.int32)
    for kind, name in ((np.int8, "i8"), (np.uint8, "u8"), (np.int16, "i16"), (np.int32, "i32")):
        high, low = np.iinfo(kind).max, np.iinfo(kind).min
        _, (_, found, *_) = run("lines.cc", f"modes_{name}", arch, x, np.zeros((8, 3, len(x)), kind), 2, len(x))
        for mode, values in enumerate(rounded(x, 2)):
            whole = values.astype(np.int64)
            cut = [whole.astype(kind), np.clip(whole, low, high), np.clip(whole, -high if low else 0, high)]
            assert (found[mode] == cut).all(), (name, mode)


@BOTH
def test_scales_extremes_and_running_sums(arch: str) -> None:
    rng = np.random.default_rng(2)
    for name, kind, factor in (("scale_i32", np.int32, -77777), ("scale_i16", np.int16, -777)):
        x = drawn(rng, kind, 256)
        _, (_, found, *_) = run("lines.cc", name, arch, x, np.zeros_like(x), np.array([factor], np.int32), 256)
        assert (found == x * kind(factor)).all()
    for name, kind in (("i32", np.int32), ("u8", np.uint8), ("i16", np.int16), ("bf16", bf16)):
        x = drawn(rng, kind, 256)
        _, (_, found, _) = run("lines.cc", f"min_{name}", arch, x, np.zeros(1, kind), 256)
        assert found[0] == x.min()
    x = drawn(rng, np.int32, 128)
    _, (_, found, _) = run("lines.cc", "cumsum_i32", arch, x, np.zeros_like(x), 128)
    assert (found == np.cumsum(x, dtype=np.int32)).all()


@BOTH
def test_colours_and_windows(arch: str) -> None:
    rng = np.random.default_rng(3)
    x, p = drawn(rng, np.uint8, 64), drawn(rng, np.uint8, (128, 4))
    _, (_, found, _) = run("lines.cc", "gray2rgba", arch, x, np.zeros((64, 4), np.uint8), 64)
    assert (found == np.stack([x, x, x, np.full(64, 255)], 1)).all()
    p[5, :3] = 7
    _, (_, found, _) = run("lines.cc", "rgba2hue", arch, p, np.zeros(128, np.uint8), 128)
    r, g, b = (p[:, i].astype(int) for i in range(3))
    most, spread = p[:, :3].max(1), np.ptp(p[:, :3].astype(int), axis=1)
    scale = np.where(spread > 0, 30 * 512 // np.maximum(spread, 1), 0)
    part = np.select([r == most, g == most], [g - b, b - r], r - g)
    hue = np.select([r == most, g == most], [0, 60], 120) + (part * scale >> 9)
    assert (found == np.where(spread == 0, 0, hue + 180 * (hue < 0))).all()
    lines, w = drawn(rng, np.uint8, (3, 96)), rng.integers(-3000, 4096, (3, 3)).astype(np.int16)
    _, (*_, found, _, _) = run("lines.cc", "filter2d_shift", arch, *lines, np.zeros(96, np.uint8), 96, w.reshape(-1))
    padded = np.pad(lines.astype(int), ((0, 0), (1, 1)), mode="edge")
    total = sum(int(w[y, x]) * padded[y, x : x + 96] for y in range(3) for x in range(3))
    assert (found == np.clip(total + 2048 >> 12, 0, 255)).all()


@BOTH
def test_quantized_numbers(arch: str) -> None:
    rng = np.random.default_rng(4)
    q, zeros, scales = drawn(rng, np.uint8, (4, 32)), drawn(rng, np.uint8, 4), drawn(rng, bf16, 4)
    _, (*_, found, _) = run("lines.cc", "dequant_u8", arch, q.reshape(-1), scales, zeros, np.zeros(128, bf16), 128)
    assert (found == ((q.astype(np.float32) - zeros[:, None]).astype(bf16) * scales[:, None]).reshape(-1)).all()
    v = rng.integers(0, 16, 128)
    packed = (v[0::2] | v[1::2] << 4).astype(np.uint8)
    _, (*_, found, _) = run("lines.cc", "dequant_i4", arch, packed.view(np.int8), scales, np.zeros(128, bf16), 128)
    assert (found == ((v - 16 * (v > 7)).reshape(4, 32).astype(bf16) * scales[:, None]).reshape(-1)).all()
    _, (*_, found, _) = run("lines.cc", "dequant_u4", arch, packed, scales, np.zeros(128, bf16), 128)
    assert (found == ((v - 8).reshape(2, 64).astype(bf16) * scales[:2, None]).reshape(-1)).all()


@BOTH
def test_rows_of_bf16(arch: str) -> None:
    rng = np.random.default_rng(5)
    x, y, z, blank = drawn(rng, bf16, 256), drawn(rng, bf16, 256), drawn(rng, bf16, 256), np.zeros(256, bf16)
    a, b, c = (v.astype(np.float64) for v in (x, y, z))

    def near(found: Any, wanted: Any, rtol: float = 0.02, atol: float = 0.01) -> None:
        np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=rtol, atol=atol)

    near(run("rows.cc", "rms_norm_bf16", arch, x, blank, y, 256)[1][1], a / np.sqrt((a * a).mean() + 1e-5) * b)
    near(run("rows.cc", "softmax_exp2", arch, x, blank, 256)[1][1], np.exp(a) / np.exp(a).sum(), 0.03, 1e-4)
    gate = a * b
    near(run("rows.cc", "swiglu_bf16", arch, x, y, z, blank, 256)[1][3], gate / (1 + np.exp(-gate)) * a * c, 0.04, 0.03)
    m = a.reshape(4, 64)
    normal = (m - m.mean(1, keepdims=True)) / np.sqrt(m.var(1, keepdims=True) + 1e-5)
    near(run("rows.cc", "layer_norm_rows", arch, x, blank, 4, 64)[1][1], normal.reshape(-1))
    table = (a[0::2] + 1j * a[1::2]) * (b[0::2] + 1j * b[1::2])
    near(run("rows.cc", "rope_halves", arch, x, y, blank, 256)[1][2], np.stack([table.real, table.imag], 1).reshape(-1))
    _, (_, _, found, _) = run("rows.cc", "saxpy", arch, x, y, blank, 256)
    assert (found == (x.astype(np.float32) * 3 + y.astype(np.float32)).astype(bf16)).all()
    given = (x, np.zeros(256, np.float32), blank, np.zeros(256, np.int16))
    _, (_, wide, back, fixed, _) = run("rows.cc", "cast_f32", arch, *given, 256)
    assert (wide == x.astype(np.float32) + np.float32(2.0**-8)).all() and (back == wide.astype(bf16)).all()
    assert (fixed == np.floor(a * 16)).all()


@BOTH
def test_products_of_integers(arch: str) -> None:
    rng = np.random.default_rng(6)
    a, u, h, w = (drawn(rng, k, n) for k, n in ((np.int8, 32), (np.uint8, 32), (np.int16, 32), (np.int32, 16)))
    out = [np.zeros(n, k) for n, k in ((32, np.int32), (32, np.int32), (16, np.int32), (32, np.int16), (16, np.int32))]
    _, (*_, both, squares, mixed, cut, wide) = run("rows.cc", "products", arch, a, u, h, w, *out)
    a, u, h, w = (v.astype(np.int64) for v in (a, u, h, w))
    assert (both == a * u).all() and (squares == -h * h).all()
    assert (mixed == (w * h[:16] >> 7).astype(np.int32)).all() and (cut == np.clip(h * 13 >> 3, -(2**15), 2**15 - 1)).all()
    assert (wide == np.clip(w * w - 5 * w >> 20, -(2**31), 2**31 - 1)).all()
    x, k, skip = drawn(rng, np.uint8, (32, 8)), drawn(rng, np.int8, (16, 32)), drawn(rng, np.int8, (16, 8))
    rows, before = (np.ascontiguousarray(v.reshape(-1, 8, 8).transpose(0, 2, 1)) for v in (x, skip))
    packed = np.ascontiguousarray(k.reshape(2, 8, 4, 8).transpose(0, 2, 3, 1))
    given = (rows[:2].copy(), rows[2:].copy(), packed, np.zeros((2, 8, 8), np.uint8), before, 8, 32, 16, 9, 1)
    _, (_, _, _, found, *_) = run("rows.cc", "conv2dk1_skip", arch, *given)
    total = np.clip(k.astype(int) @ x.astype(int) + 256 >> 9, -128, 127) + skip
    assert (found.transpose(0, 2, 1).reshape(16, 8) == np.clip(total + 1 >> 1, 0, 255)).all()


@BOTH
def test_names_of_newer_kernels(arch: str) -> None:
    rng = np.random.default_rng(8)
    f, w, b = drawn(rng, np.float32, 16), rng.integers(-999, 999, 16).astype(np.int32), drawn(rng, bf16, 16)
    out = np.zeros(16, np.float32), np.zeros(16, np.int32), np.zeros(2, np.float32)
    _, (*_, sums, ints, turns) = run("lines.cc", "names", arch, f, w, b, *out)
    np.testing.assert_allclose(sums, f.astype(np.float64) ** 2 + f, rtol=1e-5, atol=1e-6)
    assert (ints == np.where(np.arange(16) % 2, np.floor(b.astype(np.float32) * 4), w >> 2)).all()
    np.testing.assert_allclose(turns, [np.sin(f[0]), np.cos(f[0])], rtol=1e-6)


I8, U8, I16, I32, F32 = np.int8, np.uint8, np.int16, np.int32, np.float32
TILES = {
    "a": (bf16, bf16, 4, 8, 4), "b": (bf16, F32, 4, 8, 4), "c": (I16, I16, 4, 4, 4), "d": (I16, I32, 4, 4, 4),
    "e": (I8, I8, 4, 8, 8), "f": (I8, I16, 4, 8, 8), "g": (I8, I32, 4, 8, 8), "h": (I16, I32, 4, 4, 8),
    "i": (U8, I32, 4, 8, 8), "j": (I8, I32, 2, 8, 8), "k": (I16, I32, 2, 4, 8),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["AIE2", "AIE2p"])
def test_products_of_all_tiles_onto_what_is_there(arch: str) -> None:
    rng = np.random.default_rng(7)
    for name, (kind, result, r, s, t) in TILES.items():
        a, b, c = drawn(rng, kind, (16, 32)), drawn(rng, kind, (32, 16)), drawn(rng, result, (16, 16))
        wanted = a.astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64)
        for order in ("rr", "cr", "cc"):
            right = tiled(b, s, t) if order[0] == "r" else tiled(np.ascontiguousarray(b.T), t, s)
            onto = tiled(c, r, t) if order[1] == "r" else np.ascontiguousarray(tiled(c, r, t).transpose(1, 0, 2, 3))
            _, (_, _, found) = run("tiles.cc", f"mm_{name}_{order}", arch, tiled(a, r, s), right, onto)
            got = untiled(found if order[1] == "r" else found.transpose(1, 0, 2, 3))
            if kind is bf16:
                close = 2.0**-7 if result is bf16 else 1e-5
                np.testing.assert_allclose(got.astype(np.float64), wanted, rtol=close, atol=10 * close)
            else:
                assert (got == wanted.astype(np.int64).astype(result)).all(), (name, order)
