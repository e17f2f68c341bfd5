"""Reciprocals and roots: a first guess from the exponent and the upper mantissa, then Newton's steps.

The bits of a positive float are, but for a factor and a constant, close to its logarithm.
"""

from __future__ import annotations

from math import inf, nan

from allo_air.passes.kernel._parts import PART
from allo_air.passes.kernel._real import INFINITY, LEAST_NORMAL, Real, choose, from_high_half, high_half

_HALF_OF_ONE = 127 * 128
"""The upper 16 bits of 1.0."""


_LARGE = 0x7E800000
"""Bits of 2^126, the reciprocal of which is the least number that is no denormal."""


def reciprocal(x: Real) -> Real:
    """1 / x; infinity for denormal numbers, and zero above 2^126."""
    size = x.abs()
    found = from_high_half((2 * _HALF_OF_ONE - 13.0) - high_half(size))
    for bits, of_change in ((8, 8), (16, 12), (24, 12)):
        if bits - PART < x.precision:
            found = found + found.times(1.0 - size.times(found, bits), of_change)
    found = choose(size.bits() < LEAST_NORMAL, inf, found)
    found = choose(size.bits() > _LARGE, 0.0, found)
    found = choose(x.is_negative(), 0.0 - found, found)
    return choose(x.is_above(INFINITY), x, found)


def divide(x: Real, y: Real) -> Real:
    return x * reciprocal(y)


def rsqrt(x: Real) -> Real:
    """1 / sqrt(x); infinity for denormal numbers."""
    found = _rsqrt(x)
    found = choose(x.is_negative(), nan, found)
    found = choose(x.is_below(LEAST_NORMAL), inf, found)
    return _endless(x, 0.0, found)


def sqrt(x: Real) -> Real:
    """Zero for denormal numbers."""
    found = x.times(_rsqrt(x))
    found = choose(x.is_negative(), nan, found)
    found = choose(x.is_below(LEAST_NORMAL), 0.0, found)
    return _endless(x, x, found)


def _rsqrt(x: Real) -> Real:
    found = from_high_half((1.5 * _HALF_OF_ONE - 9.0) - high_half(x).times(0.5, 16))
    for bits in (8, 16, 24):
        if bits - PART < x.precision:
            half = (1.0 - x.times(found, bits).times(found, bits)).times(0.5, 8)
            found = found + found.times(half, 8)
    return found


def _endless(x: Real, limit: Real | float, found: Real) -> Real:
    """`limit` for infinity, x for the NaNs beyond."""
    found = choose(x.bits() > INFINITY - 1, limit, found)
    return choose(x.is_above(INFINITY), x, found)
