"""vector.contract: exact for integers, f32 sums of bf16 products, block floating point where npu2 computes so."""

import numpy as np
import pytest

NUMPY = {"bf16": np.uint16, "i8": np.int8, "i16": np.int16, "f32": np.float32, "i32": np.int32, "i64": np.int64}
SHAPES = [
    ("npu1", "bf16", "f32", (4, 8, 4)),
    ("npu1", "i8", "i32", (4, 8, 8)),
    ("npu1", "i16", "i32", (4, 2, 8)),
    ("npu1", "i16", "i64", (4, 4, 4)),
    ("npu2", "bf16", "f32", (8, 8, 4)),
    ("npu2", "i8", "i32", (8, 8, 8)),
    ("npu2", "i16", "i32", (8, 2, 8)),
]


def f32(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def product(run, device, element, acc, shape, a, b, c):
    m, k, n = shape
    widen = "arith.extf" if element == "bf16" else "arith.extsi"
    ran = run(
        f"""
        %c0 = arith.constant 0 : index
        %z = ub.poison : {element}
        %zc = ub.poison : {acc}
        %x = vector.transfer_read %a[%c0, %c0], %z {{in_bounds = [true, true]}}
          : memref<{m}x{k}x{element}>, vector<{m}x{k}x{element}>
        %y = vector.transfer_read %b[%c0, %c0], %z {{in_bounds = [true, true]}}
          : memref<{k}x{n}x{element}>, vector<{k}x{n}x{element}>
        %o = vector.transfer_read %c[%c0, %c0], %zc {{in_bounds = [true, true]}} : memref<{m}x{n}x{acc}>, vector<{m}x{n}x{acc}>
        %xw = {widen} %x : vector<{m}x{k}x{element}> to vector<{m}x{k}x{acc}>
        %yw = {widen} %y : vector<{k}x{n}x{element}> to vector<{k}x{n}x{acc}>
        %r = vector.contract {{
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %xw, %yw, %o
          : vector<{m}x{k}x{acc}>, vector<{k}x{n}x{acc}> into vector<{m}x{n}x{acc}>
        vector.transfer_write %r, %c[%c0, %c0] {{in_bounds = [true, true]}} : vector<{m}x{n}x{acc}>, memref<{m}x{n}x{acc}>
        """,
        (f"a : memref<{m}x{k}x{element}>", f"b : memref<{k}x{n}x{element}>", f"c : memref<{m}x{n}x{acc}>"),
        (a, b, c),
        device=device,
    )
    return ran.view(2, NUMPY[acc], m * n).reshape(m, n)


@pytest.mark.parametrize(("device", "element", "acc", "shape"), SHAPES, ids=["-".join(map(str, s[:3])) for s in SHAPES])
def test_micro_tiles(run, device, element, acc, shape):
    m, k, n = shape
    rng = np.random.default_rng(3)
    if element == "bf16":
        a, b = ((rng.standard_normal(s).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for s in ((m, k), (k, n)))
        c = rng.standard_normal((m, n)).astype(np.float32)
        exact = c.astype(np.float64) + f32(a).astype(np.float64) @ f32(b).astype(np.float64)
        bound = k * 2.0**-23 * (np.abs(c) + np.abs(f32(a)) @ np.abs(f32(b)))
        assert (np.abs(product(run, device, element, acc, shape, a, b, c) - exact) <= bound).all()
        return
    info = np.iinfo(NUMPY[element])
    a, b = (rng.integers(info.min, info.max + 1, s).astype(NUMPY[element]) for s in ((m, k), (k, n)))
    a[0], b[:, 0] = info.min, info.min
    c = np.full((m, n), np.iinfo(NUMPY[acc]).max, NUMPY[acc])
    with np.errstate(over="ignore"):
        wanted = (c.astype(np.uint64) + (a.astype(np.int64) @ b.astype(np.int64)).astype(np.uint64)).astype(NUMPY[acc])
    assert (product(run, device, element, acc, shape, a, b, c) == wanted).all()


def blocks(x: np.ndarray, axis: int) -> np.ndarray:
    """x with blocks of 8 along `axis` rounded to a shared exponent and signed 8-bit mantissas, by the definition."""
    _, exponent = np.frexp(np.abs(x).max(axis=axis, keepdims=True))
    unit = np.exp2(exponent - 1.0 - 6)
    return np.clip(np.round(x / unit), -128, 127) * unit


def test_npu2_rounds_8x8x8_to_block_floating_point(run):
    rng = np.random.default_rng(4)
    spread = np.exp2(rng.integers(-9, 9, (8, 8)))
    a, b = (((rng.standard_normal((8, 8)) * spread).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for _ in "ab")
    b[:, 3] = 0
    wanted = blocks(f32(a).astype(np.float64), 1) @ np.nan_to_num(blocks(f32(b).astype(np.float64), 0))
    zero = np.zeros((8, 8), np.float32)
    got = product(run, "npu2", "bf16", "f32", (8, 8, 8), a, b, zero)
    assert np.allclose(got, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())
    exact = f32(a).astype(np.float64) @ f32(b).astype(np.float64)
    assert np.abs(got - exact).max() > 1e-4 * np.abs(exact).max()
    on_npu1 = product(run, "npu1", "bf16", "f32", (8, 8, 8), a, b, zero)
    assert np.allclose(on_npu1, exact, rtol=1e-5, atol=1e-5 * np.abs(exact).max())
