"""A tool's start: bindings without numpy, dataclasses whose methods are compiled late."""

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


LATE = """
import dataclasses, inspect, pickle
from allo_air.core import quick_start
quick_start.speed_up_start()

@dataclasses.dataclass(frozen=True)
class Point:
    "A point."

    x: int
    y: int = 2
    far: list = dataclasses.field(default_factory=list, compare=False)

    def __post_init__(self):
        self.far.append(self.x)

@dataclasses.dataclass(frozen=True, order=True, slots=True)
class Deep(Point):
    z: int = 3

if hasattr(dataclasses, "_create_fn"):
    assert not inspect.isfunction(vars(Point)["__init__"])
assert str(inspect.signature(Deep)) == "(x: int, y: int = 2, far: list = <factory>, z: int = 3) -> None"
one = Deep(1)
assert one == Deep(1, far=[5]) != Deep(2) and hash(one) == hash(Deep(1)) and one < Deep(2) and Point(1) != one
assert (repr(one), repr(Point(7, y=8))) == ("Deep(x=1, y=2, far=[1], z=3)", "Point(x=7, y=8, far=[7])")
assert dataclasses.replace(one, z=4).z == 4
for wrong in (lambda: Point(), lambda: Point(1, 2, [], 4), lambda: Point(1, w=2)):
    try:
        wrong()
    except TypeError as error:
        assert "Point.__init__()" in str(error), error
    else:
        raise AssertionError

@dataclasses.dataclass
class Told:
    "Is told more than it keeps."

    x: int
    at: dataclasses.InitVar[int] = 5
    _: dataclasses.KW_ONLY
    z: list = dataclasses.field(default_factory=list)
    w: int = dataclasses.field(default=7, init=False)

    def __post_init__(self, at):
        self.z.append(at)

@dataclasses.dataclass
class Doubled:
    "Keeps twice what it is given."

    x: int
    y: int = 1

    def __setattr__(self, name, value):
        object.__setattr__(self, name, 2 * value)

class Inner(Doubled):
    def __init__(self, *given):
        super().__init__(*given)

for n in range(12):
    told, other, doubled, inner, plain = Told(n), Told(n, 6, z=[n]), Doubled(y=n, x=3), Inner(4), Point(n, far=[9])
    assert (told.x, told.z, told.w, other.z) == (n, [5], 7, [n, 6])
    assert (doubled.x, doubled.y, inner.x, inner.y) == (6, 2 * n, 8, 2)
    assert (plain.x, plain.y, plain.far) == (n, 2, [9, n])

@dataclasses.dataclass(frozen=True)
class Names:
    "Has fields of any name."

    instance: int
    owner: int

@dataclasses.dataclass
class Nothing:
    "Has none."

    def __post_init__(self):
        self.done = True

assert Names(owner=1, instance=2) == Names(2, owner=1) and Nothing().done
for wrong in (lambda: Names(1, 2, owner=3), lambda: Names(1, 2, 3), lambda: Nothing(1), lambda: Told()):
    try:
        wrong()
    except TypeError as error:
        assert ".__init__()" in str(error), error
    else:
        raise AssertionError

@dataclasses.dataclass(frozen=True)
class Likely:
    "Has fields that are called as what its methods use."

    put: int
    field1: int
    field0: int = dataclasses.field(compare=False)
    hash: int = 5
    make3: list = dataclasses.field(default_factory=list, hash=False)
    other: int = 7

one = Likely(1, 2, 3, other=4)
assert (one.put, one.field1, one.field0, one.hash, one.make3, one.other) == (1, 2, 3, 5, [], 4)
assert one == Likely(1, 2, 9, other=4) != Likely(1, 2, 3) and hash(one) == hash(Likely(1, 2, 8, 5, [6], 4)) and one != 1

@dataclasses.dataclass(eq=True)
class Itself:
    "Has a field that is called as the instance."

    self: int

@dataclasses.dataclass
class More(Itself):
    "Has one more."

    y: int = 4

assert More(3) == More(self=3, y=4) and Itself(1) != More(1) and More(1) != Itself(1) and not hasattr(Itself(1), "y")
assert Likely.__init__.__annotations__["hash"] is int and Likely.__hash__.__qualname__ == "Likely.__hash__"
try:
    Point(1).x = 2
except dataclasses.FrozenInstanceError:
    pass
else:
    raise AssertionError
assert inspect.isfunction(vars(Point)["__init__"]) and Point.__init__.__qualname__ == "Point.__init__"
print("fine")
"""


def test_methods_that_are_compiled_late_do_as_others() -> None:
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("fine\n", "")


OURS = """
import dataclasses, inspect
from allo_air.device import Device

@dataclasses.dataclass
class Theirs:
    x: int

late = hasattr(dataclasses, "_create_fn")
assert inspect.isfunction(vars(Theirs)["__init__"]) and inspect.isfunction(vars(Device)["__eq__"]) is not late
assert Theirs(1) == Theirs(1) and Device.__eq__.__qualname__ == "Device.__eq__" and inspect.isfunction(vars(Device)["__eq__"])
print("fine")
"""


def test_the_library_compiles_its_own_methods_late_and_no_others() -> None:
    done = subprocess.run([sys.executable, "-c", OURS], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("fine\n", "")
