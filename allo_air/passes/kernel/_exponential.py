"""Exponential functions: e^x = 2^n e^r with |r| <= ln 2 / 2. e^r is a polynomial, and n is added to the exponent bits."""

from __future__ import annotations

from math import log

from allo_air.approximations import bits_of, to_bf16
from allo_air.passes.kernel._bf16x3 import PART, low_precision_source
from allo_air.passes.kernel._real import COARSE, FINE, INFINITY, MAGIC, Real, nearest, polynomial, select_lanes, shifted

LN2_HIGH, LN2_LOW = 0.69140625, log(2) - 0.69140625
"""The upper 8 bits of ln 2, whose products with exponents are exact, and the rest."""

_MOST = 0.347
"""Largest |r|: half of ln 2; 0.52 for results of few bits, where n is not always the nearest integer."""

EXP = {
    FINE: (0.0, 0.49999991059303284, 0.16666410863399506, 0.04166828840970993, 0.00837564468383789, 0.0013835798017680645),
    COARSE: (0.00041909573, 0.506055445, 0.164502609),
}
"""Coefficients of (e^r - 1) / r - 1. The relative error of e^r is 2e-9, or 2.2e-4 for few bits (6e-4 up to |r| = 0.52)."""

_LESS_ONE = {
    FINE: (0.5, 0.16666537523269653, 0.041666265577077866, 0.008367246948182583, 0.0013947595143690705),
    COARSE: (0.5037986040115356, 0.16768942773342133),
}
"""Coefficients of (e^r - 1 - r) / r^2. The relative error of e^r - 1 is 1.4e-8, or 5e-4 for few bits."""

_LEAST, _GREATEST = -88.0, 89.0
"""Bounds: exponentials of lower numbers are denormal or zero, and those of higher numbers infinite."""

_LIMITS = -87.0, 87.9
"""Between these bounds, exponentials are normal numbers, also as bf16."""

_NOTHING = -18.0
"""Exponentials of lower numbers vanish in a sum with 1."""


def exp(x: Real, factor: float = 1.0, *, is_limited: bool = False) -> Real:
    """e^x, with denormal results flushed to zero; e^(factor x) of an extended bf16.

    With `is_limited`, results above 2^126 may be 2^126, and those below 2^-126 may be 2^-126, as in 1 / (1 + e^x).
    """
    ends = _LIMITS if is_limited else (_LEAST, _GREATEST)
    least, most = sorted(to_bf16(end / factor) for end in ends)
    near, inside = _clamped(x, least, most)
    sign = 1.0
    if inside is near:
        counted = near.times(factor / log(2), PART, MAGIC)  # within 0.002 of itself, so that |r| is up to 0.52
        inside, sign = (near, factor) if abs(factor) == 1 else (near.times(factor, 2 * PART), 1.0)
    else:
        counted = _counted(inside if x.precision == FINE else near)
    n, r = _parts(inside, counted, sign)
    real = _times_power_of_2(_exp(r, sign), n)
    if is_limited and low_precision_source(x.value) is not None:
        return real
    return _out_of_range(near, to_bf16(ends[0] / factor), real)


def exp2(x: Real) -> Real:
    """2^x, with denormal results flushed to zero."""
    near, inside = _clamped(x, -127.0, 128.0)
    n = nearest(inside).to_bf16()
    rest = inside - n
    r = (rest.to_bf16() if inside is near else rest).times(log(2))  # the rest of a bf16 is exact in bf16
    return _out_of_range(near, -127.0, _times_power_of_2(_exp(r), n))


def expm1(x: Real) -> Real:
    """2^n (e^r - 1) + (2^n - 1), both as halves so that the largest power fits."""
    near, inside = _clamped(x, _NOTHING, _GREATEST)
    n, r = _parts(inside, _counted(near if x.precision == COARSE else inside))
    half = (x.constant(0.5).bits() + shifted(n)).real()
    less_one = r.times(r.times(polynomial(r, _LESS_ONE, _MOST)), plus=r)
    result = less_one.times(half.to_bf16(), plus=half - 0.5)
    result = result + result
    return result if inside is near else near.times(0.0, PART, select_lanes(near.is_at(_NOTHING), -1.0, result))


def exp_of_negative(x: Real) -> Real:
    """e^x for x between -80 and 0."""
    n, r = _parts(x, _counted(x.to_bf16()))
    return _times_power_of_2(_exp(r), n)


def _clamped(x: Real, least: float, most: float) -> tuple[Real, Real]:
    """x as a bf16 clamped to `least`..`most`, and x itself clamped to `most`; for an extended bf16, both are the first one."""
    near = x.clamped(least, most)
    return near, near if low_precision_source(x.value) is not None else x.bits().min(bits_of(most)).real()


def _out_of_range(near: Real, least: float, real: Real) -> Real:
    """The result outside of the range of normal numbers: 0 if `near` is at its lower end, infinity above, and NaN for NaN."""
    real = select_lanes(near.is_at(least), 0.0, real).bits().min(INFINITY).real()
    return near.times(0.0, PART, real)


def _exp(r: Real, sign: float = 1.0) -> Real:
    """e^(sign r) as 1 + sign r and a small rest, of which few bits are needed."""
    table = [c * sign**power for power, c in enumerate(EXP[r.precision], 1)]
    near_one = r + 1.0 if sign > 0 else 1.0 - r
    return r.times(polynomial(r, {r.precision: table}, _MOST, 1 / _MOST), r.precision - 3, near_one)


def _counted(x: Real) -> Real:
    """A float whose last bits are n, the integer nearest to x / ln 2."""
    return x.times(1 / log(2), 2 * PART) + MAGIC


def _parts(x: Real, counted: Real, sign: float = 1.0) -> tuple[Real, Real]:
    """n and r with x = sign (n ln 2 + r)."""
    n = (counted - MAGIC).to_bf16()
    low = PART if x.precision == COARSE else FINE  # the first part suffices for a bf16
    return n, n.times(-sign * LN2_LOW, low, n.times(-sign * LN2_HIGH, PART, x))


def _times_power_of_2(x: Real, by: Real) -> Real:
    """x times 2^by, from 2^-126 to infinity."""
    return (x.bits() + shifted(by)).real()
