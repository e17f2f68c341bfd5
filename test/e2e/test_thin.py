"""Products of few rows, or columns, whose cores lie along one dimension of the result over the whole array, against numpy."""

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.arch import arch_of
from allo_air.device import DEVICES

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i8": np.int8, "i16": np.int16, "i32": np.int32}


@pytest.mark.parametrize(
    ("m", "n", "k", "element", "turned", "device", "pipeline", "part"),
    [
        pytest.param(*(16, 1024, 1024, "bf16", "", "npu2", "gemm-bf16", 0.65), marks=pytest.mark.slow),
        pytest.param(*(17, 1000, 700, "bf16", "", "npu2", "npu", 0.5), marks=pytest.mark.slow),
        pytest.param(*(5, 999, 321, "i8", "", "npu2", "gemm-i8", 0), marks=pytest.mark.slow),
        pytest.param(*(16, 1000, 512, "bf16", "b", "npu2", "gemm-bf16", 0), marks=pytest.mark.slow),
        pytest.param(*(9, 300, 130, "f32", "", "npu2", "gemm-f32", 0), marks=pytest.mark.slow),
        pytest.param(*(16, 256, 128, "i16", "", "npu2", "gemm-i16", 0), marks=pytest.mark.slow),
        (16, 256, 64, "i32", "", "npu2", "gemm-i32", 0),
        pytest.param(*(500, 16, 300, "f32", "b", "npu2", "gemm-f32", 0), marks=pytest.mark.slow),
        (512, 16, 512, "bf16", "", "npu1", "gemm-bf16", 0),
        # Pieces of the large operand come over two channels of each column by turns, those of the small one in front of some.
        (16, 4096, 1024, "bf16", "", "npu1", "gemm-bf16", 0.7),
        (17, 3000, 700, "i8", "b", "npu1", "npu", 0.4),
        # Quarters of pieces of B come to pairs of memtiles.
        (60, 2050, 515, "bf16", "", "npu1", "gemm-bf16", 0.38),
        pytest.param(*(17, 3000, 700, "i8", "", "npu1", "gemm-i8", 0.5), marks=pytest.mark.slow),
        pytest.param(*(48, 2048, 500, "i16", "", "npu1", "gemm-i16", 0.4), marks=pytest.mark.slow),
        pytest.param(*(1, 2500, 1030, "bf16", "", "npu1", "npu", 0.5), marks=pytest.mark.slow),
        # The cores of two columns take whole rows of B, which come over the channels of all four.
        (32, 512, 2048, "bf16", "", "npu1", "gemm-bf16", 0.6),
        pytest.param(*(24, 1000, 1500, "i8", "", "npu1", "gemm-i8", 0.4), marks=pytest.mark.slow),
        # Each channel of a column brings rows of half of its cores, the first ones a part of B in front of them.
        (1024, 64, 2048, "i8", "", "npu1", "gemm-i8", 0.4),
        pytest.param(*(2000, 24, 1500, "bf16", "", "npu1", "gemm-bf16", 0.55), marks=pytest.mark.slow),
        pytest.param(*(16, 2048, 1024, "bf16", "b", "npu1", "gemm-bf16", 0.6), marks=pytest.mark.slow),
        pytest.param(*(1024, 30, 1500, "f32", "", "npu1", "gemm-f32", 0.55), marks=pytest.mark.slow),
        pytest.param(*(2000, 1, 1500, "bf16", "", "npu1", "gemm-bf16", 0.65), marks=pytest.mark.slow),
        pytest.param(*(2000, 20, 1500, "i8", "", "npu1", "gemm-i8", 0.4), marks=pytest.mark.slow),
        pytest.param(*(16, 1024, 1024, "f32", "", "npu1", "gemm-f32", 0.6), marks=pytest.mark.slow),
        pytest.param(*(16, 2048, 1024, "bf16", "", "npu1_2col", "gemm-bf16", 0.3), marks=pytest.mark.slow),
        # Three columns could have six parts of what twelve cores read.
        (16, 1536, 512, "bf16", "", "npu1_3col", "gemm-bf16", 0.3),
        pytest.param(*(2112, 64, 1024, "bf16", "", "npu1_3col", "gemm-bf16", 0.5), marks=pytest.mark.slow),
        pytest.param(*(8, 1536, 512, "i8", "b", "npu1_3col", "gemm-i8", 0.3), marks=pytest.mark.slow),
        pytest.param(*(16, 1536, 1024, "bf16", "", "npu2_6col", "gemm-bf16", 0.3), marks=pytest.mark.slow),
        pytest.param(*(16, 1024, 512, "bf16", "", "npu2", "gemm-bf16{cols=4}", 0), marks=pytest.mark.slow),
        (16, 256, 64, "bf16", "", "npu2", "gemm-bf16{shim-channels=4}", 0),
        pytest.param(*(1000, 20, 700, "i8", "", "npu1", "gemm-i8", 0), marks=pytest.mark.slow),
    ],
)
def test_thin(m: int, n: int, k: int, element: str, turned: str, device: str, pipeline: str, part: float) -> None:
    """`part` is that of the time which external memory takes for the operands, at least."""
    wide = "f32" if element in ("bf16", "f32") else "i32"
    a_type, c = f"tensor<{m}x{k}x{element}>", f"tensor<{m}x{n}x{wide}>"
    b_type = f"tensor<{n}x{k}x{element}>" if turned else f"tensor<{k}x{n}x{element}>"
    maps = ", ".join(f"affine_map<(m, n, k) -> ({r})>" for r in ("m, k", "n, k" if turned else "k, n", "m, n"))
    source = f"""func.func @gemm(%a: {a_type}, %b: {b_type}) -> {c} {{
      %zero = arith.constant {"0.0" if wide == "f32" else "0"} : {wide}
      %empty = tensor.empty() : {c}
      %init = linalg.fill ins(%zero : {wide}) outs(%empty : {c}) -> {c}
      %r = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : {a_type}, {b_type}) outs(%init : {c}) -> {c}
      return %r : {c}
    }}"""
    program = allo_air.compile(source, pipeline, device=device, cache=False)
    rng = np.random.default_rng(m * n * k)
    a, b = (rng.integers(-3, 4, shape).astype(DTYPES[element]) for shape in ((m, k), (k, n)))
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    got = program(a, np.ascontiguousarray(b.T) if turned else b)
    np.testing.assert_array_equal(got, wanted.astype(DTYPES[wide]))
    assert program.report().cycles * part < (a.nbytes + b.nbytes) / arch_of(DEVICES[device]).memory_bytes
