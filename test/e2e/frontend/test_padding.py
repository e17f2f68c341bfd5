"""Tensors whose sizes mappings do not divide: padded where that changes no result, else refused at the parameter's line."""

import importlib.util
import inspect
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.errors import AlloAirError
from allo_air.ir.types import Stream, float32, int8, int16, int32
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate


def counted(*shape, dtype=np.int32):
    return (np.arange(np.prod(shape)).reshape(shape) % 11 + 1).astype(dtype)


@df.region()
def elementwise(A: int32[10], B: int32[10]):
    @df.kernel(mapping=[4], args=[A, B])
    def core(a: int32[10] @ [S(0)], b: int32[10] @ [S(0)]):
        b[:] = allo.add(a, 1)


@df.region()
def divided(A: int32[5, 6], B: int32[5, 6]):
    @df.kernel(mapping=[2, 2], args=[A, B])
    def core(a: int32[5, 6] @ "S1S0", b: int32[5, 6] @ "S1S0"):
        for i, j in allo.grid(3, 3):
            x: int32 = a[i, j] * 2
            if x > 6:
                x = 5
            b[i, j] = 100 // x


@df.region()
def in_place(A: float32[7, 4]):
    @df.kernel(mapping=[3], args=[A])
    def core(a: float32[7, 4] @ [S(0), R]):
        a[:, :] = allo.exp(allo.mul(a, 0.125))


@df.region()
def narrow(A: int8[10], B: int32[10]):
    @df.kernel(mapping=[4], args=[A, B])
    def core(a: int8[10] @ [S(0)], b: int32[10] @ [S(0)]):
        for i in range(4):
            b[i] = a[i] * 3


@df.region()
def rows(A: float32[5, 8], B: float32[5, 8]):
    @df.kernel(mapping=[2], args=[A, B])
    def core(a: float32[5, 8] @ [S(0), R], b: float32[5, 8] @ [S(0), R]):
        b[:, :] = allo.softmax(a)


@df.region()
def one_after_another(A: int32[9], B: int32[9], C: int32[9]):
    @df.kernel(mapping=[2], args=[A, B])
    def first(a: int32[9] @ [S(0)], b: int32[9] @ [S(0)]):
        b[:] = allo.mul(a, a)

    @df.kernel(mapping=[2], args=[A, C])
    def second(a: int32[9] @ [S(0)], c: int32[9] @ [S(0)]):
        t: int32[5] = 0
        t[:] = allo.add(a, 1)
        c[:] = allo.mul(t, 2)


@df.region()
def product(A: int16[10, 16], B: int16[16, 14], C: int32[10, 14]):
    @df.kernel(mapping=[4, 4], args=[A, B, C])
    def gemm(a: int16[10, 16] @ [S(0), R], b: int16[16, 14] @ [R, S(1)], c: int32[10, 14] @ [S(0), S(1)]):
        c[:, :] = allo.matmul(a, b)


@df.region()
def cube(A: int32[3, 3, 5], B: int32[3, 3, 5]):
    @df.kernel(mapping=[2, 2, 2], args=[A, B])
    def core(a: int32[3, 3, 5] @ [S(0), S(1), S(2)], b: int32[3, 3, 5] @ [S(0), S(1), S(2)]):
        b[:, :, :] = allo.sub(a, 5)


@df.region()
def transposed(A: int32[10, 6], B: int32[6, 10]):
    @df.kernel(mapping=[4], args=[A, B])
    def core(a: int32[10, 6] @ [S(0), R], b: int32[6, 10] @ [R, S(0)]):
        b[:, :] = allo.transpose(a, (1, 0))


@df.region()
def called(A: int32[10], B: int32[10]):
    def twice(x: int32) -> int32:
        return x * 2

    @df.kernel(mapping=[4], args=[A, B])
    def core(a: int32[10] @ [S(0)], b: int32[10] @ [S(0)]):
        for i in range(3):
            count: int32 = 0
            n: int32 = twice(a[i])
            while n > 0:
                n = n // 2
                count += 1
            b[i] = count


