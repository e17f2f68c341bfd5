"""GELU, x / 2 (1 + erf(x / sqrt 2)), as max(x, 0) minus |x| times the tail of the normal distribution beyond |x|."""

from __future__ import annotations

from math import log

from allo_air.passes.kernel._bf16x3 import PART
from allo_air.passes.kernel._exponential import EXP, LN2_HIGH, LN2_LOW
from allo_air.passes.kernel._real import COARSE, MAGIC, Real, low_half
from allo_air.passes.kernel._roots import GUESS, initial_estimate

_DENSITY_BY_SHARE = (1.99879829402, 1.61192319990, 0.24539607903, -0.03651454781, 0.00218275318)
"""Coefficients of e^(-x^2 / 2) divided by that tail. The relative error up to x = 6 is 6e-4."""

_END = 13.0
"""Above this, the result is at most 2^-126 from the limit."""


def gelu(x: Real) -> Real:
    """GELU of an extended bf16 x, to 11 bits; also small results have 11 correct bits."""
    size = x.size(_END)
    inverse, share = _inverse(size)
    first = size.times(inverse, PART)
    less = first.to_bf16().times(share, PART, first)
    return _density(size.times(size, PART)).times(less, 2 * PART, x.positive())


def _density(square: Real) -> Real:
    """e^(-square / 2), where -square / 2 = n ln 2 - r / 2."""
    n = (square.times(-0.5 / log(2), PART, MAGIC) - MAGIC).to_bf16()
    r = n.times(2 * LN2_LOW, PART, n.times(2 * LN2_HIGH, PART, square))
    one, two, three = EXP[COARSE]
    near = r.to_bf16()
    rest = near.times(near.times(near.times(-three / 4, PART, two / 2), PART, -one), PART, 2.0 - r)
    return (rest.bits() + low_half(n.times(128.0, PART, MAGIC - 128)).bits()).real()


def _inverse(size: Real) -> tuple[Real, Real]:
    """An estimate of the negated ratio of tail and density, and its relative deficit."""
    c0, *rest = _DENSITY_BY_SHARE
    slope = size.constant(rest[-1])
    for c in reversed(rest[:-1]):
        slope = size.times(slope, PART, c)
    whole = size.times(slope, 2 * PART, c0)
    near = whole.to_bf16()
    return initial_estimate(near, (whole - near).to_bf16(), GUESS, 0.0)
