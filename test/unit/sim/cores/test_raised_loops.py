"""Loops of blocks become scf.for where their body is one block, and stay where something reads the counter after them.

Branches whose ways meet again become scf.if and scf.index_switch.
"""

from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.interp.run import run
from allo_air.mlir import PassManager, new_context
from allo_air.sim.cores.raised_loops import raise_loops

NEST = """
func.func @f(%m : memref<8xi32>, %n : index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  cf.br ^outer(%c0, %z : index, i32)
^outer(%i : index, %a : i32):
  %p = arith.cmpi slt, %i, %n : index
  cf.cond_br %p, ^inner(%c0, %a : index, i32), ^end(%a : i32)
^inner(%j : index, %b : i32):
  %q = arith.cmpi PREDICATE, %j, %c8 : index
  cf.cond_br %q, ^body, ^next
^body:
  %v = memref.load %m[%j] : memref<8xi32>
  %s = arith.addi %b, %v : i32
  %k = arith.addi %j, STEP : index
  cf.br ^inner(%k, %s : index, i32)
^next:
  %l = arith.addi %i, %c1 : index
  LAST
  cf.br ^outer(%l, %b : index, i32)
^end(%r : i32):
  return %r : i32
}"""


def raised(predicate: str = "slt", step: str = "%c1", last: str = "", source: str = NEST) -> str:
    with new_context():
        module: Any = asm.read(source.replace("PREDICATE", predicate).replace("STEP", step).replace("LAST", last))
        raise_loops(module.operation)
        PassManager.parse("builtin.module(canonicalize)").run(module.operation)
        return asm.write(module)


def test_a_nest_becomes_loops() -> None:
    text = raised()
    assert text.count("scf.for") == 2 and "cf." not in text.replace("scf.", "")
    assert "scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %c0_i32) -> (i32)" in text


@pytest.mark.parametrize(
    ("predicate", "step", "last"),
    [("ult", "%c1", ""), ("slt", "%n", ""), ("slt", "%c1", "memref.store %b, %m[%j] : memref<8xi32>")],
)
def test_other_loops_stay(predicate: str, step: str, last: str) -> None:
    """A comparison without sign, a step that is not known, a counter that is read after the loop."""
    text = raised(predicate, step, last)
    assert "scf.for" not in text and text.count("cf.cond_br") == 2


@pytest.mark.parametrize("carried", [", i32", ""])
def test_a_loop_that_its_body_leaves_stays(carried: str) -> None:
    """The branch back to the header is one of two ways."""
    leaving = NEST.replace("cf.br ^inner(%k, %s : index, i32)", "cf.cond_br %e, ^inner(%k, %s : index, i32), ^end(%s : i32)")
    leaving = leaving.replace("%k =", "%e = arith.cmpi eq, %s, %z : i32\n  %k =")
    if not carried:
        leaving = leaving.replace("(%k, %s : index, i32)", "(%k : index)")
        leaving = leaving.replace("(%c0, %a : index, i32), ^end", "(%c0 : index), ^end")
        leaving = leaving.replace("^inner(%j : index, %b : i32)", "^inner(%j : index)").replace("%b", "%a")
    text = raised(source=leaving)
    assert "scf.for" not in text and text.count("cf.cond_br") == 3


def test_a_counter_that_the_header_passes_to_the_body_counts() -> None:
    """As convert-scf-to-cf lowers scf.while."""
    passed = NEST.replace("^body,", "^body(%j, %b : index, i32),").replace("^body:", "^body(%o : index, %d : i32):")
    for before, after in (("%m[%j]", "%m[%o]"), ("addi %b, %v", "addi %d, %v"), ("addi %j, STEP", "addi %o, STEP")):
        passed = passed.replace(before, after)
    assert raised(source=passed) == raised()


BRANCHES = """
func.func @f(%m : memref<8xi32>, %n : index, %c : i1, %k : i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  cf.br ^head(%c0, %z : index, i32)
^head(%i : index, %a : i32):
  %p = arith.cmpi slt, %i, %n : index
  cf.cond_br %p, ^body, ^end
^body:
  cf.cond_br %c, ^then(%a : i32), ^join(%a, %i : i32, index)
^then(%t : i32):
  %v = memref.load %m[%i] : memref<8xi32>
  %s = arith.addi %t, %v : i32
  cf.br ^join(%s, %i : i32, index)
^join(%b : i32, %j : index):
  cf.switch %k : i32, [default: ^last(%b : i32), -1: ^less, 7: ^store]
^less:
  %d = arith.subi %b, %k : i32
  cf.br ^last(%d : i32)
^store:
  memref.store %b, %m[%j] : memref<8xi32>
  cf.br ^last(%b : i32)
^last(%e : i32):
  %l = arith.addi %j, %c1 : index
  cf.br ^head(%l, %e : index, i32)
^end:
  return %a : i32
}"""


@pytest.mark.parametrize(("number", "taken"), [(-1, True), (7, True), (3, False)])
def test_branches_become_regions_with_the_right_results(number: int, taken: bool) -> None:
    text = raised(source=BRANCHES)
    assert "cf." not in text.replace("scf.", "") and all(f"scf.{name} " in text for name in ("for", "if", "index_switch"))
    memory, total = list(range(8)), 0
    for i in range(6):
        total += memory[i] * taken - number * (number == -1)
        memory[i] = total if number == 7 else memory[i]
    with new_context():
        found = run(asm.read(text), [np.arange(8, dtype=np.int32), 6, taken, number])
    assert [each.tolist() for each in found] == [total, memory]
