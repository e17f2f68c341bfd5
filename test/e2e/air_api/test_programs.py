"""Programs of air.api, compiled by air-npu, run on the simulator, compared with numpy: the sheet's examples, and their kin."""

from itertools import product

import numpy as np
import pytest

from allo_air.air import api as air
from allo_air.air.api import bf16, f16, f32, i8, i16, i32, ui8, ui16, ui32
from allo_air.air.backend.xrt_runner import XRTRunner
from allo_air.errors import AlloAirError

DEVICES = pytest.mark.parametrize("device", ["npu1", "npu2"])
pytestmark = pytest.mark.filterwarnings("ignore::allo_air.air.api.HardwareWarning")
RNG = np.random.default_rng(8)
TYPES = (bf16, f16, f32, i8, i16, i32)


def some(shape, dtype, low=-40, high=40):
    return RNG.integers(low, high, shape).astype(dtype.np_dtype)


def elementwise(function, inputs, dtype, size=512, tile=64, **alloc):
    """`Y = function(X0, ...)` on vectors, by a herd of tiles."""
    Xs = [air.tensor([size], dtype, f"X{i}") for i in range(inputs)]
    Y = air.tensor([size], dtype)
    with air.launch(name="elementwise") as launch:

        @launch.body
        def _():
            with air.herd(range(0, size, tile)) as h:

                @h.body
                def _(i):
                    at = slice(i * tile, i * tile + tile)
                    buffers = [air.alloc([tile], dtype, scope=h.private()) for _ in Xs]
                    out = air.alloc([tile], dtype, scope=h.private(), **alloc)
                    for buffer, X in zip(buffers, Xs, strict=True):
                        air.ops.load(buffer, X[at])
                    out[:] = function(*(b[:] for b in buffers))
                    air.ops.store(out, Y[at])

    return launch


# The examples of the sheet, in order


@DEVICES
def test_negate(device):
    X = air.tensor([256, 128], f32)
    Y = air.tensor([256, 128], f32)
    with air.launch(name="negate") as launch:

        @launch.body
        def _():
            with air.herd([range(0, 256, 32), range(0, 128, 64)]) as h:

                @h.body
                def _(ti, tj):
                    tm, tn = h.tile_sizes
                    t = air.alloc([tm, tn], f32, scope=h.private())
                    air.ops.load(t, X[ti * tm : ti * tm + tm, tj * tn : tj * tn + tn])
                    t[:] = -t[:]
                    air.ops.store(t, Y[ti * tm : ti * tm + tm, tj * tn : tj * tn + tn])

    x = some((256, 128), f32)
    kernel = launch.compile(target=device)
    np.testing.assert_array_equal(kernel(x), -x)


@DEVICES
def test_lifetimes(device):
    X = air.tensor([64], i32)
    Y = air.tensor([64], i32)
    with air.launch() as launch:

        @launch.body
        def _():
            with air.herd(range(1)) as h:

                @h.body
                def _(_i):
                    a = air.alloc([64], i32, scope=h.private())
                    b = air.alloc([64], i32, scope=h.private(), vector=0)
                    air.ops.load(a, X[0:64])
                    b[:] = a[:] + 1
                    air.dealloc(a)
                    air.ops.store(b, Y[0:64])

    x = some(64, i32)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x + 1)


