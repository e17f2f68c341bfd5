"""Cores that differ in numbers only are compiled once, and take these as arguments."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core import walking
from allo_air.core.walking import walk_named
from allo_air.sim.cores import compile_cores
from allo_air.sim.cores import families as of_cores
from allo_air.sim.cores.scripts import script_cores
from allo_air.sim.cores.steps import WORK

CORE = """
  %t{row} = aie.tile(0, {row})
  %a{row} = aie.buffer(%t{row}) : memref<8xi32, 2>
  %b{row} = aie.buffer(%t{row}) : memref<8xi16, 2>
  %v{row} = aie.buffer(%t{row}) : memref<16xi32, 2>
  %core{row} = aie.core(%t{row}) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %trips = arith.constant {trips} : index
    %first = arith.constant {first} : index
    %x = arith.constant {x} : i32
    %y = arith.constant {y} : i16
    %z = arith.constant dense<{x}> : vector<16xi32>
    %zero = arith.constant dense<0> : vector<16xi32>
    scf.for %i = %c0 to %trips step %c1 {{
      %n = arith.index_cast %i : index to i32
      %s = arith.addi %n, %x : i32
      %k = arith.trunci %n : i32 to i16
      %m = arith.maxsi %k, %y : i16
      %later = arith.cmpi sge, %i, %first : index
      scf.if %later {{
        memref.store %s, %a{row}[%i] : memref<8xi32, 2>
      }}
      memref.store %m, %b{row}[%i] : memref<8xi16, 2>
      %v = vector.broadcast %n : i32 to vector<16xi32>
      %w = arith.addi %v, %z : vector<16xi32>
      %p = arith.maxsi %w, %zero : vector<16xi32>
      vector.store %p, %v{row}[%c0] : memref<16xi32, 2>, vector<16xi32>
    }}
    aie.end
  }}"""


class Memory:
    """The layout: each buffer in memory of its own."""

    def __init__(self) -> None:
        self.arrays: dict[Any, np.ndarray] = {}

    def address(self, buffer: Any) -> int:
        name = asm.write(buffer.owner).split(" ")[0], str(buffer.type)
        tile = buffer.owner.opview.tile.owner.opview.row, name[1]
        return self.arrays.setdefault(tile, np.zeros(16, np.int32)).ctypes.data

    def place(self, buffer: Any) -> None:
        return None


def device(*numbers: tuple[int, int, int, int]) -> Any:
    """A device of one core for each (trips, first, x, y)."""
    cores = (CORE.format(row=2 + n, trips=t, first=f, x=x, y=y) for n, (t, f, x, y) in enumerate(numbers))
    module = asm.read("module { aie.device(npu1) {" + "".join(cores) + "\n} }", "cores.mlir")
    return walk_named(module, "aie.device")[0].opview, module


NUMBERS = (8, 3, 10, 5), (8, 8, 8, 4), (8, 1, -7, -2), (8, 5, 5, 5)
"""In the second all constants but one are equal, so that the program has fewer of them."""


def ran(*numbers: tuple[int, int, int, int]) -> tuple[Any, dict[Any, np.ndarray], list[tuple[Any, ...]]]:
    calls: list[tuple[Any, ...]] = []
    kinds: dict[str, tuple[Any, ...]] = {"write": (ctypes.c_int64,) * 2 + (ctypes.c_int32,)}
    kinds["write_strided"] = (ctypes.c_int64,) * 4 + (ctypes.c_int32,)
    kinds["work"] = (ctypes.c_int32, ctypes.c_int64, ctypes.c_int64)

    def noted(name: str) -> Callable[..., None]:
        return lambda *given: calls.append((name, *given))

    found = {name: ctypes.CFUNCTYPE(None, *kind)(noted(name)) for name, kind in kinds.items()}
    symbols = {f"allo_sim_{name}": ctypes.cast(f, ctypes.c_void_p).value or 0 for name, f in found.items()}
    op, _module = device(*numbers)
    memory = Memory()
    cores = compile_cores(op, memory, None, symbols)
    attached = cores.on(memory)
    for core in attached.cores.values():
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(core.entry)(core.args)
    return cores, memory.arrays, calls


def test_one_program_takes_the_numbers_of_each_core(context: object, monkeypatch: pytest.MonkeyPatch) -> None:
    if walking._native is None:
        pytest.skip("built without it")
    cores, arrays, calls = ran(*NUMBERS)
    assert cores.programs == 1
    i = np.arange(8)
    for row, (_, first, x, y) in enumerate(NUMBERS, 2):
        np.testing.assert_array_equal(arrays[row, "memref<8xi32, 2>"][:8], np.where(i >= first, i + x, 0))
        np.testing.assert_array_equal(arrays[row, "memref<16xi32, 2>"], np.full(16, max(7 + x, 0)))
        np.testing.assert_array_equal(arrays[row, "memref<8xi16, 2>"].view(np.int16)[:8], np.maximum(i, y))
    # Lines are those of each core, and its time is that of a program of its own.
    lines = CORE.count("\n")
    assert {(s.tile[1], s.line - lines * (s.tile[1] - 2)) for s in cores.sites} == {
        (2 + n, at) for n in range(4) for at in (22, 24, 28)
    }
    monkeypatch.setattr(of_cores, "families", lambda texts: {})
    apart, same, others = ran(*NUMBERS)
    assert apart.programs == 4
    assert [(r.tile, r.line, r.cycles) for r in apart.regions] == [(r.tile, r.line, r.cycles) for r in cores.regions]
    assert [c[2:] for c in calls if c[0] == "work"] == [c[2:] for c in others if c[0] == "work"]
    assert all(np.array_equal(arrays[key], same[key]) for key in arrays)


def test_scripts_follow_the_numbers_of_each_core(context: object, monkeypatch: pytest.MonkeyPatch) -> None:
    op, _module = device(*NUMBERS)
    found = script_cores(op, Memory())  # type: ignore[arg-type]
    monkeypatch.setattr(of_cores, "families", lambda texts: {})
    apart = script_cores(op, Memory())  # type: ignore[arg-type]
    assert found.regions == apart.regions
    for tile, steps in apart.steps.items():
        assert (found.steps[tile] == steps).all()
        assert (steps[:, 0] == WORK).all()


def test_bounds_of_loops_are_no_such_numbers(context: object) -> None:
    cores, _, _ = ran((8, 3, 10, 5), (6, 3, 10, 5))
    assert cores.programs == 2


def test_cores_may_differ_in_the_order_of_their_constants_only(context: object, monkeypatch: pytest.MonkeyPatch) -> None:
    first = CORE.format(row=2, trips=8, first=3, x=10, y=5)
    lines = CORE.format(row=3, trips=8, first=3, x=10, y=5).splitlines()
    at = next(n for n, line in enumerate(lines) if "%trips =" in line)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    module = asm.read("module { aie.device(npu1) {" + "\n".join([first, *lines]) + "\n} }", "cores.mlir")
    op = walk_named(module, "aie.device")[0].opview
    found = script_cores(op, Memory())  # type: ignore[arg-type]
    monkeypatch.setattr(of_cores, "families", lambda texts: {})
    apart = script_cores(op, Memory())  # type: ignore[arg-type]
    assert {tile: steps.tolist() for tile, steps in found.steps.items()} == {
        tile: steps.tolist() for tile, steps in apart.steps.items()
    }


def test_what_cannot_be_prepared_is_left_to_the_compilation(context: object) -> None:
    wrong = tuple(f"module {{ func.func @core() {{ cf.assert %x{n} return }} }}" for n in range(2))
    assert of_cores.families(wrong) == {}
