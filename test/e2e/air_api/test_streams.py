"""Kinds of programs that MLIR-AIR has in air.api: channels between all levels, several herds and segments, reductions."""

from itertools import product

import numpy as np
import pytest

from allo_air.air import api as air
from allo_air.air.api import bf16, f32, i32

RNG = np.random.default_rng(3)
PAIRS = list(product(range(2), range(2)))


@pytest.fixture(params=["npu1", "npu2"])
def device(request):
    return request.param


def some(*shape):
    return RNG.integers(-50, 50, shape).astype(np.int32)


def in_segment(body):
    """A launch whose one segment's body is `body(seg)`."""
    launch = air.launch(name="streams")

    @launch.body
    def _():
        with air.segment() as seg:
            seg.body(lambda: body(seg))

    return launch


def tiles(h, count, *shape):
    return [air.alloc(shape, i32, scope=h.private()) for _ in range(count)]


def test_puts_in_nested_loops(device):
    X = air.tensor([32, 16], i32)
    Y = air.tensor([32, 16], i32)
    into, out = air.channel("Into"), air.channel("Out")

    def body(seg):
        for r in air.sequential(0, 32, 8):
            for c in air.sequential(0, 16, 8):
                into.put(X[r : r + 8, c : c + 8])
        for r in air.sequential(0, 32, 8):
            for c in air.sequential(0, 16, 8):
                out.get(Y[r : r + 8, c : c + 8])
        with air.herd(range(1)) as h:

            @h.body
            def _(_i):
                a, b = tiles(h, 2, 8, 8)
                for _ in air.sequential(8):
                    into.get(a)
                    b[:] = a[:] + 1
                    out.put(b)

    x = some(32, 16)
    np.testing.assert_array_equal(in_segment(body).compile(target=device)(x), x + 1)


def test_a_herd_for_each_tile(device):
    X = air.tensor([32, 16], i32)
    Y = air.tensor([32, 16], i32)
    into, out = air.channel("Into", size=[2, 2]), air.channel("Out", size=[2, 2])

    def body(seg):
        for r, c in PAIRS:
            into.put(X[r * 16 : r * 16 + 16, c * 8 : c * 8 + 8], indices=[r, c])
        for r, c in PAIRS:
            out.get(Y[r * 16 : r * 16 + 16, c * 8 : c * 8 + 8], indices=[r, c])
        for r, c in PAIRS:
            with air.herd(range(1), name=f"herd_{r}_{c}") as h:

                @h.body
                def _(_i):
                    a, b = tiles(h, 2, 16, 8)
                    into.get(a, indices=[r, c])
                    b[:] = a[:] + (2 * r + c)
                    out.put(b, indices=[r, c])

    x = some(32, 16)
    numbers = np.kron(np.arange(4, dtype=np.int32).reshape(2, 2), np.ones((16, 8), np.int32))
    np.testing.assert_array_equal(in_segment(body).compile(target=device)(x), x + numbers)


def test_channels_through_l2(device):
    X = air.tensor([32, 16], i32)
    Y = air.tensor([32, 16], i32)
    to_l2, to_l1, from_l1, from_l2 = (air.channel(n) for n in ("ToL2", "ToL1", "FromL1", "FromL2"))

    def body(seg):
        to_l2.put(X)
        a, b = (air.alloc([32, 16], i32, scope=seg.private()) for _ in range(2))
        to_l2.get(a)
        to_l1.put(a)
        with air.herd(range(1)) as h:

            @h.body
            def _(_i):
                t, u = tiles(h, 2, 32, 16)
                to_l1.get(t)
                u[:] = t[:] * 3
                from_l1.put(u)

        from_l1.get(b)
        from_l2.put(b)
        from_l2.get(Y)

    x = some(32, 16)
    np.testing.assert_array_equal(in_segment(body).compile(target=device)(x), x * 3)


def test_a_worker_to_itself(device):
    X = air.tensor([64], i32)
    Y = air.tensor([64], i32)
    own = air.channel("Own")

    def body(seg):
        with air.herd(range(1)) as h:

            @h.body
            def _(_i):
                a, b = tiles(h, 2, 64)
                air.ops.load(a, X)
                own.put(a)
                own.get(b)
                b[:] = b[:] + 1
                air.ops.store(b, Y)

    x = some(64)
    np.testing.assert_array_equal(in_segment(body).compile(target=device)(x), x + 1)


