"""Programs that are wrong, or unfinished, are executed as far as they are defined, and the user hears how."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.interp.garbage import PATTERNS, Garbage
from allo_air.interp.uninterpreted import Uninterpreted
from allo_air.interp.verify import Execution
from allo_air.mlir import ir

CHANGE = '''
from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir


@dataclass(frozen=True)
class Change(Pass):
    """Turns the constant `old` into `new`."""

    name = "change"
    old: int = 3
    new: int = 4

    def run(self, op: Any, /) -> None:
        for constant in walk_named(op, "arith.constant"):
            value = constant.attributes["value"]
            if value.value == self.old:
                constant.attributes["value"] = ir.IntegerAttr.get(value.type, self.new)
'''

HALF_WRITTEN = """func.func @f(%a: memref<8xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %three = arith.constant 3 : i32
  %m = memref.alloc() : memref<8xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %three, %m[%i] : memref<8xi32, 1>
  }
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  return
}
"""

RACING = """func.func @f(%a: memref<2xindex>, %b: memref<2xindex>) {
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%one) args(%m=%a, %n=%b) : memref<2xindex>, memref<2xindex> {
    %c0 = arith.constant 0 : index
    %l = memref.alloc() : memref<2xindex, 2>
    %three = arith.constant 3 : index
    memref.store %x, %l[%c0] : memref<2xindex, 2>
    %c1 = arith.constant 1 : index
    memref.store %three, %l[%c1] : memref<2xindex, 2>
    air.dma_memcpy_nd (%m[%c0] [%c1] [%c1], %l[%c0] [%c1] [%c1]) : (memref<2xindex>, memref<2xindex, 2>)
    air.dma_memcpy_nd (%n[%x] [%c1] [%c1], %l[%c1] [%c1] [%c1]) : (memref<2xindex>, memref<2xindex, 2>)
  }
  return
}
"""

ONE_SIDED = """air.channel @in [1]
air.channel @out [1]
func.func @f() {
  %three = arith.constant 3 : i32
  %m = memref.alloc() : memref<4xi32, 1>
  air.channel.get @in[] (%m[] [] []) : (memref<4xi32, 1>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<4xi32, 1>) {
  ^bb0(%o: i32):
    %s = arith.addi %o, %three : i32
    linalg.yield %s : i32
  }
  air.channel.put @out[] (%m[] [] []) : (memref<4xi32, 1>)
  return
}
"""

CALLS = """func.func private @zero(memref<4xi32, 2>)
func.func private @step(memref<4xi32>, i32, memref<4xi32, 2>)
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) {
  %three = arith.constant 3 : i32
  %m = memref.alloc() : memref<4xi32, 2>
  func.call @zero(%m) : (memref<4xi32, 2>) -> ()
  func.call @step(%a, %three, %m) : (memref<4xi32>, i32, memref<4xi32, 2>) -> ()
  memref.copy %m, %b : memref<4xi32, 2> to memref<4xi32>
  return
}
"""

FULL = """air.channel @c [1]
func.func @f(%a: memref<4xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %three = arith.constant 3 : i32
  scf.for %i = %c0 to %c2 step %c1 {
    %t = air.channel.put async @c[] (%a[] [] []) : (memref<4xi32>)
    air.wait_all [%t]
  }
  memref.store %three, %a[%c0] : memref<4xi32>
  air.channel.get @c[] (%b[] [] []) : (memref<8xi32>)
  return
}
"""

CASES = {
    "half written": (HALF_WRITTEN, "@f reads memory that nothing has written", "argument 0[0]: expected 3, found 4"),
    "racing": (RACING, "@f has races, so the results are not compared", "argument 1[0]: expected 3, found 4"),
    "one-sided": (ONE_SIDED, "@f is executed with the other side of @in, @out", "channel @out[0][0]: expected"),
    "calls": (CALLS, "@step is declared only, so it is executed as an arbitrary function of its arguments", "argument 1["),
    "full": (FULL, "@f does not end unless its channels hold more than one message", "argument 0[0]: expected 3, found 4"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_defined_is_compared(opt: Callable[..., Any], tmp_path: Path, case: str) -> None:
    text, said, difference = CASES[case]
    passes, program = tmp_path / "change.py", tmp_path / "f.mlir"
    passes.write_text(CHANGE)
    program.write_text(text)
    result = opt(program, f"--load={passes}", "--change=old=77 new=78", "--cse", "--canonicalize", "--verify-each=execute")
    assert result.status == 0, result.err
    assert said in result.err
    result = opt(program, f"--load={passes}", "--change", "--verify-each=execute")
    assert result.status == 1
    assert f"pass 'change' changes what the module computes: @f, {difference}" in result.err


def test_how_much_is_compared_is_said(opt: Callable[..., Any], tmp_path: Path) -> None:
    program = tmp_path / "f.mlir"
    for text, count in ((HALF_WRITTEN, "8 of 12"), (RACING, "3 of 4")):
        program.write_text(text)
        result = opt(program, "--cse", "--verify-each=execute")
        assert f"@f is compared at the {count} elements of its outputs that are defined" in result.err


def test_what_was_defined_must_stay_so(opt: Callable[..., Any], tmp_path: Path) -> None:
    passes, program = tmp_path / "change.py", tmp_path / "f.mlir"
    passes.write_text(CHANGE.replace('"change"', '"shorten"').replace("Change", "Shorten"))
    program.write_text(HALF_WRITTEN.replace("%c4 = arith.constant 4", "%c4 = arith.constant 5"))
    result = opt(program, f"--load={passes}", "--shorten=old=5 new=4", "--verify-each=execute")
    assert result.status == 1
    assert "argument 0[4]: expected 3, found" in result.err


def test_garbage_agrees_nowhere() -> None:
    for dtype in (np.int8, np.int32, np.float32, np.bool_):
        drawn = [Garbage(p).array((1000,), np.dtype(dtype)) for p in range(PATTERNS)]
        assert not np.logical_and.reduce([drawn[0] == d for d in drawn[1:]]).any()


def test_an_arbitrary_function_is_one() -> None:
    with reused_context():
        f, g = (Uninterpreted(n, [ir.IntegerType.get_signless(32)]) for n in "fg")

    def made(function: Any, a: Any, number: int) -> tuple[bytes, int]:
        out = np.zeros(64, np.int32)
        return (function(a, number, out), out.tobytes())[::-1]  # type: ignore[return-value]

    a = np.arange(8, dtype=np.float32)
    assert made(f, a, 1) == made(f, a, 1)
    assert len({made(f, a, 1)[0], made(f, a, 2)[0], made(f, a + 1, 1)[0], made(g, a, 1)[0]}) == 4


def test_nothing_of_a_program_without_errors_is_let_pass() -> None:
    said: list[str] = []
    with reused_context():
        text = ONE_SIDED.replace(
            "func.func @f() {", "func.func @f(%a: memref<4xi32>) {\n air.channel.put async @in[] (%a[] [] []) : (memref<4xi32>)"
        )
        text = text.replace("  return", "  air.channel.get @out[] (%a[] [] []) : (memref<4xi32>)\n  return")
        execution = Execution(asm.write, said.append)
        execution.start(asm.read(text.replace(" air.channel.put async", " %t = air.channel.put async")))
    assert said == []
    assert execution.executed == ["f"]
