"""One step of attention over a block of keys with MAC instructions. Scores and products are transposed and in micro-tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.approximations import bits_of, least_of_powers, none_of_scaled_powers, scale_of_powers
from allo_air.mlir import arith, ir, linalg, math
from allo_air.passes._ir.either import select_or_branch
from allo_air.passes.map._attention import Attention
from allo_air.passes.map._attention_block import Axes, Block, is_visible, score
from allo_air.passes.map._attention_generic import added, filled, generic
from allo_air.passes.map._attention_lanes import EACH, Lanes, counted, mask_scores
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.passes.map._attention_references import BY_QUERY, START, References
from allo_air.passes.map._attention_scores import emit
from allo_air.passes.map._attention_slices import L1, alloc, collapsed, expanded, flattened, kind

BELOW = 2.0**-10
"""Subtracted from all differences between scores and references, so that all are negative."""

NO_KEY = 2.0**-100
"""Sums of powers below this are those of queries that see no key: powers of hidden scores are at most 2^-126, and the greatest
power of a visible one is about e^-`ROOM`.
"""


class MacStep:
    """The state of a core and how a step changes it; (M, K, N) are the sizes of a MAC instruction's product.

    Scores are S^T = K Q^T and products are O^T = V^T P^T, both in micro-tiles M x N. Sums of powers are computed like products
    with values of 1, so that all numbers of a query are in the same lanes. Micro-tiles of the same queries are adjacent.
    Powers are e^(score - reference), where the reference of a query is at least 1 above its scores. Only if a score comes
    closer, the reference moves to `ROOM` above the greatest score, and the sums so far are rescaled. `less` is the negated
    reference.
    If masks only hide keys, scores are `shifted`: their sums start at `less`, which is 0, with a large `pending`, until the
    query has seen a key. Otherwise `less` is added at use. Queries are dimension `queries` of the state's tensors, of which
    steps get one part.
    """

    queries = (0, 1, 0, 0, 0)

    def __init__(self, group: Attention, plan: AttentionPlan, axes: Axes):
        self.group, self.plan, self.axes = group, plan, axes
        assert plan.micro is not None
        self.rows, self.deep, self.columns = plan.micro
        self.bf16, self.f32 = ir.BF16Type.get(), ir.F32Type.get()
        self.element = group.element
        masks = group.form(plan.padded[1])
        self.plain, self.factor = masks is not None, masks.factor if masks else 1.0
        short = self.element == self.bf16
        self.shifted = short and masks is not None and masks.only_hides
        self.lanes = Lanes(group, plan, masks) if masks and (masks.conditions or masks.terms or masks.number) else None
        self.skips = masks.skips if masks else []
        queries, tile = plan.queries_per_part // self.columns, [self.rows, self.columns]
        self.by_query = [queries, *tile]
        self.scores = self._alloc([queries, plan.keys // self.rows, *tile])
        self.powers = alloc(kind([queries, plan.keys // self.deep, self.deep, self.columns], self.element), L1)
        self.ones = filled(alloc(kind([1, self.rows, self.deep], self.element), L1), 1.0)
        self.references = References(self.by_query, self.factor, self.shifted)
        whole = [plan.m // self.columns, *tile]
        self.begin = [
            filled(self._alloc([whole[0], group.extent(group.v) // self.rows, *tile]), 0.0),
            filled(self._alloc([1, *whole]), 0.0),
            filled(self._alloc(whole), START),
            filled(self._alloc(whole), 0.0 if self.shifted else -START),
            filled(self._alloc([plan.parts]), -START if self.shifted else START),
        ]

    def _alloc(self, shape: Sequence[int]) -> Any:
        return alloc(kind(shape, self.f32), L1)

    def of_keys(self, block: Block) -> Any:
        """Data that is computed once from a block of keys and shared by all parts of the queries."""
        return self.lanes.of_keys(block) if self.lanes else {}

    def step(
        self, state: Sequence[ir.Value], query: ir.OpResult, key: Any, value: Any, block: Block, tensors_by_cell: Any
    ) -> list[Any]:
        """The state of a part of the queries after a block of keys; all tensors are in micro-tiles. `tensors_by_cell` is from
        `of_keys`.
        """
        products, total, reference, less, pending = state
        key_axes = (0, 2, 3, 5) if self.axes.key == 0 else (2, 0, 5, 3)
        query_axes = (1, 2, 4, 5) if self.axes.query == 0 else (2, 1, 5, 4)
        start = generic([less], self.scores, [BY_QUERY, EACH], 4, _first) if self.shifted else filled(self.scores, 0.0)
        scores = _product(key, query, start, key_axes, query_axes, (1, 0, 3, 4))
        if not self.plain:
            scores = self._scored(scores, block)
        seen = self._is_visible(block)
        if self.lanes and seen is None:
            scores = self.lanes.scored(scores, block, tensors_by_cell)
        into = self._in_blocks(self.powers, self.rows)
        powers = self._short_powers(scores, into) if self.shifted else self._powers(scores, less, into)
        state = [products, total, reference, less, pending]
        state, powers = self._redone(scores, powers, state, seen, block, tensors_by_cell)
        products, total, reference, less, pending = state
        powers = self._in_blocks(powers, self.deep)
        total = _product(self.ones, powers, total, (0, 3, 5), (1, 2, 5, 4), (0, 1, 3, 4))
        value_axes = (2, 0, 5, 3) if self.axes.value == 0 else (0, 2, 3, 5)
        products = _product(value, powers, products, value_axes, (1, 2, 5, 4), (1, 0, 3, 4))
        return [products, total, reference, less, pending]

    def _is_visible(self, block: Block) -> Any:
        """Whether all queries see the whole block, if that is known; None for masks that must be applied in each block."""
        if self.lanes is None or not self.shifted or self.lanes.masks.terms or self.lanes.masks.number:
            return None
        return is_visible(self.lanes.masks.conditions, self.plan, block, all_queries=True)

    def _hidden(self, scores: ir.Value, block: Block, tensors_by_cell: Any) -> Any:
        assert self.lanes is not None
        return self.lanes.scored(scores, block, tensors_by_cell)

    def _scored(self, dots: ir.Value, block: Block) -> Any:
        """The scores for the dot products `dots`."""
        tiles, follows = [], []
        for tile, axes in block.tiles.values():
            places: list[int] = []
            for axis in axes:
                tile = expanded(
                    tile, len(places), (self.plan.queries_per_part // self.columns, self.plan.keys // self.rows)[axis]
                )
                places += [(0, 3), (1, 2)][axis]
            tiles.append(tile)
            follows.append(places)

        def number(axis: int) -> Any:
            outer, inner, size = [(0, 3, self.columns), (1, 2, self.rows)][axis]
            first = arith.muli(linalg.IndexOp(outer).result, arith.constant(ir.IndexType.get(), size))
            return arith.addi(arith.addi(first, linalg.IndexOp(inner).result), block.first if axis == 0 else block.key)

        def body(*elements: ir.Value) -> Any:
            *rest, dot = elements
            result = score(self.group, self.plan, dot, dict(zip(block.tiles, rest, strict=True)), number)
            return mask_scores(counted(result, 1.0))

        return generic(tiles, dots, [*follows, EACH], 4, body)

    def _like(self, value: ir.Value, model: ir.Value) -> Any:
        """The one-dimensional `value` with the shape of `model`."""
        shape = list(model.type.shape)
        for place, extent in enumerate(shape[:-1]):
            value = expanded(value, place, extent)
        return value

    def _redone(
        self,
        scores: ir.OpResult,
        powers: ir.OpResult,
        state: Sequence[ir.Value],
        seen: ir.OpResult | None,
        block: Block,
        shared_tensors: ir.Type | int,
    ) -> tuple[list[Any], Any]:
        """The state and the powers, recomputed if references have to move or scores have to be hidden.

        On the first block of keys, queries always get their references. Only the numbers of the keys decide whether this is the
        first block.
        """
        begins = arith.cmpi(arith.CmpIPredicate.eq, block.key, arith.constant(ir.IndexType.get(), 0))
        redo = self.references.leave_range(scores, state) if self.shifted else self.references.are_near(scores, state)
        redo = arith.ori(redo, begins)
        if seen is not None:
            redo = arith.ori(redo, arith.xori(seen, arith.constant(seen.type, 1)))

        def new() -> list[Any]:
            if self.shifted:
                [result] = (
                    [scores]
                    if seen is None
                    else select_or_branch(seen, [scores], lambda: [self._hidden(scores, block, shared_tensors)])
                )
                near = arith.ori(self.references.are_near(result, state), begins)
                *moved, result = select_or_branch(near, lambda: self.references.moved(result, state, begins), [*state, result])
            else:
                *moved, result = self.references.moved(scores, state, begins)
            return [*moved, self._powers(result, moved[3], powers)]

        *state, powers = select_or_branch(redo, new, [*state, powers])
        return state, powers

    def _powers(self, scores: ir.Value, less: ir.Value, into: ir.Value) -> Any:
        """Computes the powers e^(score - reference), and writes them to `into` in the scores' micro-tiles."""
        operands, axes = ([scores], [EACH]) if self.shifted else ([scores, less], [EACH, BY_QUERY])
        i32 = ir.IntegerType.get_signless(32)
        lowest = none_of_scaled_powers(self.factor) if self.shifted else least_of_powers(self.factor)

        def power(*values: ir.Value) -> Any:
            above = added(values[:-1])
            if not self.shifted:  # if all scores are very low, the reference is the greatest one
                above = arith.subf(above, self._f32(BELOW))
            bits = arith.bitcast(i32, above)  # as integers, the bits of greater negative floats are smaller
            x = arith.bitcast(self.f32, arith.minsi(bits, arith.constant(i32, bits_of(lowest))))
            result = self._scaled_power(x) if self.shifted else self._power(x, "ninf")
            return result if self.element == self.f32 else arith.truncf(self.bf16, result)

        return generic(operands, into, [*axes, EACH], 4, power)

    def _short_powers(self, scores: ir.Value, into: ir.Value) -> Any:
        """Computes the same as `_powers` with a cheaper exponential, whose range must contain all scores."""

        def power(score: ir.Value, _: ir.Value) -> Any:
            return arith.truncf(self.bf16, self._scaled_power(score))

        return generic([scores], into, [EACH, EACH], 4, power)

    def _scaled_power(self, x: ir.Value) -> Any:
        return arith.mulf(self._power(x, "nnan,ninf"), self._f32(scale_of_powers(self.factor)))

    def _power(self, x: ir.Value, flags: str) -> Any:
        """e^(factor x)."""
        if self.factor != 1.0:
            x = arith.mulf(x, self._f32(self.factor))
        return math.exp(x, fastmath=ir.Attribute.parse(f"#arith.fastmath<{flags}>"))

    def unpacks(self, element: ir.Type) -> bool:
        """Whether DMAs can unpack the results from micro-tiles: they move 32-bit words, so elements must have 32 bits."""
        return element == self.f32

    def _in_blocks(self, powers: ir.Value, size: int) -> Any:
        """The powers with `size` keys in a micro-tile."""
        return powers if self.rows == self.deep else expanded(collapsed(powers, 1), 1, self.plan.keys // size)

    def end(self, state: Sequence[ir.Value], out: ir.Value | None) -> Any:
        """The results: in micro-tiles of f32, or in rows in `out`."""
        products, total, *_ = state
        every, lanes = EACH, BY_QUERY

        def reciprocal(sum_: ir.Value, _: ir.Value) -> Any:
            result = arith.divf(self._f32(1.0), sum_)
            if self.lanes is None and self.plain and not self.group.safe:
                return result
            is_hidden = arith.cmpf(arith.CmpFPredicate.OLT, sum_, self._f32(NO_KEY))
            return arith.select(is_hidden, self._f32(0.0 if self.group.safe else float("nan")), result)

        ratio = generic([flattened(total)], flattened(total), [(0,), (0,)], 1, reciprocal)
        ratio = self._like(ratio, state[2])
        if out is None:
            return generic(
                [ratio], products, [lanes, every], 4, lambda r, p: emit(self.group.final, lambda _: arith.mulf(p, r))
            )
        products = generic([ratio], products, [lanes, every], 4, arith.mulf)
        element = out.type.element_type
        for place, size in enumerate((self.columns, self.rows) if self.axes.out == 0 else (self.rows, self.columns)):
            out = expanded(out, 2 * place, out.type.shape[2 * place] // size)

        def final(product: ir.Value, _: ir.Value) -> Any:
            value = emit(self.group.final, lambda part: product)
            return value if value.type == element else arith.truncf(element, value)

        out = generic([products], out, [every, (0, 3, 1, 2) if self.axes.out == 0 else (1, 2, 0, 3)], 4, final)
        return collapsed(collapsed(out, 2), 0)

    def _f32(self, number: float) -> Any:
        return arith.constant(self.f32, number)


def _first(value: ir.Value, _: ir.Value) -> Any:
    return value


def _product(lhs: ir.Value, rhs: ir.Value, total: ir.Value, *axes: tuple[int, ...]) -> Any:
    """`total` plus the product of matrices in micro-tiles. The loops run over the micro-tiles (rows, columns, depth) and inside
    each.
    """
    f32 = ir.F32Type.get()

    def body(a: ir.Value, b: ir.Value, sum_: ir.Value) -> Any:
        factors = [v if v.type == f32 else arith.extf(f32, v) for v in (a, b)]
        return arith.addf(sum_, arith.mulf(*factors))

    return generic([lhs, rhs], total, axes, 6, body)
