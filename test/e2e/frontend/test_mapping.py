"""Kernels on fewer cores than instances: bundle and chain, and what is folded without being told."""

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.ir.types import Stream, int16, int32
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate
RNG = np.random.default_rng(12)


def ints(*shape, dtype=np.int32):
    return RNG.integers(-9, 9, shape).astype(dtype)


def split_k(M, N, K, Pm, Pn, Pk):
    """A matrix product in Pk parts, each of whose sums go on to the next."""
    Mt, Nt = M // Pm, N // Pn

    @df.region()
    def top(A: int16[M, K], B: int16[K, N], C: int32[M, N]):
        pipe: Stream[int32[Mt, Nt], 2][Pk - 1, Pm, Pn]

        @df.kernel(mapping=[Pk, Pm, Pn], args=[A, B, C])
        def gemm(a: int16[M, K] @ [S(1), S(0)], b: int16[K, N] @ [S(0), S(2)], c: int32[M, N] @ [S(1), S(2)]):
            pk, pm, pn = df.get_pid()
            before: int32[Mt, Nt]
            with allo.meta_if(pk > 0):
                before[:, :] = pipe[pk - 1, pm, pn].get()
            with allo.meta_else():
                before[:, :] = 0
            out: int32[Mt, Nt] = allo.add(allo.matmul(a, b), before)
            with allo.meta_if(pk < Pk - 1):
                pipe[pk, pm, pn].put(out)
            with allo.meta_else():
                c[:, :] = out

    return top


def check(region, M, N, K, primitives=(), **options):
    run = df.build(region, target="aie", mapping_primitives=list(primitives), **options)
    a, b, c = ints(M, K, dtype=np.int16), ints(K, N, dtype=np.int16), np.zeros((M, N), np.int32)
    run(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)
    return run


def test_chains_in_bundles_are_rounds_of_a_launch():
    chains, names = [], {}
    for i in range(4):
        for j in range(4):
            chains.append(("chain", [f"gemm_0_{i}_{j}", f"gemm_1_{i}_{j}"]))
            names[i, j] = f"gemm_0_{i}_{j}-gemm_1_{i}_{j}"
    bundles = [
        ("bundle", [names[i + 2 * p, j + 2 * q] for p in range(2) for q in range(2)]) for i in range(2) for j in range(2)
    ]
    run = check(split_k(32, 16, 24, 4, 4, 2), 32, 16, 24, [*chains, *bundles])
    assert run.module.count("air.herd @") == 4
    assert "air.launch (%l0, %l1)" in run.module and "pipe" not in run.module


def test_more_instances_than_cores_are_folded():
    run = check(split_k(24, 20, 12, 3, 5, 3), 24, 20, 12, device_type="npu1_1col")
    assert run.module.count("air.herd @") <= 4
    assert {kind for kind, _ in run.mapping_primitives} == {"chain", "bundle"}
    again = check(split_k(24, 20, 12, 3, 5, 3), 24, 20, 12, run.mapping_primitives, device_type="npu1_1col")
    assert again.module == run.module


@pytest.mark.parametrize("count", [5, 8, 11])
def test_vectors_on_more_parts_than_cores(count):
    M = 8 * count

    @df.region()
    def top(A: int32[M], B: int32[M]):
        @df.kernel(mapping=[count], args=[A, B])
        def core(a: int32[M] @ [S(0)], b: int32[M] @ [S(0)]):
            i = df.get_pid()
            b[:] = allo.add(a, i)

    a, b = ints(M), np.zeros(M, np.int32)
    df.build(top, target="aie", device_type="npu1_1col")(a, b)
    np.testing.assert_array_equal(b, a + np.repeat(np.arange(count), 8))


@pytest.mark.parametrize("blocks", [True, False])
def test_a_chain_keeps_its_stream_in_memory(blocks):
    M = 12
    kind = int32[M] if blocks else int32

    @df.region()
    def top(A: int32[M], B: int32[M]):
        pipe: Stream[kind, 2]

        @df.kernel(mapping=[1], args=[A])
        def producer(a: int32[M]):
            with allo.meta_if(blocks):
                pipe.put(a)
                pipe.put(allo.mul(a, 2))
            with allo.meta_else():
                for i in range(M):
                    pipe.put(a[i])

        @df.kernel(mapping=[1], args=[B])
        def consumer(b: int32[M]):
            with allo.meta_if(blocks):
                b[:] = allo.add(pipe.get(), pipe.get())
            with allo.meta_else():
                for i in range(M):
                    b[i] = pipe.get() * 3

    run = df.build(top, target="aie", mapping_primitives=[("chain", ["producer_0", "consumer_0"])])
    assert "@pipe" not in run.module
    a, b = ints(M), np.zeros(M, np.int32)
    run(a, b)
    np.testing.assert_array_equal(b, 3 * a)