def matmul(M, N, K, tile, micro, kinds, **dot):
    """The sheet's product: a grid of launches, an accumulator that stays in the cores, micro-tiles."""
    (tm, tn, tk), (of_ab, of_c) = tile, kinds
    A = air.tensor([M, K], of_ab)
    B = air.tensor([K, N], of_ab)
    C = air.tensor([M, N], of_c)
    mm = air.micro_tile(*micro)
    with air.launch([range(0, M, 2 * tm), range(0, N, 2 * tn)], name="mm") as launch:

        @launch.body
        def _(i, j):
            with air.segment(name="s") as seg:

                @seg.body
                def _():
                    a2 = air.alloc([2 * tm, tk], of_ab, scope=seg.private())
                    b2 = air.alloc([tk, 2 * tn], of_ab, scope=seg.private())
                    c2 = air.alloc([2 * tm, 2 * tn], of_c, scope=seg.private())
                    acc = air.alloc(mm.c(tm, tn, lead=(2, 2)), of_c, scope=seg.shared())
                    with air.herd([range(2), range(2)], shape=(2, 2)) as zero:

                        @zero.body
                        def _(x, y):
                            acc[:] = 0.0

                    for k in air.sequential(0, K, tk):
                        air.ops.load(a2, A[i * 2 * tm : i * 2 * tm + 2 * tm, k : k + tk])
                        air.ops.load(b2, B[k : k + tk, j * 2 * tn : j * 2 * tn + 2 * tn])
                        with air.herd([range(2), range(2)], shape=(2, 2)) as h:

                            @h.body
                            def _(x, y):
                                a1 = air.alloc(mm.a(tm, tk), of_ab, scope=h.private())
                                b1 = air.alloc(mm.b(tk, tn), of_ab, scope=h.private())
                                air.ops.load(a1, a2[x * tm : x * tm + tm, :])
                                air.ops.load(b1, b2[:, y * tn : y * tn + tn])
                                air.ops.dot(a1, b1, acc=acc, **dot)

                    with air.herd([range(2), range(2)], shape=(2, 2)) as out:

                        @out.body
                        def _(x, y):
                            air.ops.store(acc[x, y, :, :], c2[x * tm : x * tm + tm, y * tn : y * tn + tn])

                    air.ops.store(c2, C[i * 2 * tm : i * 2 * tm + 2 * tm, j * 2 * tn : j * 2 * tn + 2 * tn])

    return launch


PRODUCTS = [
    ("npu1", (4, 8, 4), (bf16, f32)),
    ("npu2", (8, 8, 8), (bf16, f32)),
    ("npu1", (4, 8, 8), (i8, i32)),
    ("npu2", (8, 8, 8), (i8, i32)),
    ("npu1", (4, 4, 4), (i16, i32)),
    ("npu2", (4, 4, 8), (i16, i32)),
]


@pytest.mark.parametrize(("device", "micro", "kinds"), PRODUCTS)
def test_matmul_of_packed_micro_tiles(device, micro, kinds):
    M, N, K = 64, 96, 48
    a, b = some((M, K), kinds[0], -6, 6), some((K, N), kinds[0], -6, 6)
    found = matmul(M, N, K, (16, 24, 24), micro, kinds).compile(target=device)(a, b)
    np.testing.assert_array_equal(found, a.astype(np.int64) @ b.astype(np.int64))


@DEVICES
def test_broadcast(device):
    X = air.tensor([64], i32)
    Y = air.tensor([192], i32)
    to_core = air.channel("ToCore", size=[1, 1], broadcast_shape=[1, 3])
    back = air.channel("Back", size=[1, 3])
    with air.launch(name="spread") as launch:

        @launch.body
        def _():
            with air.segment() as seg:

                @seg.body
                def _():
                    to_core.put(X)
                    with air.herd([range(1), range(3)], shape=(1, 3)) as h:

                        @h.body
                        def _(i, j):
                            t = air.alloc([64], i32, scope=h.private())
                            to_core.get(t, indices=[i, j])
                            t[:] = t[:] * 2 + j
                            back.put(t, indices=[i, j])

                    for n in range(3):
                        back.get(Y[n * 64 : n * 64 + 64], indices=[0, n])

    x = some(64, i32)
    np.testing.assert_array_equal(launch.compile(target=device)(x), np.concatenate([2 * x + n for n in range(3)]))


