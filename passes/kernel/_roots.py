"""Reciprocals and roots: a first guess from the exponent and the upper mantissa, then Newton's steps.

The bits of a positive float are, but for a factor and a constant, close to its logarithm.
"""

from __future__ import annotations

from math import inf, nan

from allo_air.passes.kernel._real import INFINITY, LEAST_NORMAL, Real, choose, from_high_half, high_half

_HALF_OF_ONE = 127 * 128
"""The upper 16 bits of 1.0."""


def reciprocal(x: Real, steps: int = 3) -> Real:
    """1 / x; infinity for denormal numbers, and zero above 2^126."""
    size = x.abs()
    found = from_high_half((2 * _HALF_OF_ONE - 13.0) - high_half(size))
    for _ in range(steps):
        found = found * (2.0 - size * found)
    found = choose(size.bits() < LEAST_NORMAL, inf, found)
    found = choose(size.bits() > INFINITY - 1, 0.0, found)
    found = choose(x.is_negative(), 0.0 - found, found)
    return choose(x.is_above(INFINITY), x, found)


def divide(x: Real, y: Real, steps: int = 3) -> Real:
    return x * reciprocal(y, steps)


def rsqrt(x: Real, steps: int = 3) -> Real:
    """1 / sqrt(x); infinity for denormal numbers."""
    found = _rsqrt(x, steps)
    found = choose(x.is_negative(), nan, found)
    found = choose(x.is_below(LEAST_NORMAL), inf, found)
    return _endless(x, 0.0, found)


def sqrt(x: Real, steps: int = 3) -> Real:
    """Zero for denormal numbers."""
    found = x * _rsqrt(x, steps)
    found = choose(x.is_negative(), nan, found)
    found = choose(x.is_below(LEAST_NORMAL), 0.0, found)
    return _endless(x, x, found)


def _rsqrt(x: Real, steps: int) -> Real:
    half = x * 0.5
    found = from_high_half((1.5 * _HALF_OF_ONE - 9.0) - high_half(x) * 0.5)
    for _ in range(steps):
        found = found * (1.5 - half * (found * found))
    return found


def _endless(x: Real, limit: Real | float, found: Real) -> Real:
    """`limit` for infinity, x for the NaNs beyond."""
    found = choose(x.bits() > INFINITY - 1, limit, found)
    return choose(x.is_above(INFINITY), x, found)
