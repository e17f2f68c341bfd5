"""Regions of kernels run on the simulated array and give numpy's numbers."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air import asm
from allo_air.backend.aie import ExternalModule, is_available
from allo_air.ir.types import Stream, bfloat16, float32, int8, int16, int32
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate
RNG = np.random.default_rng(11)


def ints(*shape, low=-50, high=50, dtype=np.int32):
    return RNG.integers(low, high, shape).astype(dtype)


def test_the_simulator_is_always_there():
    assert is_available()


@pytest.mark.parametrize("kind, dtype", [(int32, np.int32), (int16, np.int16), (int8, np.int8), (float32, np.float32)])
def test_vector(kind, dtype):
    M = 256

    @df.region()
    def top():
        @df.kernel(mapping=[1])
        def core(A: kind[M], B: kind[M]):
            B[:] = allo.add(A, 1)

    a, b = ints(M, dtype=dtype), np.zeros(M, dtype)
    df.build(top, target="aie")(a, b)
    np.testing.assert_array_equal(b, a + dtype(1))


def test_a_second_call_parses_nothing(monkeypatch):
    @df.region()
    def top(A: int32[16], B: int32[16]):
        @df.kernel(mapping=[1], args=[A, B])
        def core(a: int32[16], b: int32[16]):
            b[:] = allo.add(a, 1)

    run, a, b = df.build(top), ints(16), np.zeros(16, np.int32)
    run(a, b)
    monkeypatch.setattr(asm, "read", lambda *_: pytest.fail("parsed again"))
    run(b, b2 := np.zeros(16, np.int32))
    np.testing.assert_array_equal(b2, a + 2)


def test_bf16_on_npu2():
    M = 64

    @df.region()
    def top(A: bfloat16[M], B: bfloat16[M]):
        @df.kernel(mapping=[2], args=[A, B])
        def core(a: bfloat16[M] @ [S(0)], b: bfloat16[M] @ [S(0)]):
            b[:] = allo.mul(a, a)

    a, b = RNG.random(M).astype(ml_dtypes.bfloat16), np.zeros(M, ml_dtypes.bfloat16)
    df.build(top, target="sim", device_type="npu2")(a, b)
    np.testing.assert_array_equal(b, a * a)


@pytest.mark.parametrize("text", [True, False])
def test_gemm_over_a_grid(text):
    M, N, K, P0, P1 = 16, 24, 8, 2, 3
    LyA, LyB, LyC = (Layout(t) for t in ("S1R", "RS0", "S1S0")) if text else ([S(0), R], [R, S(1)], [S(0), S(1)])

    @df.region()
    def top():
        @df.kernel(mapping=[P0, P1])
        def gemm(A: int16[M, K] @ LyA, B: int16[K, N] @ LyB, C: int32[M, N] @ LyC):
            C[:, :] = allo.matmul(A, B)

    a, b, c = ints(M, K, dtype=np.int16), ints(K, N, dtype=np.int16), np.zeros((M, N), np.int32)
    df.build(top, target="aie")(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)


def test_producer_and_consumer_by_scalars():
    M, N = 4, 8

    @df.region()
    def top(A: int32[M, N], B: int32[M, N]):
        pipe: Stream[int32, 4]

        @df.kernel(mapping=[1], args=[A])
        def producer(a: int32[M, N]):
            for i, j in allo.grid(M, N):
                out: int32 = a[i, j]
                pipe.put(out)

        @df.kernel(mapping=[1], args=[B])
        def consumer(b: int32[M, N]):
            for i, j in allo.grid(M, N):
                data = pipe.get()
                b[i, j] = data + 1

    a, b = ints(M, N), np.zeros((M, N), np.int32)
    df.build(top, target="aie")(a, b)
    np.testing.assert_array_equal(b, a + 1)


def test_streams_of_narrow_scalars():
    N = 8

    @df.region()
    def top(A: int8[N], B: int8[N]):
        pipe: Stream[int8, 2]

        @df.kernel(mapping=[1], args=[A])
        def producer(a: int8[N]):
            for i in range(N):
                pipe.put(a[i])

        @df.kernel(mapping=[1], args=[B])
        def consumer(b: int8[N]):
            for i in range(N):
                b[i] = pipe.get() + 1

    a, b = ints(N, dtype=np.int8), np.zeros(N, np.int8)
    df.build(top, target="aie")(a, b)
    np.testing.assert_array_equal(b, a + np.int8(1))


def test_a_profile_has_the_predicted_time(capsys):
    @df.region()
    def top(A: int32[8]):
        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[8]):
            a[:] = allo.add(a, 1)

    run = df.build(top, target="aie", profile=True, warmup=2, num_iters=3)
    run(np.zeros(8, np.int32))
    assert run.last_profile.cycles > 0 and run.last_profile.average_us > 0
    assert f"{run.last_profile.average_us:.1f}us" in capsys.readouterr().out


def test_streams_as_they_were_declared_in_2025():
    M = 8

    @df.region()
    def top():
        pipe = df.array(df.pipe(dtype=int16, shape=(M,), depth=2), shape=(2,))

        @df.kernel(mapping=[2])
        def producer(A: int16[2 * M] @ Layout("S0")):
            i = df.get_pid()
            pipe[i].put(A)

        @df.kernel(mapping=[2])
        def consumer(B: int16[2 * M] @ Layout("S0")):
            i = df.get_pid()
            B[:] = allo.add(pipe[i].get(), i)

    a, b = ints(2 * M, dtype=np.int16), np.zeros(2 * M, np.int16)
    df.build(top, target="aie")(a, b)
    np.testing.assert_array_equal(b, a + np.repeat([0, 1], M).astype(np.int16))


def test_sums_over_split_k_pass_from_core_to_core():
    M, N, K, Pk, Pm, Pn = 8, 8, 16, 2, 2, 2
    Mt, Nt = M // Pm, N // Pn

    @df.region()
    def top(A: float32[M, K], B: float32[K, N], C: float32[M, N]):
        pipe: Stream[float32[Mt, Nt], 2][Pk - 1, Pm, Pn]

        @df.kernel(mapping=[Pk, Pm, Pn], args=[A, B, C])
        def gemm(a: float32[M, K] @ [S(1), S(0)], b: float32[K, N] @ [S(0), S(2)], c: float32[M, N] @ [S(1), S(2)]):
            pk, pm, pn = df.get_pid()
            before: float32[Mt, Nt] = 0
            with allo.meta_if(pk > 0):
                before[:, :] = pipe[pk - 1, pm, pn].get()
            out: float32[Mt, Nt] = allo.add(allo.matmul(a, b), before)
            with allo.meta_if(pk < Pk - 1):
                pipe[pk, pm, pn].put(out)
            with allo.meta_elif(pk == Pk - 1):
                c[:, :] = out

    a, b, c = RNG.random((M, K), dtype=np.float32), RNG.random((K, N), dtype=np.float32), np.zeros((M, N), np.float32)
    df.build(top, target="aie")(a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


@pytest.mark.parametrize(
    "P, device",
    [(2, "npu1"), *(pytest.param(P, device, marks=pytest.mark.slow) for P, device in ((3, "npu1"), (4, "npu1"), (4, "npu2")))],
)
def test_cannon_is_a_graph_with_cycles_whose_last_blocks_nobody_gets(P, device):
    n = 4 * P
    t = n // P

    @df.region()
    def top(A: int32[n, n], B: int32[n, n], C: int32[n, n]):
        rows: Stream[int32[t, t], 2][P, P]
        columns: Stream[int32[t, t], 2][P, P]

        @df.kernel(mapping=[P, P], args=[A, B, C])
        def gemm(a: int32[n, n] @ [S(0), S(1)], b: int32[n, n] @ [S(0), S(1)], c: int32[n, n] @ [S(0), S(1)]):
            i, j = df.get_pid()
            x: int32[t, t] = a
            y: int32[t, t] = b
            c[:, :] = 0
            with allo.meta_for(P) as k:
                c[:, :] = allo.add(c, allo.matmul(x, y))
                rows[i, (j - 1) % P].put(x)
                columns[(i - 1) % P, j].put(y)
                with allo.meta_if(k < P - 1):
                    x[:, :] = rows[i, j].get()
                    y[:, :] = columns[i, j].get()

    def tile(x, i, j):
        return x[i * t : i * t + t, j * t : j * t + t]

    a, b, c = ints(n, n), ints(n, n), np.zeros((n, n), np.int32)
    skewed_a = np.block([[tile(a, i, (i + j) % P) for j in range(P)] for i in range(P)])
    skewed_b = np.block([[tile(b, (i + j) % P, j) for j in range(P)] for i in range(P)])
    df.build(top, target="aie", device_type=device)(skewed_a, skewed_b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("P", [4, 6])
def test_scatter_and_gather(P):
    N = 8 * P

    @df.region()
    def top(A: int32[N], B: int32[N]):
        out: Stream[int32[N // P], 2][P]
        back: Stream[int32[N // P], 2][P]

        @df.kernel(mapping=[1], args=[A])
        def source(a: int32[N]):
            with allo.meta_if(P == 4):
                df.scatter(a, [out[0], out[1], out[2], out[3]])
            with allo.meta_else():
                df.scatter(a, out[:])

        @df.kernel(mapping=[P])
        def work():
            i = df.get_pid()
            back[i].put(allo.add(out[i].get(), i))

        @df.kernel(mapping=[1], args=[B])
        def sink(b: int32[N]):
            b[:] = df.gather(back[:])

    a, b = ints(N), np.zeros(N, np.int32)
    df.build(top, target="aie")(a, b)
    np.testing.assert_array_equal(b, a + np.repeat(np.arange(P), N // P))


def test_several_kernels_and_outputs():
    M = 32

    @df.region()
    def top(A: float32[M], B: float32[M], C: float32[M], D: float32[M]):
        @df.kernel(mapping=[2], args=[A, B])
        def first(a: float32[M] @ [S(0)], b: float32[M] @ [S(0)]):
            b[:] = allo.exp(a)

        @df.kernel(mapping=[1], args=[A, C, D])
        def second(a: float32[M], c: float32[M], d: float32[M]):
            for i in range(M):
                c[i] = a[i] * 2
                d[i] = c[i] if a[i] > 0.5 else a[i]

    a = RNG.random(M, dtype=np.float32)
    b, c, d = (np.zeros(M, np.float32) for _ in range(3))
    df.build(top, target="aie")(a, b, c, d)
    np.testing.assert_allclose(b, np.exp(a), rtol=1e-6)
    np.testing.assert_array_equal(c, 2 * a)
    np.testing.assert_array_equal(d, np.where(a > 0.5, 2 * a, a))


def test_a_tensor_that_is_read_and_written():
    M = 16

    @df.region()
    def top(A: int32[M], B: int32[M]):
        @df.kernel(mapping=[2], args=[A, B])
        def core(a: int32[M] @ [S(0)], b: int32[M] @ [S(0)]):
            b[:] = allo.add(b, a)

    a, b = ints(M), ints(M)
    wanted = a + b
    df.build(top, target="aie")(a, b)
    np.testing.assert_array_equal(b, wanted)


def test_a_part_that_is_not_written_keeps_its_values():
    M = 16

    @df.region()
    def top(A: int32[M]):
        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[M]):
            for i in range(4, 8):
                a[i] = 7

    a = ints(M)
    wanted = a.copy()
    wanted[4:8] = 7
    df.build(top, target="aie")(a)
    np.testing.assert_array_equal(a, wanted)


def test_rows_softmax_and_functions():
    M, N = 4, 16

    @df.region()
    def top(A: float32[M, N], B: float32[M, N]):
        def scale(x: float32[N], y: float32[N]):
            for i in range(N):
                y[i] = x[i] * 2

        @df.kernel(mapping=[2], args=[A, B])
        def core(a: float32[M, N] @ [S(0), R], b: float32[M, N] @ [S(0), R]):
            row: float32[N] = 0
            soft = allo.softmax(a)
            for i in range(M // 2):
                line: float32[N] = soft[i]
                scale(line, row)
                b[i, :] = row

    a, b = RNG.random((M, N), dtype=np.float32), np.zeros((M, N), np.float32)
    df.build(top, target="aie")(a, b)
    np.testing.assert_allclose(b, 2 * allo.softmax(a), rtol=1e-5)


def test_a_kernel_in_cpp():
    norm = ExternalModule(top="norm", impl_path=Path(__file__).with_name("norm.cc"), input_idx=[0, 1], output_idx=[2])

    @df.region()
    def top(X: float32[16, 512], W: float32[512], Y: float32[16, 512]):
        @df.kernel(mapping=[4], args=[X, W, Y])
        def core(x: float32[16, 512] @ [S(0), R], w: float32[512] @ [R], y: float32[16, 512] @ [S(0), R]):
            norm(x, w, y)

    x, w = RNG.normal(size=(16, 512)).astype(np.float32), RNG.normal(size=512).astype(np.float32)
    y = np.zeros((16, 512), np.float32)
    df.build(top, target="aie")(x, w, y)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(y, wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-6) * w, rtol=1e-5, atol=1e-6)


def test_three_inputs_of_which_two_are_whole():
    @df.region()
    def top(A: int32[8, 6], B: int32[6, 4], C: int32[4], D: int32[8, 4]):
        @df.kernel(mapping=[2], args=[A, B, C, D])
        def layer(a: int32[8, 6] @ [S(0), R], b: int32[6, 4], c: int32[4], d: int32[8, 4] @ [S(0), R]):
            d[:, :] = allo.matmul(a, b) + c

    a, b, c, d = ints(8, 6), ints(6, 4), ints(4), np.zeros((8, 4), np.int32)
    df.build(top)(a, b, c, d)
    np.testing.assert_array_equal(d, a @ b + c)


@pytest.mark.parametrize("target", ["llvm", "simulator"])
def test_a_systolic_array_on_the_cpu(target):
    M, N, K = 2, 3, 4
    P, Q = M + 2, N + 2

    @df.region()
    def top(A: int16[M, K], B: int16[K, N], C: int16[M, N]):
        right: Stream[int16, 4][P, Q]
        down: Stream[int16, 4][P, Q]

        @df.kernel(mapping=[P, Q], args=[A, B, C])
        def element(a: int16[M, K], b: int16[K, N], c: int16[M, N]):
            i, j = df.get_pid()
            with allo.meta_if(i in {0, M + 1} and j in {0, N + 1}):
                pass
            with allo.meta_elif(j == 0):
                for k in range(K):
                    right[i, j + 1].put(a[i - 1, k])
            with allo.meta_elif(i == 0):
                for k in range(K):
                    down[i + 1, j].put(b[k, j - 1])
            with allo.meta_elif(0 < j <= N and i == M + 1):
                for _ in range(K):
                    _rest: int16 = down[i, j].get()
            with allo.meta_elif(j == N + 1):
                for _ in range(K):
                    _rest: int16 = right[i, j].get()
            with allo.meta_else():
                total: int16 = 0
                for _ in range(K):
                    x: int16 = right[i, j].get()
                    y: int16 = down[i, j].get()
                    total += x * y
                    right[i, j + 1].put(x)
                    down[i + 1, j].put(y)
                c[i - 1, j - 1] = total

    a, b, c = ints(M, K, dtype=np.int16), ints(K, N, dtype=np.int16), np.zeros((M, N), np.int16)
    df.build(top, target=target)(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


def test_long_loops_choose_streams_by_their_variables():
    M, P = 96, 2

    @df.region()
    def top(A: int32[M], B: int32[M]):
        pipe: Stream[int32, 2][P]

        @df.kernel(mapping=[1], args=[A])
        def deal(a: int32[M]):
            for i in range(M):
                pipe[i % P].put(a[i])

        @df.kernel(mapping=[P], args=[B])
        def keep(b: int32[M] @ [S(0)]):
            p = df.get_pid()
            for i in range(M // P):
                b[i] = pipe[p].get()

    a, b = ints(M), np.zeros(M, np.int32)
    df.customize(top).build("sim")(a, b)
    np.testing.assert_array_equal(b.reshape(P, -1), a.reshape(-1, P).T)


def test_more_columns_of_a_tensor_than_a_memtile_has_channels():
    P, K, N = 8, 32, 8

    @df.region()
    def top(A: int32[N, K], B: int32[K, N], C: int32[N, N]):
        pipe: Stream[int32[N, N], 2][P - 1]

        @df.kernel(mapping=[P], args=[A, B, C])
        def part(a: int32[N, K] @ [R, S(0)], b: int32[K, N] @ [S(0), R], c: int32[N, N]):
            p = df.get_pid()
            total: int32[N, N] = allo.matmul(a, b)
            with allo.meta_if(p > 0):
                total[:, :] = allo.add(total, pipe[p - 1].get())
            with allo.meta_if(p < P - 1):
                pipe[p].put(total)
            with allo.meta_else():
                c[:, :] = total

    a, b, c = ints(N, K), ints(K, N), np.zeros((N, N), np.int32)
    df.build(top)(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("P", [(3, 3), (4, 4)])
def test_channels_are_shared_where_there_are_too_few(P):
    """Three inputs, two of them whole rows or columns, and two outputs: 7 channels for each column's memtile and core."""
    M, N, K = 4 * P[0], 4 * P[1], 8

    @df.region()
    def top(A: int32[M, K], B: int32[K, N], C: int32[M, N], D: int32[M, N], E: int32[M, N]):
        @df.kernel(mapping=P, args=[A, B, C, D, E])
        def part(
            a: int32[M, K] @ [S(0), R],
            b: int32[K, N] @ [R, S(1)],
            c: int32[M, N] @ [S(0), S(1)],
            d: int32[M, N] @ [S(0), S(1)],
            e: int32[M, N] @ [S(0), S(1)],
        ):
            d[:, :] = allo.add(allo.matmul(a, b), c)
            e[:, :] = allo.sub(d, c)

    a, b, c = ints(M, K), ints(K, N), ints(M, N)
    d, e = np.zeros((M, N), np.int32), np.zeros((M, N), np.int32)
    df.build(top)(a, b, c, d, e)
    np.testing.assert_array_equal(d, a @ b + c)
    np.testing.assert_array_equal(e, a @ b)


