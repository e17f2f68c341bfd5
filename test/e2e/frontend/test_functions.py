"""Functions in Python, compiled for the CPU, give numpy's numbers."""

import ml_dtypes
import numpy as np
import pytest

import allo_air as allo
from allo_air.errors import AlloAirError
from allo_air.ir.types import (
    ConstExpr,
    Fixed,
    Int,
    Stateful,
    Struct,
    UInt,
    bfloat16,
    float32,
    float64,
    index,
    int8,
    int16,
    int32,
    uint8,
    uint32,
)

RNG = np.random.default_rng(7)


def ints(*shape, low=-50, high=50, dtype=np.int32):
    return RNG.integers(low, high, shape).astype(dtype)


def test_gemm_by_loops():
    def gemm(A: int32[9, 7], B: int32[7, 5]) -> int32[9, 5]:
        C: int32[9, 5] = 0
        for i, j in allo.grid(9, 5):
            for k in allo.reduction(7):
                C[i, j] += A[i, k] * B[k, j]
        return C

    a, b = ints(9, 7), ints(7, 5)
    np.testing.assert_array_equal(allo.customize(gemm).build()(a, b), a @ b)


def test_sizes_of_a_grid_are_read_before_its_first_loop():
    def count(A: int32[4, 4]) -> int32:
        s: int32 = 0
        n: int32 = 3
        for i, j in allo.grid(2, n):
            s += A[i, j]
            n = 1
        return s

    def squares(A: int32[4, 4]) -> int32:
        s: int32 = 0
        for k in range(3):
            for i, j in allo.grid(k + 1, k + 1):
                s += A[i, j]
        return s

    ones = np.ones((4, 4), np.int32)
    assert allo.customize(count).build()(ones) == 6
    assert allo.customize(squares).build()(ones) == 1 + 4 + 9


def test_results_are_written_to_parameters():
    def scale(A: float32[6, 4], s: float32, B: float32[6, 4]):
        for i in range(6):
            for j in range(4):
                B[i, j] = A[i, j] * s if A[i, j] > 0.5 else -A[i, j]

    a, b = RNG.random((6, 4), dtype=np.float32), np.zeros((6, 4), np.float32)
    allo.customize(scale).build()(a, 3.0, b)
    np.testing.assert_allclose(b, np.where(a > 0.5, 3 * a, -a), rtol=1e-6)


def test_loops_that_count_down_or_depend_on_others():
    def triangle(A: int32[8], n: int32) -> int32:
        total: int32 = 0
        for i in range(7, -1, -2):
            for j in range(i, 8):
                total += A[j] * (i + 1)
        k: int32 = 0
        while k < n and A[k] < 1000:
            total -= k
            k += 1
        return total

    a = ints(8)
    wanted = sum(int(a[j]) * (i + 1) for i in range(7, -1, -2) for j in range(i, 8)) - sum(range(5))
    assert allo.customize(triangle).build()(a, 5) == wanted


def test_slices_rows_and_broadcasting():
    def mix(A: int32[4, 6], B: int32[6]) -> int32[4, 6]:
        C: int32[4, 6] = 0
        C[:, 0:3] = A[:, 3:6] + 1
        C[1] = B
        C[2, 1:6:2] = A[0, ::2]
        for i in range(2):
            C[3, i * 3 : i * 3 + 3] = A[i, 0:3] - B[0:3]
        C[0, -1] = 7
        return C + B

    a, b = ints(4, 6), ints(6)
    c = np.zeros((4, 6), np.int32)
    c[:, 0:3] = a[:, 3:6] + 1
    c[1] = b
    c[2, 1:6:2] = a[0, ::2]
    for i in range(2):
        c[3, i * 3 : i * 3 + 3] = a[i, 0:3] - b[0:3]
    c[0, -1] = 7
    np.testing.assert_array_equal(allo.customize(mix).build()(a, b), c + b)


def test_overlapping_slices_are_copied_first():
    def shift(A: int32[8]):
        A[1:8] = A[0:7]
        A[0:7] += A[1:8]

    a = ints(8)
    wanted = a.copy()
    wanted[1:] = wanted[:-1].copy()
    wanted[:-1] += wanted[1:].copy()
    allo.customize(shift).build()(a)
    np.testing.assert_array_equal(a, wanted)


