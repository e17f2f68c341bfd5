"""A tool's start: bindings without numpy."""

import subprocess
import sys

CODE = """
import sys
from allo_air.core import quick_start
quick_start.prepare()
quick_start.import_bindings()
assert "numpy" not in sys.modules
import numpy
from allo_air.mlir import ir
with ir.Context():
    assert ir.DenseElementsAttr.get(numpy.arange(3)).type.shape == [3]
print("fine")
"""


def test_what_is_left_out_comes_when_it_is_used() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("fine\n", "")
