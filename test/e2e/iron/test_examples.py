"""The programs in examples/iron, unmodified, under allo-env."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "examples/iron"


@pytest.mark.parametrize("name", sorted(p.name for p in FOLDER.glob("*.py")))
def test_example(name):
    command = [sys.executable, "-m", "allo_air.tools.allo_env", "--device", "npu2", sys.executable, str(FOLDER / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.endswith("PASS!\n"), done.stdout + done.stderr