def test_a_ring_on_two_axes(device):
    X = air.tensor([4, 64], i32)
    Y = air.tensor([4, 64], i32)
    ring = air.channel("Ring", size=[2, 2])

    def body(seg):
        with air.herd([range(2), range(2)], shape=(2, 2)) as h:

            @h.body
            def _(i, j):
                a, b = tiles(h, 2, 64)
                n = i * 2 + j
                air.ops.load(a, X[n, :])
                ring.put(a, indices=[((n + 1) % 4) // 2, (n + 1) % 2])
                ring.get(b, indices=[i, j])
                air.ops.store(b, Y[n, :])

    x = some(4, 64)
    np.testing.assert_array_equal(in_segment(body).compile(target=device)(x), np.roll(x, 1, axis=0))


@pytest.mark.parametrize("herds", [1, 3])
def test_a_broadcast_from_a_herd(herds, device):
    """To the cores of one herd, and to three herds."""
    X = air.tensor([64], i32)
    Y = air.tensor([192], i32)
    spread = air.channel("Spread", size=[1], broadcast_shape=[3])

    def body(seg):
        with air.herd(range(1), name="source") as source:

            @source.body
            def _(i):
                [t] = tiles(source, 1, 64)
                air.ops.load(t, X)
                t[:] = t[:] * 5
                spread.put(t, indices=[i])

        for n in range(herds):
            with air.herd(range(3 // herds), name=f"sink_{n}", shape=3 // herds) as h:

                @h.body
                def _(i):
                    [t] = tiles(h, 1, 64)
                    place = i + n
                    spread.get(t, indices=[place])
                    t[:] = t[:] + place
                    air.ops.store(t, Y[place * 64 : place * 64 + 64])

    x = some(64)
    np.testing.assert_array_equal(in_segment(body).compile(target=device)(x), np.concatenate([5 * x + n for n in range(3)]))


def test_two_segments(device):
    X = air.tensor([64], i32)
    Y = air.tensor([64], i32)
    Z = air.tensor([64], i32)
    launch = air.launch(name="two")

    @launch.body
    def _():
        for n, out in enumerate((Y, Z)):
            with air.segment(name=f"segment_{n}") as seg:

                @seg.body
                def _():
                    with air.herd(range(2), name=f"herd_{n}") as h:

                        @h.body
                        def _(i):
                            [t] = tiles(h, 1, 32)
                            air.ops.load(t, X[i * 32 : i * 32 + 32])
                            t[:] = t[:] + n
                            air.ops.store(t, out[i * 32 : i * 32 + 32])

    x = some(64)
    y, z = launch.compile(target=device)(x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(z, x + 1)


def test_a_reduction_that_is_not_staged(device):
    """Both operands stream from L3 in a loop."""
    A = air.tensor([32, 64], i32)
    B = air.tensor([64, 32], i32)
    C = air.tensor([32, 32], i32)

    def body(seg):
        with air.herd([range(2), range(2)], shape=(2, 2)) as h:

            @h.body
            def _(i, j):
                a, b, c = tiles(h, 3, 16, 16)
                c[:] = 0
                for k in air.sequential(0, 64, 16):
                    air.ops.load(a, A[i * 16 : i * 16 + 16, k : k + 16])
                    air.ops.load(b, B[k : k + 16, j * 16 : j * 16 + 16])
                    air.ops.dot(a, b, acc=c)
                air.ops.store(c, C[i * 16 : i * 16 + 16, j * 16 : j * 16 + 16])

    a, b = some(32, 64), some(64, 32)
    np.testing.assert_array_equal(in_segment(body).compile(target=device)(a, b), a @ b)


def test_a_grid_of_products_with_a_vector(device):
    A = air.tensor([128, 64], bf16)
    V = air.tensor([64], bf16)
    Y = air.tensor([128], f32)
    with air.launch(range(0, 128, 64), name="gemv") as launch:

        @launch.body
        def _(p):
            with air.segment() as seg:

                @seg.body
                def _():
                    a2 = air.alloc([64, 64], bf16, scope=seg.private())
                    y2 = air.alloc([64], f32, scope=seg.private())
                    air.ops.load(a2, A[p * 64 : p * 64 + 64, :])
                    with air.herd(range(4)) as h:

                        @h.body
                        def _(i):
                            a = air.alloc([16, 64], bf16, scope=h.private())
                            v = air.alloc([64], bf16, scope=h.private())
                            y = air.alloc([16], f32, scope=h.private())
                            air.ops.load(a, a2[i * 16 : i * 16 + 16, :])
                            air.ops.load(v, V)
                            y[:] = 0
                            air.ops.dot(a, v, acc=y)
                            air.ops.store(y, y2[i * 16 : i * 16 + 16])

                    air.ops.store(y2, Y[p * 64 : p * 64 + 64])

    a, v = some(128, 64).astype(bf16.np_dtype), some(64).astype(bf16.np_dtype)
    np.testing.assert_array_equal(launch.compile(target=device)(a, v), a.astype(np.float32) @ v.astype(np.float32))


def test_a_product_by_a_named_kernel(device, tmp_path, monkeypatch):
    """`kernel=` names the function that air-linalg-to-func calls."""
    (tmp_path / "mm.cc").write_text(
        'extern "C" void product(int *a, int *b, int *c) {\n'
        "  for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) for (int k = 0; k < 16; k++)\n"
        "    c[16 * i + j] += a[16 * i + k] * b[16 * k + j];\n}\n"
    )
    A = air.tensor([16, 16], i32)
    B = air.tensor([16, 16], i32)
    C = air.tensor([16, 16], i32)

    def body(seg):
        with air.herd(range(1)) as h:

            @h.body
            def _(_i):
                a, b, c = tiles(h, 3, 16, 16)
                air.ops.load(a, A)
                air.ops.load(b, B)
                c[:] = 0
                air.ops.dot(a, b, acc=c, kernel="product")
                air.ops.store(c, C)

    kernels = {"product": str(tmp_path / "mm.cc")}
    kernel = in_segment(body).compile(target=device, lower_linalg_to_func="mm.o", kernels=kernels)
    a, b = some(16, 16), some(16, 16)
    np.testing.assert_array_equal(kernel(a, b), a @ b)