@df.region()
def folded(A: int32[35], B: int32[35]):
    @df.kernel(mapping=[20], args=[A, B])
    def core(a: int32[35] @ [S(0)], b: int32[35] @ [S(0)]):
        b[:] = allo.mul(a, 3)


def powers(a):
    e = np.exp(a - a.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


PADDED = [
    (elementwise, [counted(10)], lambda a: [a + 1]),
    (divided, [counted(5, 6)], lambda a: [100 // np.where(a * 2 > 6, 5, a * 2)]),
    (narrow, [counted(10, dtype=np.int8)], lambda a: [a.astype(np.int32) * 3]),
    (rows, [counted(5, 8, dtype=np.float32)], lambda a: [powers(a)]),
    (one_after_another, [counted(9)], lambda a: [a * a, (a + 1) * 2]),
    (product, [counted(10, 16, dtype=np.int16), counted(16, 14, dtype=np.int16)], lambda a, b: [a.astype(np.int32) @ b]),
    (transposed, [counted(10, 6)], lambda a: [a.T]),
    (called, [counted(10)], lambda a: [np.floor(np.log2(a)).astype(int) + 2]),
    (folded, [counted(35)], lambda a: [a * 3]),
    (cube, [counted(3, 3, 5)], lambda a: [a - 5]),
]


def check(case, target):
    region, given, want = case
    wanted = want(*given)
    kinds = [a.astype(np.float32 if a.dtype == np.float32 else np.int32) for a in wanted]
    found = [np.full_like(k, -1) for k in kinds]
    df.build(region, target=target)(*given, *found)
    for f, k in zip(found, kinds, strict=True):
        np.testing.assert_allclose(f, k, rtol=1e-4)


@pytest.mark.parametrize("case", PADDED, ids=lambda case: case[0].__name__)
def test_padded_on_the_cpu(case):
    check(case, "llvm")


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, marks=() if c[0] in (divided, product) else pytest.mark.slow) for c in PADDED],
    ids=lambda case: case[0].__name__,
)
def test_padded_on_the_array(case):
    check(case, "sim")


def test_in_place():
    a = counted(7, 4, dtype=np.float32)
    want = np.exp(a * 0.125)
    df.build(in_place, target="llvm")(a)
    np.testing.assert_allclose(a, want, rtol=1e-5)


def kernels():
    def summed(a, b):
        s: int32 = 0
        for i in range(3):
            s += a[i]
        for i in range(3):
            b[i] = s

    def reduced(a, b):
        b[:] = allo.add(a, allo.sum(a))

    def cut_short(a, b):
        for i in range(2):
            b[i] = a[i]

    def neighbours(a, b):
        for i in range(2):
            b[i + 1] = a[i]

    def turned(a, b):
        for i in range(3):
            b[i] = a[2 - i]

    def first(a, b):
        for i in range(3):
            b[i] = a[0]

    def pairs(a, b):
        for i, j in allo.grid(3, 3):
            b[i] = a[j]

    def places(a, b):
        for i in range(3):
            b[i] = a[i] + i

    def carried(a, b):
        s: int32 = 0
        for i in range(3):
            s = s + a[i]
            b[i] = s

    def late(a, b):
        s: int32 = 0
        for i in range(3):
            b[i] = s
            s = a[i]

    def local(a, b):
        t: int32[3] = 0
        for i in range(3):
            t[i] = a[i]
        for i in range(3):
            b[i] = t[0]

    def sliced(a, b):
        b[0:2] = a[0:2]

    def numbered(a, b):
        b[:] = allo.add(a, df.get_pid())

    def too_small(a, b):
        t: int32[2] = 0
        t[:] = allo.add(a, 1)
        b[:] = a

    def other_size(a, b):
        t: int32[4] = 0
        for i in range(3):
            t[i] = a[i]
        for i in range(3):
            b[i] = t[i]

    return {
        summed: "carries a value from iteration to iteration",
        reduced: "an operation reduces along it",
        cut_short: "does not run over all of a part's 3 elements",
        neighbours: "does not run over all of a part's 3 elements",
        turned: "an element is not chosen by the variable of a loop over it",
        first: "an element is not chosen by the variable of a loop over it",
        pairs: "carries a value from iteration to iteration",
        places: "computes with its variable",
        carried: "carries a value from iteration to iteration",
        late: "carries a value from iteration to iteration",
        local: "an element is not chosen by the variable of a loop over it",
        sliced: "takes parts (slices, rows) of tensors",
        numbered: "asks for the number of its core",
        too_small: "says: ",
        other_size: "a buffer of 4 elements holds parts of 3",
    }


