"""Rounds floats to integers by adding 2^23, which drops the fraction."""

from __future__ import annotations

from allo_air.passes.kernel._real import Real, select_lanes

_UNIT, _UNIT_BITS = 8388608.0, 0x4B000000
"""2^23 and its bits: floats from there on are integers."""

_BELOW_HALF = 0x3EFFFFFF


def round_even(x: Real) -> Real:
    return _signed(x, _nearest(x.abs()))


def round_away(x: Real) -> Real:
    """The nearest integer, ties away from zero."""
    magnitude = x.abs()
    near = _nearest(magnitude)
    return _signed(x, select_lanes((magnitude - near).bits() > _BELOW_HALF, near + 1.0, near))


def truncate(x: Real) -> Real:
    magnitude = x.abs()
    near = _nearest(magnitude)
    return _signed(x, select_lanes((near - magnitude).bits() > 0, near - 1.0, near))


def floor(x: Real) -> Real:
    near = round_even(x)
    return _keep_integers(x, select_lanes((near - x).bits() > 0, near - 1.0, near))


def ceil(x: Real) -> Real:
    near = round_even(x)
    return _keep_integers(x, select_lanes((x - near).bits() > 0, near + 1.0, near))


def _nearest(magnitude: Real) -> Real:
    return (magnitude + _UNIT) - _UNIT


def _signed(x: Real, real: Real) -> Real:
    return _keep_integers(x, select_lanes(x.is_negative(), 0.0 - real, real))


def _keep_integers(x: Real, real: Real) -> Real:
    """x itself if it has no fraction, is infinite, or is NaN."""
    return select_lanes(x.is_below(_UNIT_BITS), real, x)
