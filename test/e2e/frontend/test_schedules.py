"""Primitives of schedules leave the results as they are, and do what their names say."""

import numpy as np
import pytest

import allo_air as allo
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.ir.types import float32, int32

RNG = np.random.default_rng(3)
A, B = RNG.integers(-9, 9, (32, 16)).astype(np.int32), RNG.integers(-9, 9, (16, 8)).astype(np.int32)


def gemm(A: int32[32, 16], B: int32[16, 8]) -> int32[32, 8]:
    C: int32[32, 8] = 0
    for i, j, k in allo.grid(32, 8, 16):
        C[i, j] += A[i, k] * B[k, j]
    return C


def nest(schedule, band="S_i_j_k_0"):
    return schedule.get_loops()[band].keys()


def right(schedule):
    np.testing.assert_array_equal(schedule.build(target="llvm")(A, B), A @ B)


@pytest.mark.parametrize("factor", [1, 5, 8, 32, 40])
def test_split(factor):
    s = allo.customize(gemm)
    s.split("i", factor)
    assert nest(s) == ["i.outer", "i.inner", "j", "k"]
    right(s)


@pytest.mark.parametrize("order", ["kj", "kji", "jik", "ki"])
def test_reorder(order):
    s = allo.customize(gemm)
    s.reorder(*order)
    found = [name for name in nest(s) if name in order]
    assert found == list(order)
    right(s)


def test_fuse_then_split_then_reorder():
    s = allo.customize(gemm)
    s.fuse("i", "j")
    assert nest(s) == ["i_j_fused", "k"]
    s.split("i_j_fused", 16)
    s.reorder("k", "i_j_fused.inner")
    assert nest(s) == ["i_j_fused.outer", "k", "i_j_fused.inner"]
    right(s)


@pytest.mark.parametrize("axis", ["i", "k", "j"])
def test_buffer_at(axis):
    s = allo.customize(gemm)
    s.reorder("k", "j")
    s.buffer_at(s.C, axis=axis)
    assert f"C_{axis}_buffer" in str(s.module)
    right(s)


def test_buffer_of_an_operand():
    s = allo.customize(gemm)
    s.buffer_at(s.A, "i")
    assert "memref<16xi32>" in str(s.module)
    right(s)


def test_marks():
    s = allo.customize(gemm)
    s.pipeline("j", initiation_interval=4)
    s.unroll("k", factor=3)
    s.parallel(s.get_loops().S_i_j_k_0.i)
    text = str(s.module)
    assert "pipeline_ii = 4" in text and "unroll = 3" in text and "parallel = 1" in text
    right(s)


def test_loops_of_one_name_are_told_apart():
    def two(A: int32[4]) -> int32[4]:
        B: int32[4] = 0
        for i in allo.grid(4, name="first"):
            B[i] = A[i] + 1
        for i in allo.grid(4, name="second"):
            B[i] = B[i] * 2
        return B

    s = allo.customize(two)
    with pytest.raises(AlloAirError, match="2 loops are named 'i'; say which: 'first:i', 'second:i'"):
        s.split("i", 2)
    s.split("second:i", 2)
    assert nest(s, "first") == ["i"] and nest(s, "second") == ["i.outer", "i.inner"]
    a = np.arange(4, dtype=np.int32)
    np.testing.assert_array_equal(s.build()(a), 2 * (a + 1))


def test_of_loops_inside_one_another_a_name_means_the_outermost():
    def two(A: int32[6, 6]) -> int32[4, 6]:
        B: int32[6, 6] = 0
        for y, x in allo.grid(6, 6, name="B"):
            B[y, x] = A[y, x]
        C: int32[4, 6] = 0
        for y, x in allo.grid(4, 6, name="C"):
            C[y, x] = B[y, x] + B[y + 2, x]
        return C

    s = allo.customize(two)
    s.compute_at("B:y", "C:y")
    s.pipeline("y")
    assert s.get_loops().C.y.band == "C" and not hasattr(s.get_loops().C, "z")
    assert str(s.module).count("pipeline_ii") == 1 and not hasattr(s, "D")
    a = np.arange(36, dtype=np.int32).reshape(6, 6)
    np.testing.assert_array_equal(s.build()(a), a[:4] + a[2:])


def test_compose_takes_the_scheduled_function():
    def scale(A: int32[8]) -> int32[8]:
        B: int32[8] = 0
        for i in range(8):
            B[i] = A[i] * 3
        return B

    def top(A: int32[8]) -> int32[8]:
        return scale(scale(A))

    inner, outer = allo.customize(scale), allo.customize(top)
    inner.split("i", 4)
    outer.compose(inner)
    assert "i.outer" in str(outer.module)
    a = np.arange(8, dtype=np.int32)
    np.testing.assert_array_equal(outer.build()(a), 9 * a)


