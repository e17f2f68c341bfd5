"""A second `canonicalize` looks at AIR's operations again only where something that they depend on has changed."""

import pytest

from allo_air import asm
from allo_air.core import walking
from allo_air.core.walking import copy_constants, dependences_of, walk_named
from allo_air.mlir import ir
from allo_air.passes._ir import fold_access
from allo_air.passes.canonical import _rounds as rounds

TEXT = """
air.channel @c [1, 1]
func.func @f(%m: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = air.wait_all async
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %t) -> (!air.async.token) {
    %v = memref.subview %m[%i] [1] [1] : memref<64xf32> to memref<1xf32, strided<[1], offset: ?>>
    %w = memref.subview %m[%i] [1] [1] : memref<64xf32> to memref<1xf32, strided<[1], offset: ?>>
    %p = air.channel.put async [%a] @c[] (%m[%i] [%c1] [%c1]) {id = 1 : i32} : (memref<64xf32>)
    scf.yield %p : !air.async.token
  }
  return
}
"""


def state(module: ir.Operation) -> bytes:
    found = dependences_of(module, (*rounds.ASYNC, "air.channel"), ("id",))
    assert found is not None
    return found


@pytest.mark.skipif(walking._native is None, reason="built without C++")
def test_dependences_change_with_what_operations_depend_on_alone(context: ir.Context) -> None:
    module = asm.read(TEXT)
    put, *_ = walk_named(module, "air.channel.put")
    loop, *_ = walk_named(module, "scf.for")
    before = state(module)
    put.attributes["id"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 7)
    walk_named(module, "memref.subview")[0].erase()
    assert state(module) == before
    constant = next(c for c in walk_named(module, "arith.constant") if c.results[0] in list(put.operands))
    constant.attributes["value"] = ir.IntegerAttr.get(ir.IndexType.get(), 2)
    assert state(module) == before  # no dependence
    put.attributes["other"] = ir.UnitAttr.get()
    assert (other := state(module)) != before
    body = loop.regions[0].blocks[0]
    body.operations[len(body.operations) - 1].operands[0] = body.arguments[1]
    assert state(module) != other


@pytest.mark.skipif(walking._native is None, reason="built without C++")
def test_transfers_like_one_that_cannot_be_folded_are_not_looked_at(
    context: ir.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = list[str]()
    folded = fold_access._folded_op
    monkeypatch.setattr(fold_access, "_folded_op", lambda op, indices: looked.append(op.name) or folded(op, indices))
    module = asm.read(TEXT)
    put, *_ = walk_named(module, "air.channel.put")
    other = put.clone(ip=ir.InsertionPoint(put))
    assert not fold_access.fold_access_patterns(module)
    assert not fold_access.fold_access_patterns(module)
    assert len(looked) == 1
    view, *_ = walk_named(module, "memref.subview")
    other.operands[1] = module.regions[0].blocks[0].operations[1].regions[0].blocks[0].arguments[0]
    assert not fold_access.fold_access_patterns(module)
    assert len(looked) == 1
    other.operands[1] = view.results[0]
    view.move_before(other)
    assert fold_access.fold_access_patterns(module)
    assert len(looked) == 2


@pytest.mark.parametrize("native", [True, False])
def test_a_round_is_spared_only_where_the_last_found_nothing(
    native: bool, context: ir.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not native:
        monkeypatch.setattr(walking, "_native", None)
    module = asm.read(TEXT)
    while rounds.rewrite_once(module):
        pass
    assert not rounds.rewrite_once(module)
    put, *_ = walk_named(module, "air.channel.put")
    with context, ir.Location.unknown(), ir.InsertionPoint(put):
        join = ir.Operation.create("air.wait_all", [put.results[0].type], [put.operands[0]])
        put.operands[0] = join.results[0]
    assert rounds.rewrite_once(module)
    assert not [op for op in walk_named(module, "air.wait_all") if op.operands]


@pytest.mark.parametrize("native", [True, False])
def test_constants_beside_an_operation_are_copied_into_it(
    native: bool, context: ir.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not native:
        monkeypatch.setattr(walking, "_native", None)
    module = asm.read(TEXT)
    loop, *_ = walk_named(module, "scf.for")
    copied = copy_constants(loop, ("arith.constant",))
    assert [op.attributes["value"].value for op in copied] == [1]
    inside = walk_named(loop, "arith.constant")
    assert [op.attributes["value"].value for op in inside] == [1]
    assert loop.regions[0].blocks[0].operations[0].operation == inside[0]
    put, *_ = walk_named(module, "air.channel.put")
    assert inside[0].results[0] in list(put.operands)
    assert copied[0].results[0] not in list(put.operands)
    module.verify()