@pytest.mark.parametrize(
    "primitives",
    [
        [],
        [("chain", ["first_0", "second_0"]), ("chain", ["first_1", "second_1"])],
        [("bundle", [("first_0", "second_0"), ("first_1", "second_1")])],
        [("chain", ["first_0", "second_0"]), ("chain", ["first_1", "second_1"]),
         ("bundle", ["first_0-second_0", "first_1-second_1"])],
    ],
)  # fmt: skip
def test_a_pair_of_layers_in_parallel(primitives):
    M, K, N, L, P = 4, 8, 16, 8, 2

    @df.region()
    def top(X: int32[M, K], W: int32[K, N], V: int32[N, L], Y: int32[M, L]):
        hidden: Stream[int32[M, N // P], 2][P]
        part: Stream[int32[M, L], 2][P]

        @df.kernel(mapping=[P], args=[X, W])
        def first(x: int32[M, K], w: int32[K, N] @ [R, S(0)]):
            hidden[df.get_pid()].put(allo.matmul(x, w))

        @df.kernel(mapping=[P], args=[V])
        def second(v: int32[N, L] @ [S(0), R]):
            part[df.get_pid()].put(allo.matmul(hidden[df.get_pid()].get(), v))

        @df.kernel(mapping=[1], args=[Y])
        def total(y: int32[M, L]):
            y[:, :] = 0
            for i in range(P):
                y[:, :] += part[i].get()

    x, w, v, y = ints(M, K), ints(K, N), ints(N, L), np.zeros((M, L), np.int32)
    df.build(top, target="aie", mapping_primitives=primitives)(x, w, v, y)
    np.testing.assert_array_equal(y, x @ w @ v)


def test_what_one_part_writes_and_another_reads_is_read_before():
    M, P = 32, 8

    @df.region()
    def top(A: int32[M]):
        @df.kernel(mapping=[P], args=[A, A])
        def core(whole: int32[M], mine: int32[M] @ [S(0)]):
            i = df.get_pid()
            for j in range(M // P):
                mine[j] = whole[M - 1 - (i * (M // P) + j)]

    a = ints(M)
    wanted = a[::-1].copy()
    df.build(top, target="aie", device_type="npu1_1col")(a)
    np.testing.assert_array_equal(a, wanted)


def test_a_channel_of_a_long_chain_keeps_its_buffers():
    K, T = 8, 8

    @df.region()
    def top(A: int32[T, T * K], B: int32[T * K, T], C: int32[T, T]):
        pipe: Stream[int32[T, T], 2][K - 1]

        @df.kernel(mapping=[K], args=[A, B, C])
        def part(a: int32[T, T * K] @ [R, S(0)], b: int32[T * K, T] @ [S(0), R], c: int32[T, T]):
            k = df.get_pid()
            total: int32[T, T] = 0
            with allo.meta_if(k > 0):
                total[:, :] = pipe[k - 1].get()
            total[:, :] = allo.add(allo.matmul(a, b), total)
            with allo.meta_if(k < K - 1):
                pipe[k].put(total)
            with allo.meta_else():
                c[:, :] = total

    names = [f"part_{k}" for k in range(K)]
    chain = [("chain", ["-".join(names[:k]), names[k]]) for k in range(1, K)]
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-9, 9, shape).astype(np.int32) for shape in ((T, T * K), (T * K, T)))
    c = np.zeros((T, T), np.int32)
    df.build(top, mapping_primitives=chain)(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize(
    "primitives",
    [
        [("chain", ["gemm_0_0_0", "gemm_1_0_0"]), ("chain", ["gemm_2_0_0", "gemm_3_0_0"])],
        [("bundle", ["gemm_1_0_0", "gemm_2_0_0"])],
    ],
)
def test_two_parts_and_a_stream_for_two_channels(primitives):
    a, b, c = ints(16, 32, dtype=np.int16), ints(32, 16, dtype=np.int16), np.zeros((16, 16), np.int32)
    df.build(split_k(16, 16, 32, 1, 1, 4), target="aie", mapping_primitives=primitives)(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)


def test_sums_that_go_on_from_core_to_core_in_long_chains():
    check(split_k(32, 64, 128, 2, 4, 8), 32, 64, 128, device_type="npu1")
