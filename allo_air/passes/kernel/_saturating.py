"""tanh and erf, which converge to 1 and -1."""

from __future__ import annotations

from math import log

from allo_air.approximations import to_bf16
from allo_air.passes.kernel._bf16x3 import PART, low_precision_source
from allo_air.passes.kernel._exponential import LN2_HIGH, LN2_LOW, exp, exp_of_negative, expm1
from allo_air.passes.kernel._real import COARSE, FINE, INFINITY, MAGIC, Real, low_half, polynomial, select_lanes, signed
from allo_air.passes.kernel._roots import opposite_quotient, reciprocal

_ERF = {FINE: (
    1.1283791065216064, -0.37612324953079224, 0.11280179768800735, -0.02671130932867527, 0.004917549900710583,
    -0.0005631416570395231,
), COARSE: (1.128347396850586, -0.37513652443885803, 0.1078336238861084, -0.018367435783147812)}  # fmt: skip
"""Coefficients of erf(x) / x in x^2 up to x = 1; the relative error is 4e-8, or 3e-5 for few bits."""

_LN_ERFC = {FINE: (
    -0.0002564360620453954, -1.1274261474609375, -0.6375999450683594, -0.1035669595003128, 0.022052031010389328,
    -0.002999549498781562, 0.00019150509615428746,
), COARSE: (-0.02949708141386509, -1.0306459665298462, -0.7603435516357422, -0.029105573892593384)}  # fmt: skip
"""Coefficients of ln(1 - erf(x)) from x = 0.95 to 4.1; the relative error of erf is 2e-9, or 3e-6 for few bits."""

_GROWN = (-1.0088351251791754, 0.668278915378325)
"""Coefficients of ((1 - e^(-2 r)) / 2 - r) / r^2 in r up to 0.19; the relative error of (1 - e^(-2 r)) / 2 is 6e-4."""

_LN_ERFC_ALL = {COARSE: (
    -1.1283488780123725, -0.6367969268723943, -0.10322759103313878, 0.021338041870023826,
    -0.0027017255475307034, 0.00015255209930009617,
)}  # fmt: skip
"""Coefficients of ln(1 - erf(x)) / x up to x = 4.2; multiplied by x, the error is 2e-4."""

_ONE, _FOUR, _TEN = 0x3F800000, 0x40800000, 0x41200000
"""Bits of 1.0, 4.0 and 10.0. Above 4, the error function is 1; above 10, the hyperbolic tangent is 1."""

_MINUS_FOUR, _END = 0xC0800000, 0x40866666
"""Bits of -4.0, below which tanh is -1 to 11 bits; and of 4.2, above which 1 - erf vanishes in a sum with 1."""


def tanh(x: Real) -> Real:
    if x.precision == COARSE:
        return low_precision_tanh(x)
    grown = expm1((size := x.abs().bits().min(_TEN).real()) + size)
    return signed(x, grown.times(reciprocal(grown + 2.0)))


def low_precision_tanh(x: Real, factor: float = 1.0) -> Real:
    """tanh (factor x) to 11 bits; with a factor other than 1, of an extended bf16.

    -E / (E + 1), where E = (e^(-2 x) - 1) / 2 and -2 x = n ln 2 - 2 r: E = -2^n q + (2^n - 1) / 2, q = (1 - e^(-2 r)) / 2.
    """
    end = to_bf16(4 / factor)
    near = x.clamped(-abs(end), abs(end))
    inside = x.bits().min(_FOUR).min_unsigned(_MINUS_FOUR).real() if low_precision_source(x.value) is None else near
    inside = inside if factor == 1 else inside.times(factor, 2 * PART)
    n = (near.times(-2 * factor / log(2), PART, MAGIC) - MAGIC).to_bf16()
    r = n.times(LN2_LOW / 2, PART, n.times(LN2_HIGH / 2, PART, inside))
    opposite_power = low_half(n.times(128.0, PART, MAGIC + (127 * 128 + (1 << 15))))  # negative
    q = r.times(r.times(r.times(_GROWN[1], PART, _GROWN[0]), PART), PART, r)
    grown = opposite_power.times(q, 2 * PART, opposite_power.times(-0.5, PART, -0.5))
    return opposite_quotient(grown, grown + 1.0)


def erf(x: Real) -> Real:
    size = x.abs().bits().min(_FOUR).real()
    small = size.times(polynomial(size.times(size), _ERF, 1.0))
    large = 1.0 - exp(polynomial(size, _LN_ERFC, 4.0))
    return signed(x, select_lanes(size.bits() < _ONE, small, large))


def erfc(x: Real) -> Real:
    """1 - erf x. In low precision, small results have a small relative error, too."""
    if x.precision == FINE:
        return 1.0 - erf(x)
    whole = x.abs()
    size = whole.bits().min(_END).real()
    result = exp_of_negative(size.times(polynomial(size, _LN_ERFC_ALL, 4.2, 0.25), 16))
    result = select_lanes(whole.bits() > _END, 0.0, result)
    return select_lanes(x.is_above(INFINITY), x, select_lanes(x.is_negative(), 2.0 - result, result))
