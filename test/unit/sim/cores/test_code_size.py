"""The size of cores' code: instructions, kernels in C++ by their recorded calls, MLIR, and the finding about program memory."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from allo_air import asm, simulate
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.mlir import new_context
from allo_air.sim.cores.code_room import too_large
from allo_air.sim.cores.code_size import KernelSize, instruction_bytes, program_bytes
from allo_air.sim.cores.cpp_events import BEGINS, ENDS, HINT, LOAD, MAC, STORE, TURNS, Event
from allo_air.sim.cores.prepare import prepare

NPU2 = machine_of("AIE2p")


def size(*calls: list[Event]) -> int:
    kernel = KernelSize(NPU2)
    for call in calls:
        kernel.add(call)
    return kernel.bytes


def loop(head: int, turns: int, hinted: bool = False, count: int = 1) -> list[Event]:
    turn = [Event(TURNS, 1), Event(LOAD, 1), Event(MAC, count), Event(STORE, 1)]
    return [*[Event(HINT, 1)] * hinted, Event(BEGINS, 1, head), *turn * turns, Event(ENDS, 1)]


def test_instructions_are_as_long_as_their_operations_need() -> None:
    assert instruction_bytes({}) == 2
    assert instruction_bytes({"load": 1}) == 4 and instruction_bytes({"load": 2, "vector": 1}) == 10
    assert instruction_bytes(dict.fromkeys(("vector", "store", "move", "scalar"), 1) | {"load": 2}) == 16


def test_a_loop_is_the_same_code_in_each_iteration_and_call() -> None:
    once = size(loop(1, 100))
    assert once == size(loop(1, 100), loop(1, 200)) == size(loop(1, 300)) > 0
    assert size(loop(1, 100), loop(2, 100)) == size([*loop(1, 100), *loop(1, 100)]) == 2 * once
    assert size(loop(1, 100), loop(1, 100, count=9)) == size(loop(1, 100, count=9)) > once


def test_loops_that_are_unrolled_or_pipelined_take_more() -> None:
    once = size(loop(1, 100))
    assert 2 * once < size(loop(1, 100, hinted=True)) < 3 * once
    assert size(loop(1, 16)) > 2 * once


LOOP = """func.func @core(%a: memref<1024xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %a[%i] : memref<1024xi32>
    memref.store %x, %a[%i] : memref<1024xi32>
  }}
  return
}}"""


def bytes_of_loop(n: int, compiled: bool = True) -> int:
    with new_context():
        module = asm.read(LOOP.format(n=n))
        prepare(module)
        return program_bytes(walk_named(module, "func.func")[0], machine_of("AIE2p", compiled=compiled))


def test_the_code_of_a_loop_does_not_grow_with_its_iterations() -> None:
    assert bytes_of_loop(100) == bytes_of_loop(1000) < bytes_of_loop(1000, compiled=False)
    assert bytes_of_loop(1000) < bytes_of_loop(20)


DESIGN = """module {{ aie.device(npu2_1col) @main {{
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) : memref<8192xi32>
  %core = aie.core(%tile) {{
    {lines}
    aie.end
  }}
  aie.runtime_sequence(%h: memref<16xi32>) {{ }}
}} }}"""


def lines_of(copies: int) -> str:
    return "\n".join(
        f"%i{n} = arith.constant {64 * (n % 128)} : index\n%x{n} = vector.load %a[%i{n}] : memref<8192xi32>, vector<64xi32>\n"
        f"%y{n} = arith.addi %x{n}, %x{max(n - 1, 0)} : vector<64xi32>\n"
        f"vector.store %y{n}, %a[%i{n}] : memref<8192xi32>, vector<64xi32>"
        for n in range(copies)
    )


@pytest.mark.parametrize(("copies", "is_told"), [(20, False), (700, True)])
def test_code_that_fills_program_memory_is_told(copies: int, is_told: bool) -> None:
    report: Any = simulate(DESIGN.format(lines=lines_of(copies)), np.zeros(16, np.int32), strict=False)
    told = [finding for finding in report.findings if finding.code == "memory.program"]
    assert bool(told) == is_told == (report.code_bytes[0, 2] > 16384)
    pattern = r"the code of core \(0, 2\) of @main takes about [\d,]+ bytes \([\d,]+ of its own\), and a core has 16,384 bytes"
    assert all(re.search(pattern, finding.message) and not finding.is_error for finding in told)


SUMS = """func.func @core(%a: memref<64xf32>, %x: f32, %y: f32) {{
  %c0 = arith.constant 0 : index
  {lines}
  return
}}"""


@pytest.mark.parametrize("op", ["addf", "divf"])
def test_a_sum_of_scalars_is_a_call_however_long_it_takes(op: str) -> None:
    lines = "\n".join(f"%s{n} = arith.{op} %x, %y : f32\nmemref.store %s{n}, %a[%c0] : memref<64xf32>" for n in range(10))
    with new_context():
        module = asm.read(SUMS.format(lines=lines))
        size = program_bytes(walk_named(module, "func.func")[0], machine_of("AIE2", compiled=True))
    assert 10 * 8 <= size <= 10 * 20


@pytest.mark.parametrize("copies", [20, 700])
def test_cores_that_surely_do_not_fit_are_found_without_a_run(copies: int) -> None:
    with new_context():
        module = asm.read(DESIGN.format(lines=lines_of(copies)))
        found = too_large(module.operation)
    assert [(excess.tile, excess.room) for excess in found] == [((0, 2), 16384)] * (copies == 700)
    assert all(excess.bytes > excess.room for excess in found)