def test_functions_call_functions():
    M, N = 4, 8

    def add_one(A: int32[M, N]) -> int32[M, N]:
        B: int32[M, N] = A + 1
        return B

    def top(A: int32[M, N]) -> int32[M, N]:
        def double(X: int32[M, N], Y: int32[M, N]):
            for i, j in allo.grid(M, N):
                Y[i, j] = X[i, j] * 2

        C = add_one(add_one(A))
        D: int32[M, N] = 0
        double(C, D)
        return D

    a = ints(M, N)
    np.testing.assert_array_equal(allo.customize(top).build()(a), 2 * (a + 2))


def test_arithmetic_widens_until_it_is_stored():
    def wide(a: int8, b: int8) -> int32:
        return a * b + a - b

    def narrow(a: int8, b: int8) -> int8:
        return a * b

    def unsigned(a: uint8, b: uint8) -> int32:
        return a - b

    assert allo.customize(wide).build()(-128, -128) == 16384
    assert allo.customize(narrow).build()(100, 3) == np.int32(300).astype(np.int8)
    assert allo.customize(unsigned).build()(3, 5) == -2


@pytest.mark.parametrize("bits", [3, 7, 12, 33])
def test_integers_of_any_width(bits):
    def product(A: Int(bits)[5], B: UInt(bits)[5]) -> Int(2 * bits)[5]:
        C: Int(2 * bits)[5] = 0
        for i in range(5):
            C[i] = A[i] * B[i]
        return C

    half = 1 << bits - 1
    a, b = RNG.integers(-half, half, 5), RNG.integers(0, 2 * half, 5)
    found = allo.customize(product).build()(a, b)
    if 2 * bits <= 64:
        np.testing.assert_array_equal(found, a * b)
    else:
        numbers = [int.from_bytes(x.tobytes(), "little", signed=False) % (1 << 2 * bits) for x in found]
        assert numbers == [int(x) * int(y) % (1 << 2 * bits) for x, y in zip(a, b, strict=True)]


def test_fixed_point():
    def square(A: Fixed(16, 8)[4], x: Fixed(12, 4)) -> Fixed(20, 8)[4]:
        B: Fixed(20, 8)[4] = 0
        for i in range(4):
            B[i] = A[i] * A[i] + x / 2
        return B

    a = np.array([1.5, -2.25, 0.5, 3], np.float32)
    np.testing.assert_array_equal(allo.customize(square).build()(a, 1.25), a * a + 0.625)


def test_bits():
    def swap(A: int32[4]) -> int32[4]:
        B: int32[4] = 0
        for i in range(4):
            B[i][0:16] = A[i][16:32]
            B[i][16:32] = A[i][0:16]
            B[i][31] = 1
        return B

    a = ints(4, low=0, high=1 << 30)
    u = a.view(np.uint32)
    np.testing.assert_array_equal(allo.customize(swap).build()(a).view(np.uint32), (u >> 16 | u << 16) | 1 << 31)


def test_lengths_of_sums_of_the_same_terms():
    def parts(a: uint32, A: int32[16], j: index, n: int32) -> int32[4]:
        B: int32[4] = A[2 * n - 1 : 2 * (n + 1) + 1]
        B[0] = a[j * 8 : (j + 1) * 8]
        return B

    a = ints(16)
    found = allo.customize(parts).build()(0x11223344, a, 2, 3)
    np.testing.assert_array_equal(found, [0x22, *a[6:9]])

    def open_ended(A: int32[16], n: int32) -> int32[4]:
        B: int32[4] = A[n : 2 * n]
        return B

    with pytest.raises(AlloAirError, match="the length of a slice must be known"):
        allo.customize(open_ended)


def test_floats_of_every_width():
    def poly(A: float64[8], B: bfloat16[8]) -> float64[8]:
        return A * 0.1 + B * B

    a, b = RNG.random(8), RNG.random(8).astype(ml_dtypes.bfloat16)
    np.testing.assert_allclose(allo.customize(poly).build()(a, b), a * 0.1 + b.astype(float) ** 2, rtol=1e-2)


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "sin", "cos", "tanh", "relu", "silu", "gelu", "abs"])
def test_elementwise_operations(name):
    function = getattr(allo, name)

    def apply(A: float32[3, 5]) -> float32[3, 5]:
        return function(A)

    a = RNG.random((3, 5), dtype=np.float32) + np.float32(0.1)
    np.testing.assert_allclose(allo.customize(apply).build()(a), function(a), rtol=2e-6)


def test_rowwise_operations():
    def rows(A: float32[6, 10], g: float32[10], b: float32[10]) -> float32[6, 10]:
        return allo.layernorm(allo.softmax(A) * 10, g, b) + allo.rmsnorm(A, g)

    a, g, b = RNG.random((6, 10), dtype=np.float32), RNG.random(10, dtype=np.float32), RNG.random(10, dtype=np.float32)
    wanted = allo.layernorm(allo.softmax(a) * 10, g, b) + allo.rmsnorm(a, g)
    np.testing.assert_allclose(allo.customize(rows).build()(a, g, b), wanted, rtol=1e-4, atol=1e-5)


