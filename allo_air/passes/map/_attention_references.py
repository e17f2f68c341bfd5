"""Online softmax subtracts a reference from each query's scores. This file decides when a reference must move, and rescales the
state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.approximations import bits_of, least_of_scaled_powers
from allo_air.core.branch_hints import RARELY
from allo_air.mlir import arith, ir, linalg, math, tensor
from allo_air.passes._ir.either import select_or_branch
from allo_air.passes.map._attention_generic import added, filled, generic
from allo_air.passes.map._attention_lanes import EACH
from allo_air.passes.map._attention_slices import L1, alloc, expanded, flattened, kind

START = -1.7e38
"""The reference of queries that have not seen a key: far below any score, but with finite differences from scores."""
LOWEST = -3.4028234663852886e38
"""The lowest f32."""
BY_QUERY = (0, 2, 3)
"""The loops of the scores that index numbers of queries."""
ROOM = 8.0
"""Distance of a new reference above the greatest score. Scores may grow by one less before the reference moves again."""


class References:
    """The references of scores in micro-tiles; `by_query` is the shape of numbers for queries. Powers multiply scores and
    references by `factor`. If `shifted`, scores already include the negated reference.
    """

    def __init__(self, by_query: Sequence[int], factor: float, shifted: bool):
        self.factor, self.shifted = factor, shifted
        self.bf16, self.f32 = ir.BF16Type.get(), ir.F32Type.get()
        self.highest, self.next, self.scale = (alloc(kind(by_query, self.f32), L1) for _ in range(3))
        self.top = alloc(kind([by_query[0], by_query[-1]], self.f32), L1)
        self.near = alloc(kind([], self.bf16), L1)
        self.far = alloc(kind([], ir.IntegerType.get_signless(32)), L1)

    def are_near(self, scores: ir.Value, state: Sequence[ir.Value]) -> Any:
        """Whether a score is too close to its reference, or a query has not seen a key yet."""
        compared, axes = ([scores], [EACH]) if self.shifted else ([scores, state[3]], [EACH, BY_QUERY])

        def nearest(*values: ir.Value) -> Any:
            *parts, most = values
            return arith.maximumf(arith.truncf(self.bf16, added(parts)), most)

        near = generic(compared, filled(self.near, float("-inf")), [*axes, ()], 4, nearest)
        number = arith.extf(self.f32, tensor.extract(near, []))
        moves = _hint_unlikely(arith.cmpf(arith.CmpFPredicate.UGT, number, self._f32(-1 / self.factor)))
        return arith.ori(moves, self._has_unseen_keys(state)) if self.shifted else moves

    def _has_unseen_keys(self, state: Sequence[ir.Value]) -> Any:
        """Whether a query has not seen a key yet."""
        largest = tensor.extract(state[4], [arith.constant(ir.IndexType.get(), 0)])
        return _hint_unlikely(arith.cmpf(arith.CmpFPredicate.OGT, largest, self._f32(-START / 2)))

    def leave_range(self, scores: ir.Value, state: Sequence[ir.Value]) -> Any:
        """Whether a score leaves the range of the cheaper exponential (positive scores do), or a query has not seen a key yet.

        One signed comparison of bits finds both: as integers, the bits of negative floats increase while the floats decrease,
        and the bits of positive floats are greater still.
        """
        i32 = ir.IntegerType.get_signless(32)
        lowest = linalg.fill(arith.constant(i32, -(1 << 31)), outs=[self.far])
        far = generic([scores], lowest, [EACH, ()], 4, lambda score, most: arith.maxsi(arith.bitcast(i32, score), most))
        least = arith.constant(i32, bits_of(least_of_scaled_powers(self.factor)))
        leaves = _hint_unlikely(arith.cmpi(arith.CmpIPredicate.sgt, tensor.extract(far, []), least))
        return arith.ori(leaves, self._has_unseen_keys(state))

    def moved(self, scores: ir.Value, state: Sequence[ir.Value], begins: ir.Value) -> list[Any]:
        """The state and the scores after references moved above all scores. On the first keys, there are no sums to rescale."""
        products, total, reference, less, pending = state
        lanes = (0, 1, 2)
        room = self._f32(ROOM / self.factor)

        def above(top: ir.Value, reference: ir.Value, _: ir.Value) -> Any:
            return arith.maximumf(arith.addf(top, room), reference)

        def scale_of(reference: ir.Value, moved: ir.Value, _: ir.Value) -> Any:
            return math.exp(arith.mulf(arith.subf(reference, moved), self._f32(self.factor)))

        def opposite(moved: ir.Value, _: ir.Value) -> Any:
            zero = self._f32(0.0)
            if not self.shifted:
                return arith.subf(zero, moved)
            seen = arith.cmpf(arith.CmpFPredicate.OGT, moved, self._f32(START / 2))
            return arith.select(seen, arith.subf(zero, moved), zero)

        operands, axes = ([scores, less], [EACH, BY_QUERY]) if self.shifted else ([scores], [EACH])
        highest = generic(operands, filled(self.highest, LOWEST), [*axes, BY_QUERY], 4, _higher)
        top = generic([highest], filled(self.top, LOWEST), [lanes, (0, 2)], 3, arith.maximumf)
        moved = generic([top, reference], self.next, [(0, 2), lanes, lanes], 3, above)
        if self.shifted:
            shift = generic([moved], self.scale, [lanes, lanes], 3, opposite)
            shifts = [shift, less]
            scores = generic(
                shifts, scores, [BY_QUERY] * 2 + [EACH], 4, lambda new, old, s: arith.addf(arith.subf(s, old), new)
            )
        less = generic([moved], less, [lanes, lanes], 3, opposite)
        if self.shifted:
            row = expanded(flattened(moved), 0, 1)
            lowest = filled(pending, START)
            pending = generic(
                [row], lowest, [(0, 1), (0,)], 2, lambda m, most: arith.maximumf(arith.subf(self._f32(0.0), m), most)
            )

        def scaled() -> list[Any]:
            scale = generic([reference, moved], self.scale, [lanes] * 3, 3, scale_of)
            by_query = generic([scale], products, [BY_QUERY, EACH], 4, arith.mulf)
            return [by_query, generic([scale], total, [(1, 2, 3), EACH], 4, arith.mulf)]

        products, total = select_or_branch(begins, [products, total], scaled)
        reference = generic([moved], reference, [lanes] * 2, 3, arith.maximumf)  # a plain copy would be folded away
        return [products, total, reference, less, pending, scores]

    def _f32(self, number: float) -> Any:
        return arith.constant(self.f32, number)


def _hint_unlikely(condition: ir.Value) -> Any:
    """`condition` with a branch hint: it is seldom true after the first keys."""
    condition.owner.attributes[RARELY] = ir.UnitAttr.get()
    return condition


def _higher(score: ir.Value, *value: ir.Value) -> Any:
    *less, highest = value
    return arith.maximumf(arith.subf(score, less[0]) if less else score, highest)
