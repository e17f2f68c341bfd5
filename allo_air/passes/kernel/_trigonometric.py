"""Sine, cosine and arc tangent. x = n pi + r with |r| <= pi / 2, and sin r is an odd polynomial of r."""

from __future__ import annotations

from math import nan, pi

from allo_air.passes.kernel._real import COARSE, FINE, Real, nearest, polynomial, select_lanes, signed
from allo_air.passes.kernel._roots import reciprocal

_PI = (3.140625, 0.000965118408203125, 2.5331974029541016e-06, 1.984187258941006e-09)
"""pi as a sum of parts. The products of the first three with integers up to 2^15 are exact."""

_SINE = {
    FINE: (-0.16666658222675323, 0.008333049714565277, -0.00019808305660262704, 2.602775566629134e-06),
    COARSE: (-0.1661069393157959, 0.007643010467290878),
}
"""Coefficients of (sin r - r) / r^3 as a polynomial in r^2. The relative error of the sine is 7e-9, or 2e-4 for few bits."""

_ARC = {FINE: (
    -0.33333298563957214, 0.19998548924922943, -0.14264240860939026, 0.10952181369066238, -0.08403436839580536,
    0.05795735865831375, -0.031177613884210587, 0.010914481244981289, -0.0017935939831659198,
), COARSE: (-0.32762250304222107, 0.15931336581707, -0.046495869755744934)}  # fmt: skip
"""Coefficients of (arctan x - x) / x^3 as a polynomial in x^2, up to x = 1. The relative error of the arc tangent is 3e-9, or
3e-4.
"""

_HALF, _ONE, _LIMIT = 0x3F000000, 0x3F800000, 0x47C80000
"""Bits of 0.5, 1.0 and 102400.0: about 2^15 pi."""


def sin(x: Real) -> Real:
    """sin x; NaN above 102400 in magnitude, where the parts of pi are not precise enough."""
    n = nearest(x.times(1 / pi))
    return _wave(x, n, n, is_odd=False)


def cos(x: Real) -> Real:
    """The cosine: the sine of x + pi / 2. NaN above 102400 in magnitude."""
    n = nearest(x.times(1 / pi) - 0.5)
    return _wave(x, n + 0.5, n, is_odd=True)


def atan(x: Real) -> Real:
    """The arc tangent. Above 1, it is pi / 2 minus the arc tangent of 1 / x."""
    size = x.abs()
    is_large = size.bits() > _ONE
    inner = select_lanes(is_large, reciprocal(size), size)
    square = inner.times(inner)
    small = inner.times(square.times(polynomial(square, _ARC, 1.0))) + inner
    result = select_lanes(is_large, (pi / 2) - small, small)
    return signed(x, result)


def _wave(x: Real, half_turns: Real, count: Real, *, is_odd: bool) -> Real:
    """sin(x - pi `half_turns`), negated if `count` is odd, or with `is_odd` if it is even."""
    r = x
    for part in _PI:
        r = r - half_turns.times(part)
    square = r.times(r)
    result = r.times(square.times(polynomial(square, _SINE, 2.5))) + r
    is_even = (count - (half := nearest(count.times(0.5))) - half).is_below(_HALF)
    negated = 0.0 - result
    result = select_lanes(is_even, negated, result) if is_odd else select_lanes(is_even, result, negated)
    return select_lanes(x.is_above(_LIMIT), nan, result)
