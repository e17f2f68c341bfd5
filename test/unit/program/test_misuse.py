"""Every public function called with wrong arguments: what the user reads, and that it is an AlloAirError always."""

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.core.calls import checked
from allo_air.program.program import Program

COPY = """aie.device(npu1_1col) {
  %shim = aie.tile(0, 0)
  aie.flow(%shim, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @copy(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<64xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
"""  # noqa: E501
A, B = np.ones((16, 8), np.int32), np.ones((8, 32), np.int32)
I, O = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)  # noqa: E741
SHAPE = {"shape": (16, 32, 8), "dtype": "i32"}


@pytest.fixture
def program(compiled: Callable[..., Program], simulator: Any) -> Program:
    return compiled(**SHAPE)


@pytest.mark.parametrize(
    ("arrays", "settings", "message"),
    [
        ((None, B), {}, "argument 0 is None, expected a numpy array 16x8 of int32$"),
        ((A, None), {}, "argument 1 is None, expected a numpy array 8x32 of int32$"),
        ((A, B, None), {}, "result 0 is None, expected"),
        ((None, None, None), {}, "argument 0 is None, expected"),
        ((A, B), {"out": (None, None)}, "out= holds 2 arrays, expected 1"),
        ((A, B), {"out": "c"}, "result 0 is a str, expected"),
        ((A.tolist(), B), {}, r"argument 0 is a list, .*; give np.asarray\(..., dtype='int32'\)"),
        ((A.astype(object), B), {}, r"16x8 of object, expected 16x8 of int32; convert it with .astype\('int32'\)"),
        ((A.astype(">i4"), B), {}, r"16x8 of >i4, expected 16x8 of int32; convert it with .astype\('int32'\)"),
        ((A > 0, B), {}, r"16x8 of bool, expected 16x8 of int32; convert it with .astype\('int32'\)"),
        ((A.view("V4"), B), {}, r"16x8 of \|V4, .*; its elements are raw bytes: view them with .view\('int32'\)"),
        ((A.astype("V2"), B), {}, r"16x8 of \|V2, expected 16x8 of int32$"),
        ((A.astype(complex), B), {}, "16x8 of complex128, expected 16x8 of int32$"),
        ((np.ma.masked_array(A, A > 0), B), {}, r"argument 0 is a masked array.* give .filled\(...\) of it"),
        ((A, B), {"seed": -1}, r"seed is -1, expected an integer from 0 to 2\^64 - 1"),
        ((A, B), {"seed": "x"}, "seed is 'x', expected an integer"),
        ((A, B), {"words": [1]}, r"program\(\) has no argument 'words'; did you mean 'orders'\?"),
        ((A, B), {"expcet": A}, r"program\(\) has no argument 'expcet'; did you mean 'expect'\?"),
        ((A, B), {"trace": "yes"}, "trace is 'yes', expected True or False"),
    ],
)
def test_calls(program: Program, arrays: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(allo_air.AlloAirError, match=message):
        program(*arrays, **settings)


@pytest.mark.parametrize(
    ("method", "given", "message"),
    [
        ("save", (3,), "folder is 3, expected a path"),
        ("save", (), r"program.save\(\): missing a required argument: 'folder'"),
        ("trace", (None,), "path is None, expected a path"),
        ("plot", (b"",), "path is b'', expected a path"),
        ("text", (["npu"],), r"level is \['npu'\], expected a name or None"),
    ],
)
def test_methods(program: Program, method: str, given: Any, message: str) -> None:
    with pytest.raises(allo_air.AlloAirError, match=message):
        getattr(program, method)(*given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": ""}, "cannot compile an empty text"),
        ({"source": 3}, "cannot compile an int: expected a path, MLIR text or a module"),
        ({"source": b"\xff"}, "cannot compile these bytes: they are not text in UTF-8"),
        ({"source": "a\0b.mlir"}, "cannot read 'a.x00b.mlir': embedded null byte"),
        ({"shape": 3}, r"a matmul has the shape \(M, N, K\), found 3"),
        ({"shape": "512x512x512"}, r"a matmul has the shape \(M, N, K\), found '512x512x512'"),
        ({"shape": (4, 4, 4), "dtype": []}, "no element type is called"),
        ({**SHAPE, "pipeline": 3}, "pipeline is 3, expected a name or None"),
        ({**SHAPE, "device": []}, r"device is \[\], expected a name"),
        ({**SHAPE, "cache_dir": 3}, "cache_dir is 3, expected a path or None"),
        ({**SHAPE, "cache_dir": "/proc/nowhere"}, "cannot keep programs in '/proc/nowhere': .*; name another folder, or none"),
        ({**SHAPE, "cache_limit": 0}, "cache_limit is 0, expected a positive integer or None"),
        ({**SHAPE, "progress": 1}, "progress is 1, expected a function or None"),
        ({**SHAPE, "verify_each": []}, r"verify_each is \[\], expected True, False, 'none'"),
        ({**SHAPE, "verify_eech": True}, r"compile\(\) has no argument 'verify_eech'; did you mean 'verify_each'\?"),
        ({**SHAPE, "herdm": 16}, "pipeline 'gemm-i32' has no option 'herdm'; did you mean 'herd-m'"),
    ],
)
def test_compile(given: dict[str, Any], message: str) -> None:
    with pytest.raises(allo_air.AlloAirError, match=message):
        allo_air.compile(**given)


