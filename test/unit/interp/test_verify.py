"""allo-opt --verify-each=execute: passes that change what is computed are found, with a file that runs them again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.interp import executors
from allo_air.interp.compare import Bound, differences
from allo_air.interp.inputs import Outputs
from allo_air.interp.verify import Execution

PASSES = '''
from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named


@dataclass(frozen=True)
class DropTokens(Pass):
    """Removes what copies wait for."""

    name = "drop-tokens"

    def run(self, op: Any, /) -> None:
        for copy in walk_named(op, "air.dma_memcpy_nd"):
            for n in reversed(range(len(copy.opview.deps))):
                copy.operands[n] = walk_named(op, "air.wait_all")[0].results[0]


@dataclass(frozen=True)
class Shift(Pass):
    """Stores what it should one further."""

    name = "shift"

    def run(self, op: Any, /) -> None:
        for constant in walk_named(op, "arith.constant"):
            if str(constant.attributes["value"]) == "3 : i32":
                from allo_air.mlir import ir

                constant.attributes["value"] = ir.Attribute.parse("4 : i32")
'''

PROGRAM = """func.func @f(%a: memref<8xi32>) -> memref<8xi32> {
  %s = air.wait_all async
  %t, %m = air.execute -> (memref<8xi32, 1>) {
    %n = memref.alloc() : memref<8xi32, 1>
    air.execute_terminator %n : memref<8xi32, 1>
  }
  %three = arith.constant 3 : i32
  %1 = air.execute [%t] {
    linalg.fill ins(%three : i32) outs(%m : memref<8xi32, 1>)
  }
  %2 = air.dma_memcpy_nd async [%1] (%a[] [] []) , (%m[] [] [])) : (memref<8xi32>, memref<8xi32, 1>)
  air.wait_all [%2]
  return %a : memref<8xi32>
}
""".replace("(%a[] [] []) , (%m[] [] []))", "(%a[] [] [], %m[] [] [])")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A file of passes and one of a program."""
    passes, program = tmp_path / "passes.py", tmp_path / "f.mlir"
    passes.write_text(PASSES)
    program.write_text(PROGRAM)
    return passes, program


def test_a_wrong_number(opt: Callable[..., Any], files: tuple[Path, Path]) -> None:
    passes, program = files
    result = opt(program, f"--load={passes}", "--canonicalize", "--shift", "--cse", "--verify-each=execute")
    assert result.status == 1
    assert (
        "error: pass 'shift' changes what the module computes: @f, result 0[0]: expected 3, found 4 (8 of 8 elements differ)"
        in result.err
    )
    assert "pass 'shift' changes the module's results (pass 2 of 3)" in result.err
    [again] = re.findall(r"this runs it again, on the same inputs: (allo-opt .*)", result.err)
    assert "--verify-seed=0 '--pass-pipeline=builtin.module(shift)'" in again
    reproducer = Path(again.split()[-1])
    rerun = opt(reproducer, f"--load={passes}", "--shift", "--verify-each=execute")
    reproducer.unlink()
    assert "expected 3, found 4" in rerun.err


def test_a_dropped_token(opt: Callable[..., Any], files: tuple[Path, Path]) -> None:
    passes, program = files
    result = opt(program, f"--load={passes}", "--drop-tokens", "--verify-each=execute")
    assert result.status == 1
    assert "no token, channel or program order keeps them apart" in result.err
    assert "@f ran without an error before pass 'drop-tokens'" in result.err


def test_nothing_wrong_and_the_cost(opt: Callable[..., Any], files: tuple[Path, Path]) -> None:
    result = opt(files[1], "--canonicalize", "--cse", "--verify-each=execute", "--timing")
    assert result.status == 0
    assert [line.split("  ")[-1] for line in result.err.splitlines()[1:]] == [
        "(execute) input",
        "canonicalize",
        "(execute) canonicalize",
        "cse",
        "(execute) cse: changed nothing",
        "total",
    ]


def test_what_is_not_executed_is_said(opt: Callable[..., Any], tmp_path: Path) -> None:
    program = tmp_path / "f.mlir"
    program.write_text(
        "func.func private @g() -> memref<4xi32>\nfunc.func @f() {\n  func.call @g() : () -> memref<4xi32>\n  return\n}\n"
    )
    result = opt(program, "--cse", "--verify-each=execute")
    assert result.status == 0
    assert "note: @f is not executed before the first pass: 'func.call' op calls 'g', which has no body" in result.err


def test_levels_below_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "aie.device(npu1_1col) {\n  %t = aie.tile(0, 2)\n}\nfunc.func @f(%a: memref<4xi32>) {\n  return\n}\n"
    monkeypatch.setattr(executors, "_EXECUTORS", {})
    said: list[str] = []
    seen: list[str] = []

    def execute(module: Any, inputs: list[Any], name: str, seed: int, libraries: Any) -> list[Any]:
        seen.append(name)
        return inputs

    with reused_context():
        module = asm.read(text)
        Execution(asm.write, said.append).start(module)
        assert (
            "@f is not executed before the first pass: 'builtin.module' op is at level 'aie', and nothing is registered"
            in said[0]
        )
        executors.register("aie", execute)
        Execution(asm.write, said.append).start(module)
    assert seen == ["f"] * 2


def test_a_pass_that_changes_nothing_runs_nothing(opt: Callable[..., Any], files: tuple[Path, Path]) -> None:
    passes, program = files
    result = opt(program, f"--load={passes}", "--cse", "--cse", "--shift", "--verify-each=execute", "--timing")
    assert result.err.count("(execute) cse: changed nothing") >= 1
    assert "pass 'shift' changes what the module computes" in result.err


@pytest.mark.parametrize("word", ["2", "all"])
def test_a_wrong_word(opt: Callable[..., Any], word: str) -> None:
    result = opt("x.mlir", f"--verify-each={word}")
    assert result.status == 2
    assert f"'--verify-each={word}': expected 1, level, execute, none or 0" in result.err


def test_floats_are_compared_within_the_bound() -> None:
    old = Outputs((np.array([1.0, 100.0], np.float32),), {})
    near = Outputs((np.array([1.5, 100.0], np.float32),), {})
    assert differences(old, near, Bound(0.01, "")) == []
    [found] = differences(old, near, Bound(0.001, ""))
    assert str(found) == "result 0[0]: expected 1.0, found 1.5 (1 of 2 elements differ)"
