"""The programs in examples/iron, unmodified, under allo-env; their cycles are those that docs/iron.md gives."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples/iron"
NAMES = sorted(p.name for p in FOLDER.glob("*.py"))
ROWS = dict(re.findall(r"^\| `(\w+\.py)` \|.*\| (\d+) \| \d+ \|$", (ROOT / "docs/iron.md").read_text(), re.MULTILINE))
RUN = """
import runpy, sys
from allo_air.aie.iron.design import CallableDesign
called, cycles = CallableDesign.__call__, []
def counted(self, *arguments, **named):
    made = called(self, *arguments, **named)
    cycles.append(made[1].cycles)
    return made
CallableDesign.__call__ = counted
runpy.run_path(sys.argv[1], run_name="__main__")
print(sum(cycles))
"""
"""Runs a program, and prints the cycles of all its calls after what it prints."""


def test_each_program_has_its_line():
    assert sorted(ROWS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_example(name):
    program = [sys.executable, "-c", RUN.replace("sys.argv[1]", repr(str(FOLDER / name)))]
    command = [sys.executable, "-m", "allo_air.tools.allo_env", "--device", "npu2", *program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    *lines, cycles = done.stdout.splitlines()
    assert lines[-1] == "PASS!"
    assert int(cycles) == pytest.approx(int(ROWS[name]), rel=0.1), f"docs/iron.md says {ROWS[name]}"
