"""Functions without a region on the array: spread by the mapper, or on one core as they are."""

import subprocess
import sys

import numpy as np
import pytest

import allo_air as allo
from allo_air.errors import AlloAirError
from allo_air.ir.types import float32, index, int8, int16, int32, uint1
from allo_air.passes.simplify._not_raised import NotRaised
from allo_air.program.raising import raise_to_tensors

RNG = np.random.default_rng(11)


def ints(*shape, dtype=np.int32):
    return RNG.integers(-9, 9, shape).astype(dtype)


def sums(A: int8[10, 7], B: int8[7, 6]) -> int32[10, 6]:
    C: int32[10, 6] = 0
    for i, j in allo.grid(10, 6):
        v: int32 = 0
        for k in range(7):
            v += A[i, k] * B[k, j]
        C[i, j] = v
    return C


def blur(A: int32[9, 11]) -> int32[7, 9]:
    B: int32[7, 9] = 0
    for y, x in allo.grid(7, 9):
        for r, c in allo.reduction(3, 3):
            B[y, x] += A[y + r, x + c]
    return B


def in_place(A: int32[8, 6], B: int32[8, 6]):
    for i, j in allo.grid(8, 6):
        B[i, j] = A[i, j] * 3 + i
        A[i, j] = A[i, j] + B[i, j]


def one_of_many(A: int32[4, 6], v: int32[9]) -> int32[6]:
    B: int32[6] = 1
    for i, j in allo.grid(4, 6):
        B[j] += A[i, j] * v[0]
    return B


def parts(A: float32[6, 6], B: float32[6, 6]) -> float32[6, 6]:
    C: float32[6, 6] = B
    C[0:3, 1:4] = A[2:5, 2:5]
    return allo.relu(C * 2.0 - 1.0)


def increasing(A: int32[12]) -> (int32[12], int32):
    B: int32[12] = 0
    best: int32 = -100
    i: index = 0
    while i < 12:
        if A[i] > best:
            best = A[i]
        B[i] = best
        i += 1
    return B, best


def both(function, device):
    schedule = allo.customize(function)
    whole, cpu = schedule.build(target="aie", device=device), schedule.build()
    given = [RNG.integers(-9, 9, p.shape).astype(np.float32 if p.element.floating else f"i{p.element.bits // 8}")
             for p in schedule.top.parameters]  # fmt: skip
    again = [g.copy() for g in given]
    found, wanted = whole(*given), cpu(*again)
    found, wanted = ([*(r if isinstance(r, tuple) else (r,))] if r is not None else [] for r in (found, wanted))
    for a, b in zip([*given, *found], [*again, *wanted], strict=True):
        np.testing.assert_array_equal(a, b)
    return whole


@pytest.mark.parametrize(
    ("function", "device"), [(sums, "npu1"), (blur, "npu2"), (in_place, "npu1"), (parts, "npu2"), (one_of_many, "npu1")]
)
def test_functions_are_spread(function, device):
    assert both(function, device).why == ""


def test_control_flow_runs_on_one_core():
    assert "scf.while" in both(increasing, "npu1").why


def test_rows_of_no_whole_words_on_one_core():
    def turned(A: int16[3, 5], v: int8[7], B: int16[3, 5]) -> (int16[5], int8[7]):
        s: int16[5] = 0
        for i, j in allo.grid(3, 5):
            if A[i, j] > 0:
                B[i, j] = A[i, 4 - j]
            s[j] += A[2 - i, 4 - j]
        return s, v * 2

    assert both(turned, "npu1").why.startswith("the function contains scf.if")


def test_jit():
    @allo.jit(device="npu2")
    def scaled(a, b, factor):
        return allo.matmul(a, b) * factor + 1

    a, b = ints(5, 8), ints(8, 3)
    np.testing.assert_array_equal(scaled(a, b, 2), a @ b * 2 + 1)
    assert scaled.compiled(a, b, 2) is scaled.compiled(-a, b, 2)
    x, y = a.astype(np.float32), b.astype(np.float32)
    np.testing.assert_allclose(scaled(x, y, 0.5), x @ y * 0.5 + 1, rtol=1e-5)
    with pytest.raises(AlloAirError, match="'scaled' takes 3 arguments, found 2"):
        scaled(a, b)


