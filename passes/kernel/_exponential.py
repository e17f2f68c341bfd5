"""Exponential functions: 2^n e^r with |r| <= ln 2 / 2, e^r by a polynomial, n added to the exponent."""

from __future__ import annotations

from math import inf, log

from allo_air.passes.kernel._real import INFINITY, Real, choose, polynomial, round_to_128, shifted

_LN2_HIGH, _LN2_LOW = 0.693359375, log(2) - 0.693359375
"""The upper 9 bits of ln 2, whose products with exponents are exact, and the rest."""

_LESS_ONE = (0.5, 0.16666537523269653, 0.041666265577077866, 0.008367246948182583, 0.0013947595143690705)
"""(e^r - 1 - r) / r^2; e^r - 1 is right within 1.4e-8 of itself."""

_LEAST, _GREATEST = 0xC2AEAC50, 0x42B17217
"""Bits of the least and the greatest number with a normal exponential: -87.3366 and 88.7228."""


def exp(x: Real) -> Real:
    """Zero where the result would be denormal."""
    n, r = _parts(_clamped(x, _LEAST, _GREATEST))
    return _ends(x, _grown(_less_one(r) + 1.0, n), (_LEAST, 0.0), _GREATEST)


def exp2(x: Real) -> Real:
    """Zero where the result would be denormal."""
    least, greatest = 0xC2FC0000, 0x42FFFFFF  # -126 and the last number below 128
    inside = _clamped(x, least, greatest)
    n = round_to_128(inside * 128.0)
    r = (inside - n * (1 / 128)) * log(2)
    return _ends(x, _grown(_less_one(r) + 1.0, n), (least, 0.0), greatest)


def expm1(x: Real) -> Real:
    """2^n (e^r - 1) + (2^n - 1), both as halves so that the largest power fits."""
    least = 0xC1900000  # -18
    n, r = _parts(_clamped(x, least, _GREATEST))
    half = (x.constant(0.5).bits() + shifted(n)).real()
    found = _less_one(r) * half + (half - 0.5)
    return _ends(x, found + found, (least, -1.0), _GREATEST)


def _clamped(x: Real, least: int, greatest: int) -> Real:
    """The number with the bits `least`, which is negative, or above, and `greatest` or below."""
    return x.bits().min(greatest).min_unsigned(least).real()


def _parts(x: Real) -> tuple[Real, Real]:
    """128 n and r with x = n ln 2 + r."""
    n = round_to_128(x * (128 / log(2)))
    return n, (x - n * (_LN2_HIGH / 128)) - n * (_LN2_LOW / 128)


def _less_one(r: Real) -> Real:
    return (r * r) * polynomial(r, _LESS_ONE) + r


def _grown(x: Real, by_128: Real) -> Real:
    """x times 2^(n / 128), a normal number; one beyond the exponents of floats becomes infinite."""
    return (x.bits() + shifted(by_128)).real()


def _ends(x: Real, found: Real, below: tuple[int, float], above: int) -> Real:
    """Infinity for x beyond the bits `above`, `below[1]` for negative numbers beyond the bits `below[0]`, NaN for NaN."""
    found = choose(x.bits() > above, inf, found)
    low = 1 << 31
    found = choose(x.bits() + low > below[0] - (1 << 32) + low, below[1], found)
    return choose(x.is_above(INFINITY), x, found)
