"""Partial accumulators of a reduction: a loop carries several of them, to hide the latency of additions, and combines them at
the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import arith, ir
from allo_air.passes.kernel._bf16x3 import low_precision_source
from allo_air.passes.kernel._combine import Combiner
from allo_air.passes.kernel._lane_values import shaped, splat


@dataclass(frozen=True)
class PartialAccumulators:
    """The accumulator as `ways` vectors, each of which accumulates some of the terms.

    A maximum of f32 is kept as the largest and the smallest bits, as integers. Extremes of bf16 that the body extends are kept
    in bf16, unless terms are masked.
    """

    combiner: Combiner
    ways: int
    is_masked: bool

    def opened(self, first: ir.Value) -> list[Any]:
        """The initial values, with vector `first`."""
        if self._is_low_precision:
            return [splat(shaped(first, ir.BF16Type.get()), self.combiner.neutral())]
        if self._is_greatest:
            return [arith.bitcast(shaped(first, ir.IntegerType.get_signless(32)), first)] * 2
        return [first, *(splat(first.type, self.combiner.neutral()) for _ in range(self.ways - 1))]

    def added(self, partials: Sequence[ir.Value], term: ir.Value, partial: int) -> list[Any]:
        """The values with another term added."""
        if self._is_low_precision:
            narrow = low_precision_source(term)
            narrow = arith.truncf(partials[0].type, term) if narrow is None else narrow
            return [ir.Operation.create(self.combiner.op.name, [narrow.type], [partials[0], narrow]).results[0]]
        if self._is_greatest:
            bits = arith.bitcast(partials[0].type, term)
            return [arith.maxsi(partials[0], bits), arith.minsi(partials[1], bits)]
        return [*partials[:partial], self.combiner.combine(partials[partial], term), *partials[partial + 1 :]]

    def closed(self, partials: Sequence[ir.Value], first: ir.Value) -> Any:
        """The result after a loop that started with `first`.

        The greatest float has the largest bits as an integer, but the smallest if all are negative.
        """
        if self._is_low_precision:
            return self.combiner.combine(first, arith.extf(first.type, partials[0]))
        if self._is_greatest:
            most, least = partials
            negative = arith.cmpi(arith.CmpIPredicate.slt, most, splat(most.type, 0))
            return arith.bitcast(first.type, arith.select(negative, least, most))
        result, *rest = partials
        for accumulator in rest:
            result = self.combiner.combine(result, accumulator)
        return result

    @property
    def _is_greatest(self) -> bool:
        return self.combiner.op.name in ("arith.maximumf", "arith.maxnumf") and str(self.combiner.element) == "f32"

    @property
    def _is_low_precision(self) -> bool:
        is_extreme = self.combiner.op.name in ("arith.maximumf", "arith.minimumf")
        return is_extreme and not self.is_masked and low_precision_source(self.combiner.term) is not None
