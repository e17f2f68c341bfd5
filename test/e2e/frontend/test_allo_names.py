"""Names and forms of Allo's that its programs use beside the language: modules, library functions, what a schedule has."""

import numpy as np
import pytest

import allo_air as allo
from allo_air.errors import AlloAirError
from allo_air.frontend.errors import KernelError
from allo_air.ir.types import Int, index, int8, int16, int32
from allo_air.library.systolic import packed_systolic, systolic
from allo_air.memory import Memory


def test_a_syntax_tree_is_compiled():
    from allo_air.ir.builder import ASTTransformer
    from allo_air.ir.infer import TypeInferer
    from allo_air.ir.utils import get_global_vars, parse_ast
    from allo_air.ir.visitor import ASTContext, ASTVisitor

    def twice(A: int32[4]) -> int32[4]:
        B: int32[4] = 0
        for i in range(4):
            B[i] = A[i] * 2
        return B

    tree = parse_ast(twice)
    ctx = ASTContext(tree=tree, global_vars=get_global_vars(twice))
    assert "func.func @twice(%arg0: memref<4xi32>)" in str(ASTTransformer()(ctx, TypeInferer()(ctx, tree)))
    wrong = parse_ast("def wrong(A: int32[4]) -> int32[4]:\n    return A[0, 1]\n")
    with pytest.raises(KernelError, match="2 subscripts for a tensor of rank 1"):
        TypeInferer()(ctx, wrong)
    with pytest.raises(AlloAirError, match="found Module without a function"):
        ASTTransformer()(ctx, parse_ast("x = 1"))

    class Loops(ASTVisitor):
        def visit_For(self, ctx, node):
            found.append(node.target.id)

    found = []
    Loops()(ctx, tree)
    assert found == ["i"]


def test_modules_are_called_as_their_functions_are():
    from allo_air._mlir.dialects import func
    from allo_air._mlir.passmanager import PassManager
    from allo_air.template import meta_for

    assert allo.meta_for is meta_for
    assert func.FuncOp.OPERATION_NAME == "func.func"
    assert PassManager is not None

    @allo.template("n")
    def counted(A: "int32[n]") -> "int32[n]":
        return A + n

    assert allo.customize(counted, instantiate=[3]).build()(np.zeros(3, np.int32)).tolist() == [3, 3, 3]


