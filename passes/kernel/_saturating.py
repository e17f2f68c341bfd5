"""Functions that go to 1 and -1: tanh and erf."""

from __future__ import annotations

from allo_air.passes.kernel._exponential import exp, expm1
from allo_air.passes.kernel._real import COARSE, FINE, Real, choose, polynomial, signed
from allo_air.passes.kernel._roots import reciprocal

_ERF = {FINE: (
    1.1283791065216064, -0.37612324953079224, 0.11280179768800735, -0.02671130932867527, 0.004917549900710583,
    -0.0005631416570395231,
), COARSE: (1.128347396850586, -0.37513652443885803, 0.1078336238861084, -0.018367435783147812)}  # fmt: skip
"""erf(x) / x by x^2 up to x = 1, within 4e-8 and 3e-5."""

_LN_ERFC = {FINE: (
    -0.0002564360620453954, -1.1274261474609375, -0.6375999450683594, -0.1035669595003128, 0.022052031010389328,
    -0.002999549498781562, 0.00019150509615428746,
), COARSE: (-0.02949708141386509, -1.0306459665298462, -0.7603435516357422, -0.029105573892593384)}  # fmt: skip
"""ln(1 - erf(x)) from x = 0.95 to 4.1; erf is right within 2e-9 and 3e-6."""

_ONE, _FOUR, _TEN = 0x3F800000, 0x40800000, 0x41200000
"""Bits of 1.0, 4.0 and 10.0; beyond 4 the error function is 1, beyond 10 the hyperbolic tangent."""


def tanh(x: Real) -> Real:
    grown = expm1((size := x.abs().bits().min(_TEN).real()) + size)
    return signed(x, grown.times(reciprocal(grown + 2.0)))


def erf(x: Real) -> Real:
    size = x.abs().bits().min(_FOUR).real()
    small = size.times(polynomial(size.times(size), _ERF, 1.0))
    large = 1.0 - exp(polynomial(size, _LN_ERFC, 4.0))
    return signed(x, choose(size.bits() < _ONE, small, large))
