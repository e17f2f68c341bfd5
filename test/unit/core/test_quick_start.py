"""A tool's start: dataclasses whose methods are compiled late, bindings without numpy."""

import subprocess
import sys

CODE = """
import sys
from allo_air.core import quick_start
quick_start.prepare()
quick_start.import_bindings()
assert "numpy" not in sys.modules
from dataclasses import FrozenInstanceError, dataclass, replace

@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0

@dataclass(frozen=True)
class Named(Point):
    name: str = "p"

    def __post_init__(self):
        assert self.x >= 0

a, b = Named(1, name="q"), Named(x=1, y=2)
assert repr(a).endswith("Named(x=1, y=0, name='q')") and repr(b).endswith("Named(x=1, y=2, name='p')")
assert Point(1, 2) == Point(1, 2) != Point(2, 2) and a != b and Point(1) < Point(2) and len({Point(1), Point(1)}) == 1
assert replace(b, y=3) == Named(1, 3)
for act in (lambda: setattr(a, "x", 2), lambda: delattr(b, "y"), lambda: setattr(Point(3), "x", 2)):
    try:
        act()
    except FrozenInstanceError:
        continue
    raise AssertionError("frozen")
try:
    Named()
except TypeError as wrong:
    assert "missing 1 required positional argument: 'x'" in str(wrong), wrong
import numpy
from allo_air.mlir import ir
with ir.Context():
    assert ir.DenseElementsAttr.get(numpy.arange(3)).type.shape == [3]
print("fine")
"""


def test_what_is_left_out_comes_when_it_is_used() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("fine\n", "")
