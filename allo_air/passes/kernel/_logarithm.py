"""Logarithms: x = 2^n (1 + f), where 1 + f is between 0.70 and 1.42, and ln (1 + f) is a polynomial."""

from __future__ import annotations

from math import inf, log, nan

from allo_air.passes.kernel._real import (
    COARSE,
    FINE,
    INFINITY,
    LEAST_NORMAL,
    MAGIC,
    Real,
    high_half,
    low_half,
    polynomial,
    select_lanes,
)

_LN2_HIGH, _LN2_LOW = 0.69140625, log(2) - 0.69140625
"""The upper 8 bits of ln 2, whose products with exponents are exact, and the rest."""

_MOST = 0.43
"""Largest |f|."""

_CUBED = {
    FINE: (
        0.3333330750465393, -0.25000008940696716, 0.2000250518321991, -0.16668325662612915, 0.14211297035217285,
        -0.1239343211054802, 0.11940396577119827, -0.117778480052948, 0.06753750890493393,
    ),
    COARSE: (0.3358301520347595, -0.2653735280036926, 0.17315161228179932),
}  # fmt: skip
"""Coefficients of (ln (1 + f) - f + f^2 / 2) / f^3. The error of the logarithm is 1e-9, or 1e-4 for few bits."""

_HALF = 0x3F000000
"""Bits of 0.5."""


def ln(x: Real) -> Real:
    """ln x; minus infinity for denormal numbers."""
    n, f = _parts(x)
    return _special_cases(x, _sum(n, _ln1p(f)))


def log2(x: Real) -> Real:
    n, f = _parts(x)
    return _special_cases(x, _ln1p(f).times(1 / log(2)) + n.to_bf16().times(1 / 128))


def log10(x: Real) -> Real:
    n, f = _parts(x)
    return _special_cases(x, _ln1p(f).times(1 / log(10)) + n.to_bf16().times(log(2) / log(10) / 128))


def log1p(x: Real) -> Real:
    """ln (1 + x), from x itself if 1 + x is in the polynomial's range."""
    n, f = _parts(x + 1.0)
    f = select_lanes(n.is_below(_HALF), x, f)
    return _special_cases(x + 1.0, _sum(n, _ln1p(f)))


def _parts(x: Real) -> tuple[Real, Real]:
    """128 n and f with x = 2^n (1 + f). n is the exponent, plus one for mantissas above sqrt 2, which 53 / 128
    approximates.
    """
    n = high_half(x, 127 * 128 - 11) + 128 * MAGIC - 128 * MAGIC
    return n, (x.bits() + low_half(MAGIC - n).bits()).real() - 1.0


def _ln1p(f: Real) -> Real:
    square = f.times(f)
    return square.times(f.times(polynomial(f, _CUBED, _MOST)) - 0.5) + f


def _sum(n: Real, rest: Real) -> Real:
    low = n.to_bf16()
    return (low.times(_LN2_LOW / 128) + rest) + low.times(_LN2_HIGH / 128)


def _special_cases(x: Real, real: Real) -> Real:
    real = select_lanes(x.is_negative(), nan, real)
    real = select_lanes(x.is_below(LEAST_NORMAL), -inf, real)
    return select_lanes(x.bits() > INFINITY - 1, x, real)