KERNEL = """
#include <aie_api/aie.hpp>
extern "C" void scale_rows(int32_t rows, bfloat16 factor, float in[16][8], float out[16][8]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 8; j++)
      out[i][j] = in[i][j] * (float)factor;
}
extern "C" void invert(uint8_t in[64], uint8_t out[64], int32_t mask) {
  for (int i = 0; i < 64; i++)
    out[i] = in[i] ^ (uint8_t)mask;
}
"""


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    (tmp_path / "scale.cc").write_text(KERNEL)
    monkeypatch.chdir(tmp_path)


@DEVICES
def test_extern_kernel(device, kernels):
    X = air.tensor([64, 8], f32)
    Y = air.tensor([64, 8], f32)
    scale = air.extern("scale_rows", object="scale.o", scalars=[i32, bf16])
    with air.launch(name="scaled") as launch:

        @launch.body
        def _():
            with air.herd(range(4)) as h:

                @h.body
                def _(i):
                    tile_in = air.alloc([16, 8], f32, scope=h.private())
                    tile_out = air.alloc([16, 8], f32, scope=h.private())
                    air.ops.load(tile_in, X[i * 16 : i * 16 + 16, :])
                    scale(16, 0.5, tile_in, tile_out)
                    air.ops.store(tile_out, Y[i * 16 : i * 16 + 16, :])

    x = some((64, 8), f32)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x * np.float32(0.5))


@DEVICES
def test_extern_kernel_of_unsigned_and_a_coordinate(device, kernels):
    X = air.tensor([256], ui8)
    Y = air.tensor([256], ui8)
    invert = air.extern("invert", object="scale.o", scalars=[i32])
    with air.launch(name="inverted") as launch:

        @launch.body
        def _():
            with air.herd(range(0, 256, 64)) as h:

                @h.body
                def _(i):
                    a, b = (air.alloc([64], ui8, scope=h.private()) for _ in range(2))
                    air.ops.load(a, X[i * 64 : i * 64 + 64])
                    invert(a, b, i * 3 + 1)
                    air.ops.store(b, Y[i * 64 : i * 64 + 64])

    x = some(256, ui8, 0, 256)
    masks = np.repeat(np.arange(4, dtype=np.uint8) * 3 + 1, 64)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x ^ masks.astype(np.uint8))


# Elementwise


@DEVICES
@pytest.mark.parametrize("dtype", TYPES, ids=lambda d: d.name)
def test_arithmetic_of_every_type(dtype, device):
    launch = elementwise(lambda a, b: air.ops.maximum(a * 2 - b, 1 - a) + 3, 2, dtype)
    a, b = some(512, dtype, -20, 20), some(512, dtype, -20, 20)
    np.testing.assert_array_equal(launch.compile(target=device)(a, b), np.maximum(a * 2 - b, 1 - a) + 3)


@pytest.mark.parametrize("dtype", TYPES, ids=lambda d: d.name)
@pytest.mark.parametrize("vector", [None, 0, 4])
def test_lanes(dtype, vector):
    a = some(60 * 4, dtype)
    launch = elementwise(lambda x: air.ops.minimum(-x, 7), 1, dtype, 240, 60, vector=vector)
    np.testing.assert_array_equal(launch.compile(target="npu1")(a), np.minimum(-a, 7).astype(dtype.np_dtype))


@DEVICES
@pytest.mark.parametrize("dtype", [bf16, f32], ids=lambda d: d.name)
@pytest.mark.parametrize("name", ["relu", "tanh", "sigmoid", "silu", "gelu", "exp"])
def test_functions(name, dtype, device):
    x = (some(512, dtype) / 16).astype(dtype.np_dtype)
    launch = elementwise(getattr(air.ops, name), 1, dtype)
    v = x.astype(np.float64)
    half = 0.5 * (np.tanh(0.5 * v) + 1)
    inner = air.ops.GELU_SQRT_2_OVER_PI * (v + air.ops.GELU_BETA * v**3)
    wanted = {
        "relu": np.maximum(v, 0), "tanh": np.tanh(v), "sigmoid": half, "silu": v * half, "exp": np.exp(v),
        "gelu": 0.5 * v * (np.tanh(inner) + 1),
    }[name]  # fmt: skip
    # each of at most nine operations rounds to half a unit: 2**-9 for bf16; sums of tanh and 1 lose up to the size of 1
    unit = 2.0 ** (-9 if dtype is bf16 else -24)
    np.testing.assert_allclose(
        launch.compile(target=device)(x).astype(np.float64), wanted, rtol=16 * unit, atol=8 * unit * max(1, float(abs(v).max()))
    )


