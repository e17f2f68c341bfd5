"""Powers: by multiplications for constant integer exponents, otherwise by logarithms."""

from __future__ import annotations

from math import nan

from allo_air.passes.kernel._exponential import exp2
from allo_air.passes.kernel._logarithm import log2
from allo_air.passes.kernel._real import Real, nearest, select_lanes
from allo_air.passes.kernel._roots import reciprocal

_HALF, _LARGE = 0x3F000000, 0x4A800000
"""Bits of 0.5, and of 2^22: larger exponents count as even."""


def power(x: Real, exponent: int) -> Real:
    """The power by repeated squaring; a negative power is the reciprocal."""
    if exponent < 0:
        return power(reciprocal(x), -exponent)
    result, square = None, x
    while exponent:
        if exponent & 1:
            result = square if result is None else result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return x.constant(1.0) if result is None else result


def pow(x: Real, y: Real) -> Real:
    """2^(y log2 |x|), with the sign for an odd exponent; NaN for a negative base and a fraction.

    The error grows with the exponent of the result, so that all bits are needed even for an imprecise result.
    """
    x, y = Real(x.value), Real(y.value)
    size = exp2(y * log2(x.abs()))
    is_whole = (y - nearest(y)).is_below(1)
    is_even = (y - 2.0 * nearest(y * 0.5)).is_below(_HALF)
    of_negative = select_lanes(is_whole, select_lanes(is_even, size, 0.0 - size), x.constant(nan))
    of_negative = select_lanes(y.is_above(_LARGE), size, of_negative)
    result = select_lanes(x.is_negative(), of_negative, size)
    return select_lanes(y.is_below(1), 1.0, result)