def test_summa_hands_blocks_along_rows_and_columns():
    n, P = 16, 2
    t = n // P

    @df.region()
    def top(A: int32[n, n], B: int32[n, n], C: int32[n, n]):
        rows: Stream[int32[t, t], 2][P, P, P]
        columns: Stream[int32[t, t], 2][P, P, P]

        @df.kernel(mapping=[P, P], args=[A, B, C])
        def summa(a: int32[n, n] @ [S(0), S(1)], b: int32[n, n] @ [S(0), S(1)], c: int32[n, n] @ [S(0), S(1)]):
            i, j = df.get_pid()
            c[:, :] = 0
            with allo.meta_for(P) as k:
                with allo.meta_for(P) as other:
                    with allo.meta_if(j == k and other != j):
                        rows[k, i, other].put(a)
                    with allo.meta_if(i == k and other != i):
                        columns[k, other, j].put(b)
                x: int32[t, t] = 0
                y: int32[t, t] = 0
                with allo.meta_if(j == k):
                    x[:, :] = a
                with allo.meta_else():
                    x[:, :] = rows[k, i, j].get()
                with allo.meta_if(i == k):
                    y[:, :] = b
                with allo.meta_else():
                    y[:, :] = columns[k, i, j].get()
                c[:, :] = allo.add(c, allo.matmul(x, y))

    a, b, c = ints(n, n), ints(n, n), np.zeros((n, n), np.int32)
    df.build(top, target="aie")(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


def test_attention_and_layer_norm_by_rows():
    L, D, P = 32, 16, 4

    @df.region()
    def top(Q: float32[L, D], K: float32[L, D], V: float32[L, D], Y: float32[L, D]):
        @df.kernel(mapping=[P], args=[Q, K, V, Y])
        def head(
            q: float32[L, D] @ [S(0), R], k: float32[L, D] @ [R, R], v: float32[L, D] @ [R, R], o: float32[L, D] @ [S(0), R]
        ):
            o[:, :] = allo.matmul(allo.softmax(allo.matmul(q, allo.transpose(k, (1, 0)))), v)

    @df.region()
    def norm(X: float32[L, D], G: float32[D], B: float32[D], Y: float32[L, D]):
        @df.kernel(mapping=[P], args=[X, G, B, Y])
        def rows(x: float32[L, D] @ [S(0), R], g: float32[D] @ [R], b: float32[D] @ [R], y: float32[L, D] @ [S(0), R]):
            y[:, :] = allo.layernorm(x, g, b)

    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((L, D)).astype(np.float32) for _ in range(3))
    found = np.zeros((L, D), np.float32)
    df.build(top, target="aie")(q, k, v, found)
    scores = np.exp(q.astype(np.float64) @ k.T)
    np.testing.assert_allclose(found, scores / scores.sum(1, keepdims=True) @ v, rtol=1e-3, atol=1e-3)
    g, b = q[0], k[0]
    df.build(norm, target="aie")(q, g, b, found)
    x = q.astype(np.float64)
    wanted = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * g + b
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


def test_more_tensors_than_shims_have_channels():
    @df.region()
    def top(A: int32[8], B: int32[8], C: int32[8], D: int32[8], E: int32[8], F: int32[8]):
        @df.kernel(mapping=[1], args=[A, D])
        def one(a: int32[8], d: int32[8]):
            d[:] = allo.add(a, 1)

        @df.kernel(mapping=[2], args=[B, E])
        def two(b: int32[8] @ [S(0)], e: int32[8] @ [S(0)]):
            e[:] = allo.add(b, 2)

        @df.kernel(mapping=[1], args=[C, F])
        def three(c: int32[8], f: int32[8]):
            f[:] = allo.add(c, 3)

    given, found = [ints(8) for _ in range(3)], [np.zeros(8, np.int32) for _ in range(3)]
    run = df.build(top, target="aie", device_type="npu1_1col")
    for _ in range(2):
        run(*given, *found)
    for number, (a, b) in enumerate(zip(given, found, strict=True)):
        np.testing.assert_array_equal(b, a + number + 1)