def test_products_and_reductions():
    def attention(Q: float32[2, 6, 4], K: float32[2, 6, 4], V: float32[2, 6, 4]) -> float32[2, 6, 4]:
        S = allo.bmm(Q, allo.transpose(K, (0, 2, 1)))
        return allo.bmm(allo.softmax(S), V)

    def totals(A: int16[4, 6]) -> int32[4]:
        return allo.sum(A, axis=1) + allo.max(A, axis=1) - allo.min(A)

    q, k, v = (RNG.random((2, 6, 4), dtype=np.float32) for _ in range(3))
    wanted = allo.softmax(q @ k.transpose(0, 2, 1)) @ v
    np.testing.assert_allclose(allo.customize(attention).build()(q, k, v), wanted, rtol=1e-5)
    a = ints(4, 6, dtype=np.int16)
    np.testing.assert_array_equal(allo.customize(totals).build()(a), a.sum(1) + a.max(1) - a.min())


def test_convolution_and_pooling():
    def net(A: int32[1, 2, 8, 8], F: int32[3, 2, 3, 3], W: int32[2, 2]) -> int32[1, 3, 5, 5]:
        return allo.maxpool(allo.conv2d(A, F), W)

    a, f, w = ints(1, 2, 8, 8), ints(3, 2, 3, 3), np.zeros((2, 2), np.int32)
    np.testing.assert_array_equal(allo.customize(net).build()(a, f, w), allo.maxpool(allo.conv2d(a, f), w))


def test_shapes_change():
    def shapes(A: int32[4, 6], B: int32[2, 6]) -> int32[6, 6]:
        C = allo.concat(A, B, axis=0)
        D = allo.view(C, (9, 4))
        return allo.tril(allo.view(D, (6, 6))).T

    a, b = ints(4, 6), ints(2, 6)
    np.testing.assert_array_equal(allo.customize(shapes).build()(a, b), np.tril(np.concatenate((a, b))).T)


def test_constants():
    weights = ints(4, 4)

    def product(A: int32[4, 4]) -> int32[4, 4]:
        n: ConstExpr[index] = 2
        W: int32[4, 4] = weights
        lut: int32[3] = [5, 7, 11]
        C = A @ W
        for i in range(n):
            C[i, 0] += lut[i + 1]
        return C

    a = ints(4, 4)
    wanted = a @ weights
    wanted[:2, 0] += [7, 11]
    np.testing.assert_array_equal(allo.customize(product).build()(a), wanted)


def test_state_stays_from_call_to_call():
    def count(x: int32) -> int32:
        total: int32 @ Stateful = 10
        total += x
        return total

    run = allo.customize(count).build()
    assert [run(1), run(2), run(3)] == [11, 13, 16]


def test_several_results():
    def both(A: int32[4]) -> (int32[4], int32):
        B: int32[4] = A * 2
        return B, A[3]

    a = ints(4)
    b, last = allo.customize(both).build()(a)
    np.testing.assert_array_equal(b, 2 * a)
    assert last == a[3]


def test_tensors_whose_sizes_only_the_call_says():
    def total(A: float32[...], n: int32) -> float32:
        found: float32 = 0
        for i in range(n):
            found += A[i]
        return found

    def rows(A: float32[..., 4], n: int32, B: float32[...]):
        for i in range(n):
            B[i] = total(A[i], 4)

    built = allo.customize(rows).build()
    for n in (1, 7):
        a, b = RNG.random((n, 4), dtype=np.float32), np.zeros(n, np.float32)
        built(a, n, b)
        np.testing.assert_allclose(b, a.sum(1), rtol=1e-6)
    with pytest.raises(AlloAirError, match=r"expected \[\.\.\., 4\]"):
        built(np.zeros((3, 5), np.float32), 3, b)


def test_print(capsys):
    def told(A: int8[2, 3], x: Fixed(8, 2), n: int32):
        print("row", A[1], n)
        for i in range(2):
            print("%d of %.2f\n", A[i, 0], x)

    allo.customize(told).build()(np.array([[1, 2, 3], [4, 5, -6]], np.int8), 1.25, 9)
    assert capsys.readouterr().out == "row [ 4  5 -6] 9\n1 of 1.25\n4 of 1.25\n"


