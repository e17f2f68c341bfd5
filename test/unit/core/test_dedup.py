"""Changes made once for operations that are alike."""

import pytest

from allo_air import asm
from allo_air.core import walking
from allo_air.core.dedup import change_equal
from allo_air.core.walking import outline_of, walk_named
from allo_air.mlir import ir

TEXT = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 { %v = memref.load %a[%i] : memref<4xf32> memref.store %v, %b[%i] : memref<4xf32> } loc("x")
  scf.for %i = %c0 to %n step %c1 { %v = memref.load %b[%i] : memref<4xf32> memref.store %v, %a[%i] : memref<4xf32> } loc("x")
  scf.for %i = %c0 to %n step %c1 { %v = memref.load %a[%i] : memref<4xf32> memref.store %v, %a[%i] : memref<4xf32> } loc("x")
  return
}
"""


def without_places(text: str) -> ir.Operation:
    """The module of `text` with one location for all loads and stores, as copies of one operation have."""
    module = asm.read(text)
    same = walk_named(module, "memref.load")[0].location
    for op in walk_named(module, "memref.load", "memref.store", "scf.yield", "scf.for"):
        op.location = same
    return module


@pytest.mark.parametrize("native", [True, False])
def test_equal_operations_are_changed_once(context: ir.Context, monkeypatch: pytest.MonkeyPatch, native: bool) -> None:
    if not native:
        monkeypatch.setattr(walking, "_native", None)
    elif walking._native is None:
        pytest.skip("built without it")
    module = without_places(TEXT)
    changed = []

    def change(loop: ir.Operation) -> bool:
        changed.append(loop)
        store = walk_named(loop, "memref.store")[0]
        again = store.clone(ip=ir.InsertionPoint(store))
        again.operands[1] = walk_named(loop, "memref.load")[0].operands[0]
        return True

    change_equal(walk_named(module, "scf.for"), change)
    assert len(changed) == (2 if native else 3)
    text = "\n".join(" ".join(line.split()) for line in asm.write(module).splitlines() if "memref.store" in line)
    assert [line.split(",")[1].split("[")[0].strip() for line in text.splitlines()] == [f"%arg{n}" for n in (0, 1, 1, 0, 0, 0)]


def test_places_and_what_makes_outer_values_count(context: ir.Context) -> None:
    if walking._native is None:
        pytest.skip("built without it")
    module = asm.read(TEXT)
    loops = walk_named(module, "scf.for")
    keys = [found[0] for loop in loops if (found := outline_of(loop)) is not None]
    assert len(set(keys)) == 3  # their loads have lines of their own
    module = without_places(TEXT)
    keys = [found[0] for loop in walk_named(module, "scf.for") if (found := outline_of(loop)) is not None]
    assert keys[0] == keys[1] != keys[2]


def test_an_attribute_that_says_which_one_it_is_makes_no_difference(
    context: ir.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    if walking._native is None:
        pytest.skip("built without it")
    monkeypatch.setattr(walking, "OF_ITS_OWN", {"test.which"})
    module = without_places(TEXT)
    first, second, third = walk_named(module, "scf.for")
    for number, op in enumerate((first, third)):
        op.attributes["test.which"] = ir.StringAttr.get(str(number))
    third.opview.body.operations[1].operation.operands[1] = first.opview.body.operations[1].operation.operands[1]
    assert walking.structure_of(first) == walking.structure_of(second) == walking.structure_of(third)
    changed = []

    def change(op: ir.Operation) -> bool:
        changed.append(op)
        op.attributes["test.changed"] = ir.UnitAttr.get()
        return True

    change_equal([first, third], change)
    loops = walk_named(module, "scf.for")
    assert [op.attributes["test.which"].value for op in (loops[0], loops[2])] == ["0", "1"]
    assert len(changed) == 1 and "test.changed" in loops[2].attributes and "test.which" not in loops[1].attributes
