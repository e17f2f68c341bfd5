"""Buffers, reuse, fused nests, systolic arrays: what schedules do with memory, held against numpy."""

import subprocess
import sys

import numpy as np
import pytest

import allo_air as allo
from allo_air.errors import AlloAirError
from allo_air.ir.types import index, int8, int16, int32

RNG = np.random.default_rng(5)


def ints(*shape, low=-20, high=20, dtype=np.int32):
    return RNG.integers(low, high, shape).astype(dtype)


def windows(a, rows, cols, high, wide):
    return sum(a[r : r + rows, c : c + cols] for r in range(high) for c in range(wide))


def blur(A: int32[10, 11]) -> int32[8, 9]:
    B: int32[8, 9] = 0
    for y, x in allo.grid(8, 9):
        v: int32 = 0
        for r, c in allo.reduction(3, 3):
            v += A[y + r, x + c]
        B[y, x] = v
    return B


def test_line_and_window_buffers():
    s = allo.customize(blur)
    line = s.reuse_at(s.A, axis="y")
    window = s.reuse_at(line, axis="x")
    assert "memref<3x11xi32>" in str(s.module) and "memref<3x3xi32>" in str(s.module)
    s.partition(line, dim=1)
    s.partition(window)
    s.pipeline("y")
    a = ints(10, 11)
    np.testing.assert_array_equal(s.build()(a), windows(a, 8, 9, 3, 3))
    assert s.verify()


def test_reuse_of_a_tiled_nest():
    s = allo.customize(blur)
    s.split("y", 4)
    s.split("x", 3)
    s.reorder("y.outer", "x.outer", "y.inner", "x.inner")
    s.reuse_at(s.reuse_at(s.A, axis="y.outer"), axis="x.outer")
    assert "memref<6x11xi32>" in str(s.module) and "memref<6x5xi32>" in str(s.module)
    a = ints(10, 11)
    np.testing.assert_array_equal(s.build()(a), windows(a, 8, 9, 3, 3))


def test_reuse_over_channels():
    def conv(A: int32[1, 2, 8, 7], W: int32[3, 2, 3, 3]) -> int32[1, 3, 6, 5]:
        B: int32[1, 3, 6, 5] = 0
        for n, c, h, w in allo.grid(1, 3, 6, 5):
            for rc, rh, rw in allo.reduction(2, 3, 3):
                B[n, c, h, w] += A[n, rc, h + rh, w + rw] * W[c, rc, rh, rw]
        return B

    s = allo.customize(conv)
    s.reuse_at(s.reuse_at(s.A, "h"), "w")
    assert "memref<2x3x7xi32>" in str(s.module) and s.verify()


def two_nests(A: int32[10, 10]) -> int32[8, 8]:
    B: int32[10, 8] = 0
    C: int32[8, 8] = 0
    for y, x in allo.grid(10, 8, name="B"):
        B[y, x] = A[y, x] + A[y, x + 1] + A[y, x + 2]
    for y, x in allo.grid(8, 8, name="C"):
        C[y, x] = B[y, x] + B[y + 1, x] + B[y + 2, x]
    return C


@pytest.mark.parametrize("axis", ["y", "x"])
def test_compute_at(axis):
    s = allo.customize(two_nests)
    loops = s.get_loops()
    s.compute_at(loops.B.x, loops.C[axis])
    a = ints(10, 10)
    np.testing.assert_array_equal(s.build()(a), windows(a, 8, 8, 3, 3))
    assert s.get_loops().keys()[0] == "C"


def test_compute_at_adds_nothing_up_twice():
    def f(A: int32[9, 4]) -> int32[8]:
        B: int32[9] = 0
        for i, k in allo.grid(9, 4, name="B"):
            B[i] += A[i, k]
        C: int32[8] = 0
        for j in allo.grid(8, name="C"):
            C[j] = B[j] - B[j + 1]
        return C

    s = allo.customize(f)
    with pytest.raises(AlloAirError, match="at loop 'j', elements of 'B' would be added up more than once"):
        s.compute_at("B:i", "C:j")
    assert s.verify()


def test_orders_that_change_results_are_refused():
    def skewed(A: int32[6, 6]):
        for i, j in allo.grid(5, 5):
            A[i + 1, j] = A[i, j + 1] + 1

    def weighted(A: int32[4, 5, 6], C: int32[4]):
        for i, j, k in allo.grid(4, 5, 6):
            C[i] = C[i] * 2 + A[i, j, k]

    for f, order in [(skewed, "ji"), (weighted, "kj")]:
        s = allo.customize(f)
        with pytest.raises(AlloAirError, match="would change places with those that write them"):
            s.reorder(*order)
    s = allo.customize(weighted)
    s.reorder("j", "k", "i")
    assert s.verify()


M, N, K = 3, 4, 5


def matmul(A: int8[M, K], B: int8[K, N], C: int16[M, N]):
    for i, j in allo.grid(M, N, "PE"):
        for k in range(K):
            C[i, j] += A[i, k] * B[k, j]


def product(schedule):
    a, b, c = ints(M, K, low=-8, high=8, dtype=np.int8), ints(K, N, low=-8, high=8, dtype=np.int8), np.zeros((M, N), np.int16)
    schedule.build(target="llvm")(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int16) @ b)
    assert schedule.verify()


@pytest.mark.parametrize("stationary", ["output", "weight", "row"])
def test_systolic_arrays(stationary):
    s = allo.customize(matmul)
    if stationary == "weight":
        s.reorder("k", "j", "i")
    first = s.buffer_at(s.A, "j")
    second = s.buffer_at(s.C if stationary == "weight" else s.B, "j")
    if stationary == "row":
        pe = s.unfold("PE", axis=1, factor=N)
    else:
        pe = s.unfold("PE", axis=[0, 1], factor=[K if stationary == "weight" else M, N])
    s.partition(s.A, dim=0)
    s.partition(s.C, dim=[0, 1])
    s.relay(first, pe, axis=0, depth=M + 1)
    s.to(second, pe, axis=1, depth=N + 1)
    product(s)


