"""Partial sums of several cores on one that adds them up: more streams than the core has DMA channels."""

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.ir.types import Stream, float32, int16, int32
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate


def region(Ty, size, parts):
    part = size // parts

    @df.region()
    def top(X: Ty[size, size], V: Ty[size, size], W: Ty[size, size], Z: Ty[size, size]):
        between: Stream[Ty[size, part], 2][parts]
        partial: Stream[Ty[size, size], 2][parts]

        @df.kernel(mapping=[parts], args=[X, V])
        def first(x: Ty[size, size], v: Ty[size, size] @ [R, S(0)]):
            p = df.get_pid()
            between[p].put(allo.matmul(x, v))

        @df.kernel(mapping=[parts], args=[W])
        def second(w: Ty[size, size] @ [S(0), R]):
            p = df.get_pid()
            partial[p].put(allo.matmul(between[p].get(), w))

        @df.kernel(mapping=[1], args=[Z])
        def total(z: Ty[size, size]):
            held: Ty[size, size] = 0
            with allo.meta_for(parts) as p:
                held[:, :] += partial[p].get()
            z[:, :] = held

    return top


@pytest.mark.parametrize(
    "Ty,kind,size,parts", [(int16, np.int16, 16, 4), (float32, np.float32, 64, 4), (int32, np.int32, 32, 8)]
)
def test_sums_of_many_cores(Ty, kind, size, parts):
    rng = np.random.default_rng(size)
    x, v, w = (rng.integers(0, 4, (size, size)).astype(kind) for _ in range(3))
    z = np.zeros((size, size), kind)
    df.build(region(Ty, size, parts), target="aie", device_type="npu2" if parts > 4 else "npu1")(x, v, w, z)
    np.testing.assert_array_equal(z, x @ v @ w)


@pytest.mark.parametrize("count,large,small", [(6, 16, 8), (9, 16, 8)])
def test_blocks_of_two_sizes_to_many_cores(count, large, small):
    total = count * large

    @df.region()
    def top(X: int32[total], Y: int32[small], Z: int32[total]):
        xs: Stream[int32[large], 2][count]
        ys: Stream[int32[small], 2][count]
        zs: Stream[int32[large], 2][count]

        @df.kernel(mapping=[1], args=[X])
        def send_x(x: int32[total]):
            with allo.meta_for(count) as p:
                xs[p].put(x[p * large : (p + 1) * large])

        @df.kernel(mapping=[1], args=[Y])
        def send_y(y: int32[small]):
            with allo.meta_for(count) as p:
                ys[p].put(y)

        @df.kernel(mapping=[count])
        def work():
            p = df.get_pid()
            a: int32[large] = xs[p].get()
            b: int32[small] = ys[p].get()
            c: int32[large] = 0
            for i in range(large):
                c[i] = a[i] * b[0]
            zs[p].put(c)

        @df.kernel(mapping=[1], args=[Z])
        def take_z(z: int32[total]):
            with allo.meta_for(count) as p:
                z[p * large : (p + 1) * large] = zs[p].get()

    x, y, z = np.arange(total, dtype=np.int32), np.arange(3, 3 + small, dtype=np.int32), np.zeros(total, np.int32)
    df.build(top, target="aie", device_type="npu2")(x, y, z)
    np.testing.assert_array_equal(z, 3 * x)
