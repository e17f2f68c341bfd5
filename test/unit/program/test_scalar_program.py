"""Programs that take numbers beside arrays."""

import copy
import re

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError, ArgumentError, UnknownNameError
from allo_air.program.scalar_program import ScalarProgram, scalar_names, with_numbers
from allo_air.program.source import Source

DEVICE = """module { aie.device(npu2) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%s}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo.link [@in] -> [@out] ([] [])
  aie.runtime_sequence @q(%a : memref<16xi32>, %n : i32, %o : memref<64xi32>) {
    %one = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %r = arith.subi %n, %one : i32
    %len = arith.muli %n, %c16 : i32
    %x = aiex.dma_configure_task_for @in repeat %r : i32 {
      aie.dma_bd(%a : memref<16xi32> offset = 0 len = 16)
      aie.end
    }
    aiex.dma_start_task(%x)
    %y = aiex.dma_configure_task_for @out {
      aie.dma_bd(%o : memref<64xi32> offset = 0 len = %len)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%y)
    aiex.dma_await_task(%y)
  }
} }"""

AIR = """
air.channel @c [1]
func.func @f(%a: memref<64xi32> {llvm.noalias}, %n: index) {
  air.channel.put @c[] (%a[%n] [8] [1]) : (memref<64xi32>)
  return
}"""


@pytest.mark.filterwarnings("ignore")
def test_numbers_are_arguments_of_the_call() -> None:
    program = allo_air.compile(DEVICE, device="npu2", cache=False)
    assert isinstance(program, ScalarProgram)
    with pytest.raises(AlloAirError, match=r"its 'words' depends on them: use program.of\(n=...\), or call it first"):
        _ = program.words
    assert repr(copy.copy(program)) == "<ScalarProgram of the numbers n, before a call>"
    a = np.arange(16, dtype=np.int32)
    for n, values in ((np.int64(2), None), (4, {"%n": 4.0})):
        o = np.zeros(64, np.int32)
        program(a, *(() if values else (n,)), o, values=values, strict=False)
        assert (o[: 16 * n] == np.tile(a, n)).all()
        assert not o[16 * n :].any()
        assert (program.words == program.of(n=n).words).all()


def test_numbers_that_do_not_fit() -> None:
    program = allo_air.compile(DEVICE, device="npu2", cache=False)
    assert isinstance(program, ScalarProgram)
    with pytest.raises(ArgumentError, match=r"the program takes n beside its arrays; missing: n"):
        program.of()
    with pytest.raises(UnknownNameError, match=r"unknown scalar argument 'm'"):
        program.of(m=1)
    with pytest.raises(ArgumentError, match=r"the program takes 1 number \(n\), found 2"):
        program(1, 2)
    with pytest.raises(ArgumentError, match=r"n is \[2\], expected a number"):
        program(values={"n": [2]})
    with pytest.raises(ArgumentError, match=r"values is \[2\], expected a dictionary of numbers by name"):
        program(values=[2])
    with pytest.raises(AlloAirError, match=r"n is 4294967296, which does not fit i32"):
        program.of(n=2**32)


def test_a_function_of_air_takes_numbers_by_their_places() -> None:
    source = Source(AIR, "f.mlir")
    assert scalar_names(source) == ["1"]
    text = with_numbers(source, lambda _: {"1": 8}).text
    assert "%n" not in text
    assert "arith.constant" in text or "[8] [8] [1]" in text
    assert scalar_names(Source(text, "f.mlir")) == []
    with pytest.raises(UnknownNameError):
        with_numbers(source, lambda _: {"2": 8})


@pytest.mark.parametrize(
    ("kind", "value", "result"),
    [
        ("i8", np.int64(-128), "constant -128 : i8"),
        ("i8", 255, "constant -1 : i8"),
        ("i8", 256, "argument 1 is 256, which does not fit i8"),
        ("i32", 3.0, "constant 3 : i32"),
        ("i32", 1.5, "argument 1 is 1.5; expected an integer, of type i32"),
        ("f32", np.float32(1.5), "constant 1.500000e+00 : f32"),
        ("f16", 1e6, "argument 1 is 1000000.0, which does not fit f16"),
        ("f16", "2", "argument 1 is '2', expected a number, of type f16"),
        ("tensor<4xi32>", 3, "unknown scalar argument '1' (the function has none)"),
    ],
)
def test_a_type_has_the_number_or_refuses_it(kind: str, value: object, result: str) -> None:
    text = f"func.func private @g({kind})\nfunc.func @f(%a: memref<4xi32>, %n: {kind}) {{"
    source = Source(f"{text} func.call @g(%n) : ({kind}) -> ()\nreturn }}", "f.mlir")
    if result.startswith("constant"):
        assert result in with_numbers(source, lambda _: {"1": value}).text
    else:
        with pytest.raises(AlloAirError, match=re.escape(result)):
            with_numbers(source, lambda _: {"1": value})
