"""e^(f x) in bf16 for negative x with a lower bound, as in a softmax. It takes a quarter of the time of the general
exponential.

If all powers may be scaled by one common factor, and x is in a known range, it takes a fifth less.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from allo_air.approximations import VERTEX, float_of, is_least_of_powers, scale_of_powers, to_bf16
from allo_air.core.walking import is_result_of, walk_named
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes.kernel._bf16x3 import lanes_constant
from allo_air.passes.kernel._lane_values import shaped
from allo_air.passes.kernel._real import COARSE, MAGIC, Real

_POWER = (1.0006056, 1.0173689, 0.4956227)
"""e^r with a relative error of 2.2e-3 for |r| up to 0.375: half of ln 2, plus the error of rounding to the nearest power."""
_LANES = 16
_BIAS = 127 << 7
"""The bits of 1 as a bf16."""


@dataclass(frozen=True)
class Argument:
    """The argument of an exponential: `factor` times `value`, where the value has a lower bound."""

    value: ir.Value
    factor: float


def bounded(op: AnyOp) -> Argument | None:
    """The argument of a math.exp without infinities (fast-math flag ninf), if a constant bounds it from below.

    The bound is a minimum of the bits as integers. For negative floats, that is the greater float.
    """
    if op.name != "math.exp" or "fastmath" not in op.attributes or "ninf" not in str(op.attributes["fastmath"]):
        return None
    of = _argument(op)
    least = _least(of.value)
    return of if least is not None and of.factor > 0 and is_least_of_powers(least, of.factor) else None


def _least(value: ir.Value) -> float | None:
    """The constant whose bits limit the bits of `value` from above."""
    if not isinstance(value.type, ir.VectorType) or not is_result_of(value, "arith.bitcast"):
        return None
    lesser = value.owner.operands[0]
    if not is_result_of(lesser, "arith.minsi"):
        return None
    bits = lanes_constant(lesser.owner.operands[1])
    return None if bits is None else float_of(int(bits))


def power(of: Argument) -> Real:
    """e^x = 2^n e^r: e^r is multiplied by a bf16 with exponent n. For n = -127, the argument's lower bound, that bf16 is 0."""
    scale = of.factor / log(2)
    x = Real(of.value, COARSE)
    by_128 = x.to_bf16().times(128 * scale, 8) + 128 * MAGIC
    n = (by_128 - 128 * MAGIC).to_bf16()
    step = -1 / (128 * scale)
    r = (x + n.times(to_bf16(step), 8)) + n.times(step - to_bf16(step), 8)
    inner = r.times(_POWER[2] * of.factor**2, 8) + _POWER[1] * of.factor
    result = (r.times(inner.to_bf16(), 8) + _POWER[0]).to_bf16()
    return result.times(_low_halves(by_128 - (127 * MAGIC - _BIAS)), 8)


def write_scaled_powers(op: AnyOp) -> None:
    """Emits products of `scale_of_powers` and powers of arguments that are neither too low nor positive (flags nnan and
    ninf).
    """
    for product in walk_named(op, "arith.mulf"):
        result, number = product.operands
        scale = lanes_constant(number)
        if scale is None or not is_result_of(result, "math.exp"):
            continue
        flags = str(result.owner.attributes["fastmath"]) if "fastmath" in result.owner.attributes else ""
        if "nnan" not in flags or "ninf" not in flags or len(list(result.uses)) != 1:
            continue
        of = _argument(result.owner)
        if of.factor > 0 and abs(scale / scale_of_powers(of.factor) - 1) < 1e-5 and list(of.value.type.shape) == [_LANES]:
            with ir.InsertionPoint(product), product.location:
                product.results[0].replace_all_uses_with(_scaled_power(of).value)
            product.erase()


def _argument(exp: AnyOp) -> Argument:
    value, factor = exp.operands[0], 1.0
    if is_result_of(value, "arith.mulf"):
        value, number = value.owner.operands
        factor = lanes_constant(number) or 0.0
    return Argument(value, factor)


def _scaled_power(of: Argument) -> Real:
    """(y^2 + e) 2^n, with y = x - (n - 1) step: a parabola approximates e^x up to a factor, wherever its vertex is.

    n is the integer nearest to x / step minus the offset that puts y in the middle of the parabola's range. It is computed as
    256 + n, whose last bit as a bf16 is 1. 2^n is the bf16 with exponent n.
    """
    step, (place, height) = log(2) / of.factor, VERTEX
    less = place / log(2) - 1
    x = Real(of.value, COARSE)
    counted = (x.to_bf16().times(1 / step, 8, 256 - less)).to_bf16()
    n = (counted - 257.0).to_bf16()
    y = (x + n.times(-to_bf16(step), 8)) + n.times(to_bf16(step) - step, 8)
    near = y.to_bf16()
    result = near.times(near, 8, height / of.factor**2).to_bf16()
    return result.times(_low_halves(n.times(128.0, 8, MAGIC + _BIAS + 128)), 8)


def _low_halves(x: Real) -> Real:
    """The bf16 numbers with the lower 16 bits of x."""
    lanes = x.value.type.shape[0]
    halves = vector.bitcast(ir.VectorType.get([2 * lanes], ir.BF16Type.get()), x.value)
    return _extended(vector.DeinterleaveOp(halves).results[0])


def _extended(half: ir.Value) -> Real:
    return Real(arith.extf(shaped(half, ir.F32Type.get()), half), COARSE)
