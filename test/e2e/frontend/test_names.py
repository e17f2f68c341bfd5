"""Programs written for Allo find what they import."""

import importlib

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.backend.aie import vliw
from allo_air.errors import AlloAirError
from allo_air.ir.types import Stateful, int16, int32
from allo_air.memory import Layout

NAMES = {
    "allo_air": (
        "abs add bmm concat conv2d copy cos customize div exp gelu grid layernorm linear log log10 log2 matmul maxpool "
        "meta_elif meta_else meta_for meta_if mul ones power reduction relu sin softmax sqrt sub sumpool tan tanh transpose "
        "tril verify view zeros IPModule autoscheduler backend dataflow dsl frontend ir memory primitives utils"
    ),
    "allo_air.autoscheduler": "",
    "allo_air.backend.aie": "ExternalModule is_available",
    "allo_air.backend.aie.external_kernel": "ExternalModule",
    "allo_air.backend.aie.vliw": "create_vliw_module kernel",
    "allo_air.backend.hls": "is_available",
    "allo_air.customize": "Partition Schedule customize",
    "allo_air.dataflow": "array build customize gather get_pid kernel pipe region scatter",
    "allo_air.dsl": "grid layernorm matmul meta_for reduction",
    "allo_air.frontend": "from_pytorch",
    "allo_air.ir.types": (
        "ConstExpr Fixed Index Int Stateful Stream Struct UFixed UInt bfloat16 bool float16 float32 float64 index int1 "
        "int4 int8 int15 int16 int32 int64 uint1 uint4 uint8 uint16 uint32"
    ),
    "allo_air.library": "nn systolic",
    "allo_air.library.aie.modules": "FA GEMM",
    "allo_air.library.aie.modules.flash_attention": "FA",
    "allo_air.library.aie.modules.gemm": "GEMM gen_gemm_mapping_primitive",
    "allo_air.library.nn": (
        "GeLU avgpool2d batchnorm1d batchnorm2d conv2d layer_norm linear2d linear3d log_softmax maxpool2d "
        "relu2d relu3d relu4d residual_add scaled_dot_product_attention softmax"
    ),
    "allo_air.memory": "DTensor Layout Memory",
    "allo_air.primitives": "unify",
    "allo_air.utils": "get_np_struct_type",
}


@pytest.mark.parametrize("module", NAMES)
def test_imports(module):
    found = importlib.import_module(module)
    assert [n for n in NAMES[module].split() if not hasattr(found, n)] == []


def test_what_is_for_fpgas_says_so():
    with pytest.raises(AlloAirError, match="merges functions into one circuit"):
        allo.primitives.unify(max, min, 3)
    with pytest.raises(AlloAirError, match="no such target"):
        importlib.import_module("allo_air.autoscheduler").search()
    with pytest.raises(AlloAirError, match=r"autoscheduler\.passes\.run searches"):
        importlib.import_module("allo_air.autoscheduler.passes").run()


@vliw.kernel(project="vliw.prj", input_idx=[0], output_idx=[1])
def double(A: int32[16], B: int32[16]):
    for i in range(16):
        B[i] = A[i] * 2


def test_core_code_in_python():
    module = vliw.create_vliw_module(double).get_external_module()

    @df.region()
    def top(A: int32[16], B: int32[16]):
        @df.kernel(mapping=[1], args=[A, B])
        def core(a: int32[16], b: int32[16]):
            module(a, b)

    a, b = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
    df.build(top, target="aie")(a, b)
    assert (b == 2 * a).all()


@vliw.kernel(project="vliw.prj")
def product(A: int16[8, 6], B: int16[6, 8]) -> int32[8, 8]:
    C: int32[8, 8] = 0
    for i, j, k in allo.grid(8, 8, 6):
        C[i, j] += A[i, k] * B[k, j]
    return C


