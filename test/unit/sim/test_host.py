"""What `simulate` refuses before it runs anything: arrays, names, files, and designs that are not lowered."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air.errors import AlloAirError
from allo_air.sim.simulate import simulate

TEXT = """module {
  aie.device(npu1_1col) @first {
    aie.runtime_sequence @run(%a : memref<8x4xi16>, %b : memref<8xbf16>) {
      %t = memref.dim %a, %z : memref<8x4xi16>
    }
    aie.runtime_sequence @stop(%a : memref<4xi32>) {
    }
  }
  aie.device(npu1_1col) @second {
  }
}""".replace("      %t = memref.dim %a, %z : memref<8x4xi16>\n", "")
USED = """module {
  aie.device(npu1_1col) {
    %t = aie.tile(0, 0)
    aie.shim_dma_allocation @x (%t, MM2S, 0)
    aie.runtime_sequence @run(%a : memref<8x4xi16>, %b : memref<8xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @x} : memref<8xi32>
    }
  }
}"""
A, B = np.zeros((8, 4), np.int16), np.zeros(8, np.int32)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ((A,), "1 array given; @run takes 2 (memref<8x4xi16>, memref<8xi32>)"),
        ((A, B, B), "3 arrays given"),
        ((A.astype(np.int8), B), "argument 0 of @run is memref<8x4xi16>, elements of 16 bits; the array given has dtype int8"),
        ((A, np.zeros(16, np.int32)[::2]), "not C-contiguous"),
        ((A, [1, 2]), "expected a numpy array, found a list"),
        ((A, np.frombuffer(bytes(32), np.int32)), "read-only"),
    ],
)
def test_arrays(arrays: tuple[Any, ...], message: str) -> None:
    with pytest.raises(AlloAirError) as error:
        simulate(USED, *arrays)
    assert message in str(error.value)


def moved(lists: str, *arrays: Any) -> str:
    """What is found wrong where the sequence moves `lists` of argument 1."""
    text = USED.replace("[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]", lists).replace(
        "%t = aie.tile(0, 0)", "%t = aie.tile(0, 0)\n    %c = aie.tile(0, 2)\n    aie.flow(%t, DMA : 0, %c, Core : 0)\n" + CORE
    )
    try:
        simulate(text, A, *arrays)
    except AlloAirError as error:
        return str(error)
    return ""


CORE = """    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %port = arith.constant 0 : i32
      scf.for %i = %c0 to %c8 step %c1 {
        %x = aie.get_stream(%port : i32) : i32
      }
      aie.end
    }"""


def test_the_array_given_says_how_long_a_buffer_is() -> None:
    plain, behind = "[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]", "[0, 0, 0, 4][1, 1, 1, 8][0, 0, 0, 1]"
    assert "byte 32 of a host buffer of 28 bytes (argument 1)" in moved(plain, B[:7].copy())
    assert "byte 48 of a host buffer of 32 bytes (argument 1)" in moved(behind, B)
    assert not moved(plain, np.zeros((3, 9), np.int32))
    assert not moved(behind, np.zeros(12, np.int32))
    assert not moved(behind, np.zeros(24, np.int16))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({}, "there are 2 runtime sequences (@first::@run, @first::@stop); name one by device and sequence"),
        ({"sequence": "go"}, "there is no runtime sequence @go; there are @first::@run, @first::@stop"),
        ({"device": "third"}, "unknown device 'third'"),
        ({"device": "second"}, "there is no runtime sequence of that device"),
    ],
)
def test_names(names: dict[str, str], message: str) -> None:
    with pytest.raises(AlloAirError) as error:
        simulate(TEXT, **names)
    assert message in str(error.value)


def test_sources(tmp_path: Path) -> None:
    with pytest.raises(AlloAirError, match="cannot read"):
        simulate(tmp_path / "none.mlir")
    with pytest.raises(AlloAirError, match=r"no aie\.device; lower"):
        simulate("module {}")
    with pytest.raises(AlloAirError, match="cannot simulate an int"):
        simulate(3)
    bad = tmp_path / "bad.mlir"
    bad.write_text("module {\n  aie.device(npu1) {\n    aie.tile(0 2)\n  }\n}\n")
    with pytest.raises(AlloAirError, match=r"bad\.mlir:3:"):
        simulate(bad)


def test_objectfifos_name_the_pass() -> None:
    text = """module {
  aie.device(npu1_1col) {
    %a = aie.tile(0, 0)
    %b = aie.tile(0, 2)
    aie.objectfifo @in(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.runtime_sequence(%x : memref<8xi32>) {
    }
  }
}"""
    with pytest.raises(AlloAirError) as error:
        simulate(text, np.zeros(8, np.int32))
    assert "aie-objectFifo-stateful-transform" in str(error.value)
    assert error.value.diagnostics[0].line == 5
