"""One step of attention over a block of keys in scalar code: linalg operations on L1, for any element type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.mlir import arith, ir, math
from allo_air.mlir import linalg_views as linalg
from allo_air.passes.map._attention import Attention
from allo_air.passes.map._attention_block import Axes, Block, score
from allo_air.passes.map._attention_generic import filled, generic
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.passes.map._attention_scores import as_f32, emit
from allo_air.passes.map._attention_slices import L1, alloc, kind

LOWEST = -3.4028234663852886e38
"""The lowest f32. The running maximum starts there, since -inf minus -inf would be NaN."""


class ScalarStep:
    """The state of a part of the queries (sums of products, maxima, sums of powers) and how a step changes it."""

    queries = (0, 0, 0)

    def __init__(self, group: Attention, plan: AttentionPlan, axes: Axes):
        self.group, self.plan, self.axes = group, plan, axes
        f32 = ir.F32Type.get()
        m, v = plan.queries_per_part, group.extent(group.v)
        masks = group.form(plan.padded[1])
        self.skips = masks.skips if masks else []
        self.scores = alloc(kind([m, plan.keys], f32), L1)
        self.largest, self.factor = alloc(kind([m], f32), L1), alloc(kind([m], f32), L1)
        self.begin = [
            filled(alloc(kind([plan.m, v], f32), L1), 0.0),
            filled(alloc(kind([plan.m], f32), L1), LOWEST),
            filled(alloc(kind([plan.m], f32), L1), 0.0),
        ]

    def of_keys(self, block: Block) -> Any:
        """Returns None: scalar code has no data that all parts of the queries share."""

    def step(
        self, state: Sequence[ir.Value], query: ir.OpResult, key: Any, value: Any, block: Block, shared_tensors: ir.Type | int
    ) -> list[Any]:
        """The state of a part of the queries after a block of keys."""
        products, maximum, total = state
        rows, row = (0, 1), (0,)
        scores = self._scores(query, key, block)
        largest = generic([scores], filled(self.largest, LOWEST), [rows, row], 2, _maximum)
        factor = generic([largest, maximum], self.factor, [row] * 3, 1, _factor)
        maximum = generic([largest], maximum, [row, row], 1, _maximum)
        powers = generic([maximum], scores, [row, rows], 2, lambda m, s: math.exp(arith.subf(s, m)))
        total = generic([factor], total, [row, row], 1, lambda f, t: arith.mulf(t, f))
        total = generic([powers], total, [rows, row], 2, lambda p, t: arith.addf(t, p))
        products = generic([factor], products, [row, rows], 2, lambda f, o: arith.mulf(o, f))
        value_axes = (2, 1) if self.axes.value == 0 else (1, 2)
        products = generic([powers, value], products, [(0, 2), value_axes, (0, 1)], 3, _multiply_add)
        return [products, maximum, total]

    def end(self, state: Sequence[ir.Value], out: ir.Value) -> Any:
        """The results, in `out`."""
        group, element = self.group, out.type.element_type
        products, _, total = state

        def body(product: ir.Value, total: ir.Value, _: ir.Value) -> Any:
            zero = arith.constant(ir.F32Type.get(), 0.0)
            ratio = arith.divf(product, total)
            if group.safe:
                ratio = arith.select(arith.cmpf(arith.CmpFPredicate.OEQ, total, zero), zero, ratio)
            value = emit(group.final, lambda part: ratio)
            return value if value.type == element else arith.truncf(element, value)

        return generic([products, total], out, [(0, 1), (0,), (0, 1) if self.axes.out == 0 else (1, 0)], 2, body)

    def _scores(self, query: ir.Value, key: ir.Value, block: Block) -> Any:
        query_axes = (0, 2) if self.axes.query == 0 else (2, 0)
        key_axes = (1, 2) if self.axes.key == 0 else (2, 1)
        dots = generic([query, key], filled(self.scores, 0.0), [query_axes, key_axes, (0, 1)], 3, _multiply_add)
        tiles = [t for t, _ in block.tiles.values()]
        follows = [f for _, f in block.tiles.values()]

        def number(axis: int) -> Any:
            return arith.addi(linalg.IndexOp(axis).result, block.first if axis == 0 else block.key)

        def body(*elements: ir.Value) -> Any:
            *rest, dot = elements
            return score(self.group, self.plan, dot, dict(zip(block.tiles, rest, strict=True)), number)

        return generic(tiles, dots, [*follows, (0, 1)], 2, body)


def _maximum(lhs: ir.Value, rhs: ir.Value) -> Any:
    return arith.maximumf(lhs, rhs)


def _factor(largest: ir.Value, before: ir.Value, _: ir.Value) -> Any:
    return math.exp(arith.subf(before, arith.maximumf(largest, before)))


def _multiply_add(lhs: ir.Value, rhs: ir.Value, total: ir.Value) -> Any:
    return arith.addf(total, arith.mulf(as_f32(lhs), as_f32(rhs)))
