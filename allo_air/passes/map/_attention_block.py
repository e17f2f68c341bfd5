"""One block of keys: the tensors that a core has in L1 for it, and the scores of its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import arith, ir
from allo_air.passes.map._attention import Attention
from allo_air.passes.map._attention_masks import Condition
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.passes.map._attention_scores import as_f32, computed_type, emit
from allo_air.passes.map._attention_slices import total
from allo_air.passes.map._elements import Element


@dataclass(frozen=True)
class Block:
    """The tensors in a core's L1 for one block of keys.

    `first` is the number of the first query of the core's part, and `key` that of the first key of the block.
    """

    tiles: Mapping[int, tuple[Any, tuple[int, ...]]]
    """For each loaded element, by its id: its tile, and the axes (0: queries, 1: keys) on which it depends."""
    first: Any
    key: Any


@dataclass(frozen=True)
class Axes:
    """For queries, keys, values and results: the dimension that counts rows. It is 0, or 1 if the matrix is transposed."""

    query: int
    key: int
    value: int
    out: int


def score(
    group: Attention, plan: AttentionPlan, dot: ir.Value, values: Mapping[int, ir.Value], number: Callable[[int], ir.Value]
) -> Any:
    """Computes the score from `dot`, the sum over d of query * key without a factor, and from mask elements.

    `number` returns the number of the query (0) or of the key (1). Padded keys get -inf.
    """
    if group.scale != 1.0:
        dot = arith.mulf(dot, _f32(group.scale))
    result = emit(group.score, value_function(group, values, dot, number))
    if plan.padded[1] != group.extent(group.k):
        extent = arith.constant(ir.IndexType.get(), group.extent(group.k))
        is_key = arith.cmpi(arith.CmpIPredicate.slt, number(1), extent)
        result = arith.select(is_key, result, _f32(float("-inf")))
    return result


def value_function(
    group: Attention, values: Mapping[int, ir.Value], dot: ir.Value | None, number: Callable[[int], ir.Value]
) -> Callable[[Element], Any]:
    """The function that returns the value of an element: a reduction, a loaded tensor element, or an index of query and
    key.
    """
    index = ir.IndexType.get()

    def value_of(part: Element) -> Any:
        match part.kind:
            case "reduce":
                return dot
            case "load":
                value = values[id(part)]
                return as_f32(value) if isinstance(value.type, ir.FloatType) else _narrowed(value)
        terms, plus = part.data[0]
        constant = arith.constant(index, plus)
        for dim, factor in terms:
            term = arith.muli(number(0 if dim == group.q else 1), arith.constant(index, factor))
            constant = arith.addi(constant, term)
        return constant

    return value_of


def is_visible(conditions: Sequence[Condition], plan: AttentionPlan, block: Block, all_queries: bool) -> Any:
    """Whether, under `conditions`, any query of a part sees any key of a block; with `all_queries`, whether all of them see all
    keys.

    None without a condition.
    """
    result = None
    for condition in conditions:
        bounds = ((condition.query, 0, plan.queries_per_part - 1), (condition.key, 0, plan.keys - 1))
        corner = sum((min if all_queries else max)(factor * n for n in ends) for factor, *ends in bounds)
        sum_ = total((block.first, condition.query), (block.key, condition.key), plus=condition.plus + corner)
        zero = _index(0)
        holds = arith.cmpi(arith.CmpIPredicate.sge, sum_ if not isinstance(sum_, int) else _index(sum_), zero)
        result = holds if result is None else arith.andi(result, holds)
    return result


def _index(number: int) -> Any:
    return arith.constant(ir.IndexType.get(), number)


def _f32(number: float) -> Any:
    return arith.constant(ir.F32Type.get(), number)


def _narrowed(value: ir.Value) -> Any:
    return value if value.type == computed_type(value.type) else arith.trunci(computed_type(value.type), value)