@pytest.mark.parametrize("a, b", [((5,), (5,)), ((4, 5), (5,)), ((5,), (5, 3)), ((2, 4, 5), (5, 3)), ((4, 5), (2, 1, 5, 3))])
def test_products_of_other_ranks(a, b):
    T, U = float32[a], float32[b]

    def product(A: T, B: U):
        return allo.matmul(A, B)

    x, y = RNG.random(a, dtype=np.float32), RNG.random(b, dtype=np.float32)
    np.testing.assert_allclose(allo.customize(product).build()(x, y), x @ y, rtol=1e-5)


def test_structs():
    T = Struct({"key": int32, "value": float32})

    def largest(A: float32[5], n: int32) -> float32:
        held: T[5]
        for i in range(5):
            held[i] = {"key": i * 2, "value": A[i]}
        best: T = {"key": -1, "value": 0.0}
        for i in range(n):
            if held[i]["value"] > best["value"]:
                best = held[i]
        held[0]["value"] = best["value"]
        return best["key"] + held[0]["value"]

    a = RNG.random(5, dtype=np.float32)
    assert allo.customize(largest).build()(a, 5) == pytest.approx(a.argmax() * 2 + a.max())


def test_returns_in_branches():
    def sign(x: int32) -> int32:
        if x > 0:
            return 1
        if x < 0:
            return -1
        return 0

    def chosen(n: int32, A: float32[4], B: float32[4]) -> (float32[4], int32):
        if n < 8:
            if n == 0:
                return A, 0
            B[n] += 1
        for i in range(4):
            B[i] += sign(n)
        return B, n

    def early(n: int32, A: float32[4]):
        if n > 3:
            return
        A[0] = n

    a, b = RNG.random(4, dtype=np.float32), RNG.random(4, dtype=np.float32)
    run = allo.customize(chosen).build()
    for n, wanted in ((0, a), (9, b + 1), (2, b + np.float32([1, 1, 2, 1]))):
        found, count = run(n, a, b.copy())
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        assert count == n
    first = a[0]
    run = allo.customize(early).build()
    run(4, a)
    assert a[0] == first
    run(2, a)
    assert a[0] == 2 and [allo.customize(sign).build()(x) for x in (-4, 0, 3)] == [-1, 0, 1]


def test_spellings_of_python():
    pairs = [(0, 2), (1, 3)]

    def minus(a: int32, b: int32 = 1) -> int32:
        return a - b

    def spelled(A: int32[4], B: int32[4]) -> tuple[int32, int32]:
        low = high = A[0]
        for i in range(A.shape[0]):
            if A[i] in (3, 5) or A[i] not in {4, 6}:
                high += minus(b=A[i], a=10) + minus(1)
        for i, weight in enumerate([2, 3]):
            low += A[i] * weight
        for i, j in pairs:
            low += A[i] * A[j]
        A[:] = allo.max(A, B)
        return low, high

    def listed(x: int32) -> int32[2, 2]:
        s: Struct({"n": int32, "w": float32}) = {"n": x, "w": 0.5}
        B: int32[2, 2] = [[s["n"], 2], (3, x * x)]
        return B

    def short(x: int32):
        B: int32[2, 2] = [[x, 2], [3]]

    np.testing.assert_array_equal(allo.customize(listed).build()(4), [[4, 2], [3, 16]])
    with pytest.raises(AlloAirError, match="2 values in brackets are expected for dimension 1 of the tensor, found 1"):
        allo.customize(short)
    a, b = np.array([3, 4, 5, 6], np.int32), np.full(4, 5, np.int32)
    assert allo.customize(spelled).build()(a, b) == (3 + 6 + 12 + 15 + 24, 3 + 7 + 5)
    assert list(a) == [5, 5, 5, 6]


def test_break_and_continue():
    def leaves(A: int32[16], B: int32[16]):
        for i in range(16):
            if A[i] == 3:
                continue
            if A[i] > 7:
                B[i] = 100
                break
            for j in range(8):
                if j > i:
                    break
                B[i] += A[j]
            B[i] += 1
        n: int32 = 0
        while n < 16:
            n += 1
            if A[n - 1] < 0:
                continue
            if n == 12:
                break
            B[n - 1] += 1000

    run = allo.customize(leaves).build()
    for high in (3, 4, 9, 12):
        a = np.random.default_rng(high).integers(-3, high, 16).astype(np.int32)
        b, wanted = np.zeros(16, np.int32), np.zeros(16, np.int32)
        run(a, b)
        leaves(a, wanted)
        np.testing.assert_array_equal(b, wanted)
