"""Walks over operations: in C++ as through the bindings."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from allo_air import asm
from allo_air.core import walking
from allo_air.core.walking import (
    constant_of,
    integer_of,
    memrefs_in,
    names_in,
    outer_of,
    span_of,
    structure_of,
    walk_named,
    walk_post_order,
    walk_pre_order,
)
from allo_air.mlir import ir

TEXT = """
func.func @f(%a: index, %b: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %x = scf.for %i = %c0 to %a step %c1 iter_args(%sum = %zero) -> f32 {
    %v = memref.load %b[%i] : memref<4xf32>
    %s = arith.addf %sum, %v : f32
    scf.yield %s : f32
  }
  %y = scf.for %i = %c1 to %a step %c1 iter_args(%sum = %x) -> f32 {
    %v = memref.load %b[%i] : memref<4xf32>
    %s = arith.addf %sum, %v : f32
    scf.yield %s : f32
  }
  %z = scf.for %i = %c1 to %a step %c1 iter_args(%sum = %y) -> f32 {
    %v = memref.load %b[%i] : memref<4xf32>
    %s = arith.addf %v, %sum : f32
    scf.yield %s : f32
  }
  cf.br ^end
^end:
  return %z : f32
}
"""


@pytest.fixture(params=["native", "bindings"], autouse=True)
def walker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "bindings":
        monkeypatch.setattr(walking, "_native", None)
    elif walking._native is None:
        pytest.skip("built without it")


@pytest.mark.parametrize(("found", "said"), [(SimpleNamespace(__file__="old.so"), "(old.so) is older"), (None, "is not built")])
def test_an_old_build_is_told(
    found: Any, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "allo_air.core._native", found)
    monkeypatch.delattr("allo_air.core._native", raising=False)
    assert walking._loaded() is None
    assert said in capsys.readouterr().err


def test_walks_find_what_is_there_in_order(context: ir.Context) -> None:
    module = asm.read(TEXT)
    names = [op.name for op in walk_pre_order(module)]
    assert names[:3] == ["builtin.module", "func.func", "arith.constant"]
    assert names[-2:] == ["cf.br", "func.return"]
    assert names.count("scf.for") == 3
    assert [op.name for op in walk_post_order(module)][-3:] == ["func.return", "func.func", "builtin.module"]
    assert sorted(op.name for op in walk_post_order(module)) == sorted(names)
    assert names_in(module) == set(names)
    found = walk_named(module, "func.return", "scf.for", "none.such")
    assert [op.name for op in found] == ["scf.for", "scf.for", "scf.for", "func.return"]
    assert all(type(op) is ir.Operation for op in found)
    assert walk_named(module, "builtin.module") == [module.operation]
    assert walk_named(module) == []
    inner = found[0]
    inner.attributes["marked"] = ir.UnitAttr.get()
    assert "marked" in walk_named(module, "scf.for")[0].attributes


def test_structures_are_equal_but_for_values_from_outside(context: ir.Context) -> None:
    module = asm.read(TEXT)
    first, second, third = walk_named(module, "scf.for")
    assert structure_of(first) == structure_of(second) != structure_of(third)
    load = walk_named(second, "memref.load")[0]
    load.attributes["nontemporal"] = ir.BoolAttr.get(True)
    assert structure_of(first) != structure_of(second)


def test_operands_are_told_by_who_takes_them_first(context: ir.Context) -> None:
    module = asm.read(TEXT)
    loop, *_ = walk_named(module, "scf.for")
    [(load, place)] = memrefs_in(module)
    assert (load.name, place) == ("memref.load", 0)
    assert load.parent.operation == loop
    assert memrefs_in(module, "memref.load") == []
    if walking._native is not None:
        b = load.operands[0]
        assert outer_of(loop) == [*loop.operands, b]
        assert outer_of(load) == [*load.operands]


READ = """
func.func @f(%m: memref<8xi32>, %i: index) {
  %p = arith.constant 0 : i32
  %v = vector.transfer_read %m[%i], %p : memref<8xi32>, vector<4xi32>
  return
}
"""


def test_constants_and_spans(context: ir.Context) -> None:
    numbers = ["7 : index", "-9 : i64", "true", "200 : i8", "1.0 : f32", "dense<3> : vector<2xi32>"]
    module = asm.read(
        "\n".join(f"%{n} = arith.constant {text}" for n, text in enumerate(numbers)) + "\n%6 = arith.addi %1, %1 : i64"
    )
    values = [op.results[0] for op in walk_pre_order(module)[1:]]
    assert [constant_of(v) for v in values][:2] == [7, -9]
    assert [constant_of(v) for v in values][3:] == [-56, None, None, None]
    loaded = asm.read(READ)
    [read] = walk_named(loaded, "vector.transfer_read")
    assert [integer_of(value.owner, "value") for value in values[:4]] == [7, -9, True, -56]
    assert integer_of(read, "nowhere") is None
    assert span_of(read, "operandSegmentSizes", 0, 2) == (0, 2)
    assert span_of(read, "operandSegmentSizes", 2, 1) == (2, 1)