@pytest.mark.parametrize("kernel", kernels().items(), ids=lambda item: item[0].__name__)
def test_refused(kernel, tmp_path):
    function, reason = kernel
    text = textwrap.dedent(inspect.getsource(function)).split("\n", 1)[1]
    path = tmp_path / "kernel.py"
    path.write_text(
        "import allo_air as allo\nimport allo_air.dataflow as df\nfrom allo_air.ir.types import int32\n"
        "from allo_air.memory import Layout\n\nS = Layout.Shard\n\n\n@df.region()\ndef top(A: int32[10], B: int32[10]):\n"
        "    @df.kernel(mapping=[4], args=[A, B])\n    def core(a: int32[10] @ [S(0)], b: int32[10] @ [S(0)]):\n"
        + textwrap.indent(text, "    ")
    )
    spec = importlib.util.spec_from_file_location("kernel", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    refused(
        module.top, reason, "dimension 0 of size 10 cannot be cut into 4 equal parts (dimension 0 of the mapping [4])", path
    )


def refused(region, reason, what, path=Path(__file__)):
    for target in ("llvm", "aie"):
        with pytest.raises(AlloAirError) as caught:
            df.build(region, target=target)
        message = str(caught.value)
        assert reason in message
        assert what in message
        assert "parameter 'a' of kernel 'core' (tensor 'A'): " in message
        assert "in the program, or give this dimension of the mapping a divisor of" in message
        line = int(re.search(rf"{path.name}:(\d+):", message)[1])
        assert "def core" in path.read_text().splitlines()[line - 1]


def test_refused_regions():
    @df.region()
    def inner(A: int16[8, 10], B: int16[10, 8], C: int32[8, 8]):
        @df.kernel(mapping=[4], args=[A, B, C])
        def core(a: int16[8, 10] @ [R, S(0)], b: int16[10, 8] @ [S(0), R], c: int32[8, 8]):
            c[:, :] = allo.matmul(a, b)

    refused(inner, "an operation reduces along it", "dimension 1 of size 10")

    @df.region()
    def sent(A: int32[10], B: int32[10]):
        pipe: Stream[int32[5], 2][2]

        @df.kernel(mapping=[3], args=[A])
        def core(a: int32[10] @ [S(0)]):
            a[:] = pipe[0].get()

    refused(sent, "says: ", "cut into 3 equal parts")

    @df.region()
    def mixed(A: int32[10], B: int32[10]):
        @df.kernel(mapping=[4], args=[A])
        def core(a: int32[10] @ [S(0)]):
            a[:] = allo.add(a, 1)

        @df.kernel(mapping=[1], args=[A, B])
        def other(a: int32[10], b: int32[10]):
            b[:] = a

    refused(mixed, "kernels get this tensor in parts of different sizes", "dimension 0 of size 10")

    @df.region()
    def unlike(A: int32[10], B: int32[12]):
        @df.kernel(mapping=[4], args=[A, B])
        def core(a: int32[10] @ [S(0)], b: int32[12] @ [S(0)]):
            b[:] = a

    refused(unlike, "a dimension that is not padded", "dimension 0 of size 10")
