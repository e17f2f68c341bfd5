"""Replaces a mask in the body of a reduction by a smaller loop bound."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op
from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import bit_width, element_of
from allo_air.passes._analysis.loop_nest import LoopNest
from allo_air.passes._analysis.neutral import neutral_number
from allo_air.passes.kernel._combine import combiners_of

_LESS = 2
"""arith.cmpi's predicate slt."""


def fold_mask_into_bounds(loop_nest: LoopNest) -> LoopNest:
    """The loop nest whose loops end where the body's masks start to select the neutral element; the masks are removed from the
    body.

    Before:

        %i = linalg.index 1 : index
        %c = arith.cmpi slt, %i, %c1001 : index
        %t = arith.select %c, %x, %zero : f32
        %s = arith.addf %t, %sum : f32

    After (the loop of dimension 1 ends at 1001):

        %s = arith.addf %x, %sum : f32
    """
    combiners = combiners_of(loop_nest) or []
    if len(combiners) != 1:
        return loop_nest
    [combiner] = combiners
    result = _mask(combiner.term, combiner.op.name)
    if result is None:
        return loop_nest
    dim, end, value, dead = result
    if not loop_nest.reduces[dim] or len([o for o in loop_nest.body if o.name == "linalg.index"]) != 1:
        return loop_nest
    [number] = [n for n, v in enumerate(combiner.op.operands) if v == combiner.term]
    combiner.op.operands[number] = value
    for op in dead:
        op.erase()
    return replace(loop_nest, ends={dim: min(end, loop_nest.sizes[dim])})


def _mask(term: ir.Value, joins: str) -> tuple[int, int, Any, list[Any]] | None:
    """The dimension and the index from which on `term` is neutral, its value before that index, and the operations to erase."""
    choice = defining_op(term, "arith.select")
    compare = defining_op(choice.operands[0], "arith.cmpi") if choice else None
    index = defining_op(compare.operands[0], "linalg.index") if compare else None
    if not choice or not compare or not index or not all(map(_is_used_once, (term, choice.operands[0], compare.operands[0]))):
        return None
    end = constant_of(compare.operands[1])
    neutral = neutral_number(joins, bit_width(element_of(term.type)))
    low = _number(choice.operands[2])
    if compare.attributes["predicate"].value != _LESS or end is None or end <= 0 or neutral is None or low != neutral:
        return None
    return index.attributes["dim"].value, end, choice.operands[1], [choice, compare, index]


def _number(value: ir.Value) -> Any:
    maker = defining_op(value, "arith.constant")
    attribute = maker.attributes["value"] if maker else None
    return attribute.value if isinstance(attribute, ir.FloatAttr | ir.IntegerAttr) else None


def _is_used_once(value: ir.Value) -> bool:
    return len(list(value.uses)) == 1