@pytest.mark.parametrize(
    ("arrays", "settings", "message"),
    [
        ((None, O), {}, "argument 0 of @copy is memref<64xi32>; expected a numpy array, found None"),
        ((I,), {}, "1 array given; @copy takes 2"),
        ((I, O, O), {}, "3 arrays given; @copy takes 2"),
        ((I.astype(object), O), {}, "dtype object, Python objects: convert it"),
        ((I.astype(">i4"), O), {}, "dtype >i4, numbers of the other byte order: convert it"),
        ((np.ma.masked_array(I, I > 3), O), {}, "the array given is masked"),
        ((I, O), {"sed": 3}, r"simulate\(\) has no argument 'sed'; did you mean 'seed'\?"),
        ((I, O), {"expcet": O}, r"simulate\(\) has no argument 'expcet'; did you mean 'expect'\?"),
        ((I, O), {"name": "x"}, r"simulate\(\) has no argument 'name'; it has expect, rtol, atol, device"),
        ((I, O), {"timing": 3}, "timing is 3, expected an allo_air.arch.Timing or None"),
        ((I, O), {"seed": 1.5}, "seed is 1.5, expected an integer"),
        ((I, O), {"device": 3}, "device is 3, expected a name or None"),
        (
            (I, O),
            {"kernels": [print]},
            "kernels is .*print.*, expected a dictionary of functions or MLIR by name or None",
        ),
        ((I, O), {"words": 3}, "words is 3, expected integers of 32 bits or None"),
        ((I, O), {"words": [1, -1]}, r"words is \[1, -1\], expected integers of 32 bits or None"),
        ((I, O), {"max_cycles": 0}, "max_cycles is 0, expected a positive integer"),
        ((I, O), {"strict": None}, "strict is None, expected True or False"),
        ((I, O), {"progress": 3}, "progress is 3, expected a function or None"),
    ],
)
def test_simulate(arrays: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(allo_air.AlloAirError, match=message):
        allo_air.simulate(COPY, *arrays, **settings)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: allo_air.load(3), "folder is 3, expected a path"),
        (lambda: allo_air.load("x", backnd="sim"), r"load\(\) has no argument 'backnd'; did you mean 'backend'\?"),
        (lambda: allo_air.simulate(), r"simulate\(\): missing a required argument: 'source'"),
        (lambda: allo_air.simulate(None), "cannot simulate a NoneType: expected a path, MLIR text or a module"),
        (lambda: allo_air.matmul(A, None), "matmul: b is None, expected a numpy array"),
        (lambda: allo_air.jit(3), "jit.. decorates a function, found 3; options have names"),
        (lambda: allo_air.tune(**SHAPE, budget="x"), "budget is 'x', expected a time in seconds, above 0"),
        (lambda: allo_air.tune(**SHAPE, device="npu9"), "unknown device 'npu9'; did you mean"),
        (lambda: allo_air.Matmul(1, 2), r"Matmul\(\): missing a required argument: 'k'"),
        (lambda: allo_air.Matmul(1, 2, 3, None), "the element type is None"),
    ],
)
def test_other_functions(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(allo_air.AlloAirError, match=message):
        call()


def test_a_traceback_has_the_message_once() -> None:
    with pytest.raises(allo_air.AlloAirError) as caught:
        allo_air.compile("func.func @f(%a: tensor<8xf32>, %s: f32) -> tensor<8xf32> { return %a : tensor<8xf32> }", cache=False)
    text = "".join(traceback.format_exception(caught.value))
    assert text.count("only tensors can be passed") == 1 and "another exception" not in text


def test_an_error_may_cause_its_own_cause() -> None:
    @checked()
    def fails() -> None:
        first, second = allo_air.AlloAirError("a"), allo_air.AlloAirError("b")
        first.__cause__, second.__context__ = second, first
        raise first

    with pytest.raises(allo_air.AlloAirError, match="a"):
        fails()


def test_numpy_s_numbers_are_numbers(program: Program) -> None:
    assert program(A, B, seed=np.int64(3), trace=np.True_).shape == (16, 32)
