"""Packages of designs that need no core compiler, and what is said of others."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from allo_air.errors import AlloAirError
from allo_air.program.run import xrt
from allo_air.program.run.package import package
from allo_air.target.formats.xclbin import read_xclbin
from helpers import TEST

PASS_THROUGH = """aie.device(npu2_1col) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %b = aie.buffer(%m) {sym_name = "b"} : memref<8xi32>
  %free = aie.lock(%m) {init = 1 : i32}
  %full = aie.lock(%m) {init = 0 : i32}
  aie.flow(%s, DMA : 0, %m, DMA : 0)
  aie.flow(%m, DMA : 0, %s, DMA : 0)
  %d = aie.memtile_dma(%m) {
    %0 = aie.dma_start(S2MM, 0, ^in, ^next)
  ^in:
    aie.use_lock(%free, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32>)
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^in
  ^next:
    %1 = aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<8xi32>)
    aie.use_lock(%free, Release, 1)
    aie.next_bd ^out
  ^end:
    aie.end
  }
  %CORE
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence(%a: memref<64xi32>, %c: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}"""
CORE = '%t = aie.tile(0, 2)\n %k = aie.core(%t) { aie.end } {elf_file = "a.elf"}'


def test_complete_without_a_compiler(tmp_path: Path) -> None:
    made = package(PASS_THROUGH.replace("%CORE", ""), tmp_path, "elf")
    assert made.complete and "missing" not in str(made)
    assert read_xclbin(made.files["xclbin"].read_bytes()).pdis == (made.files["pdi"].read_bytes(),)
    assert {"tiles", "bds", "locks", "writes", "load_bytes"} <= made.figures.keys()
    assert made.figures["bds"] == 2


def test_elfs_of_the_user_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TEST / "data/known-answers/packaging/e")
    lowered: Any = SimpleNamespace(text=PASS_THROUGH.replace("%CORE", CORE))
    assert xrt.package_here(lowered, tmp_path)
    assert (tmp_path / "final.xclbin").exists() and (tmp_path / "insts.bin").exists()
    assert (tmp_path / "main_aie_cdo_elfs.bin").stat().st_size == 284


def test_a_missing_elf_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AlloAirError, match=r"elf_file .* cannot be read"):
        package(PASS_THROUGH.replace("%CORE", CORE), tmp_path)