def test_functions_that_are_not_for_the_array():
    @allo.jit
    def by_name(a, *, b=3):
        return a + b

    @allo.jit
    def of_numpy(a):
        return np.add(a, a)

    @allo.jit
    def method(a):
        return a.astype(np.int8)

    for function, why in [
        (by_name, r"'by_name' has parameter 'b=3', and functions for the array take plain ones"),
        (of_numpy, r"cannot be called in a kernel; allo_air.add does that"),
        (method, r"has no method 'astype'; write int8\(a\)"),
    ]:
        with pytest.raises(AlloAirError, match=why):
            function(ints(8))
    for function in (len, dict, [lambda a: a][0]):
        with pytest.raises(AlloAirError, match=r"decorates a function|not a function that 'def' defines"):
            allo.jit(function)(ints(8))


def test_devices_and_options_that_are_not_there():
    def more(a):
        return a + 1

    for given, message in (
        ({"device": "npu9"}, "unknown device 'npu9'; did you mean 'npu2'"),
        ({"colz": 3}, "pipeline 'npu' has no option 'colz'; did you mean 'cols'"),
    ):
        with pytest.raises(AlloAirError, match=message):
            allo.jit(more, **given)(np.ones((4, 4), np.float32))


def test_truth():
    @allo.jit
    def greater(a, b):
        return a > b

    @allo.jit
    def kept(mask: uint1[8], other: uint1[8]) -> uint1[8]:
        return allo.mul(mask, other)

    a, mask = np.arange(8, dtype=np.int32), np.arange(8) % 3 == 0
    found = greater(a, a[::-1].copy())
    assert found.dtype == bool and (found == (a > a[::-1])).all()
    assert (kept(mask, a > 3) == (mask & (a > 3))).all()
    with pytest.raises(AlloAirError, match=r"'b' is of bool, .* give .view\('uint8'\), or write its type, b: uint1\[8\]"):
        greater(a, mask)


def test_names_defaults_and_new_meanings_of_names():
    """As Python has them: parameters are not written to, an integer that becomes a float is one."""

    @allo.jit
    def layer(a, b, scale=2, shape=None, act="relu"):
        a = a + b
        a = a * 0.5
        if act == "relu":
            a = allo.relu(a)
        rows = a.shape[0] // 2
        if shape is not None:
            a = allo.view(a, (rows, shape))
        return a * scale

    a, b = ints(4, 6), ints(4, 6)
    kept = a.copy()
    np.testing.assert_allclose(layer(a, b), np.maximum((a + b) * 0.5, 0) * 2)
    np.testing.assert_allclose(layer(a, act="", b=b, shape=12), ((a + b) * 0.5).reshape(2, 12) * 2)
    np.testing.assert_array_equal(a, kept)
    assert layer.compiled(a, b, 2.0) is not layer.compiled(a, b, 2)
    with pytest.raises(AlloAirError, match="'layer' takes 5 arguments, found 3: got an unexpected keyword argument 'bias'"):
        layer(a, b, bias=1)

    @allo.jit
    def total(a):
        s = 0
        for i in range(4):
            s = s + a[i] * 0.5
        a[0] = s

    with pytest.raises(AlloAirError, match="'s' is int32, and would be a float from here on in a loop; write s: float32"):
        total(a[0])


def from_itself(x):
    y = x
    for _i in range(3):
        y = y + x
    return y


def from_a_part(x):
    y = x[0:2]
    for _i in range(2):
        y = y + 1.0
    return y


def two_names(x):
    y = x + 1.0
    z = y
    for _i in range(2):
        z = z * 2.0
    return y + z


def the_turn_before(x):
    y = x + 1.0
    z = x * 0.0
    for _i in range(3):
        before = y
        y = y + x
        z = z + before
    return z


def in_turn(x):
    y = x + 1.0
    for _i in range(3):
        kept = x
        x = y
        y = kept + y
    return x, y


def one_of_two(x):
    if x[0, 0] > 1:
        return x
    return x + 1.0


def a_name_anew(x):
    x = x + 1.0
    for i in range(3):
        x[i] = 2.0
        x = x * 3.0
    return x


def through_a_name(x):
    y = x
    y[0] = 5.0
    return x + y


@pytest.mark.parametrize(
    "function", [from_itself, from_a_part, two_names, the_turn_before, in_turn, one_of_two, a_name_anew, through_a_name]
)
def test_two_names_of_a_tensor(function):
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    there, here = x.copy(), x.copy()
    np.testing.assert_equal(allo.jit(function)(there), function(here))
    np.testing.assert_equal(there, here)


def test_two_names_of_a_tensor_changed_in_place():
    @allo.jit
    def both(x):
        y = x
        for _i in range(2):
            y = y + 1.0
            y[0] = 2.0
        return y

    with pytest.raises(AlloAirError, match="'x' and 'y': the elements are changed in place \\(line"):
        both(np.ones((3, 4), np.float32))


