"""One step of attention over a block of keys by MAC instructions: scores and products are kept transposed, in micro-tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.approximations import least_of_powers
from allo_air.mlir import arith, ir, linalg, math, scf, tensor
from allo_air.passes._analysis.attention import Attention
from allo_air.passes._analysis.attention_plan import AttentionPlan
from allo_air.passes.map._attention_block import Axes, Block, score
from allo_air.passes.map._attention_generic import filled, generic
from allo_air.passes.map._attention_scores import emit
from allo_air.passes.map._attention_slices import L1, alloc, collapsed, expanded, flat, kind

START = -1.7e38
"""The reference of queries without a key so far: far below any score, and its differences to scores are finite."""
LOWEST = -3.4028234663852886e38
"""The least f32."""
EACH = (0, 1, 2, 3)
"""Scores of queries and keys: micro-tiles of queries, of keys, keys and queries inside."""
ROOM = 8.0
"""How far above the greatest score a new reference lies; scores may grow by one less before it moves."""


class MacStep:
    """A core's state, and what a step makes of it; with (M, K, N) the sizes of a MAC instruction's product.

    Scores are S^T = K Q^T in micro-tiles M x N, products O^T = V^T P^T as well, sums of powers as if they were products with
    values of 1: so all numbers of a query are in the same lanes. The powers are e^(score - reference), the reference of a
    query being at least 1 above its scores. Only where a score comes nearer, the reference moves to `ROOM` above the greatest
    score, and sums so far are scaled. `less` holds what is added to the scores: less the reference.
    """

    def __init__(self, group: Attention, plan: AttentionPlan, axes: Axes):
        self.group, self.plan, self.axes = group, plan, axes
        assert plan.micro is not None
        self.rows, self.deep, self.columns = plan.micro
        self.bf16, self.f32 = ir.BF16Type.get(), ir.F32Type.get()
        whole = plan.padded[1] == group.extent(group.k)
        factor = group.factor if whole else None
        self.plain, self.factor = factor is not None, factor or 1.0
        queries, tile = plan.m // self.columns, [self.rows, self.columns]
        self.lanes = [queries, *tile]
        self.scores = self._alloc([queries, plan.keys // self.rows, *tile])
        self.powers = alloc(kind([queries, plan.keys // self.deep, self.deep, self.columns], self.bf16), L1)
        self.ones = filled(alloc(kind([1, self.rows, self.deep], self.bf16), L1), 1.0)
        self.highest, self.next, self.scale = (self._alloc(self.lanes) for _ in range(3))
        self.top = self._alloc([queries, self.columns])
        self.near = alloc(kind([], self.bf16), L1)
        self.begin = [
            filled(self._alloc([group.extent(group.v) // self.rows, *self.lanes]), 0.0),
            filled(self._alloc([1, *self.lanes]), 0.0),
            filled(self._alloc(self.lanes), START),
            filled(self._alloc([queries, plan.keys // self.rows, *tile]), 0.0),
        ]

    def _alloc(self, shape: Sequence[int]) -> Any:
        return alloc(kind(shape, self.f32), L1)

    def step(self, state: list[Any], query: Any, key: Any, value: Any, block: Block) -> list[Any]:
        """The state after a block of keys, all in micro-tiles."""
        products, total, reference, less = state
        key_axes = (0, 2, 3, 5) if self.axes.key == 0 else (2, 0, 5, 3)
        query_axes = (1, 2, 4, 5) if self.axes.query == 0 else (2, 1, 5, 4)
        start = linalg.copy(less, outs=[self.scores]) if self.plain else filled(self.scores, 0.0)
        scores = _product(key, query, start, key_axes, query_axes, (1, 0, 3, 4))
        if not self.plain:
            scores = self._scored(scores, block)
        changed = self._moved(scores, [products, total, reference, less], block.key)
        products, total, reference, less, scores = changed
        powers = self._powers(scores, less)
        total = _product(self.ones, powers, total, (0, 3, 5), (1, 2, 5, 4), (0, 1, 3, 4))
        value_axes = (2, 0, 5, 3) if self.axes.value == 0 else (0, 2, 3, 5)
        products = _product(value, powers, products, value_axes, (1, 2, 5, 4), (0, 1, 3, 4))
        return [products, total, reference, less]

    def _scored(self, dots: Any, block: Block) -> Any:
        """The scores of the sums over d `dots`."""
        tiles, follows = [], []
        for tile, axes in block.tiles.values():
            places: list[int] = []
            for axis in axes:
                tile = expanded(tile, len(places), (self.plan.m // self.columns, self.plan.keys // self.rows)[axis])
                places += [(0, 3), (1, 2)][axis]
            tiles.append(tile)
            follows.append(places)

        def number(axis: int) -> Any:
            outer, inner, size = [(0, 3, self.columns), (1, 2, self.rows)][axis]
            first = arith.muli(linalg.IndexOp(outer).result, arith.constant(ir.IndexType.get(), size))
            return arith.addi(arith.addi(first, linalg.IndexOp(inner).result), block.first if axis == 0 else block.key)

        def body(*elements: Any) -> Any:
            *others, dot = elements
            return score(self.group, self.plan, dot, dict(zip(block.tiles, others, strict=True)), number)

        return generic(tiles, dots, [*follows, EACH], 4, body)

    def _like(self, value: Any, other: Any) -> Any:
        """`value`, in one dimension, in the shape of `other`."""
        shape = list(other.type.shape)
        for place, extent in enumerate(shape[:-1]):
            value = expanded(value, place, extent)
        return value

    def _moved(self, scores: Any, state: list[Any], key: Any) -> list[Any]:
        """The state and the scores with references that are above all scores."""
        compared = [scores] if self.plain else [scores, state[3]]

        def nearest(*values: Any) -> Any:
            *parts, most = values
            return arith.maximumf(arith.truncf(self.bf16, _sum(parts)), most)

        near = generic(compared, filled(self.near, float("-inf")), [*[EACH] * len(compared), ()], 4, nearest)
        number = arith.extf(self.f32, tensor.extract(near, []))
        moves = arith.cmpf(arith.CmpFPredicate.UGT, number, arith.constant(self.f32, -1 / self.factor))
        first = arith.cmpi(arith.CmpIPredicate.eq, key, arith.constant(ir.IndexType.get(), 0))
        old = [*state, scores]
        chosen = scf.IfOp(arith.ori(first, moves), [v.type for v in old], has_else=True)
        with ir.InsertionPoint(chosen.then_block):
            scf.yield_(self._move(scores, state))
        with ir.InsertionPoint(chosen.else_block):
            scf.yield_(old)
        return list(chosen.results)

    def _move(self, scores: Any, state: list[Any]) -> list[Any]:
        products, total, reference, less = state
        each, by_query, lanes = EACH, (0, 2, 3), (0, 1, 2)
        room = arith.constant(self.f32, ROOM / self.factor)

        def above(top: Any, reference: Any, _: Any) -> Any:
            return arith.maximumf(arith.addf(top, room), reference)

        def scale_of(reference: Any, moved: Any, _: Any) -> Any:
            return math.exp(arith.mulf(arith.subf(reference, moved), self._f32(self.factor)))

        taken, axes = ([scores, less], [each, each]) if self.plain else ([scores], [each])
        highest = generic(taken, filled(self.highest, LOWEST), [*axes, by_query], 4, _higher)
        top = generic([highest], filled(self.top, LOWEST), [lanes, (0, 2)], 3, arith.maximumf)
        moved = generic([top, reference], self.next, [(0, 2), lanes, lanes], 3, above)
        if self.plain:
            scores = generic([less, moved], scores, [each, by_query, each], 4, _moved_score)
        less = generic([moved], less, [by_query, each], 4, lambda m, _: arith.subf(self._f32(0.0), m))
        scale = generic([reference, moved], self.scale, [lanes] * 3, 3, scale_of)
        products = generic([scale], products, [(1, 2, 3), each], 4, arith.mulf)
        total = generic([scale], total, [(1, 2, 3), each], 4, arith.mulf)
        reference = generic([moved], reference, [lanes] * 2, 3, arith.maximumf)  # a plain copy would be folded away
        return [products, total, reference, less, scores]

    def _powers(self, scores: Any, less: Any) -> Any:
        taken = [scores] if self.plain else [scores, less]

        def power(*values: Any) -> Any:
            x = arith.maximumf(_sum(values[:-1]), self._f32(least_of_powers(self.factor)))
            if self.factor != 1.0:
                x = arith.mulf(x, self._f32(self.factor))
            found = ir.Operation.create("math.exp", [self.f32], [x], {"fastmath": ir.Attribute.parse("#arith.fastmath<ninf>")})
            return arith.truncf(self.bf16, found.results[0])

        made = generic(taken, self._in_blocks(self.powers, self.rows), [EACH] * (len(taken) + 1), 4, power)
        return self._in_blocks(made, self.deep)

    def unpacks(self, element: ir.Type) -> bool:
        """Whether results leave in micro-tiles: DMAs turn these in words."""
        return element == self.f32

    def _in_blocks(self, powers: Any, size: int) -> Any:
        """The powers with `size` keys in a micro-tile."""
        return powers if self.rows == self.deep else expanded(collapsed(powers, 1), 1, self.plan.keys // size)

    def end(self, state: list[Any], out: Any) -> Any:
        """The results: in micro-tiles of f32, or in rows in `out`."""
        products, total, *_ = state
        each, lanes = EACH, (1, 2, 3)

        def reciprocal(sum_: Any, _: Any) -> Any:
            found = arith.divf(self._f32(1.0), sum_)
            if not self.group.safe:
                return found
            zero = self._f32(0.0)
            return arith.select(arith.cmpf(arith.CmpFPredicate.OEQ, sum_, zero), zero, found)

        ratio = generic([flat(total)], flat(self.scale), [(0,), (0,)], 1, reciprocal)
        ratio = self._like(ratio, self.scale)
        if out is None:
            return generic([ratio], products, [lanes, each], 4, lambda r, p: emit(self.group.final, lambda _: arith.mulf(p, r)))
        products = generic([ratio], products, [lanes, each], 4, arith.mulf)
        element = out.type.element_type
        for place, size in enumerate((self.columns, self.rows) if self.axes.out == 0 else (self.rows, self.columns)):
            out = expanded(out, 2 * place, out.type.shape[2 * place] // size)

        def final(product: Any, _: Any) -> Any:
            value = emit(self.group.final, lambda part: product)
            return value if value.type == element else arith.truncf(element, value)

        out = generic([products], out, [each, (1, 3, 0, 2) if self.axes.out == 0 else (0, 2, 1, 3)], 4, final)
        return collapsed(collapsed(out, 2), 0)

    def _f32(self, number: float) -> Any:
        return arith.constant(self.f32, number)


def _higher(score: Any, *others: Any) -> Any:
    *less, highest = others
    return arith.maximumf(arith.subf(score, less[0]) if less else score, highest)


def _moved_score(less: Any, reference: Any, score: Any) -> Any:
    return arith.subf(arith.subf(score, less), reference)


def _sum(values: Sequence[Any]) -> Any:
    first, *rest = values
    return arith.addf(first, rest[0]) if rest else first


def _product(one: Any, other: Any, total: Any, *axes: tuple[int, ...]) -> Any:
    """`total` and products of micro-tiles, loops being those over (rows, columns, depth) of micro-tiles and inside of these."""
    f32 = ir.F32Type.get()

    def body(a: Any, b: Any, sum_: Any) -> Any:
        return arith.addf(sum_, arith.mulf(arith.extf(f32, a), arith.extf(f32, b)))

    return generic([one, other], total, axes, 6, body)
