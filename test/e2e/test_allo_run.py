"""allo-run compiles a file, runs it on the simulator and checks it."""

from pathlib import Path

import numpy as np
import pytest

from allo_air.tools.allo_run import main
from helpers import REFERENCE

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


def test_a_result_cast_after_block_floating_point_is_judged_by_blocks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cast.mlir"
    path.write_text("""func.func @gemm(%a: tensor<33x70xbf16>, %b: tensor<70x41xbf16>) -> tensor<33x41xbf16> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<33x41xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<33x41xf32>) -> tensor<33x41xf32>
  %c = linalg.matmul ins(%a, %b : tensor<33x70xbf16>, tensor<70x41xbf16>) outs(%init : tensor<33x41xf32>) -> tensor<33x41xf32>
  %narrow = tensor.empty() : tensor<33x41xbf16>
  %r = linalg.map { arith.truncf } ins(%c : tensor<33x41xf32>) outs(%narrow : tensor<33x41xbf16>)
  return %r : tensor<33x41xbf16>
}""")
    assert main([str(path), "--pipeline=gemm-bf16{device=npu2 bfp16}", "--no-cache"]) == 0
    assert "correct: against the source on the interpreter, factors rounded to blocks of 8 (bfp16)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("stage", "place"),
    [
        ("walkthrough_i32/10-canonicalize+cse", "40:14"),
        ("two_herds_i32/10-canonicalize+cse", "79:17"),
        ("matmul_no_l2_i32/24-air-place-herds", "94:15"),
    ],
)
def test_programs_of_other_tools_that_lack_tokens_are_checked_in_program_order(
    stage: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = REFERENCE / f"{stage}.mlir"
    assert main([str(file), "--no-cache"]) == 0
    [verdict] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("correct")]
    assert f"in program order, which tokens leave open at {file}:{place}" in verdict


def test_entry_is_the_function_to_compile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind = "memref<8x16xf32>"
    texts = [
        f"func.func @{name}(%a: {kind}, %b: {kind}) {{ linalg.{op} ins(%a : {kind}) outs(%b : {kind}) return }}"
        for name, op in (("first", "abs"), ("second", "negf"))
    ]
    (tmp_path / "two.mlir").write_text("\n".join(texts))
    path, cache = str(tmp_path / "two.mlir"), f"--cache-dir={tmp_path / 'cache'}"
    assert main([path, cache]) == 1
    assert "is one of the functions @first, @second, and one is compiled; name it with --entry" in capsys.readouterr().err
    for name in ("first", "second"):
        assert main([path, cache, "--entry", name, "--output", str(tmp_path / f"{name}.npy")]) == 0
        assert "program       npu on npu1" in (out := capsys.readouterr().out) and "correct" in out
    first, second = (np.load(tmp_path / f"{name}.npy") for name in ("first", "second"))
    assert (first >= 0).all() and (abs(second) == first).all()
    assert main([path, cache, "--entry", "third"]) == 2
    assert "unknown function 'third' (the file has first, second)" in capsys.readouterr().err
