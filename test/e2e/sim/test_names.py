"""Findings and errors call locks, buffers and host arrays what the file calls them, and tiles by (column, row)."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air import asm
from allo_air.core.diagnostics import called, given_name
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError
from allo_air.mlir import ir, new_context

TEXT = (Path(__file__).parent / "designs" / "passthrough_dmas.mlir").read_text()
UNNAMED = re.sub(r', sym_name = "\w+"|\{sym_name = "\w+"\}', "", TEXT)


def message(text: str) -> str:
    arrays = [np.zeros(1024, np.int32) for _ in range(2)]
    try:
        return str(allo_air.simulate(text, *arrays, strict=False).findings[0])
    except AlloAirError as error:
        return str(error)


NEVER = UNNAMED.replace("%prod = aie.lock(%tile_0_1, 0) {init = 1 : i32}", "%prod = aie.lock(%tile_0_1, 0) {init = 0 : i32}")


def test_a_lock_without_a_symbol_is_called_by_its_ssa_name() -> None:
    assert "waits for lock %prod of memtile (0, 1) to be at least 1" in message(NEVER)


def test_names_like_those_of_the_printer_stay_the_files() -> None:
    """`%lock_0_1_0` is the second lock for the printer, and the first one of this file."""
    text = NEVER.replace("%prod", "%lock_0_1_1").replace("%cons", "%lock_0_1_0")
    assert "lock %lock_0_1_1 of memtile (0, 1)" in message(text)
    assert "lock %lock_0_1_0 of memtile (0, 1) to be" in message(text)


def test_a_buffer_without_a_symbol_is_called_by_its_ssa_name() -> None:
    text = UNNAMED.replace("aie.dma_bd(%buf : memref<256xi32>, 0, 256)", "aie.dma_bd(%buf : memref<256xi32>, 0, 260)", 1)
    assert "buffer %buf (1024 bytes) from its byte 0 on" in message(text)


def generic(text: str) -> str:
    """The generic form, its values numbered."""
    with new_context(), ir.Location.unknown():
        return str(asm.write(asm.read(text), generic=True))


def test_the_generic_form_has_names_too() -> None:
    assert re.search(r"waits for lock %\d+ of memtile \(0, 1\)", message(generic(NEVER)))


def test_a_module_without_a_text_says_where_the_lock_is() -> None:
    with new_context(), ir.Location.unknown():
        module = asm.read(NEVER, "d.mlir")
        text = asm.write(module, debug_info=True)
        plain = re.sub(r'loc\("aie\.(?:lock|buffer) %\w+"\((#loc\d+)\)\)', r"loc(\1)", text)
        bare = asm.read(plain, "other.mlir")
        arrays = [np.zeros(1024, np.int32) for _ in range(2)]
        report = allo_air.simulate(bare, *arrays, strict=False)
    line = [n for n, each in enumerate(NEVER.split("\n"), 1) if "%prod = " in each]
    assert f"waits for lock 0 of memtile (0, 1), defined at d.mlir:{line[0]} to be at least 1" in str(report.findings[0])


def test_locations_keep_names_and_places() -> None:
    text = """aie.device(npu1) {
      %t = aie.tile(0, 2)
      %some.name = aie.lock(%t, 3)
      %b = aie.buffer(%t) {sym_name = "mine"} : memref<4xi32> loc("theirs.mlir":7:3)
      aie.runtime_sequence(%first: memref<4xi32>,
                           %second: memref<4xi32>) {
      }
    }"""
    with new_context(), ir.Location.unknown():
        module = asm.read(text, "f.mlir")
        [lock], [buffer], [sequence] = (walk_named(module, f"aie.{n}") for n in ("lock", "buffer", "runtime_sequence"))
        assert called(lock) == "%some.name" and called(buffer) == "mine"
        arguments = sequence.regions[0].blocks[0].arguments
        assert [given_name(a.location, "argument") for a in arguments] == ["%first", "%second"]
        assert given_name(arguments[0].location, "aie.lock") == ""


@pytest.mark.parametrize("kind", ["lock", "buffer"])
def test_names_survive_passes(kind: str) -> None:
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry

    with new_context(), ir.Location.unknown():
        module: Any = asm.read(UNNAMED, "f.mlir")
        driver.run(pipeline.parse("canonicalize,cse", Registry()), module, driver.Settings(verify=asm.verify, write=asm.write))
        assert {called(op) for op in walk_named(module, f"aie.{kind}")} <= {"%prod", "%cons", "%buf"}