def test_core_code_in_python_with_a_result():
    rows = [Layout.Shard(0), Layout.Replicate]

    @df.region()
    def top(A: int16[16, 6], B: int16[6, 8], C: int32[16, 8]):
        @df.kernel(mapping=[2], args=[A, B, C])
        def core(a: int16[16, 6] @ rows, b: int16[6, 8], c: int32[16, 8] @ rows):
            product(a, b, c)

    rng = np.random.default_rng(0)
    a, b = (rng.integers(-9, 9, shape).astype(np.int16) for shape in ((16, 6), (6, 8)))
    c = np.zeros((16, 8), np.int32)
    df.build(top, target="aie")(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b)

    @df.region()
    def wrong(A: int16[8, 6], B: int16[6, 8], C: int32[8, 4]):
        @df.kernel(mapping=[1], args=[A, B, C])
        def core(a: int16[8, 6], b: int16[6, 8], c: int32[8, 4]):
            product(a, b, c)

    with pytest.raises(AlloAirError, match=r"int32\[8, 8\] does not fit into .*int32\[8, 4\]"):
        df.build(wrong, target="aie")


def test_results_need_no_annotation():
    def twice(A: int32[4]):
        B: int32[4] = 0
        for i in range(4):
            B[i] = A[i] + A[i]
        return B

    assert (allo.customize(twice).build()(np.arange(4, dtype=np.int32)) == [0, 2, 4, 6]).all()


def test_modules_of_pytorch_on_arrays():
    torch = pytest.importorskip("torch")

    module, x = torch.nn.Sequential(torch.nn.Linear(8, 6), torch.nn.GELU()).eval(), torch.ones(3, 8)
    for options in ({}, {"target": "aie"}):
        found = allo.frontend.from_pytorch(module, example_inputs=[x], **options)(x.numpy())
        assert isinstance(found, np.ndarray)
        np.testing.assert_allclose(found, module(x).detach().numpy(), atol=1e-4)
    with pytest.raises(AlloAirError, match="unknown target 'vhdl'"):
        allo.frontend.from_pytorch(module, [x], target="vhdl")


def test_marks_of_grids_steps_of_the_run_and_build():
    def marked(A: int32[4, 6], n: int32):
        for i, j in allo.grid(4, 6, name="first", pipeline=True):
            A[i, j] += i
        for i, _ in allo.grid(4, 1, unroll=True):
            for k in range(i, 6, n):
                A[i, k] = 0

    text = str(allo.customize(marked).module)
    assert text.count("pipeline_ii = 1") == 1 and text.count("unroll = 0") == 2
    a = np.ones((4, 6), np.int32)
    wanted = a + np.arange(4, dtype=np.int32)[:, None]
    for i in range(4):
        wanted[i, i::4] = 0
    allo.build(marked, target="llvm")(a, 4)
    np.testing.assert_array_equal(a, wanted)


def test_state_is_that_of_a_module():
    def count(x: int32) -> int32:
        total: int32 @ Stateful = 0
        total += x
        return total

    first, second = (allo.customize(count).build(target="vitis_hls") for _ in range(2))
    assert [first(2), first(3), second(4)] == [2, 5, 4]


@vliw.kernel(input_idx=[1, 2], output_idx=[0])
def less(A: int32[16], B: int32[16]) -> int32[16]:
    C: int32[16] = 0
    for i in range(16):
        C[i] = A[i] - B[i]
    return C


@vliw.kernel(input_idx=[0], output_idx=[1])
def least(A: int32[16], B: int32[16]) -> int32[16]:
    return A


def test_results_of_core_code_are_where_output_idx_says():
    external = vliw.create_vliw_module(less).get_external_module()

    def called(A: int32[16], B: int32[16]) -> (int32[16], int32[16]):
        C: int32[16] = 0
        D: int32[16] = 0
        less(C, A, B)
        external(D, A, B)
        return C, D

    a, b = np.arange(16, dtype=np.int32), np.arange(16, dtype=np.int32) ** 2
    for found in allo.customize(called).build()(a, b):
        np.testing.assert_array_equal(found, a - b)

    def wrong(A: int32[16], B: int32[16], C: int32[16]):
        least(A, B, C)

    with pytest.raises(
        AlloAirError, match=r"number the 3 arguments of this call from 0, each once, 2 of them inputs; found \[0\]"
    ):
        allo.customize(wrong)
