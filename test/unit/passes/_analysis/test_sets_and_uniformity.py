"""Integer sets, and the dimensions along which values differ."""

from itertools import product
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.affine import IntegerSet
from allo_air.core.walking import walk_named
from allo_air.dialects.air import HerdOp
from allo_air.mlir import ir, new_context
from allo_air.passes.schedule._uniform import Uniformity

SETS = (
    "affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0)>",
    "affine_set<()[s0, s1] : (s0 floordiv 2 == 0, (s0 + s1 * 2) mod 3 - 1 >= 0, s1 ceildiv 2 >= 0)>",
    "affine_set<(d0) : (d0 - 1 == 0)>",
)


@pytest.mark.parametrize("text", SETS)
@pytest.mark.usefixtures("context")
def test_a_set_is_opened_and_built_again(text: str) -> None:
    given = ir.Attribute.parse(text)
    with ir.Location.unknown():
        assert IntegerSet.of(given).attribute() == given


@pytest.mark.usefixtures("context")
def test_points_and_symbols() -> None:
    rows = IntegerSet.of(ir.Attribute.parse(SETS[0]))
    assert [p for p in product(range(3), range(5)) if rows.contains(p, [1])] == [(1, n) for n in range(4)]
    with ir.Location.unknown():
        assert str(rows.at(2).attribute()) == "affine_set<()[s0, s1] : (s0 - 2 == 0, s1 >= 0, -s1 + 3 >= 0)>"
    mixed = IntegerSet.of(ir.Attribute.parse(SETS[1]))
    assert mixed.contains([], [1, 0])
    assert not mixed.contains([], [0, 0])
    assert not mixed.contains([], [2, 1])


HERD = """
func.func @f(%a: memref<8xindex, 2>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%a) : memref<8xindex, 2> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %sum = arith.addi %x, %c1 : index
    %load = memref.load %m[%c0] : memref<8xindex, 2>
    %less = arith.cmpi slt, %y, %c1 : index
    %if = scf.if %less -> (index) {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    %for:3 = scf.for %i = %c0 to %sx step %c1 iter_args(%p = %c0, %q = %c0, %r = %x) -> (index, index, index) {
      scf.yield %q, %r, %p : index, index, index
    }
    %upto = scf.for %i = %c0 to %y step %c1 iter_args(%p = %c0) -> (index) {
      scf.yield %p : index
    }
    "test.use"(%c0, %sx, %sum, %load, %if, %for#0, %upto) : (index, index, index, index, index, index, index) -> ()
  }
  return
}
"""


def test_values_are_followed_to_ids() -> None:
    with new_context(allow_unregistered=True):
        module: Any = asm.read(HERD)
        [herd] = walk_named(module, "air.herd")
        [use] = walk_named(module, "test.use")
        uniform = Uniformity(HerdOp(herd))
        found = [sorted(uniform.of([v])) for v in use.operands]
        assert found == [[], [], [0], [0, 1], [1], [0], [1]]
        assert uniform.of_control(use) == frozenset()
        [branch, *_] = walk_named(module, "scf.yield")
        assert uniform.of_control(branch) == {1}
