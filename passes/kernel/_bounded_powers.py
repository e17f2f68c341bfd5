"""e^(f x) in bf16 for x with a lower bound and finite powers, as in a softmax: a quarter of what others take."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

from allo_air.approximations import brief, is_least_of_powers
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes.kernel._lane_values import shaped, splat
from allo_air.passes.kernel._parts import lanes_constant
from allo_air.passes.kernel._real import COARSE, MAGIC, Real

_POWER = (1.0006056, 1.0173689, 0.4956227)
"""e^r within 2.2e-3 of itself for |r| up to 0.375: half of ln 2, and what rounding to the nearest power is off by."""
_LEAST_REST = -0.5
_BIAS = 127 << 7
"""The bits of 1 as a bf16."""


@dataclass(frozen=True)
class Argument:
    """`factor` times `value`, or times `least` where that is more."""

    value: ir.Value
    least: float
    factor: float = 1.0


def bounded(op: AnyOp) -> Argument | None:
    """The argument of a math.exp that is finite (fast-math flag ninf), if it is a maximum with a constant."""
    if op.name != "math.exp" or "fastmath" not in op.attributes or "ninf" not in str(op.attributes["fastmath"]):
        return None
    found = _bounded(op.operands[0])
    return found if found is not None and is_least_of_powers(found.least, found.factor) else None


def _bounded(value: ir.Value) -> Argument | None:
    if not isinstance(value.type, ir.VectorType) or isinstance(value.owner, ir.Block):
        return None
    number = lanes_constant(value.owner.operands[1]) if len(value.owner.operands) == 2 else None
    if number is None:
        return None
    inner = value.owner.operands[0]
    if value.owner.name == "arith.maximumf":
        return Argument(inner, number)
    if value.owner.name == "arith.mulf" and number > 0 and (found := _bounded(inner)) is not None:
        return Argument(found.value, found.least, number * found.factor)
    return None


def power(of: Argument) -> Real:
    """2^n e^r: e^r times a bf16 whose exponent is n; 0 for n = -127, which the argument's bound gives."""
    scale = of.factor / log(2)
    x = Real(of.value, COARSE)
    by_128 = _maximum(x, of.least).times(128 * scale, 8) + 128 * MAGIC
    n = (by_128 - 128 * MAGIC).brief()
    step = -1 / (128 * scale)
    r = _maximum((x + n.times(brief(step), 8)) + n.times(step - brief(step), 8), brief(_LEAST_REST / of.factor))
    inner = r.times(_POWER[2] * of.factor**2, 8) + _POWER[1] * of.factor
    found = (r.times(inner.brief(), 8) + _POWER[0]).brief()
    return found.times(_low_halves(by_128 - (127 * MAGIC - _BIAS)), 8)


def _maximum(x: Real, number: float) -> Real:
    """The greater one of a bf16 `number` and of x, rounded to bf16."""
    half = arith.truncf(shaped(x.value, ir.BF16Type.get()), x.value)
    return _wide(arith.maximumf(half, splat(half.type, number)))


def _low_halves(x: Real) -> Real:
    """The bf16 that have the lower 16 bits of x."""
    lanes = x.value.type.shape[0]
    halves = vector.bitcast(ir.VectorType.get([2 * lanes], ir.BF16Type.get()), x.value)
    return _wide(vector.DeinterleaveOp(halves).results[0])


def _wide(half: Any) -> Real:
    return Real(arith.extf(shaped(half, ir.F32Type.get()), half), COARSE)
