"""External functions run as Python kernels on views of the core's memory."""

import numpy as np
import pytest

from allo_air.errors import AlloAirError, DiagnosticError
from allo_air.sim.cores import Kernel


def test_a_callable_gets_views_and_numbers(run):
    seen = {}

    def scale(a, out, factor, n):
        seen.update(shape=a.shape, factor=factor, n=n)
        out[:n] = a.reshape(-1)[:n] * factor
        return 40

    ran = run(
        "%f = arith.constant 2.5 : f32\n%n = arith.constant 6 : i32\n"
        "func.call @f(%a, %b, %f, %n) : (memref<2x4xf32>, memref<8xf32>, f32, i32) -> ()",
        ("a : memref<2x4xf32>", "b : memref<8xf32>"),
        (np.arange(8, dtype=np.float32),),
        outside="func.func private @f(memref<2x4xf32>, memref<8xf32>, f32, i32)",
        kernels={"f": scale},
    )
    assert seen == {"shape": (2, 4), "factor": 2.5, "n": 6}
    assert ran.view(1, np.float32, 8).tolist() == [0, 2.5, 5, 7.5, 10, 12.5, 0, 0]
    assert ran.checks("write") == [(1, 0, 32)]
    assert ran.checks("read") == [(0, 0, 32)]


def test_declared_reads_and_writes_are_checked(run):
    def swap(a, b):
        a[...], b[...] = b.copy(), a.copy()

    kernel = Kernel(swap, reads=(0, 1), writes=(0, 1))
    ran = run(
        "func.call @swap(%a, %b) : (memref<4xi16>, memref<4xi16>) -> ()",
        ("a : memref<4xi16>", "b : memref<4xi16>"),
        (np.arange(4, dtype=np.int16),),
        outside="func.func private @swap(memref<4xi16>, memref<4xi16>)",
        kernels={"swap": kernel},
    )
    assert ran.view(1, np.int16, 4).tolist() == [0, 1, 2, 3]
    assert ran.checks("read") == ran.checks("write") == [(0, 0, 8), (1, 0, 8)]
    names = [c[0] for c in ran.calls if c[0] != "work"]
    assert names == ["read", "read", "kernel", "write", "write"]


def test_a_view_with_offset_and_strides(run):
    ran = run(
        "%v = memref.subview %a[1, 2] [2, 2] [1, 1] : memref<4x4xi32> to memref<2x2xi32, strided<[4, 1], offset: 6>>\n"
        "func.call @fill(%v) : (memref<2x2xi32, strided<[4, 1], offset: 6>>) -> ()",
        ("a : memref<4x4xi32>",),
        outside="func.func private @fill(memref<2x2xi32, strided<[4, 1], offset: 6>>)",
        kernels={"fill": lambda v: v.fill(3)},
    )
    expected = np.zeros((4, 4), np.int32)
    expected[1:3, 2:4] = 3
    assert (ran.view(0, np.int32, 16).reshape(4, 4) == expected).all()
    assert ran.checks("write") == [(0, 24, 8), (0, 40, 8)]


def test_a_result_comes_back(run):
    ran = run(
        "%c0 = arith.constant 0 : index\n%x = func.call @count(%a) : (memref<4xi32>) -> i32\n"
        "memref.store %x, %b[%c0] : memref<1xi32>",
        ("a : memref<4xi32>", "b : memref<1xi32>"),
        (np.array([0, 3, 0, 4], np.int32),),
        outside="func.func private @count(memref<4xi32>) -> i32",
        kernels={"count": lambda a: int((a != 0).sum())},
    )
    assert ran.view(1, np.int32, 1)[0] == 2


def test_a_missing_kernel_names_the_call(run):
    with pytest.raises(DiagnosticError) as error:
        run(
            "func.call @my_kernel(%a) : (memref<4xi32>) -> ()",
            ("a : memref<4xi32>",),
            outside="func.func private @my_kernel(memref<4xi32>)",
            kernels={"my_kernal": lambda a: None},
        )
    [found] = error.value.diagnostics
    assert found.file == "core.mlir" and found.line > 0
    assert "calls 'my_kernel', which has no body" in found.message
    assert "did you mean 'my_kernal'" in found.message
    assert "kernels={'my_kernel': f}) with f(memref0); memref0 a numpy view of 4xi32, written in place" in found.message