def test_integer_division_truncates():
    a = some(64, i32)
    launch = elementwise(lambda x: x / 7, 1, i32, 64, 64)
    np.testing.assert_array_equal(launch.compile(target="npu1")(a), np.trunc(a / 7).astype(np.int32))


@DEVICES
@pytest.mark.parametrize("dtype", [ui8, ui16, ui32], ids=lambda d: d.name)
def test_unsigned_moves(dtype, device):
    launch = elementwise(lambda x: x, 1, dtype)
    x = some(512, dtype, 0, 250)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x)


@DEVICES
def test_odd_sizes(device):
    """No extent is a multiple of anything: loops are scalar, tiles are 13 x 7 and 3 x 5 of them."""
    X = air.tensor([39, 35], i32)
    Y = air.tensor([39, 35], i32)
    with air.launch(name="odd") as launch:

        @launch.body
        def _():
            with air.herd(product(range(0, 39, 13), range(0, 35, 7))) as h:

                @h.body
                def _(i, j):
                    at = (slice(i * 13, i * 13 + 13), slice(j * 7, j * 7 + 7))
                    t = air.alloc([13, 7], i32, scope=h.private())
                    air.ops.load(t, X[at])
                    t[:] = t[:] + (i * 5 + j)
                    air.ops.store(t, Y[at])

    x = some((39, 35), i32)
    blocks = np.kron(np.arange(15, dtype=np.int32).reshape(3, 5), np.ones((13, 7), np.int32))
    np.testing.assert_array_equal(launch.compile(target=device)(x), x + blocks)


@DEVICES
def test_strips_in_a_loop(device):
    """Each core takes its rows piece by piece, with a symbol as the piece's size."""
    piece = air.symbol(choices=[64, 128], default=64)
    A = air.tensor([8, 512], bf16)
    B = air.tensor([8, 512], bf16)
    C = air.tensor([8, 512], bf16)
    with air.launch(name="strips") as launch:

        @launch.body
        def _():
            with air.herd(range(8)) as h:

                @h.body
                def _(i):
                    a, b, c = (air.alloc([1, piece], bf16, scope=h.private()) for _ in range(3))
                    for k in air.sequential(0, 512, piece):
                        air.ops.load(a, A[i, k : k + piece])
                        air.ops.load(b, B[i, k : k + piece])
                        c[:] = a[:] + b[:]
                        air.ops.store(c, C[i, k : k + piece])

    a, b = some((8, 512), bf16), some((8, 512), bf16)
    kernel = launch.compile(target=device)
    np.testing.assert_array_equal(kernel(a, b), a + b)
    assert kernel.search_space == {"piece": 64}


# Products on plain tiles, reductions


@DEVICES
@pytest.mark.parametrize("transposed", [False, True])
def test_plain_matmul(transposed, device):
    A = air.tensor([32, 40], bf16)
    B = air.tensor([24, 40] if transposed else [40, 24], bf16)
    C = air.tensor([32, 24], f32)
    with air.launch(name="plain") as launch:

        @launch.body
        def _():
            with air.herd(range(0, 32, 8)) as h:

                @h.body
                def _(i):
                    a = air.alloc([8, 40], bf16, scope=h.private())
                    b = air.alloc(B.shape, bf16, scope=h.private())
                    c = air.alloc([8, 24], f32, scope=h.private())
                    air.ops.load(a, A[i * 8 : i * 8 + 8, :])
                    air.ops.load(b, B)
                    c[:] = 0
                    air.ops.dot(a, b, acc=c, transpose_b=transposed)
                    air.ops.store(c, C[i * 8 : i * 8 + 8, :])

    a, b = some((32, 40), bf16, -8, 8), some(B.shape, bf16, -8, 8)
    wide = b.astype(np.float32)
    np.testing.assert_array_equal(launch.compile(target=device)(a, b), a.astype(np.float32) @ (wide.T if transposed else wide))