def test_schedules_of_one_function_compose_one_after_the_other():
    def inner(A: int32[8]) -> int32[8]:
        c: int32[8] = 0
        for i in range(8):
            c[i] = A[i] * 3
        return c

    def mid(A: int32[8]) -> int32[8]:
        return inner(A)

    def top(A: int32[8]) -> int32[8]:
        return mid(A)

    a, b, wrong, t = (allo.customize(f) for f in (mid, mid, mid, top))
    a.split("inner:i", 2)
    a.unroll("inner:i.inner", 2)
    b.partition("inner:c")
    wrong.parallel("inner:i")
    wrong.split("inner:i", 4)
    t.split("inner:i", 2)
    with pytest.raises(AlloAirError):
        t.compose(wrong)
    assert not t._composed
    t = allo.customize(top)
    t.compose(a)
    t.compose(a)  # its steps on what `mid` calls are there
    t.compose(b)
    text = str(t.module)
    assert text.count("i.outer") == 1 and "unroll = 2" in text and "memref<8xi32, #map>" in text
    np.testing.assert_array_equal(t.build()(np.arange(8, dtype=np.int32)), 3 * np.arange(8))


def test_a_primitive_that_fails_changes_nothing():
    s = allo.customize(gemm)
    before = str(s.module)
    for attempt, message in [
        (lambda: s.split("i", 0), "a whole number above 0, found 0"),
        (lambda: s.split("x", 2), "unknown loop 'x' .there are i, j, k"),
        (lambda: s.reorder("i"), "two loops or more"),
        (lambda: s.fuse("i", "k"), "neighbouring loops"),
        (lambda: s.buffer_at(s.D, "i"), "unknown tensor or primitive 'D'"),
    ]:
        with pytest.raises((AlloAirError, UnknownNameError), match=message):
            attempt()
    assert str(s.module) == before


def test_names_of_allos_modules():
    from allo_air.backend import hls
    from allo_air.customize import Partition

    s = allo.customize(gemm)
    s.partition(s.A, partition_type=Partition.Cyclic, dim=2, factor=2)
    assert 'partition.0 = "Cyclic:2:2"' in str(s.module) and not hls.is_available("vitis_hls")
    right(s)
    with pytest.raises(AlloAirError, match="unknown target 'vhdl'"):
        s.build(target="vhdl")


def test_operations_on_tensors_become_named_loops():
    def layer(A: int32[6, 5], B: int32[5, 4]) -> int32[6, 4]:
        return allo.add(allo.matmul(A, B, name="gemm"), 1)

    s = allo.customize(layer, lower_linalg=True)
    assert str(s.get_loops(layer)) == "gemm_init_zero: L_0 > L_1, gemm: L_2 > L_3 > L_4, add_0: L_5 > L_6"
    s.reorder("gemm:L_4", "gemm:L_3")
    s.split("add_0:L_5", 3)
    assert s.verify()


@pytest.mark.parametrize(("at", "left"), [("i", ["j", "k"]), ("j", ["k"]), ("k", None)])
def test_loops_over_one_element_go(at, left):
    def f(X: int32[3, 4, 5]) -> int32[3, 4, 5]:
        Y: int32[3, 4, 5] = 0
        for i, j, k in allo.grid(3, 4, 5, name="Y"):
            Y[i, j, k] = X[i, j, k] * 2
        Z: int32[3, 4, 5] = 0
        for i, j, k in allo.grid(3, 4, 5, name="Z"):
            Z[i, j, k] = Y[i, j, k] + 1
        return Z

    s = allo.customize(f)
    s.compute_at("Y:k", f"Z:{at}")
    loops = s.get_loops()
    assert (list(loops["Y"].keys()) if "Y" in str(loops) else None) == left
    x = RNG.integers(-9, 9, (3, 4, 5)).astype(np.int32)
    np.testing.assert_array_equal(s.build(target="llvm")(x), 2 * x + 1)


def test_operations_have_names_and_keep_what_is_noted():
    def f(X: float32[3, 4], W: float32[3, 4]) -> float32[3, 4]:
        Y = allo.exp(X)
        return allo.div(Y, allo.abs(W))

    s = allo.customize(f)
    s.partition(s.Y, dim=1)
    text = str(s.module)
    assert all(f"linalg.{n} ins" in text for n in ("exp", "abs", "div")) and "affine_map" in text
    assert "linalg.generic" in str(s.plain)  # what is compiled stays as it is
    assert "linalg" not in str(allo.customize(f, lower_linalg=True).module)
