"""A crash inside MLIR ends in a message, not in a dead tool."""

import subprocess
import sys
from pathlib import Path

import pytest

PASS = """
import os, signal
from dataclasses import dataclass
from allo_air.core.pass_ import Pass

@dataclass(frozen=True)
class Die(Pass):
    \"\"\"Dies of a signal.

    Before:

        module {}

    After:

        module {}
    \"\"\"

    name = "die"
    number: int = 11

    def run(self, op):
        os.kill(os.getpid(), self.number)
"""


def opt(*arguments: str, text: str = "module {}") -> subprocess.CompletedProcess[str]:
    return subprocess.run(["allo-opt", *arguments], input=text, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(("number", "name"), [(11, "SIGSEGV"), (6, "SIGABRT")])
def test_a_signal_is_told_with_the_pass(tmp_path: Path, number: int, name: str) -> None:
    (tmp_path / "die.py").write_text(PASS)
    result = opt(f"--load={tmp_path / 'die.py'}", "--cse", f"--die=number={number}")
    assert result.returncode == 1
    assert f"MLIR crashed ({name}) while running pass 'die' (2 of 2)" in result.stderr
    assert result.stderr.endswith("--crash-reproducer=FILE narrows it down\n")
    assert result.stdout == ""


def test_a_crash_names_the_reproducer_that_there_is(tmp_path: Path) -> None:
    (tmp_path / "die.py").write_text(PASS)
    file = tmp_path / "again.mlir"
    result = opt(f"--load={tmp_path / 'die.py'}", "--die", f"--crash-reproducer={file}")
    assert result.stderr.endswith(f"rerun it with the command in the first line of {file}\n")
    assert "--pass-pipeline=builtin.module(die)" in file.read_text()


def test_a_crash_of_the_parser_is_told() -> None:
    """MLIR's verifier of scf.reduce.return reads past the arguments of a block that has none."""
    text = """func.func @f(%a: index, %x: f32) {
      %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> f32 {
        scf.reduce(%x : f32) { %1 = arith.addf %x, %x : f32  scf.reduce.return %1 : f32 }
      }
      return
    }"""
    result = opt(text=text)
    assert result.returncode == 1
    assert "error: " in result.stderr and "Traceback" not in result.stderr


INTERRUPTED = """
import builtins, os, signal, sys, time
plain, sys.argv = builtins.__import__, ["allo-run", "examples/gemm.mlir"]
def interrupting(name, *rest):
    if name == {moment!r}:
        builtins.__import__ = plain
        os.killpg(0, signal.SIGINT)
        time.sleep(0.2)
    return plain(name, *rest)
from allo_air.tools import start
builtins.__import__ = interrupting
sys.exit(start.allo_run())
"""


@pytest.mark.parametrize("moment", ["argparse", "allo_air.mlir"])
def test_ctrl_c_ends_a_tool_in_silence(moment: str) -> None:
    """Before it has its child, and in an import of its child, where an exception crashes extensions in C++."""
    command = [sys.executable, "-c", INTERRUPTED.format(moment=moment)]
    result = subprocess.run(command, capture_output=True, text=True, start_new_session=True, timeout=60)
    assert (result.returncode in (130, -2), result.stdout, result.stderr) == (True, "", "")


def test_the_end_of_a_child_ends_its_time_to_stop() -> None:
    code = """
import os, signal, time
from allo_air.core import crash

def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    time.sleep(0.2)
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(0.2)
    return 0

print(crash.run_in_child(main, "allo-opt"), signal.alarm(0))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "0 0\n", done.stderr


def test_exit_codes_pass_through() -> None:
    assert opt().returncode == 0
    assert opt("--no-such-pass").returncode == 2
    assert opt(text="func.func @f(").returncode == 1
