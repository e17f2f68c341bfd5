"""Sequences as C++ functions: compiled by the host, they return the words that we write for the same numbers."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from allo_air.tools import allo_opt, allo_translate

PASSES = (
    "aie-unroll-runtime-sequence-loops", "aie-lower-dynamic-bd-pool", "aie-assign-runtime-sequence-bd-ids",
    "aie-dma-tasks-to-npu", "aie-dma-to-npu", "aie-lower-set-lock",
)  # fmt: skip

TASKS = """
aie.device(npu2) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %p = aie.lock(%t, 3)
  %b = aie.buffer(%t) {address = 4096 : i32, sym_name = "rtp"} : memref<16xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence @seq(%a : memref<8192xi32>, %n : i64, %k : i32, %unused : f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : i64
    %ni = arith.index_cast %n : i64 to index
    %n32 = arith.trunci %n : i64 to i32
    %more = arith.cmpi sgt, %n, %c4 : i64
    %first = aiex.dma_configure_task_for @in repeat %n32 : i32 {
      aie.dma_bd(%a : memref<8192xi32> offset = %n32 len = 512 sizes = [1, %n, 8, 32] strides = [4096, %n, 32, 1])
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%first)
    %last = scf.for %i = %c0 to %ni step %c1 iter_args(%prev = %first) -> (index) {
      %x = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<8192xi32> offset = 0 len = 64)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%x)
      aiex.dma_await_task(%prev)
      scf.yield %x : index
    }
    %w = scf.if %more -> (i32) {
      aiex.npu.write32(%n32, %k) : i32, i32
      scf.yield %k : i32
    } else {
      %twice = arith.addi %k, %k : i32
      scf.yield %twice : i32
    }
    scf.index_switch %ni
    case 2 {
      aiex.npu.rtp_write(@rtp, 3, %w) : i32
      scf.yield
    }
    case 5 {
      aiex.npu.maskwrite32(%n32, %w, %k) {column = 0 : i32, row = 2 : i32} : i32, i32, i32
      scf.yield
    }
    default {
      aiex.set_lock(%p, %k)
    }
    aiex.dma_await_task(%last)
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, %n][1, %n, 8, 32][4096, 512, 32, 1]) {id = 15 : i64, metadata = @out} : memref<8192xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
"""

CONSTANT = """
aie.device(npu1) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @two_words(%a : memref<64xi32>, %b : memref<64xi32>, %c : memref<64xi32>, %d : memref<64xi32>,
                                  %e : memref<64xi32>, %f : memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %o = arith.index_cast %i : index to i64
      aiex.npu.dma_memcpy_nd(%f[0, 0, 0, %o][1, 1, 1, 32][0, 0, 0, 1]) {
        id = 0 : i64, issue_token = true, metadata = @in} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @in}
    }
  }
}
"""


def compiled(tmp_path: Path, file: Path, call: str, *flags: str) -> list[str] | None:
    """The words that the C++ function of a file returns, in hexadecimal; None where it returns none."""
    source, program = tmp_path / "seq.cpp", tmp_path / "program"
    assert allo_translate.main([str(file), "--aie-npu-to-cpp", *flags, "-o", str(source)]) == 0
    main = tmp_path / "main.cpp"
    main.write_text(
        f'#include "{source}"\n#include <cstdio>\nint main() {{\n  auto words = {call};\n  if (!words) return 3;\n'
        '  for (auto word : *words) std::printf("%08X\\n", word);\n}\n'
    )
    subprocess.run(["g++", "-std=c++17", "-Wall", "-Werror=return-type", "-o", program, main], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    return None if done.returncode == 3 else done.stdout.split()


def written(tmp_path: Path, file: Path, *arguments: str) -> list[str]:
    made = tmp_path / "words.hex"
    assert allo_translate.main([str(file), "--aie-npu-to-binary", "--hex", *arguments, "-o", str(made)]) == 0
    return made.read_text().split()


@pytest.mark.parametrize(("n", "k"), [(1, 5), (2, 7), (5, 63), (9, 0), (300, 1), (3, 64)])
def test_words_of_values(tmp_path: Path, n: int, k: int, capsys: Any) -> None:
    file, lowered = tmp_path / "in.mlir", tmp_path / "lowered.mlir"
    file.write_text(TASKS)
    assert allo_opt.main([str(file), *(f"--{p}" for p in PASSES), "-o", str(lowered)]) == 0
    found = compiled(tmp_path, file, f"seq({n}, {k}, 0)")
    if n > 256 or k > 63:  # a repeat that no queue takes, a value that no lock holds
        assert found is None
        return
    assert found == written(tmp_path, lowered, "--arg", f"1={n}", "--arg", f"2={k}")
    assert compiled(tmp_path, lowered, f"seq({n}, {k}, 0)") == found


@pytest.mark.parametrize("folds", ["true", "false"])
def test_a_sequence_without_values(tmp_path: Path, folds: str) -> None:
    file = tmp_path / "in.mlir"
    file.write_text(CONSTANT)
    flag = f"--fold-ddr-addr-offset={folds}"
    assert compiled(tmp_path, file, "two_words()", flag) == written(tmp_path, file, flag)


def test_what_has_no_counterpart(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "in.mlir"
    file.write_text(
        "aie.device(npu2) {\n  aie.runtime_sequence @seq(%x : f32) {\n    %0 = arith.fptosi %x : f32 to i32\n"
        "    aiex.npu.write32(%0, %0) : i32, i32\n  }\n}\n"
    )
    assert allo_translate.main([str(file), "--aie-npu-to-cpp"]) == 1
    assert "3:10: error: 'arith.fptosi' op has no counterpart in the C++ of a sequence" in capsys.readouterr().err


def test_arguments_have_names_of_their_own(tmp_path: Path, capsys: Any) -> None:
    """C++'s words, and what the function calls its own."""
    file = tmp_path / "d.mlir"
    file.write_text(
        "aie.device(npu2) { aie.runtime_sequence @s(%register : i32, %words : i32, %v0 : i32, %pool_0_0 : i32) { } }"
    )
    assert allo_translate.main(["--aie-npu-to-cpp", str(file)]) == 0
    assert "s(int32_t the_register, int32_t the_words, int32_t the_v0, int32_t the_pool_0_0)" in capsys.readouterr().out