def test_other_shapes_of_a_tensor_are_written_through():
    def views(A: float32[4, 6]) -> float32[24]:
        B = allo.view(A, (24,))
        for i in range(24):
            B[i] = B[i] + 1
        for i, j in allo.grid(4, 6):
            A[i, j] = A[i, j] * 2
        C: float32[24] = B
        return C

    assert both(views, "npu1").why == ""


@pytest.mark.slow
def test_multi_head_attention():
    @allo.jit(device="npu2")
    def attention(x, wq, wk, wv, heads):
        d = x.shape[1] // heads
        q = allo.transpose(allo.view(x @ wq, (x.shape[0], heads, d)), (1, 0, 2))
        k = allo.transpose(allo.view(x @ wk, (x.shape[0], heads, d)), (1, 2, 0))
        v = allo.transpose(allo.view(x @ wv, (x.shape[0], heads, d)), (1, 0, 2))
        o = allo.bmm(allo.softmax(allo.bmm(q, k) / d**0.5), v)
        return allo.view(allo.transpose(o, (1, 0, 2)), (x.shape[0], x.shape[1])) + x

    x, *weights = (RNG.standard_normal(s, dtype=np.float32) for s in ((8, 16), (16, 16), (16, 16), (16, 16)))
    q, k, v = ((x @ w).reshape(8, 4, 4).transpose(1, 0, 2) for w in weights)
    e = np.exp(q @ k.transpose(0, 2, 1) / 2)
    wanted = (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(8, 16) + x
    np.testing.assert_allclose(attention(x, *weights, 4), wanted, rtol=1e-2, atol=1e-2)
    assert attention.compiled(x, *weights, 4).why == ""


def form(function):
    schedule = allo.customize(function)
    with schedule._context:
        return raise_to_tensors(str(schedule.module), schedule.top.name).text


def test_loops_become_linalg():
    text = form(sums)
    assert text.count("linalg.generic") >= 2 and "memref" not in text and "i33" not in text

    def second(A: int32[4, 5]) -> int32[5]:
        B: int32[5] = 0
        for i, j in allo.grid(4, 5):
            B[j] = B[j] * 2 + A[i, j]
        return B

    def carried(A: int32[8]):
        for i in range(7):
            A[i + 1] = A[i] + 1

    def crossed(A: int32[8], B: int32[8]):
        for i in range(7):
            A[i] = B[i + 1]
            B[i] = A[i] * 2

    def dot(x: int32[7], y: int32[7]) -> int32:
        s: int32 = 0
        for k in range(7):
            s += x[k] * y[k]
        return s

    def called(A: int32[5, 7], y: int32[7]) -> int32[5]:
        B: int32[5] = 0
        for i in range(5):
            B[i] = dot(A[i], y)
        return B

    for function, why in [
        (called, "a call of 'dot' in a loop"),
        (second, "not a sum, product, minimum or maximum"),
        (carried, "reads other elements of the tensor that it writes"),
        (crossed, "depend on each other across iterations"),
        (increasing, "scf.while"),
    ]:
        with pytest.raises(NotRaised, match=why):
            form(function)


def test_from_the_shell(tmp_path):
    (tmp_path / "kernel.py").write_text("import allo_air\n\n\n@allo_air.jit\ndef act(a, b):\n    return allo_air.relu(a + b)\n")
    command = [sys.executable, "-m", "allo_air.tools.allo_run", "kernel.py:act", "--shape", "5x8xf32,8xf32", "--device", "npu2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "correct: equal on random inputs, all 88 elements" in done.stdout, done.stderr


def test_arithmetic_without_types_is_numpys():
    @allo.jit
    def f(a):
        return a * a + a

    a = RNG.integers(-300, 300, 64).astype(np.int16)
    found = f(a)
    np.testing.assert_array_equal(found, a * a + a)
    assert found.dtype == np.int16 and f.compiled(a).why == ""

    @allo.jit
    def g(a, b):
        return a / b, a % b, abs(a)

    a, b = (RNG.integers(low, 256 + low, 64) for low in (0, -128))
    a, b = a.astype(np.uint8), np.where(b == 0, 1, b).astype(np.int8)
    for x, y in [(a, b), (b / np.float32(8), b / np.float32(16))]:
        quotient, rest, size = g(x, y)
        np.testing.assert_allclose(quotient, x / y, rtol=1e-6)
        np.testing.assert_array_equal(rest, x % y)
        np.testing.assert_array_equal(size, abs(x))
        assert rest.dtype == (x % y).dtype and quotient.dtype == np.float32


def scaled(x, k, add=0.5):
    y = x * k
    for _ in range(2):
        y = y + add
    return y


def pair(x):
    return x + 1.0, x


def ends_by_number(x, n):
    return x if n == 0 else ends_by_number(x + 1.0, n - 1)


def without_end(x, n):
    return without_end(x, n + 1)


def of_helpers(x):
    a, same = pair(x)
    return scaled(a, 2.0) + scaled(x[0], 3, add=1.5) * same


def named_in_branches(x):
    if x[0, 0] > 0.0:
        y, k = x + 1.0, 2.0
    elif x[0, 1] > 0.0:
        y, k = x, 4.0
    else:
        y, k = scaled(x, 2.0), 3.0
    return y * k


def while_of_tensors(x):
    s = x[0, 0]
    y = x
    while s < 10.0:
        y = y + 1.0
        s = s + 1.5
    return x + y


def names_that_change_places(x):
    a, b = x + 1.0, x * 2.0
    for _ in range(3):
        a, b = b, a
    if x[0, 0] > 0.0:
        a, b = b, a + b
    return a - b * 3.0


@pytest.mark.parametrize("function", [of_helpers, named_in_branches, while_of_tensors, names_that_change_places])
@pytest.mark.parametrize("device", ["npu1", pytest.param("npu2", marks=pytest.mark.slow)])
def test_functions_without_types_are_pythons(function, device):
    compiled = allo.jit(device=device)(function)
    for sign in (1, -1):
        x = sign * np.abs(RNG.standard_normal((8, 16), dtype=np.float32))
        before = x.copy()
        np.testing.assert_allclose(compiled(x), function(x), rtol=1e-6)
        np.testing.assert_array_equal(x, before)


def test_functions_without_types_call_themselves_and_others():
    @allo.jit
    def inner(x):
        return x * 2.0

    def f(x):
        return ends_by_number(inner(x), 3)

    x = RNG.standard_normal((4, 16), dtype=np.float32)
    np.testing.assert_allclose(allo.jit(f)(x), x * 2 + 3, rtol=1e-6)
    with pytest.raises(AlloAirError, match="'without_end' is called with more than 100 sets of types and numbers"):
        allo.jit(without_end)(x, 0)


def test_names_of_one_branch_say_so():
    def other(x):
        if x[0, 0] > 0.0:
            y = x * 2.0 + 1.0
            y = y * 2.0
        else:
            y = x[0]
        return y

    def one(x):
        if x[0, 0] > 0.0:
            y = x + 1.0
        return y

    x = np.ones((4, 16), np.float32)
    with pytest.raises(
        AlloAirError, match=r"it is a tensor float32\[4, 16\] in one branch, a tensor float32\[16\] in the other"
    ):
        allo.jit(other)(x)
    with pytest.raises(
        AlloAirError, match="'y' is not defined here: its first value is given inside of a loop or of one branch"
    ):
        allo.jit(one)(x)


def test_uint64_with_a_float_is_refused():
    def add(a, b):
        return a + b

    with pytest.raises(AlloAirError, match=r"float32 with uint64: numpy uses float64.*convert the uint64 to uint32 or int32"):
        allo.jit(add)(np.ones(16, np.float32), np.arange(16, dtype=np.uint64))


def bound_again(x: float32[8, 16]) -> float32[8, 16]:
    y = x
    y = y + 1.0
    return x + y


def bound_in_a_loop(x: float32[8, 16]) -> float32[8, 16]:
    y = x
    for _ in range(3):
        y = y + 1.0
    return x + y


def changed_in_place(x: float32[8, 16]) -> float32[8, 16]:
    y = x
    y[0, 0] = 5.0
    return x + y


@pytest.mark.parametrize("function", [bound_again, bound_in_a_loop, changed_in_place])
def test_two_names_of_one_tensor_in_functions_with_types_are_pythons(function):
    x = RNG.standard_normal((8, 16), dtype=np.float32)
    for build in (lambda s: s.build(), lambda s: s.build(target="aie", device="npu1")):
        given, wanted = x.copy(), x.copy()
        np.testing.assert_allclose(build(allo.customize(function))(given), function(wanted), rtol=1e-6)
        np.testing.assert_array_equal(given, wanted)


def test_two_names_of_one_tensor_that_is_changed_in_place_are_refused():
    def f(x: float32[8, 16]) -> float32[8, 16]:
        y = x
        x[0, 0] = 5.0
        y = y + 1.0
        return x + y

    with pytest.raises(AlloAirError, match="'x' and 'y': the elements are changed in place \\(line"):
        allo.customize(f)