@DEVICES
def test_vectors_and_reductions(device):
    """Two outputs: a matrix times a vector, and the greatest element of each row."""
    A = air.tensor([32, 16], i32)
    V = air.tensor([16], i32)
    P = air.tensor([32], i32)
    Q = air.tensor([32], i32)
    with air.launch(name="rows") as launch:

        @launch.body
        def _():
            with air.herd(range(0, 32, 16)) as h:

                @h.body
                def _(i):
                    a = air.alloc([16, 16], i32, scope=h.private())
                    v, p, q = (air.alloc([16], i32, scope=h.private()) for _ in range(3))
                    air.ops.load(a, A[i * 16 : i * 16 + 16, :])
                    air.ops.load(v, V)
                    p[:] = 0
                    q[:] = -1000
                    air.ops.dot(a, v, acc=p)
                    air.ops.reduce(a, q, kind="max")
                    air.ops.store(p, P[i * 16 : i * 16 + 16])
                    air.ops.store(q, Q[i * 16 : i * 16 + 16])

    a, v = some((32, 16), i32), some(16, i32)
    products, greatest = launch.compile(target=device)(a, v)
    np.testing.assert_array_equal(products, a @ v)
    np.testing.assert_array_equal(greatest, a.max(axis=1))


# Channels, segments, several herds


@DEVICES
def test_a_ring_of_workers(device):
    """Each worker sends its tile to the next one."""
    X = air.tensor([4, 64], i32)
    Y = air.tensor([4, 64], i32)
    ring = air.channel("Ring", size=[4])
    with air.launch(name="ring") as launch:

        @launch.body
        def _():
            with air.segment() as seg:

                @seg.body
                def _():
                    with air.herd(range(4), shape=4) as h:

                        @h.body
                        def _(i):
                            a, b = (air.alloc([64], i32, scope=h.private()) for _ in range(2))
                            air.ops.load(a, X[i, :])
                            ring.put(a, indices=[(i + 1) % 4])
                            ring.get(b, indices=[i])
                            b[:] = b[:] + i
                            air.ops.store(b, Y[i, :])

    x = some((4, 64), i32)
    np.testing.assert_array_equal(launch.compile(target=device)(x), np.roll(x, 1, axis=0) + np.arange(4)[:, None])


@DEVICES
def test_herds_in_a_row(device):
    """Two herds pass tiles on by a channel; the second writes to L2, which the segment stores."""
    X = air.tensor([128], i16)
    Y = air.tensor([128], i16)
    between = air.channel("Between", size=[2])
    with air.launch(name="pipeline") as launch:

        @launch.body
        def _():
            with air.segment() as seg:

                @seg.body
                def _():
                    c2 = air.alloc([128], i16, scope=seg.private())
                    with air.herd(range(2), name="first", shape=2) as first:

                        @first.body
                        def _(i):
                            t = air.alloc([64], i16, scope=first.private())
                            air.ops.load(t, X[i * 64 : i * 64 + 64])
                            t[:] = t[:] * 3
                            between.put(t, indices=[i])

                    with air.herd(range(2), name="second", shape=2) as second:

                        @second.body
                        def _(i):
                            t = air.alloc([64], i16, scope=second.private())
                            between.get(t, indices=[i])
                            t[:] = t[:] - 1
                            air.ops.store(t, c2[i * 64 : i * 64 + 64])

                    air.ops.store(c2, Y)

    x = some(128, i16)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x * 3 - 1)


