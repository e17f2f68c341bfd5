"""Packages of designs that need no core compiler, and what is said of others."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air import asm
from allo_air.dialects.declarations import device_of
from allo_air.errors import AlloAirError, OptionError
from allo_air.mlir import new_context
from allo_air.program.run import xrt
from allo_air.program.run.control_packets import run_passes
from allo_air.program.run.package import package
from allo_air.target.control_packets import words_of
from allo_air.target.formats.binary import to_bytes, to_words
from allo_air.target.formats.describe import describe
from allo_air.target.formats.full_elf import read_full_elf
from allo_air.target.formats.read import instructions_in
from allo_air.target.formats.xclbin import Kernel, Partition, read_xclbin, xclbin_of_several
from allo_air.target.npu_words import LOADPDI, loads_of
from allo_air.target.sequences import choose_sequence
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


def test_own_packaging_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """And does not turn to aiecc, which is there."""
    monkeypatch.setattr(xrt, "find_tools", lambda: xrt.Tools("/bin/aiecc", "/peano", True))
    lowered: Any = SimpleNamespace(text=PASS_THROUGH.replace("%CORE", CORE.partition(" {elf_file")[0]), device="npu2")
    with pytest.raises(AlloAirError, match="packaging='own' needs the ELF of every core"):
        xrt.run(lowered, [], "own")


def test_unknown_packaging() -> None:
    with pytest.raises(AlloAirError, match="packaging"):
        allo_air.compile(pipeline="gemm-i8", shape=(64, 64, 64), packaging="bootgen")


def test_a_missing_elf_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AlloAirError, match=r"elf_file .* cannot be read"):
        package(PASS_THROUGH.replace("%CORE", CORE), tmp_path)


def run(text: str, **package: Any) -> np.ndarray:
    a, c = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    allo_air.simulate(text, a, c, **package)
    return c


def test_full_elf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One configuration is loaded by an instruction of the ELF's own; what is not checked is said."""
    made = package(PASS_THROUGH.replace("%CORE", ""), tmp_path, "full-elf")
    assert "unchecked: full ELF" in str(made)
    data = made.files["full ELF"].read_bytes()
    found = read_full_elf(data)
    assert found.pdis == {1: made.files["pdi"].read_bytes()}
    assert (found.kernel, found.instance, found.columns) == ("_Z4mainPcPc", "sequence", 1)
    assert {(name, kind) for _, name, kind, _ in found.relocations} == {("0", 5), ("1", 5), (".pdi.1", 8)}
    load, patch = (next(o for o, n, _, _ in found.relocations if n == name) // 4 for name in (".pdi.1", "0"))
    assert found.words[load - 2] & 0xFF == LOADPDI and found.words[load - 2] >> 16 == 1
    assert found.words[patch] == 64 and found.words[3] == 4 * len(found.words)
    assert "configuration 1" in describe(data)
    assert np.array_equal(run(made.files["routed design"].read_text(), package=data), np.arange(64))
    with pytest.raises(OptionError, match="full-elf', which is for npu2; npu1_1col loads xclbins"):
        package(PASS_THROUGH.replace("%CORE", "").replace("npu2_1col", "npu1_1col"), tmp_path, "full-elf")


def test_control_packets_run(tmp_path: Path) -> None:
    """A design that control packets configure gives what it gives by itself."""
    routed = package(PASS_THROUGH.replace("%CORE", ""), tmp_path).files["routed design"].read_text()
    with new_context():
        module = asm.read(routed, "routed.mlir")
        run_passes("builtin.module(convert-aie-to-control-packets)", module)
        device, sequence = choose_sequence(module, "main", "configure")
        data = to_bytes(words_of(device, sequence, device_of(device)))
    assert np.array_equal(run(routed, package=data), np.arange(64))


def test_late_arguments_are_patched_with_more(tmp_path: Path) -> None:
    """From the sixth on, in the words for an xclbin; what reads the words takes it off again."""
    text = PASS_THROUGH.replace("%CORE", "").replace("%a: memref<64xi32>, %c", "%a: memref<64xi32>, " + "".join(
        f"%x{n}: memref<4xi32>, " for n in range(4)) + "%c")  # fmt: skip
    made = package(text, tmp_path, "elf")
    data = made.files["instructions"].read_bytes()
    folded, plain = to_words(data), instructions_in(data)
    assert [b - a for a, b in zip(plain, folded, strict=True) if a != b] == [0x80000000]
    assert plain[4:8] == instructions_in(made.files["instruction ELF"].read_bytes())[4:8]


def test_streams_are_cut_where_they_load() -> None:
    write, load = [0, 0, 4, 0, 7, 24], [LOADPDI | 2 << 16, 0, 0, 0]
    words = [9, 8, 3, 0, *load, *write, *write, *load]
    assert loads_of(words) == [(2, [9, 8, 2, 64, *write, *write]), (2, [9, 8, 0, 16])]


def test_several_kernels_in_an_xclbin() -> None:
    kernels = [Kernel(name="a"), Kernel(name="b", id=0x902)]
    made = xclbin_of_several([(b"one ", kernels[0]), (b"two ", kernels[1])], Partition(1, (0,)))
    found = read_xclbin(made)
    assert found.pdis == (b"one ", b"two ")
    assert [(k["name"], k["id"]) for k in found.kernels] == [("a", "0x901"), ("b", "0x902")]
