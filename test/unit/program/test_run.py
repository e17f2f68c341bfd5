"""Calling a program: what goes to the simulator, what comes back, and arrays that do not fit."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.host.arrays import ArgumentError
from allo_air.program.program import Program

Compiled = Callable[..., Program]


@pytest.fixture
def program(compiled: Compiled) -> Program:
    return compiled(shape=(16, 32, 8), dtype="i32")


def matrices(m: int = 16, n: int = 32, k: int = 8, dtype: Any = np.int32) -> tuple[Any, Any]:
    rng = np.random.default_rng(m * n * k)
    return rng.integers(-99, 99, (m, k)).astype(dtype), rng.integers(-99, 99, (k, n)).astype(dtype)


def test_result_is_allocated_and_inputs_are_left_alone(program: Program, simulator: Any) -> None:
    a, b = matrices()
    kept = a.copy(), b.copy()
    c = program(a, b)
    np.testing.assert_array_equal(c, a @ b)
    assert c.dtype == np.int32
    np.testing.assert_array_equal(a, kept[0])
    np.testing.assert_array_equal(b, kept[1])
    assert simulator.calls[0]["seed"] == 0


def test_out_and_all_arguments_in_place(program: Program, simulator: Any) -> None:
    a, b = matrices()
    out = np.empty((16, 32), np.int32)
    assert program(a, b, out=out) is out
    np.testing.assert_array_equal(out, a @ b)
    other = np.empty((16, 32), np.int32)
    assert program(a, b, other, seed=5, strict=False) is other
    np.testing.assert_array_equal(other, a @ b)
    assert simulator.calls[1]["seed"] == 5
    assert simulator.calls[1]["strict"] is False


def test_what_says_something_runs_again_from_the_same_arrays_with_places(
    program: Program, simulator: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    simulator.says = "look here"
    a, b = matrices()
    out = np.full((16, 32), 7, np.int32)
    program(a, b, out=out)
    np.testing.assert_array_equal(out, a @ b)
    without, placed = simulator.calls
    np.testing.assert_array_equal(without["before"], placed["before"])
    assert capsys.readouterr().err.count("look here") == 1
    names = [str(next(iter(call["module"].regions[0].blocks[0].operations)).location) for call in (without, placed)]
    assert [program.levels[-1] in name for name in names] == [False, True]
    program(a, b)
    assert len(simulator.calls) == 3
    assert simulator.calls[2]["module"] == placed["module"]


def test_views_and_foreign_orders_are_taken(program: Program, simulator: Any) -> None:
    a, b = matrices()
    wide = np.zeros((16, 16), np.int32)
    wide[:, ::2] = a
    out = np.zeros((32, 32), np.int32)[::2]
    program(wide[:, ::2], np.asfortranarray(b), out=out)
    np.testing.assert_array_equal(out, a @ b)


def test_padding_is_added_and_taken_off(compiled: Compiled, simulator: Any) -> None:
    program = compiled(shape=(7, 5, 3), dtype="i32")
    a, b = matrices(7, 5, 3)
    np.testing.assert_array_equal(program(a, b), a @ b)
    for array, argument in zip(simulator.calls[0]["arrays"], program.arguments, strict=True):
        assert array.shape == argument.padded
    assert program.arguments[0].padded != program.arguments[0].shape
    given = simulator.calls[0]["arrays"][0]
    assert not given[7:].any()
    assert not given[:, 3:].any()


def test_bf16(compiled: Compiled, simulator: Any) -> None:
    program = compiled(shape=(16, 32, 8), dtype=ml_dtypes.bfloat16)
    a, b = matrices(dtype=ml_dtypes.bfloat16)
    c = program(a, b)
    assert c.dtype == np.float32
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


A, B = matrices()


@pytest.mark.parametrize(
    ("arrays", "keywords", "message"),
    [
        ((A,), {}, r"got 1 array, expected 2: argument 0: 16x8 of i32, argument 1: 8x32 of i32"),
        ((A, B, B, B), {}, r"got 4 arrays, expected 2"),
        ((B, A), {}, r"argument 0 is 8x32 of int32, expected 16x8 of int32$"),
        ((A, B.T), {}, r"argument 1 is 32x8 of int32, expected 8x32 of int32; is it transposed\?"),
        ((A.astype(np.float32), B), {}, r"argument 0 is 16x8 of float32, .* of int32; convert it with .astype\('int32'\)"),
        ((A.tolist(), B), {}, r"argument 0 is a list, expected a numpy array 16x8 of int32"),
        ((A, B), {"out": np.zeros((16, 31), np.int32)}, r"result 0 is 16x31 of int32, expected 16x32 of int32"),
        ((A, B), {"out": [A, B]}, r"out= holds 2 arrays, expected 1: result 0: 16x32 of i32"),
        ((A, B, np.zeros((16, 32), np.int32)), {"out": np.zeros((16, 32), np.int32)}, "the results are given twice"),
    ],
)
def test_wrong_arrays(
    arrays: tuple[Any, ...], keywords: dict[str, Any], message: str, program: Program, simulator: Any
) -> None:
    with pytest.raises(ArgumentError, match=message):
        program(*arrays, **keywords)
    assert simulator.calls == []


def test_a_read_only_result(program: Program, simulator: Any) -> None:
    out = np.zeros((16, 32), np.int32)
    out.flags.writeable = False
    with pytest.raises(ArgumentError, match="result 0 is written by the program, but the array is read-only"):
        program(A, B, out=out)


def test_bf16_hint_names_ml_dtypes(compiled: Compiled, simulator: Any) -> None:
    with pytest.raises(ArgumentError, match=r"convert it with .astype\(ml_dtypes.bfloat16\)"):
        compiled(shape=(16, 32, 8))(*matrices(dtype=np.float32))


def test_matmul(simulator: Any, folder: Any) -> None:
    a, b = matrices(dtype=np.int8)
    c = allo_air.matmul(a, b, cache_dir=folder)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32))
    assert c.dtype == np.int32


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (A, B.astype(np.int8), "a is of int32, b of int8; expected one type"),
        (A, A, "a is 16x8, so b must have 8 rows; it has 16"),
        (A[0], B, "a has 1 dimension, expected a matrix"),
        (A.tolist(), B, "a is a list, expected a numpy array"),
        (A.astype(np.float64), B.astype(np.float64), "no pipeline multiplies matrices of f64; there are bf16, f32"),
    ],
)
def test_matmul_errors(a: Any, b: Any, message: str) -> None:
    with pytest.raises(AlloAirError, match=message):
        allo_air.matmul(a, b)


def test_a_trace_afterwards_runs_again_with_the_same_arrays(program: Program, simulator: Any, tmp_path: Any) -> None:
    program(A, B, seed=3)
    program.report()
    program.trace(tmp_path / "t.json")
    assert [c["trace"] for c in simulator.calls] == [False, True]
    assert [c["seed"] for c in simulator.calls] == [3, 3]
    np.testing.assert_array_equal(simulator.calls[0]["arrays"][0], simulator.calls[1]["arrays"][0])
    program.trace(tmp_path / "t.json")
    assert len(simulator.calls) == 2


def test_simulate_passes_arrays_in_place(program: Program, simulator: Any, tmp_path: Any) -> None:
    (tmp_path / "aie.mlir").write_text(program.text())
    for source in (program.text(), tmp_path / "aie.mlir", str(tmp_path / "aie.mlir")):
        c = np.zeros((16, 32), np.int32)
        allo_air.simulate(source, A, B, c, seed=2)
        np.testing.assert_array_equal(c, A @ B)
    with pytest.raises(AlloAirError, match=r"cannot read 'absent.mlir'"):
        allo_air.simulate("absent.mlir", A)


def test_simulate_leaves_a_module_as_it_is(simulator: Any) -> None:
    from allo_air import asm
    from allo_air.mlir import new_context

    simulator.off_by = 1
    with new_context():
        module = asm.read(FIFOS.replace("memref<64xi32>", "memref<8x8xi32>"))
        before = asm.write(module)
        a, c = np.eye(8, dtype=np.int32), np.zeros((8, 8), np.int32)
        allo_air.simulate(module, a, a, c)
        assert asm.write(module) == before
    np.testing.assert_array_equal(c, a + 1)
    assert "aie.objectfifo" not in str(simulator.calls[0]["module"])


FIFOS = """aie.device(npu1_1col) {
  %shim = aie.tile(0, 0)
  %core_tile = aie.tile(0, 2)
  aie.objectfifo @in(%shim, {%core_tile}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%core_tile, {%shim}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo.link [@in] -> [@out] ([] [])
  aie.runtime_sequence(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
"""


def test_object_fifos_are_lowered_before_the_simulator_sees_them(simulator: Any) -> None:
    from allo_air import asm

    allo_air.simulate(FIFOS, *(np.zeros(64, np.int32) for _ in "abc"))
    seen = asm.write(simulator.calls[0]["module"])
    assert "aie.objectfifo" not in seen
    assert "aie.dma_bd" in seen


def test_kernels_that_stand_for_nothing_are_told(simulator: Any, capsys: pytest.CaptureFixture[str]) -> None:
    allo_air.simulate(FIFOS, *(np.zeros(64, np.int32) for _ in "abc"), kernels={"scale": print})
    assert "warning: kernels= has 'scale', which is not an external function" in capsys.readouterr().err


def test_a_file_of_more_kernels_than_the_design_calls_is_not_told(simulator: Any, capsys: pytest.CaptureFixture[str]) -> None:
    calls = FIFOS.replace("  aie.runtime_sequence", "  func.func private @scale(memref<16xi32>)\n  aie.runtime_sequence")
    file = "kernels.cc"
    kernels = {"scale": file, "shift": file, "lost": "other.cc"}
    allo_air.simulate(calls, *(np.zeros(64, np.int32) for _ in "abc"), kernels=kernels)
    told = capsys.readouterr().err
    assert "kernels= has 'lost'" in told
    assert "shift" not in told


def test_a_second_call_and_a_report_parse_nothing(program: Program, simulator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from allo_air import asm

    program(*matrices())
    monkeypatch.setattr(asm, "read", lambda *_: pytest.fail("parsed again"))
    program(*matrices())
    assert program.report().tiles
    assert simulator.calls[0]["module"] is simulator.calls[1]["module"]


def test_object_fifos_are_compiled_as_they_are_simulated(compiled: Any) -> None:
    program = compiled(FIFOS)
    assert program.words.tolist() == compiled(FIFOS, "aie-prepare").words.tolist()
    assert [a.role for a in program.arguments] == [a.role for a in compiled(FIFOS, "aie-prepare").arguments]


def test_programs_and_reports_show_themselves_briefly(program: Program, simulator: Any) -> None:
    program(*matrices())
    assert repr(program) == "<Program gemm-i32 on npu1: (16x8xi32, 8x32xi32) -> 16x32xi32>"
    assert repr(program.report()) == program.report().text()
