"""Functions that are composed of other ones: hyperbolic and inverse functions, cube roots, atan2."""

from __future__ import annotations

from math import nan, pi

from allo_air.passes.kernel._exponential import exp, exp2, expm1
from allo_air.passes.kernel._logarithm import ln, log1p, log2
from allo_air.passes.kernel._real import INFINITY, LEAST_NORMAL, Real, copysign, select_lanes, signed
from allo_air.passes.kernel._roots import divide, reciprocal, rsqrt, sqrt
from allo_air.passes.kernel._trigonometric import atan

_ONE, _LARGE = 0x3F800000, 0x4E800000
"""Bits of 1.0, and of 2^30, whose square absorbs a summand of 1."""

_LN2 = 0.6931471805599453


def sinh(x: Real) -> Real:
    """(g + g / (g + 1)) / 2 with g = e^|x| - 1; for large x from e^(|x| - ln 2)."""
    size = x.abs()
    grown = expm1(size)
    small = (grown + divide(grown, grown + 1.0)) * 0.5
    return signed(x, select_lanes(size.bits() > 0x41A00000, exp(size - _LN2), small))  # 20.0


def cosh(x: Real) -> Real:
    half = exp(x.abs() - _LN2)
    return half + 0.25 * reciprocal(half)


def asinh(x: Real) -> Real:
    """ln (1 + |x| + x^2 / (1 + sqrt (1 + x^2))); for large x ln |x| + ln 2."""
    size = x.abs()
    square = size * size
    small = log1p(size + divide(square, sqrt(square + 1.0) + 1.0))
    return signed(x, select_lanes(size.bits() > _LARGE - 1, ln(size) + _LN2, small))


def acosh(x: Real) -> Real:
    small = ln(x + sqrt(x * x - 1.0))
    return select_lanes(x.bits() > _LARGE - 1, ln(x) + _LN2, select_lanes(x.bits() < _ONE, nan, small))


def atanh(x: Real) -> Real:
    size = x.abs()
    return signed(x, log1p(divide(size + size, 1.0 - size)) * 0.5)


def asin(x: Real) -> Real:
    size = x.abs()
    inner = atan(size * rsqrt((1.0 - size) * (size + 1.0)))
    return signed(x, inner)


def acos(x: Real) -> Real:
    return (pi / 2) - asin(x)


def atan2(y: Real, x: Real) -> Real:
    """The angle in the first quadrant, mirrored into the others."""
    down, along = y.abs(), x.abs()
    steep = down.bits() > along.bits()
    ratio = divide(select_lanes(steep, along, down), select_lanes(steep, down, along))
    ratio = select_lanes(ratio.is_above(INFINITY), select_lanes(down.is_below(LEAST_NORMAL), 0.0, ratio.constant(1.0)), ratio)
    inner = atan(ratio)
    inner = select_lanes(steep, (pi / 2) - inner, inner)
    result = copysign(select_lanes(x.is_negative(), pi - inner, inner), y)
    return select_lanes(x.is_above(INFINITY), x, select_lanes(y.is_above(INFINITY), y, result))


def cbrt(x: Real) -> Real:
    return signed(x, exp2(log2(x.abs()) * (1 / 3)))