@DEVICES
def test_a_stream_in_pieces(device):
    """One put, four gets: a channel is a stream."""
    X = air.tensor([4096], i8)
    Y = air.tensor([4096], i8)
    into, out = air.channel("Into"), air.channel("Out")
    with air.launch(name="passed") as launch:

        @launch.body
        def _():
            with air.segment() as seg:

                @seg.body
                def _():
                    into.put(X)
                    out.get(Y)
                    with air.herd(range(1)) as h:

                        @h.body
                        def _(_i):
                            a, b = (air.alloc([1024], i8, scope=h.private()) for _ in range(2))
                            for _ in air.sequential(4):
                                into.get(a)
                                b[:] = a[:]
                                out.put(b)

    x = some(4096, i8, -128, 128)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x)


@DEVICES
def test_a_channel_that_packs(device):
    """A row times a matrix, whose tiles a channel brings in the order of micro-tiles."""
    micro = (4, 8, 4)
    A = air.tensor([4, 32], bf16)
    B = air.tensor([32, 16], bf16)
    C = air.tensor([4, 16], f32)
    mm = air.micro_tile(*micro)
    to_a, to_b, back = air.channel("A"), air.channel("B"), air.channel("C")
    with air.launch(name="vm") as launch:

        @launch.body
        def _():
            with air.segment() as seg:

                @seg.body
                def _():
                    to_a.put(A[:, :], pack=mm.a(4, 32))
                    to_b.put(B[:, :], pack=mm.b(32, 16))
                    with air.herd(range(1)) as h:

                        @h.body
                        def _(_i):
                            a = air.alloc(mm.a(4, 32), bf16, scope=h.private())
                            b = air.alloc(mm.b(32, 16), bf16, scope=h.private())
                            c = air.alloc(mm.c(4, 16), f32, scope=h.private())
                            to_a.get(a)
                            to_b.get(b)
                            c[:] = 0
                            air.ops.dot(a, b, acc=c)
                            back.put(c[0, 0, :, :])

                    back.get(C[:, :])

    a, b = some((4, 32), bf16, -8, 8), some((32, 16), bf16, -8, 8)
    np.testing.assert_array_equal(launch.compile(target=device)(a, b), a.astype(np.float32) @ b.astype(np.float32))


@DEVICES
def test_a_segment_with_an_iteration_space(device):
    X = air.tensor([64], i32)
    Y = air.tensor([64], i32)
    into, out = air.channel("Into", size=[2, 1]), air.channel("Out", size=[2, 1])
    with air.launch(name="unrolled") as launch:

        @launch.body
        def _():
            with air.segment([range(2), range(1)]) as seg:

                @seg.body
                def _(a, b):
                    into.put(X[a * 32 : a * 32 + 32], indices=[a, b])
                    with air.herd([range(1), range(1)]) as h:

                        @h.body
                        def _(_i, _j):
                            t = air.alloc([32], i32, scope=h.private())
                            into.get(t, indices=[a, b])
                            t[:] = t[:] + a
                            out.put(t, indices=[a, b])

                    out.get(Y[a * 32 : a * 32 + 32], indices=[a, b])

    x = some(64, i32)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x + np.arange(64) // 32)


