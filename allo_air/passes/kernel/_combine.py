"""Reductions whose partial results can be combined: finds the combining operation and its neutral element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import defining_op
from allo_air.mlir import ir, vector
from allo_air.passes._analysis.neutral import neutral_number
from allo_air.passes.kernel._emit import Mode, extended
from allo_air.passes.kernel._lane_values import splat
from allo_air.passes.kernel._loop_nest import LoopNest
from allo_air.passes.kernel._op_signature import bit_width, element_of

_FLOATS = ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")
_INTEGERS = ("addi", "muli", "maxsi", "minsi", "andi", "ori", "xori")
_COMBINES = frozenset(f"arith.{name}" for name in (*_FLOATS, *_INTEGERS))


@dataclass(frozen=True)
class Combiner:
    """`op` combines the accumulator and `term`. Sums and products of bf16 are accumulated in f32 (`element`)."""

    op: Any
    term: Any
    element: ir.Type

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
    if not any(loop_nest.reduces):
        return None
    combiners = []
    arguments = loop_nest.arguments[len(loop_nest.arguments) - len(loop_nest.outputs) :]
    for argument, value, output in zip(arguments, loop_nest.yielded, loop_nest.outputs, strict=True):
        op = defining_op(value, *_COMBINES)
        if op is None or len(list(value.uses)) != 1:
            return None
        if argument not in list(op.operands) or len(list(argument.uses)) != 1:
            return None
        term = next(v for v in op.operands if v != argument)
        is_short_float = str(output.element) in ("bf16", "f16") and op.name in ("arith.addf", "arith.mulf")
        combiners.append(Combiner(op, term, ir.F32Type.get() if is_short_float else output.element))
    return combiners
