"""Reciprocals and roots: an estimate from the exponent and the upper mantissa bits, followed by Newton steps.

The bits of a positive float are approximately a linear function of its logarithm.
"""

from __future__ import annotations

from math import inf, nan

from allo_air.approximations import float_of
from allo_air.passes.kernel._bf16x3 import PART, low_precision_product, remainder
from allo_air.passes.kernel._real import (
    FINE,
    INFINITY,
    LEAST_NORMAL,
    Real,
    from_high_half,
    high_half,
    needs_one_part,
    opposite_of_high_half,
    select_lanes,
)

_HALF_OF_ONE = 127 * 128
"""The upper 16 bits of 1.0."""


GUESS = 2 * _HALF_OF_ONE - 14
"""The sum of the upper 16 bits of a number and those of the estimate of its reciprocal."""

_LOW_GUESS = GUESS - 10
"""The same for an estimate that is too small by 0.8 to 9.6 %, and never too large."""

_CUBE = 0.096**3
_REST = 2.0**119
"""Half of the last bit of the largest bf16 whose reciprocal is not flushed to zero."""

_HUGE = GUESS << 16
"""Bits of 1.89 * 2^126: reciprocals of this and larger numbers are zero."""


def reciprocal(x: Real, *, is_positive: bool = False) -> Real:
    """1 / x. Infinity for denormal numbers, and zero above 2^126. `is_positive`: x is at least 2^-126, or NaN."""
    size = x if is_positive else x.abs()
    result = reciprocal_of_normal(size.bits().min(_HUGE).real())
    if is_positive:  # the Newton steps keep a negative NaN
        return select_lanes(x.bits() > INFINITY, x, result)
    result = select_lanes(size.bits() < LEAST_NORMAL, inf, result)
    result = select_lanes(x.is_negative(), 0.0 - result, result)
    return select_lanes(x.is_above(INFINITY), x, result)


def divide(x: Real, y: Real, *, is_positive: bool = False, is_finite: bool = False) -> Real:
    """x / y; `is_positive`: y is at least 2^-126, or NaN; `is_finite`: y is not infinite."""
    if is_positive and x.precision != FINE and needs_one_part(x):
        return _low_precision_quotient(x, y, is_finite)
    inverse = reciprocal(y, is_positive=is_positive)
    if x.precision == FINE:
        return x * inverse
    if is_positive:
        return Real(low_precision_product(x.value, inverse.value, finite=True), x.precision)
    first = x.times(inverse, PART)
    return select_lanes(first.is_above(INFINITY - 1), first, x.times(inverse, 2 * PART))


def quotient(x: Real, y: Real, *, is_positive: bool = False, is_finite: bool = False) -> Real:
    """x / y with all bits, rounded to nearest, so that floor (6 / 3) is 2.

    The remainder of a first quotient is divided and added to it.
    """
    if x.precision != FINE:
        return divide(x, y, is_positive=is_positive, is_finite=is_finite)
    inverse = reciprocal(y, is_positive=is_positive)
    first = x * inverse
    rest = Real(remainder(x.value, first.value, y.value), x.precision)
    result = rest.times(inverse, PART, first)
    return select_lanes(result.is_normal(), result, first)


def multiply(x: Real, y: Real) -> Real:
    return x * y if x.precision == FINE else Real(low_precision_product(x.value, y.value), x.precision)


def reciprocal_of_normal(x: Real) -> Real:
    """1 / x of a positive x up to `_HUGE`, to 5e-4 or to all bits.

    The estimate r is within 6 % and becomes r (1 + e + e^2) with e = 1 - x r; for all bits, a Newton step follows.
    """
    real = opposite_of_high_half(x, GUESS)
    error = 1.0 - x.times(real, 2 * PART)
    real = real.times(error.times(error, PART, error), PART, real)
    if x.precision == FINE:
        error = 1.0 - x.times(real)
        real = real.times(error, 12, real)
    return real


def _low_precision_quotient(x: Real, y: Real, is_finite: bool) -> Real:
    """x / y to 11 bits, for an x with one part and a y that is at least 2^-126, or NaN.

    The estimate g of 1 / y is too small by a fraction e of 0.8 to 9.6 %, so the correction x g (e + e^2) of an infinite x g is
    positive. e^3 and higher powers are omitted; half of their sum is added to the 1.
    """
    near = y.clamped(None, float_of(_LOW_GUESS << 16))
    rest = y - near
    opposite, share = initial_estimate(near, rest.to_bf16() if is_finite else rest.clamped(None, _REST), _LOW_GUESS, _CUBE / 2)
    first = 0.0 - x.times(opposite, PART)
    return first.to_bf16().times(share, PART, first)


def opposite_quotient(x: Real, y: Real) -> Real:
    """-x / y to 11 bits, for a positive normal y up to 2^126."""
    near = y.to_bf16()
    opposite, share = initial_estimate(near, (y - near).to_bf16(), GUESS, 0.0)
    first = x.times(opposite, 2 * PART)
    return first.to_bf16().times(share, PART, first)


def initial_estimate(near: Real, rest: Real, total: int, more: float) -> tuple[Real, Real]:
    """An estimate -g of -1 / y, with y and so g as two bf16, and its relative deficit e + e^2: e is 1 + `more` - y g."""
    opposite = opposite_of_high_half(near, total + (1 << 15))  # negative
    error = near.times(opposite, PART, rest.times(opposite, PART, 1.0 + more))
    low = error.to_bf16()
    return opposite, low.times(low, PART, error)


def rsqrt(x: Real) -> Real:
    """1 / sqrt(x); infinity for denormal numbers."""
    result = _rsqrt(x)
    result = select_lanes(x.is_negative(), nan, result)
    result = select_lanes(x.is_below(LEAST_NORMAL), inf, result)
    return _special_cases(x, 0.0, result)


def sqrt(x: Real) -> Real:
    """The square root; zero for denormal numbers."""
    result = x.times(_rsqrt(x))
    result = select_lanes(x.is_negative(), nan, result)
    result = select_lanes(x.is_below(LEAST_NORMAL), 0.0, result)
    return _special_cases(x, x, result)


def _rsqrt(x: Real) -> Real:
    real = from_high_half((1.5 * _HALF_OF_ONE - 9.0) - high_half(x).times(0.5, 16))
    for bits in (8, 16, 24):
        if bits - PART < x.precision:
            half = (1.0 - x.times(real, bits).times(real, bits)).times(0.5, 8)
            real = real + real.times(half, 8)
    return real


def _special_cases(x: Real, limit: Real | float, real: Real) -> Real:
    """`real`, but `limit` if x is infinity, and x if it is NaN."""
    real = select_lanes(x.bits() > INFINITY - 1, limit, real)
    return select_lanes(x.is_above(INFINITY), x, real)
