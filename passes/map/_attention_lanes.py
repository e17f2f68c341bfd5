"""Masks on scores in micro-tiles: what is added to them, and which are hidden, by vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allo_air.mlir import arith, ir, linalg
from allo_air.passes._analysis.attention import Attention
from allo_air.passes._analysis.attention_masks import LOWEST, Condition, Masks, Term
from allo_air.passes._analysis.attention_plan import AttentionPlan
from allo_air.passes._analysis.elements import leaves
from allo_air.passes.map._attention_block import Block, asked
from allo_air.passes.map._attention_generic import generic
from allo_air.passes.map._attention_scores import emit
from allo_air.passes.map._attention_slices import L1, alloc, expanded, kind, total

EACH = (0, 1, 2, 3)
"""Scores: micro-tiles of queries, of keys, keys and queries inside."""
_AXES = {(True, False): (0, 2, 3), (False, True): (1, 2, 3), (True, True): EACH}
"""Which of these the numbers follow that are of queries, of keys, or of both."""


class Lanes:
    """Buffers of a core for `masks`: numbers of each query, each key and each score in the order of the scores' lanes."""

    def __init__(self, group: Attention, plan: AttentionPlan, masks: Masks):
        self.group, self.plan, self.masks = group, plan, masks
        assert plan.micro is not None
        self.rows, _, self.columns = plan.micro
        self.terms: dict[tuple[bool, bool], list[Term]] = {}
        for term in masks.terms:
            by_query, by_key = group.follows[id(term.element)]
            self.terms.setdefault((by_query, by_key or not by_query), []).append(term)
        f32 = ir.F32Type.get()
        self.plain = {f: alloc(kind(self._shape(f), f32), L1) for f in self.terms}
        self.laid = {f: alloc(kind(self._lanes(f), f32), L1) for f in self.terms}
        self.numbers = {(c.query, c.key): self._numbers(c) for c in masks.conditions}

    def _shape(self, of: tuple[bool, bool]) -> list[int]:
        return [n for n, counts in zip((self.plan.h, self.plan.keys), of, strict=True) if counts]

    def _lanes(self, of: tuple[bool, bool]) -> list[int]:
        sizes = [self.plan.h // self.columns, self.plan.keys // self.rows]
        return [*(n for n, counts in zip(sizes, of, strict=True) if counts), self.rows, self.columns]

    def _numbers(self, condition: Condition) -> list[Any]:
        """What the queries' numbers, counted from the first one, make of the condition's sum, and what those of the keys do."""
        i32 = ir.IntegerType.get_signless(32)

        def table(of: tuple[bool, bool], factor: int, inner: int, size: int) -> Any:
            def body(_: Any) -> Any:
                outer, inside = (arith.index_cast(i32, linalg.IndexOp(n).result) for n in (0, inner))
                number = arith.addi(arith.muli(outer, arith.constant(i32, size)), inside)
                return arith.muli(number, arith.constant(i32, factor))

            return generic([], alloc(kind(self._lanes(of), i32), L1), [(0, 1, 2)], 3, body)

        queries = [table((True, False), condition.query, 2, self.columns)] if condition.query else []
        keys = [table((False, True), condition.key, 1, self.rows)] if condition.key else []
        return [*queries, *keys]

    def of_keys(self, block: Block) -> dict[tuple[bool, bool], Any]:
        """The terms that keys alone decide, in lanes: one buffer for all parts of the core's queries."""
        return {f: self._cell(f, block) for f in self.terms if not f[0]}

    def scored(self, scores: Any, block: Block, known: Mapping[tuple[bool, bool], Any]) -> Any:
        """`scores` with what masks add, and low where they hide."""
        cells = {**known, **{f: self._cell(f, block) for f in self.terms if f[0]}}
        taken = [(tensor, _AXES[f]) for f, tensor in cells.items()]
        at: list[Sequence[int]] = []
        for condition in self.masks.conditions:
            numbers = self.numbers[condition.query, condition.key]
            axes = [(True, False)] * bool(condition.query) + [(False, True)] * bool(condition.key)
            at.append(range(len(taken), len(taken) + len(numbers)))
            taken += [(tensor, _AXES[f]) for tensor, f in zip(numbers, axes, strict=True)]
        bounds = [_as_i32(self._less_than(c, block)) for c in self.masks.conditions]

        def body(*values: Any) -> Any:
            *others, found = values
            for value in others[: len(cells)]:
                found = arith.addf(found, value)
            if self.masks.number:
                found = arith.addf(found, _f32(self.masks.number))
            for condition, places, bound in zip(self.masks.conditions, at, bounds, strict=True):
                numbers = [others[n] for n in places]
                number = arith.addi(*numbers) if len(numbers) == 2 else numbers[0]
                seen = arith.cmpi(arith.CmpIPredicate.sge, number, bound)
                found = arith.select(seen, found, _f32(condition.low))
            return found

        return generic([t for t, _ in taken], scores, [*(a for _, a in taken), EACH], 4, body)

    @staticmethod
    def _less_than(condition: Condition, block: Block) -> Any:
        """What the sum of the numbers must reach, these being counted from the first of the block."""
        return total((block.first, -condition.query), (block.key, -condition.key), plus=-condition.plus)

    def _cell(self, of: tuple[bool, bool], block: Block) -> Any:
        """The sum of the terms that follow `of`, in lanes."""
        terms, axes = self.terms[of], {0: 0, 1: 1} if all(of) else {0: 0} if of[0] else {1: 0}
        loads = {id(part) for term in terms for part in leaves(term.element) if part.kind == "load"}
        tiles = {n: found for n, found in block.tiles.items() if n in loads}

        def number(axis: int) -> Any:
            return arith.addi(linalg.IndexOp(axes[axis]).result, block.first if axis == 0 else block.key)

        def body(*values: Any) -> Any:
            ask = asked(self.group, dict(zip(tiles, values[:-1], strict=True)), None, number)
            parts = [_value(term, emit(term.element, ask)) for term in terms]
            found = parts[0]
            for part in parts[1:]:
                found = arith.addf(found, part)
            return found if len(terms) == 1 and terms[0].wanted is not None else _finite(found)

        inputs = [tile for tile, _ in tiles.values()]
        follow = [tuple(axes[a] for a in places) for _, places in tiles.values()]
        loops = tuple(range(sum(of)))
        made = generic(inputs, self.plain[of], [*follow, loops], len(loops), body)
        if of[0]:
            made = expanded(made, 0, self.plan.h // self.columns)
        if of[1]:
            made = expanded(made, 2 if of[0] else 0, self.plan.keys // self.rows)
        places = (0, 3, 1, 2) if all(of) else (0, 2) if of[0] else (0, 1)
        rank = len(self.laid[of].type.shape)
        return generic([made], self.laid[of], [places, tuple(range(rank))], rank, lambda value, _: value)


def _value(term: Term, value: Any) -> Any:
    if term.wanted is None:
        return arith.mulf(value, _f32(1 / term.divisor)) if term.divisor != 1.0 else value
    both = [_f32(0.0), _f32(term.low)]
    return arith.select(value, *(both if term.wanted else both[::-1]))


def _finite(value: Any) -> Any:
    """`value`, at least `LOWEST` where it is not -inf."""
    hidden = _f32(float("-inf"))
    finite = arith.maximumf(value, _f32(LOWEST))
    return arith.select(arith.cmpf(arith.CmpFPredicate.OEQ, value, hidden), hidden, finite)


def _f32(number: float) -> Any:
    return arith.constant(ir.F32Type.get(), number)


def _as_i32(number: Any) -> Any:
    i32 = ir.IntegerType.get_signless(32)
    return arith.constant(i32, number) if isinstance(number, int) else arith.index_cast(i32, number)