@pytest.mark.parametrize("sizes", [(4, 4, 4, 2, 2, 2), (8, 4, 16, 4, 4, 2)])
def test_packed_systolic(sizes):
    M, K, N, Mt, Nt, P = sizes

    def top(X: Int(16)[M // P, K], W: Int(16)[K, N // P]) -> int32[M // P, N]:
        Z: int32[M // P, N] = 0
        packed_systolic[int8, int8, int16, M, K, N, Mt, Nt, P](X, W, Z)
        return Z

    s = allo.customize(top)
    s.compose(packed_systolic, instantiate=[int8, int8, int16, *sizes])
    rng = np.random.default_rng(0)
    x, w = rng.integers(-9, 9, (M, K)).astype(np.int8), rng.integers(-9, 9, (K, N)).astype(np.int8)
    words = np.ascontiguousarray(x.T).view(np.int16).T.copy(), w.view(np.int16)
    for run in s.build(), s.build(target="vitis_hls"):
        np.testing.assert_array_equal(
            np.ascontiguousarray(run(*words).T).view(np.int16).T, x.astype(np.int16) @ w.astype(np.int16)
        )


@pytest.mark.parametrize("sizes", [(6, 4, 6, 3, 3, 2), (8, 4, 8, 4, 2, 4), (6, 4, 8, 4, 4, 2)])
def test_packed_systolic_has_whole_words_in_each_tile(sizes):
    with pytest.raises(AlloAirError, match="does not hold: P divides Mt and Nt, which divide M and N"):
        allo.customize(packed_systolic, instantiate=[int8, int8, int16, *sizes])


def test_composing_twice_schedules_a_shared_function_once():
    def top(X: int8[4, 4], V: int8[4, 4], W: int8[4, 4]) -> int8[4, 4]:
        Y: int8[4, 4] = 0
        Z: int8[4, 4] = 0
        systolic[int8, int8, int8, 4, 4, 4, 2, 2, "first"](X, V, Y)
        systolic[int8, int8, int8, 4, 4, 4, 2, 2, "second"](Y, W, Z)
        return Z

    s = allo.customize(top)
    for name in "first", "second":
        s.compose(systolic, id=name, instantiate=[int8, int8, int8, 4, 4, 4, 2, 2])
    assert str(s.module).count("call @PE_kernel") == 4
    rng = np.random.default_rng(0)
    x, v, w = (rng.integers(-2, 3, (4, 4)).astype(np.int8) for _ in range(3))
    np.testing.assert_array_equal(s.build()(x, v, w), x @ v @ w)


def test_grids_and_slices_of_the_run():
    def product(A: int32[...], B: int32[...], C: int32[...], M: int32, N: int32, K: int32):
        for i, j, k in allo.grid(M, N, K):
            C[i * N + j] += A[i * K + k] * B[k * N + j]

    a, b, c = np.arange(6, dtype=np.int32), np.arange(12, dtype=np.int32), np.zeros(8, np.int32)
    allo.customize(product).build()(a, b, c, 2, 4, 3)
    np.testing.assert_array_equal(c.reshape(2, 4), a.reshape(2, 3) @ b.reshape(3, 4))

    def part(A: int32[8], i: index) -> int32[2]:
        B: int32[2] = A[i : i + 2]
        return B

    assert allo.customize(part).build()(np.arange(8, dtype=np.int32), 5).tolist() == [5, 6]


def test_a_memory_in_an_annotation():
    def shifted(A: int32[8] @ Memory(resource="URAM", latency=2)) -> int32[8]:
        B: int32[8] @ Memory(resource="BRAM", storage_type="RAM_1P") = 0
        for i in range(8):
            B[i] = A[i] + 1
        return B

    code = str(allo.customize(shifted).build(target="vhls"))
    assert "bind_storage variable=v0 type=RAM_2P impl=uram latency=2" in code
    assert "type=RAM_1P impl=bram" in code


def test_a_kernel_that_cannot_be_compiled_ends_the_program(tmp_path):
    import subprocess
    import sys

    def wrong(a: int32) -> int32:
        return "x"

    with pytest.raises(SystemExit, match="must return int32, found str 'x'"):
        allo.customize(wrong)
    (tmp_path / "wrong.py").write_text(
        "import allo_air as allo\nfrom allo_air.ir.types import int32\n\n\n"
        'def wrong(a: int32) -> int32:\n    return "x"\n\n\nallo.customize(wrong)\n'
    )
    done = subprocess.run([sys.executable, "wrong.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "wrong.py:6:5: error: must return int32" in done.stderr
    assert "Traceback" not in done.stderr


def test_modules_of_targets_by_allos_names():
    from allo_air.backend.hls import HLSModule
    from allo_air.primitives.unify import unify

    def more(A: int32[4]) -> int32[4]:
        B: int32[4] = 0
        for i in range(4):
            B[i] = A[i] + 1
        return B

    s = allo.customize(more)
    assert "void more(" in HLSModule(s.module, top_func_name="more", platform="vitis_hls").hls_code
    with pytest.raises(AlloAirError, match="unify, which merges functions"):
        unify(more, more, 4)
    with pytest.raises(AlloAirError, match="unknown option of build 'wrap'"):
        s.build(target="vhls", wrap=True)
    with pytest.raises(AlloAirError, match="the interval of pipeline must be a whole number above 0, found 0"):
        s.pipeline("i", initiation_interval=0)
    with pytest.raises(AlloAirError, match="unknown name in configs 'freq'; did you mean 'frequency'"):
        s.build(target="vhls", configs={"freq": 200})
    with pytest.raises(AlloAirError, match=r"unknown typing_rule_set 'c'.*default, cpp-style, numpy"):
        allo.customize(more, typing_rule_set="c")


def test_modules_that_are_none():
    from allo_air.backend.hls import HLSModule
    from allo_air.backend.llvm import LLVMModule

    for make in (HLSModule, LLVMModule):
        with pytest.raises(AlloAirError, match="custom op 'text' is unknown"):
            make("text", "f")
        with pytest.raises(AlloAirError, match="'f' has no body"):
            make("func.func private @f(%a: memref<4xf32>)", "f")
        with pytest.raises(AlloAirError, match="'f' has a parameter or result tensor<4xf32>"):
            make("func.func @f(%a: tensor<4xf32>) { return }", "f")
