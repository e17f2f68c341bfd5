"""Functions that go to 1 and -1: tanh and erf."""

from __future__ import annotations

from allo_air.passes.kernel._exponential import exp, expm1
from allo_air.passes.kernel._real import Real, choose, polynomial, signed
from allo_air.passes.kernel._roots import divide

_ERF = (
    1.1283791065216064, -0.37612324953079224, 0.11280179768800735, -0.02671130932867527, 0.004917549900710583,
    -0.0005631416570395231,
)  # fmt: skip
"""erf(x) / x by x^2 up to x = 1, within 4e-8."""

_LN_ERFC = (
    -0.0002564360620453954, -1.1274261474609375, -0.6375999450683594, -0.1035669595003128, 0.022052031010389328,
    -0.002999549498781562, 0.00019150509615428746,
)  # fmt: skip
"""ln(1 - erf(x)) from x = 0.95 to 4.1; erf is right within 2e-9."""

_ONE, _FOUR, _TEN = 0x3F800000, 0x40800000, 0x41200000
"""Bits of 1.0, 4.0 and 10.0; beyond 4 the error function is 1, beyond 10 the hyperbolic tangent."""


def tanh(x: Real) -> Real:
    grown = expm1((size := x.abs().bits().min(_TEN).real()) + size)
    return signed(x, divide(grown, grown + 2.0))


def erf(x: Real) -> Real:
    size = x.abs().bits().min(_FOUR).real()
    small = size * polynomial(size * size, _ERF)
    large = 1.0 - exp(polynomial(size, _LN_ERFC))
    return signed(x, choose(size.bits() < _ONE, small, large))
