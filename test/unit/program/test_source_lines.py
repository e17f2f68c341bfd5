"""What goes wrong in a compiled program is said of the lines of its source."""

import re
from pathlib import Path

import numpy as np
import pytest

import allo_air
import allo_air.dataflow as df
from allo_air.ir.types import int32

CYCLE = """
air.channel @a [1, 1]
air.channel @b [1, 1]
air.channel @out [1, 1]
func.func @f(%y: memref<64xi32>) {
  air.launch () in () args(%q=%y) : memref<64xi32> {
    air.channel.get @out[] (%q[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @h0 tile (%i, %j) in (%ni=%c1, %nj=%c1) {
        %n = memref.alloc() : memref<64xi32, 2>
        air.channel.get @b[] (%n[] [] []) : (memref<64xi32, 2>)
        air.channel.put @a[] (%n[] [] []) : (memref<64xi32, 2>)
        air.channel.put @out[] (%n[] [] []) : (memref<64xi32, 2>)
      }
      air.herd @h1 tile (%i, %j) in (%ni=%c1, %nj=%c1) {
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[] (%m[] [] []) : (memref<64xi32, 2>)
        air.channel.put @b[] (%m[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}"""


def test_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "cycle.mlir"
    path.write_text(CYCLE)
    first = tmp_path / "first.mlir"
    first.write_text(CYCLE)
    allo_air.compile(first, cache_dir=tmp_path / "cache")
    program = allo_air.compile(path, cache_dir=tmp_path / "cache")
    assert program.cached
    with pytest.raises(allo_air.AlloAirError) as caught:
        program(np.zeros(64, np.int32))
    said = str(caught.value)
    assert (
        said.startswith("hangs: ")
        and re.search(rf"^{path}:(12|13|18|19):9: error: deadlock", said, re.M)
        and "<npu>" not in said
    )
    assert {int(n) for n in re.findall(rf"{path}:(\d+)\)", said)} >= {12, 13, 14, 18, 19}
    design = program.text("npu").splitlines()
    [line] = re.findall(r"this is line (\d+) of the compiled design", said)
    assert "aie.dma_bd" in design[int(line) - 1]


def test_lines_of_what_cannot_run(tmp_path: Path) -> None:
    path = tmp_path / "called.mlir"
    text = CYCLE.replace(
        "        air.channel.put @out", "        func.call @g(%n) : (memref<64xi32, 2>) -> ()\n        air.channel.put @out"
    )
    path.write_text(text + '\nfunc.func private @g(memref<64xi32, 2>) attributes {link_with = "g.o"}')
    with pytest.raises(allo_air.AlloAirError, match=rf"^{path}:14:9: error: 'func.call' op calls 'g', which has no body"):
        allo_air.compile(path, cache=False)(np.zeros(64, np.int32))


def test_lines_of_a_kernel() -> None:
    @df.region()
    def top(A: int32[8], B: int32[8]):
        @df.kernel(mapping=[1], args=[A, B])
        def core(a: int32[8], b: int32[8]):
            for i in range(9):
                b[i] = a[i]

    line = core_line(test_lines_of_a_kernel, 6)
    with pytest.raises(allo_air.AlloAirError, match=rf"{re.escape(__file__)}:{line}:\d+: error: out-of-buffer"):
        df.build(top)(np.zeros(8, np.int32), np.zeros(8, np.int32))


def core_line(function, behind: int) -> int:
    return function.__code__.co_firstlineno + behind
