"""Attention is recognized by what elements are computed from, however it is spelled."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from allo_air.mlir import ir, new_context
from allo_air.passes.map import _attention
from allo_air.passes.map._attention import Attention, axes_of, find_all
from allo_air.passes.map._attention_masks import Condition
from allo_air.passes.map._constant_bands import band, compute_constant_masks
from attention_sources import Case


@pytest.fixture
def context() -> Iterator[ir.Context]:
    with new_context() as context, ir.Location.unknown():
        yield context


def arguments(group: Attention) -> list[Any]:
    return [ir.BlockArgument(value).arg_number for value in group.operands]


def test_grouped_heads_share_an_index(context: ir.Context) -> None:
    module = ir.Module.parse(Case(4, 8, 16, 32, 24, group=2).source())
    [group] = find_all(module.body.operations[0].operation)
    assert arguments(group) == [0, 1, 2]
    assert [group.extent(a) for a in (group.q, group.k, group.d, group.v)] == [8, 16, 32, 24]
    assert sorted(group.extents[d] for d in group.batch) == [2, 2]
    of_query, of_key = ({d for d, _ in load.data[1][0][0]} for load in (group.query, group.key))
    assert of_query == set(group.batch) and len(of_key) == 1  # two dimensions of a head's number, one of a group's


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_scores_are_of_the_products_the_indices_and_the_masks(context: ir.Context, element: str) -> None:
    module = ir.Module.parse(Case(2, 8, 16, 32, 32, element, mask=(1, 8, 16)).source())
    [group] = find_all(module.body.operations[0].operation)
    [mask] = group.masks
    assert str(group.element) == element and arguments(group) == [0, 1, 2, 3]
    assert axes_of(mask.data[1], {group.q, group.k}) == [None, group.q, group.k]


def test_cores_do_not_know_the_number_of_a_head(context: ir.Context) -> None:
    module = ir.Module.parse(Case(3, 8, 16, 32, 32, mask="slopes").source())
    assert not find_all(module.body.operations[0].operation)


@pytest.mark.parametrize("mask", ["causal", "added", "least", "window", "near", "constant"])
def test_numbers_that_hide_keys_are_conditions(context: ir.Context, mask: str) -> None:
    """Scores then are shifted, and blocks of keys that a part of the queries does not see are skipped."""
    module = ir.Module.parse(Case(2, 24, 40, 32, 32, "bf16", mask=mask).source())
    function = module.body.operations[0].operation
    compute_constant_masks(function)
    [group] = find_all(function)
    masks = group.form(40)
    assert masks is not None and not masks.terms and not group.masks and group.uses_query_index
    window = [Condition(-1, 1, 9)] if mask in ("window", "near") else []
    assert (
        masks.skips
        == masks.conditions
        == [*window[: mask == "near"], Condition(1, -1, 9 * (mask == "near")), *window[mask == "near" :]]
    )


def test_the_least_number_counts_for_a_query_without_keys(context: ir.Context) -> None:
    """Query 0 sees no key: all have the same number then, and equal weights."""
    text = Case(2, 24, 40, 32, 32, "bf16", mask="least").source().replace("cmpi sle", "cmpi slt")
    module = ir.Module.parse(text)
    [group] = find_all(module.body.operations[0].operation)
    masks = group.form(40)
    assert masks is not None and not masks.skips and len(masks.conditions) == 1


def test_bands() -> None:
    causal = np.tri(6, 8, dtype=bool)
    assert band(causal) == [(1, -1, 0)]
    assert band(causal & ~np.tri(6, 8, -3, dtype=bool)) == [(1, -1, 0), (-1, 1, 2)]
    columns = np.arange(8) < 5
    assert band(np.broadcast_to(columns, (6, 8))) == [(0, -1, 4)]
    assert band(np.eye(6, dtype=bool)[::-1]) is None and band(np.zeros((2, 2), bool)) is None
    assert band(~causal) == [(-1, 1, -1)]


def test_another_start_of_the_maximum_is_no_softmax(context: ir.Context) -> None:
    text = """
    #id = affine_map<(d0, d1) -> (d0, d1)>
    #row = affine_map<(d0, d1) -> (d0)>
    func.func @f(%q: tensor<8x32xf32>, %k: tensor<32x8xf32>, %v: tensor<8x16xf32>) -> tensor<8x16xf32> {
      %zero = arith.constant 0.0 : f32
      %start = arith.constant START : f32
      %e = tensor.empty() : tensor<8x8xf32>
      %r = tensor.empty() : tensor<8xf32>
      %o = tensor.empty() : tensor<8x16xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %s = linalg.matmul ins(%q, %k : tensor<8x32xf32>, tensor<32x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
      %fm = linalg.fill ins(%start : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
      %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
          ins(%s : tensor<8x8xf32>) outs(%fm : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.maximumf %a, %b : f32
        linalg.yield %c : f32
      } -> tensor<8xf32>
      %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
          ins(%s, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %d = arith.subf %a, %b : f32
        %x = math.exp %d : f32
        linalg.yield %x : f32
      } -> tensor<8x8xf32>
      %fs = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
      %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
          ins(%p : tensor<8x8xf32>) outs(%fs : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %b, %a : f32
        linalg.yield %c : f32
      } -> tensor<8xf32>
      %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
          ins(%p, %t : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %d = arith.divf %a, %b : f32
        linalg.yield %d : f32
      } -> tensor<8x8xf32>
      %fo = linalg.fill ins(%zero : f32) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
      %y = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x16xf32>) outs(%fo : tensor<8x16xf32>) -> tensor<8x16xf32>
      return %y : tensor<8x16xf32>
    }"""
    for start, count in (("0xFF800000", 1), ("-3.40282347E+38", 1), ("0.0", 0)):
        module = ir.Module.parse(text.replace("START", start))
        assert len(find_all(module.body.operations[0].operation)) == count


def test_only_sums_that_weigh_by_a_softmax_are_followed_onwards(context: ir.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = list[Any]()
    monkeypatch.setattr(_attention, "_match", lambda value, elements: traces.append(value))
    module = ir.Module.parse(Case(2, 24, 40, 32, 32, "bf16", mask="causal").source())
    function = module.body.operations[0].operation
    matmuls = [op for op in function.regions[0].blocks[0].operations if "matmul" in op.operation.name]
    assert not find_all(function) and len(matmuls) < 3, "a product with the keys, and one with the values"
    assert traces and len({value.owner for value in traces}) < 3, "the product with the values, and what follows it"