def test_a_systolic_array_of_calls():
    def element(A_in: int8[K], B_in: int8[K], A_out: int8[K], B_out: int8[K], C: int16[M, N], i: index, j: index):
        for k in range(K):
            a: int8 = A_in[k]
            b: int8 = B_in[k]
            C[i, j] += a * b
            A_out[k] = a
            B_out[k] = b

    def systolic(A: int8[M, K], B: int8[K, N], C: int16[M, N]):
        A_fifo: int8[M, N + 1, K]
        B_fifo: int8[N, M + 1, K]
        for k in range(K, name="load"):
            for m in range(M):
                A_fifo[m, 0, k] = A[m, k]
            for n in range(N):
                B_fifo[n, 0, k] = B[k, n]
        for i, j in allo.grid(M, N, name="PE"):
            element(A_fifo[i, j], B_fifo[j, i], A_fifo[i, j + 1], B_fifo[j, i + 1], C, i, j)

    s = allo.customize(systolic)
    pe = s.unfold("PE", [0, 1])
    s.to(s.A_fifo, pe, axis=1, depth=M + 1)
    assert str(s.module).count("call @element") == M * N and "pe = [2, 3]" in str(s.module)
    product(s)


def inc(x: int32) -> int32:
    return x + 1


def test_inline_and_reshape():
    def f(A: int32[10, 10]) -> int32[10, 10]:
        B: int32[10, 10] = 0
        C: int32[10, 10] = 0
        for i, j in allo.grid(10, 10):
            B[i, j] = inc(A[i, j])
        for i, j in allo.grid(10, 10):
            C[i, j] = B[i, j] * 2
        return C

    s = allo.customize(f)
    s.inline("inc")
    s.reshape(s.B, (2, 5, 10))
    s.reshape(s.A, (100,))
    assert "call" not in str(s.module) and "memref<2x5x10xi32>" in str(s.module)
    a = ints(10, 10)
    np.testing.assert_array_equal(s.build()(a.reshape(100)), (a + 1) * 2)
    assert s.verify()


def test_compose_does_the_steps_again():
    def add(A: int32[8, 8]) -> int32[8, 8]:
        B: int32[8, 8] = 0
        for i, j in allo.grid(8, 8):
            B[i, j] = A[i, j] + 1
        return B

    def gemm(A: int32[8, 8], B: int32[8, 8]) -> int32[8, 8]:
        C: int32[8, 8] = 0
        for i, j, k in allo.grid(8, 8, 8):
            C[i, j] += A[i, k] * B[k, j]
        return C

    def top(A: int32[8, 8], B: int32[8, 8]) -> int32[8, 8]:
        C = gemm(A, B)
        return add(C)

    first, second, s = allo.customize(gemm), allo.customize(add), allo.customize(top)
    first.reorder("k", "j")
    first.buffer_at(first.C, axis="i")
    second.split("j", 4)
    s.compose(first)
    s.compose([second])
    s.partition(s.C)
    s.pipeline("add:j.inner")
    assert s.get_loops("gemm").S_i_j_k_0.keys() == ["i", "i_init", "k", "j", "i_back"]
    a, b = ints(8, 8), ints(8, 8)
    np.testing.assert_array_equal(s.build()(a, b), a @ b + 1)


def test_a_composition_that_fails_changes_nothing():
    def scale(A: int32[8]) -> int32[8]:
        B: int32[8] = 0
        for i in range(8):
            B[i] = A[i] * 3
        return B

    def top(A: int32[8]) -> int32[8]:
        return scale(A)

    inner, outer = allo.customize(scale), allo.customize(top)
    inner.pipeline("i")
    inner.split("i", 2)
    outer.split("scale:i", 4)
    before, steps = str(outer.module), list(outer.steps)
    with pytest.raises(AlloAirError, match="unknown loop"):
        outer.compose(inner)
    assert str(outer.module) == before and outer.steps == steps


def test_parts_of_tensors_are_passed_on():
    def double(A: int32[4], B: int32[4]):
        for i in range(4):
            B[i] = A[i] * 2

    def top(A: int32[3, 4], B: int32[4, 3]):
        for i in range(3):
            double(A[i], B[:, i])

    a, b = ints(3, 4), np.zeros((4, 3), np.int32)
    allo.customize(top).build()(a, b)
    np.testing.assert_array_equal(b, 2 * a.T)


def test_the_script_does_it_again(tmp_path):
    s = allo.customize(blur)
    (tmp_path / "before.mlir").write_text(str(s.module))
    s.split("y", 3)
    s.buffer_at(s.B, "y.inner")
    s.reuse_at(s.A, "x")
    s.pipeline("x", 2)
    s.partition(s.A, dim=2)
    (tmp_path / "schedule.mlir").write_text(s.script())
    command = [sys.executable, "-m", "allo_air.tools.allo_opt", "before.mlir", "--schedule=schedule.mlir"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == str(s.plain).strip(), done.stderr


def test_verify_names_the_first_difference():
    def one(A: int32[4]) -> int32[4]:
        B: int32[4] = 0
        for i in range(4):
            B[i] = A[i] + 1
        return B

    def other(A: int32[4]) -> int32[4]:
        B: int32[4] = 0
        for i in range(4):
            B[i] = A[i] + (2 if i == 2 else 1)
        return B

    assert allo.verify(allo.customize(one), allo.customize(one))
    assert not allo.verify(allo.customize(one), allo.customize(other))
