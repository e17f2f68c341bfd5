"""Exponential functions: 2^n e^r with |r| <= ln 2 / 2, e^r by a polynomial, n added to the exponent."""

from __future__ import annotations

from math import inf, log

from allo_air.passes.kernel._parts import PART
from allo_air.passes.kernel._real import COARSE, FINE, INFINITY, Real, choose, polynomial, round_to_128, shifted

_LN2_HIGH, _LN2_LOW = 0.69140625, log(2) - 0.69140625
"""The upper 8 bits of ln 2, whose products with exponents are exact, and the rest."""

_MOST = 0.36
"""What |r| may be, with some room for an n that is not the nearest one."""

_EXP = {
    FINE: (0.0, 0.49999991059303284, 0.16666410863399506, 0.04166828840970993, 0.00837564468383789, 0.0013835798017680645),
    COARSE: (0.0001708269119263, 0.5050621628761292, 0.16564828157424927),
}
"""(e^r - c) / r - 1 with the c of `_ONE`: e^r is right within 2e-9 and 8e-5 of itself."""

_ONE = {FINE: 1.0, COARSE: 0.9999251961708069}

_LESS_ONE = {
    FINE: (0.5, 0.16666537523269653, 0.041666265577077866, 0.008367246948182583, 0.0013947595143690705),
    COARSE: (0.5037986040115356, 0.16768942773342133),
}
"""(e^r - 1 - r) / r^2; e^r - 1 is right within 1.4e-8 and 5e-4 of itself."""

_LEAST, _GREATEST = 0xC2AEAC50, 0x42B20000
"""Bits of the least number with a normal exponential, -87.3366, and of 89.0, which has an infinite one."""

_LEAST_2, _GREATEST_2 = 0xC2FC0000, 0x43008000
"""Those of -126 and of 128.5 for powers of two."""


def exp(x: Real) -> Real:
    """Zero where the result would be denormal."""
    n, r = _parts(x.bits().min(_GREATEST).real())
    return _ends(x, _grown(_exp(r), n), (_LEAST, 0.0))


def exp_of_negative(x: Real) -> Real:
    """That of numbers from -80 to 0."""
    n, r = _parts(x)
    return _grown(_exp(r), n)


def exp2(x: Real) -> Real:
    """Zero where the result would be denormal."""
    inside = x.bits().min(_GREATEST_2).real()
    n = round_to_128(inside * 128.0)
    r = n.brief().times(-1 / 128, plus=inside).times(log(2))
    return _ends(x, _grown(_exp(r), n), (_LEAST_2, 0.0))


def expm1(x: Real) -> Real:
    """2^n (e^r - 1) + (2^n - 1), both as halves so that the largest power fits."""
    least, greatest = 0xC1900000, 0x42B17217  # -18 and the greatest number with a finite result
    n, r = _parts(x.bits().min(greatest).real())
    half = (x.constant(0.5).bits() + shifted(n)).real()
    less_one = r.times(r.times(polynomial(r, _LESS_ONE, _MOST)), plus=r)
    found = less_one.times(half.brief(), plus=half - 0.5)
    return _ends(x, choose(x.bits() > greatest, inf, found + found), (least, -1.0))


def _exp(r: Real) -> Real:
    """e^r as 1 + r and a small rest, of which few bits are needed."""
    return r.times(polynomial(r, _EXP, _MOST, 1 / _MOST), r.precision - 3, r + _ONE[r.precision])


def _parts(x: Real) -> tuple[Real, Real]:
    """128 n and r with x = n ln 2 + r."""
    n = round_to_128(x.times(128 / log(2), 16))
    brief = n.brief()
    low = PART if x.precision == COARSE else FINE  # of a bf16, the first part does
    return n, brief.times(-_LN2_LOW / 128, low, brief.times(-_LN2_HIGH / 128, PART, x))


def _grown(x: Real, by_128: Real) -> Real:
    """x times 2^(n / 128); infinite beyond the exponents of floats."""
    return (x.bits() + shifted(by_128)).min(INFINITY).real()


def _ends(x: Real, found: Real, below: tuple[int, float]) -> Real:
    """`below[1]` for negative numbers beyond the bits `below[0]`, which may have any result before; NaN for NaN."""
    low = 1 << 31
    found = choose(x.bits() + low > below[0] - (1 << 32) + low, below[1], found)
    return choose(x.is_above(INFINITY), x, found)
