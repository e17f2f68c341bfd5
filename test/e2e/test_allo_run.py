"""allo-run compiles a file, runs it on the simulator and checks it."""

from pathlib import Path

import pytest

from allo_air.tools.allo_run import main

COPY = """func.func @f(%to: memref<64xi32>, %from: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%w=%c1, %h=%c1) args(%p=%TO, %q=%FROM) : memref<64xi32>, memref<64xi32> {
    %t = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %q[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
    air.dma_memcpy_nd (%p[] [] [], %t[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
    memref.dealloc %t : memref<64xi32, 2>
  }
  return
}
"""


@pytest.mark.parametrize("names", [("to", "from"), ("from", "to")])
def test_the_check_on_the_interpreter_goes_by_the_arguments_that_the_device_writes(
    tmp_path: Path, names: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "copy.mlir").write_text(COPY.replace("TO", names[0]).replace("FROM", names[1]))
    assert main([str(tmp_path / "copy.mlir"), "--pipeline", "air-npu", "--no-cache"]) == 0
    assert "correct: against the source on the interpreter: result 0 is as expected, all 64 elements" in capsys.readouterr().out