@DEVICES
def test_a_grid_of_launches_whose_coordinates_herds_use(device):
    X = air.tensor([256], i32)
    Y = air.tensor([256], i32)
    with air.launch(range(0, 256, 64), name="points") as launch:

        @launch.body
        def _(p):
            with air.herd(range(2)) as h:

                @h.body
                def _(i):
                    at = slice(p * 64 + i * 32, p * 64 + i * 32 + 32)
                    t = air.alloc([32], i32, scope=h.private())
                    air.ops.load(t, X[at])
                    t[:] = t[:] + p
                    air.ops.store(t, Y[at])

    x = some(256, i32)
    np.testing.assert_array_equal(launch.compile(target=device)(x), x + np.arange(256) // 64)


def test_l2_in_a_loop():
    """An L2 buffer that each turn of the segment's loop allocates for itself."""
    X = air.tensor([256], i32)
    Y = air.tensor([256], i32)
    with air.launch(name="staged") as launch:

        @launch.body
        def _():
            with air.segment() as seg:

                @seg.body
                def _():
                    for k in air.sequential(0, 256, 64):
                        b = air.alloc([64], i32, scope=seg.private())
                        c = air.alloc([64], i32, scope=seg.private())
                        air.ops.load(b, X[k : k + 64])
                        with air.herd(range(2), shape=2) as h:

                            @h.body
                            def _(i):
                                t = air.alloc([32], i32, scope=h.private())
                                air.ops.load(t, b[i * 32 : i * 32 + 32])
                                t[:] = t[:] + 5
                                air.ops.store(t, c[i * 32 : i * 32 + 32])

                        air.ops.store(c, Y[k : k + 64])

    x = some(256, i32)
    np.testing.assert_array_equal(launch.compile(target="npu1")(x), x + 5)


# Kernels and runners


def test_the_runner_takes_the_module():
    x = some(512, i32)
    module = elementwise(lambda v: v + 1, 1, i32).build("npu1")
    assert XRTRunner(target_device="npu1").run_test(module, [x], [x + 1]) == 0


def test_kernels_check_their_arrays():
    kernel = air.compile(elementwise(lambda v: v + 1, 1, i32), target="npu1")
    with pytest.raises(TypeError, match="takes 1 array, got 2"):
        kernel(some(512, i32), some(512, i32))
    with pytest.raises(TypeError, match=r"tensor 'X0' takes an array of int32, got int16; use \.astype"):
        kernel(some(512, i16))
    with pytest.raises(ValueError, match=r"tensor 'X0' takes an array of shape \[512\], got \[256\]"):
        kernel(some(256, i32))
    kernel.unload()
    with pytest.raises(RuntimeError, match="was unloaded"):
        kernel(some(512, i32))


def test_failures_are_told_in_the_programs_words():
    X = air.tensor([512], i32)
    Y = air.tensor([512], i32)
    launch = air.launch(name="wide")

    @launch.body
    def _():
        with air.herd(range(16), shape=16) as h:

            @h.body
            def _(i):
                t = air.alloc([32], i32, scope=h.private())
                air.ops.load(t, X[i * 32 : i * 32 + 32])
                air.ops.store(t, Y[i * 32 : i * 32 + 32])

    with pytest.raises(AlloAirError, match=r"herd 'herd_0' has the shape \[16\] for a grid of \[16\]") as raised:
        launch.compile(target="npu1")
    assert all(d.file == __file__ for d in raised.value.diagnostics)


def test_a_deadlock_is_told_at_the_programs_lines():
    """The core waits for 64 elements, and gets 32."""
    X = air.tensor([64], i32)
    Y = air.tensor([64], i32)
    short = air.channel("Short")
    launch = air.launch(name="stuck")

    @launch.body
    def _():
        with air.segment() as seg:

            @seg.body
            def _():
                short.put(X[0:32])
                with air.herd(range(1)) as h:

                    @h.body
                    def _(_i):
                        a = air.alloc([64], i32, scope=h.private())
                        short.get(a)
                        air.ops.store(a, Y)

    with pytest.raises(
        AlloAirError, match="1 put of 128 bytes in all and 1 get of 256 bytes in all: 128 bytes never come"
    ) as raised:
        launch.compile(target="npu1")(some(64, i32))
    found = raised.value.diagnostics[0]
    with open(__file__, encoding="utf-8") as program:
        assert found.file == __file__ and "short." in program.read().splitlines()[found.line - 1]