def test_a_missing_kernel_says_what_it_gets(run):
    types = "memref<2x4xf32>, bf16, memref<?xi8>"
    with pytest.raises(DiagnosticError) as error:
        run(
            "%f = arith.constant 2.5 : bf16\n%d = memref.cast %b : memref<8xi8> to memref<?xi8>\n"
            f"%n = func.call @foo(%a, %f, %d) : ({types}) -> i32",
            ("a : memref<2x4xf32>", "b : memref<8xi8>"),
            outside=f"func.func private @foo({types}) -> i32",
        )
    message = error.value.diagnostics[0].message
    assert "f(memref0, number1, memref2); memref0 a numpy view of 2x4xf32, memref2 a numpy view of ?xi8" in message
    assert message.endswith("returns the i32")


def test_a_kernel_that_returns_nonsense(run):
    a = np.zeros(4, np.int32)
    from allo_air.sim.cores.kernel import Argument, Bound, Signature

    bound = Bound(Kernel(lambda v: "soon", (), (0,)), Signature("k", (Argument("memref", "i32", (4,), (1,)),), ()))
    with pytest.raises(AlloAirError, match="kernel 'k' returned str; it returns its cycles, or None"):
        bound(0, 2, [0, a.ctypes.data])


BUILT_IN = [
    ("zero_i32", ("64xi32",), (), lambda x: [np.zeros(64)]),
    ("passThroughLine", ("64xi8", "64xi8"), ("i32",), lambda a, _: [a, a]),
    ("eltwise_add_i16_vector", ("64xi16",) * 3, (), lambda a, b, _: [a, b, a + b]),
    ("reduce_add_vector", ("64xi32", "1xi32"), ("i32",), lambda a, _: [a, [a.sum()]]),
    ("reduce_max_scalar", ("64xi32", "1xi32"), ("i32",), lambda a, _: [a, [a.max()]]),
    ("vector_scalar_mul_vector", ("64xi32", "64xi32", "1xi32"), ("i32",), lambda a, _, f: [a, a * f[0], f]),
]


@pytest.mark.parametrize(("name", "shapes", "numbers", "expected"), BUILT_IN, ids=[b[0] for b in BUILT_IN])
def test_built_in_kernels(run, name, shapes, numbers, expected):
    dtypes = [np.dtype(f"i{int(s.split('xi')[1]) // 8}") for s in shapes]
    counts = [int(s.split("x")[0]) for s in shapes]
    values = tuple((np.arange(n) % 50 - 7).astype(d) for n, d in zip(counts, dtypes, strict=True))
    types = ", ".join([*(f"memref<{s}>" for s in shapes), *numbers])
    operands = ", ".join([*(f"%b{i}" for i in range(len(shapes))), *["%n"] * len(numbers)])
    ran = run(
        f"%n = arith.constant 64 : i32\nfunc.call @{name}({operands}) : ({types}) -> ()",
        tuple(f"b{i} : memref<{s}>" for i, s in enumerate(shapes)),
        values,
        outside=f"func.func private @{name}({types})",
    )
    wanted = expected(*values)
    for i, (count, dtype) in enumerate(zip(counts, dtypes, strict=True)):
        assert ran.view(i, dtype, count).tolist() == np.asarray(wanted[i]).astype(dtype).tolist()


@pytest.mark.parametrize("how", ["", "_scalar"])
def test_built_in_matmul_accumulates(run, how):
    m, k, n = 8, 16, 16
    rng = np.random.default_rng(1)
    a, b = rng.integers(-128, 128, (m, k)).astype(np.int8), rng.integers(-128, 128, (k, n)).astype(np.int8)
    c = rng.integers(-1000, 1000, (m, n)).astype(np.int32)

    def blocked(x, rows, columns):
        r, q = x.shape
        return x if how else x.reshape(r // rows, rows, q // columns, columns).transpose(0, 2, 1, 3).copy()

    types = f"memref<{m}x{k}xi8>, memref<{k}x{n}xi8>, memref<{m}x{n}xi32>"
    ran = run(
        f"func.call @matmul{how}_i8_i32(%a, %b, %c) : ({types}) -> ()",
        (f"a : memref<{m}x{k}xi8>", f"b : memref<{k}x{n}xi8>", f"c : memref<{m}x{n}xi32>"),
        (blocked(a, 4, 8), blocked(b, 8, 8), blocked(c, 4, 8)),
        outside=f"func.func private @matmul{how}_i8_i32({types})",
    )
    wanted = blocked(c + a.astype(np.int32) @ b.astype(np.int32), 4, 8)
    assert (ran.view(2, np.int32, m * n) == wanted.reshape(-1)).all()
    assert ran.checks("read") == [(0, 0, m * k), (1, 0, k * n), (2, 0, 4 * m * n)]
