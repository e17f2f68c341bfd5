"""Reductions whose partial results can be combined: the combining operations, and the number of partial accumulators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import defining_op
from allo_air.mlir import ir
from allo_air.passes._analysis.loop_nest import LoopNest

_FLOATS = ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")
_INTEGERS = ("addi", "muli", "maxsi", "minsi", "andi", "ori", "xori")
_COMBINES = frozenset(f"arith.{name}" for name in (*_FLOATS, *_INTEGERS))
WAYS = 4
"""Number of independent sums that hides the latency of a float addition, which is about the time of this many vector loads."""
_CHEAP = ("arith.constant", "arith.extf", "arith.bitcast", "arith.subf")
"""Operations that may be in a sum's loop without limiting its speed."""


@dataclass(frozen=True)
class Combination:
    """`op` combines the accumulator and `term`. Sums and products of bf16 are accumulated in f32 (`element`)."""

    op: Any
    term: Any
    element: ir.Type


def combinations_of(loop_nest: LoopNest) -> list[Combination] | None:
    """A combination for each output; None if no loop reduces, or an output does not combine its previous value with a term."""
    if not any(loop_nest.reduces):
        return None
    combinations = []
    arguments = loop_nest.arguments[len(loop_nest.arguments) - len(loop_nest.outputs) :]
    for argument, value, output in zip(arguments, loop_nest.yielded, loop_nest.outputs, strict=True):
        op = defining_op(value, *_COMBINES)
        if op is None or len(list(value.uses)) != 1:
            return None
        if argument not in list(op.operands) or len(list(argument.uses)) != 1:
            return None
        term = next(v for v in op.operands if v != argument)
        is_short_float = str(output.element) in ("bf16", "f16") and op.name in ("arith.addf", "arith.mulf")
        combinations.append(Combination(op, term, ir.F32Type.get() if is_short_float else output.element))
    return combinations


def partial_accumulators(loop_nest: LoopNest, combiners: Sequence[Combination], trips: int) -> int:
    """The number of partial accumulators for a loop of `trips` terms: WAYS for a long sum whose body has only cheap operations
    and few operands; otherwise 1, since other work of an iteration takes as long as an addition.
    """
    own = {c.op for c in combiners}
    names = [op.name for op in loop_nest.body if op not in own]
    is_sum = any(op.name == "arith.addf" for op in own) and all(name in _CHEAP for name in names)
    return WAYS if is_sum and len(loop_nest.operands) <= 3 and trips >= 2 * WAYS else 1
