"""Expressions of elements: chains of producers that are longer than Python's stack."""

from __future__ import annotations

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.mlir import ir, new_context
from allo_air.passes.map._element_rules import traced
from allo_air.passes.map._elements import Element, Elements, equal, subexpressions
from allo_air.passes.map._linear_index import constant

LAYERS = 600


def _chain() -> str:
    """Layers as those of a transformer with norms behind: each adds to a sum what it makes of it."""
    body = "".join(
        f"""
  %s{n} = linalg.generic {{indexing_maps = [#e, #e, #e], iterator_types = ["parallel"]}}
      ins(%s{n - 1}, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %a : f32
    linalg.yield %q : f32
  }} -> tensor<4xf32>"""
        for n in range(1, LAYERS + 1)
    )
    return f"""#e = affine_map<(i) -> (i)>
func.func @f(%s0: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {{{body}
  return %s{LAYERS} : tensor<4xf32>
}}"""


def test_a_long_chain_of_producers_is_followed_to_its_start() -> None:
    with new_context(allow_unregistered=True), ir.Location.unknown():
        module = asm.read(_chain())
        [end] = walk_named(module, "func.return")
        block = end.operation.block

        def last(elements: Elements) -> tuple[Element, Element]:
            first = elements.of(end.operands[0], [constant(0)])
            return first, elements.of(end.operands[0], [constant(1)])

        first, second = traced(last)
        parts = subexpressions(first)
        assert sum(part.kind == "scalar" for part in parts) == 2 * LAYERS
        assert {part.data[0] for part in parts if part.kind == "load"} == set(block.arguments)
        assert equal(first, first, {0: 1})
        assert not equal(first, second, {})
