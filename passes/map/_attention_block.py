"""A step's block of keys: what a core has of it in L1, and the scores of its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import arith, ir
from allo_air.passes._analysis.attention import Attention
from allo_air.passes._analysis.attention_plan import AttentionPlan
from allo_air.passes._analysis.elements import Element
from allo_air.passes.map._attention_scores import as_f32, emit, kept


@dataclass(frozen=True)
class Block:
    """What a core has in L1 in one step: tensors by the element that they hold, and which of (query, key) they follow.

    `first` is the number of the core's first query, `key` that of the block's first key.
    """

    tiles: Mapping[int, tuple[Any, tuple[int, ...]]]
    first: Any
    key: Any


@dataclass(frozen=True)
class Axes:
    """Which place of the core's queries, keys, values and results is the row: 0, or 1 where they are transposed."""

    query: int
    key: int
    value: int
    out: int


def score(group: Attention, plan: AttentionPlan, dot: Any, values: Mapping[int, Any], number: Callable[[int], Any]) -> Any:
    """The score made of `dot`, the sum of products of query and key without its factor, and of the elements of masks.

    `number` gives the number of the query (0) or of the key (1). Padded keys have -inf.
    """
    index = ir.IndexType.get()
    if group.scale != 1.0:
        dot = arith.mulf(dot, _f32(group.scale))

    def ask(part: Element) -> Any:
        match part.kind:
            case "reduce":
                return dot
            case "load":
                value = values[id(part)]
                return as_f32(value) if isinstance(value.type, ir.FloatType) else _narrowed(value)
        terms, plus = part.data[0]
        found = arith.constant(index, plus)
        for dim, factor in terms:
            term = arith.muli(number(0 if dim == group.q else 1), arith.constant(index, factor))
            found = arith.addi(found, term)
        return found

    found = emit(group.score, ask)
    if plan.padded[1] != group.extent(group.k):
        counts = arith.cmpi(arith.CmpIPredicate.slt, number(1), arith.constant(index, group.extent(group.k)))
        found = arith.select(counts, found, _f32(float("-inf")))
    return found


def _f32(number: float) -> Any:
    return arith.constant(ir.F32Type.get(), number)


def _narrowed(value: Any) -> Any:
    return value if value.type == kept(value.type) else arith.trunci(kept(value.type), value)
