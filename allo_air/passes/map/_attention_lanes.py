"""Vector code for masks on scores that are stored in micro-tiles: adds the terms of masks and hides scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allo_air.mlir import arith, ir, linalg
from allo_air.passes.map._attention import Attention
from allo_air.passes.map._attention_block import Block, value_function
from allo_air.passes.map._attention_generic import generic
from allo_air.passes.map._attention_masks import FAR, HIDDEN, SHIFT, Condition, Masks, Step, Term
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.passes.map._attention_scores import emit
from allo_air.passes.map._attention_slices import L1, alloc, expanded, kind, total
from allo_air.passes.map._elements import subexpressions

EACH = (0, 1, 2, 3)
"""The loops over all scores: micro-tiles of queries, micro-tiles of keys, keys in a micro-tile, queries in a micro-tile."""
_AXES = {(True, False): (0, 2, 3), (False, True): (1, 2, 3), (True, True): EACH}
"""The loops of EACH that index numbers of queries, numbers of keys, and numbers of both."""
Follows = tuple[bool, bool]
Cell = tuple[int, Follows]
"""The terms of one step, by step number, that depend on the same of query and key."""


class Lanes:
    """A core's buffers for `masks`: numbers for each query, key or score, in the lane order of the scores."""

    def __init__(self, group: Attention, plan: AttentionPlan, masks: Masks):
        self.group, self.plan, self.masks = group, plan, masks
        assert plan.micro is not None
        self.rows, _, self.columns = plan.micro
        self.cells = group.cells(masks)
        f32 = ir.F32Type.get()
        self.plain = {cell: alloc(kind(self._shape(cell[1]), f32), L1) for cell in self.cells}
        self.laid = {cell: alloc(kind(self._lanes(cell[1]), f32), L1) for cell in self.cells}
        self.numbers = {(c.query, c.key): self._numbers(c) for c in masks.conditions}

    def _shape(self, of: Follows) -> list[int]:
        return [n for n, counts in zip((self.plan.queries_per_part, self.plan.keys), of, strict=True) if counts]

    def _lanes(self, of: Follows) -> list[int]:
        sizes = [self.plan.queries_per_part // self.columns, self.plan.keys // self.rows]
        return [*(n for n, counts in zip(sizes, of, strict=True) if counts), self.rows, self.columns]

    def _numbers(self, condition: Condition) -> list[Any]:
        """The parts of a condition's sum that depend on the query (counted from the first one) and on the key."""
        i32 = ir.IntegerType.get_signless(32)

        def table(of: Follows, factor: int, inner: int, size: int) -> Any:
            def body(_: ir.Value) -> Any:
                outer, inside = (arith.index_cast(i32, linalg.IndexOp(n).result) for n in (0, inner))
                number = arith.addi(arith.muli(outer, arith.constant(i32, size)), inside)
                return arith.muli(number, arith.constant(i32, factor))

            return generic([], alloc(kind(self._lanes(of), i32), L1), [(0, 1, 2)], 3, body)

        queries = [table((True, False), condition.query, 2, self.columns)] if condition.query else []
        keys = [table((False, True), condition.key, 1, self.rows)] if condition.key else []
        return [*queries, *keys]

    def of_keys(self, block: Block) -> dict[Cell, Any]:
        """The terms that depend on keys only, in lanes: one buffer for all parts of the core's queries."""
        return {cell: self._cell(cell, block) for cell in self.cells if not cell[1][0]}

    def scored(self, scores: ir.Value, block: Block, tensors_by_cell: Mapping[Cell, ir.Value]) -> Any:
        """`scores` plus the terms of the masks, with hidden scores set to a low number."""
        laid = {**tensors_by_cell, **{cell: self._cell(cell, block) for cell in self.cells if cell[1][0]}}
        operands = [(tensor, _AXES[cell[1]]) for cell, tensor in laid.items()]
        ranges: dict[int, Sequence[int]] = {}
        for condition in self.masks.conditions:
            numbers = self.numbers[condition.query, condition.key]
            axes = [(True, False)] * bool(condition.query) + [(False, True)] * bool(condition.key)
            ranges[id(condition)] = range(len(operands), len(operands) + len(numbers))
            operands += [(tensor, _AXES[f]) for tensor, f in zip(numbers, axes, strict=True)]
        bounds = {id(c): _as_i32(self._less_than(c, block)) for c in self.masks.conditions}

        def body(*values: ir.Value) -> Any:
            *rest, result = values
            of_cells = dict(zip(laid, rest, strict=False))

            def is_visible(condition: Condition) -> Any:
                numbers = [rest[n] for n in ranges[id(condition)]]
                number = arith.addi(*numbers) if len(numbers) == 2 else numbers[0]
                return arith.cmpi(arith.CmpIPredicate.sge, number, bounds[id(condition)])

            sums = _ScoreBuilder(result)
            if self.masks.number:
                sums.add(_f32(self.masks.number))
            for number, step in enumerate(self.masks.steps):
                cells = [value for (of, _), value in of_cells.items() if of == number]
                _apply(step, sums, cells, [is_visible(c) for c in step.conditions])
            return sums.value()

        return generic([t for t, _ in operands], scores, [*(a for _, a in operands), EACH], 4, body)

    @staticmethod
    def _less_than(condition: Condition, block: Block) -> Any:
        """The bound that the condition's sum must reach, if the numbers are counted from the first query and key of the
        block.
        """
        return total((block.first, -condition.query), (block.key, -condition.key), plus=-condition.plus)

    def _cell(self, cell: Cell, block: Block) -> Any:
        """The sum of the terms of `cell`, in lanes; for a choice, the smallest one."""
        (step, of), terms = cell, self.cells[cell]
        axes = {0: 0, 1: 1} if all(of) else {0: 0} if of[0] else {1: 0}
        loads = {id(part) for term in terms for part in subexpressions(term.element) if part.kind == "load"}
        tiles = {n: item for n, item in block.tiles.items() if n in loads}

        def number(axis: int) -> Any:
            return arith.addi(linalg.IndexOp(axes[axis]).result, block.first if axis == 0 else block.key)

        def body(*values: ir.Value) -> Any:
            ask = value_function(self.group, dict(zip(tiles, values[:-1], strict=True)), None, number)
            parts = [_value(term, emit(term.element, ask)) for term in terms]
            result = parts[0]
            for part in parts[1:]:
                result = arith.addf(result, part) if self.masks.steps[step].low is None else arith.minimumf(result, part)
            return result if all(term.truth is not None for term in terms) and len(terms) == 1 else mask_scores(result)

        inputs = [tile for tile, _ in tiles.values()]
        follow = [tuple(axes[a] for a in places) for _, places in tiles.values()]
        loops = tuple(range(sum(of)))
        result = generic(inputs, self.plain[cell], [*follow, loops], len(loops), body)
        if of[0]:
            result = expanded(result, 0, self.plan.queries_per_part // self.columns)
        if of[1]:
            result = expanded(result, 2 if of[0] else 0, self.plan.keys // self.rows)
        places = (0, 3, 1, 2) if all(of) else (0, 2) if of[0] else (0, 1)
        rank = len(self.laid[cell].type.shape)
        return generic([result], self.laid[cell], [places, tuple(range(rank))], rank, lambda value, _: value)


class _ScoreBuilder:
    """The score so far, while terms are added. Several low terms may make the sum -inf, so `_lows` counts them."""

    def __init__(self, score: ir.Value):
        self._score, self._lows = score, 0

    def add(self, number: ir.Value) -> None:
        self._score, self._lows = arith.addf(self._score, number), self._lows + 1

    def choose(self, seen: ir.Value, low: ir.Value) -> None:
        """Replaces scores that are not `seen` by `low`."""
        self._score, self._lows = arith.select(seen, self.value(), low), 1

    def value(self) -> Any:
        """The score so far."""
        return mask_scores(self._score) if self._lows > 1 else self._score


def _apply(step: Step, score: _ScoreBuilder, cells: Sequence[ir.Value], seen: Sequence[ir.Value]) -> None:
    """Applies `step` to `score`, with the values of the step's terms (`cells`) and whether its conditions are true (`seen`)."""
    if step.low is None:
        for cell in cells:
            score.add(cell)
        return
    low, zero = _f32(step.low), _f32(0.0)
    if not step.added or (step.is_final and not cells):
        bits = [arith.cmpf(arith.CmpFPredicate.OGE, cell, zero) for cell in cells]
        for condition in (*seen, *bits):
            score.choose(condition, low)
        return
    result = zero
    for cell in cells:
        result = arith.minimumf(result, cell)
    for condition in seen:
        result = arith.select(condition, result, low)
    score.add(result)


def _value(term: Term, value: ir.Value) -> Any:
    if term.truth is None:
        return counted(value, term.divisor)
    both = [_f32(0.0), _f32(term.low)]
    return arith.select(value, *(both if term.truth else both[::-1]))


def counted(score: ir.Value, divisor: float) -> Any:
    """`score` / `divisor`, scaled as in `_attention_masks.counted` to keep the order of scores; at most `HIDDEN` for -inf."""
    f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)
    exponent = arith.constant(i32, -(SHIFT << 23))
    smaller = arith.bitcast(f32, arith.addi(arith.bitcast(i32, score), exponent))
    low = arith.addf(smaller, _f32(FAR / divisor))
    near = arith.mulf(score, _f32(1 / divisor)) if divisor != 1.0 else score
    return arith.select(arith.cmpf(arith.CmpFPredicate.OLT, score, _f32(FAR)), low, near)


def mask_scores(score: ir.Value) -> Any:
    """`score`, a sum of results of `counted`, with -inf where it is hidden."""
    reached = arith.cmpf(arith.CmpFPredicate.OLE, score, _f32(HIDDEN))
    return arith.select(reached, _f32(_INF), score)


_INF = float("-inf")


def _f32(number: float) -> Any:
    return arith.constant(ir.F32Type.get(), number)


def _as_i32(number: ir.Value) -> Any:
    i32 = ir.IntegerType.get_signless(32)
    return arith.constant(i32, number) if isinstance(number, int) else arith.index_cast(i32, number)
