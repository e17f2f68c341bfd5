"""Reductions whose partial results can be combined: finds the combining operation and its neutral element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir, vector
from allo_air.passes._analysis.combinations import Combination, combinations_of
from allo_air.passes._analysis.element_types import bit_width, element_of
from allo_air.passes._analysis.loop_nest import LoopNest
from allo_air.passes._analysis.neutral import neutral_number
from allo_air.passes.kernel._emit import Mode, extended
from allo_air.passes.kernel._lane_values import splat


@dataclass(frozen=True)
class Combiner(Combination):
    """Emits a combination."""

    def neutral(self) -> float:
        """The neutral element."""
        result = neutral_number(self.op.name, bit_width(str(self.element)))
        assert result is not None
        return result

    def combine(self, lhs: ir.Value, rhs: ir.Value) -> Any:
        rhs = extended(rhs, self.element) if isinstance(self.element, ir.FloatType) else rhs
        return ir.Operation.create(self.op.name, [lhs.type], [lhs, rhs]).results[0]

    def over_lanes(self, value: ir.Value) -> Any:
        """The combination of all lanes, by halves."""
        lanes = value.type.shape[0]
        if self.op.name == "arith.addf" and element_of(value.type) == "f32" and lanes == 16:
            return vector.reduction(self.element, vector.CombiningKind.ADD, value)
        step = lanes // 2
        while step:
            rotated = vector.shuffle(value, value, [(n + step) % lanes for n in range(lanes)])
            value = self.combine(value, rotated)
            step //= 2
        return vector.extract(value, [], [0])

    def beginning(self, first: ir.Value, mode: Mode) -> Any:
        """The initial accumulator in one lane, and the neutral element in the others."""
        return vector.insert(first, splat(mode.shaped(self.element), self.neutral()), [], [0])


def combiners_of(loop_nest: LoopNest) -> list[Combiner] | None:
    """A combiner for each output; None if no loop reduces, or an output does not combine its previous value with a term."""
    combinations = combinations_of(loop_nest)
    return None if combinations is None else [Combiner(c.op, c.term, c.element) for c in combinations]
