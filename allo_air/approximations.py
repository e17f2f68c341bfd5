"""How far from right the functions may be that the cores compute by arithmetic: data for tests, reports and bounds of results.

`approximate-math` and the cores' vectors give them (passes/kernel); test/unit/passes/kernel/test_approximations.py holds every
row on both generations of cores, over samples of all floats. Denormal numbers may count as zeros, as arguments and as results.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import log

LEAST_NORMAL = 2.0**-126


@dataclass(frozen=True)
class Bound:
    """|error| <= relative |right| + absolute, for arguments that are zero, infinite, or from `least` to `most` in size."""

    relative: float
    absolute: float = LEAST_NORMAL
    least: float = LEAST_NORMAL
    most: float = 2.0**127

    def of(self, right: float) -> float:
        """The error bound of a function for a result; it also works on arrays."""
        return self.relative * abs(right) + self.absolute


_ULP = 2.0**-23

BOUNDS: dict[str, Bound] = {
    "arith.divf": Bound(_ULP / 2, least=2.0**-100, most=2.0**100),
    "arith.mulf": Bound(_ULP, least=2.0**-100, most=2.0**100),
    "math.absf": Bound(0.0),
    "math.acos": Bound(0.0, 4 * _ULP),
    "math.acosh": Bound(4 * _ULP, 4 * _ULP),
    "math.asin": Bound(3 * _ULP),
    "math.asinh": Bound(3 * _ULP),
    "math.atan": Bound(3 * _ULP),
    "math.atan2": Bound(4 * _ULP, least=2.0**-100, most=2.0**100),
    "math.atanh": Bound(4 * _ULP, most=1.0),
    "math.cbrt": Bound(32 * _ULP),
    "math.ceil": Bound(0.0),
    "math.cos": Bound(0.0, 2 * _ULP, most=102400.0),
    "math.cosh": Bound(32 * _ULP),
    "math.erf": Bound(3 * _ULP),
    "math.erfc": Bound(0.0, 2 * _ULP),
    "math.exp": Bound(2 * _ULP),
    "math.exp2": Bound(2 * _ULP),
    "math.expm1": Bound(2 * _ULP),
    "math.floor": Bound(0.0),
    "math.log": Bound(2 * _ULP),
    "math.log10": Bound(3 * _ULP),
    "math.log1p": Bound(3 * _ULP),
    "math.log2": Bound(3 * _ULP),
    "math.powf": Bound(256 * _ULP, most=2.0**22),
    "math.round": Bound(0.0),
    "math.roundeven": Bound(0.0),
    "math.rsqrt": Bound(2 * _ULP, least=2.0**-100),
    "math.sin": Bound(0.0, 2 * _ULP, most=102400.0),
    "math.sinh": Bound(32 * _ULP),
    "math.sqrt": Bound(3 * _ULP, least=2.0**-100),
    "math.tan": Bound(4 * _ULP, 4 * _ULP, most=64.0),
    "math.tanh": Bound(3 * _ULP),
    "math.trunc": Bound(0.0),
}
"""Functions of f32, by the operation's name; a power with a constant integer exponent is as many products."""

BF16 = Bound(1.5 * 2.0**-8)
"""The bound of any of them with a bf16 result, mostly the rounding; absolute if the function has no relative bound."""

ROUNDED = Bound(2.0 * 2.0**-8)
"""A chain of a few functions, products, quotients, and sums of numbers of one sign whose result is rounded to bf16."""

BOUNDED_POWER = Bound(1.5 * 2.0**-7, 2.0**-40)
"""e^(factor x) in bf16 for negative x not below `least_of_powers`: its polynomial, and roundings to bf16 on the way."""


def least_of_powers(factor: float) -> float:
    """The x, a bf16, from which on e^(factor x) is computed the short way: about 2^-127, for which 0 is given."""
    return to_bf16(-127 * 128 / to_bf16(128 * factor / log(2)))


def is_least_of_powers(least: float, factor: float) -> bool:
    """Whether numbers from `least` on may go the short way."""
    return to_bf16(least) == least and least >= least_of_powers(factor)


_CURVE = 0.49596409
VERTEX = (1.024289, 0.968146)
"""e^z is `_CURVE` ((z + place)^2 + height) with a relative error of 2.0e-3 for |z| up to 0.36."""


def scale_of_powers(factor: float) -> float:
    """The factor by which the shortest computation of e^(factor x), for negative x, multiplies the powers."""
    place, _ = VERTEX
    return 1 / (_CURVE * factor**2 * 2 ** (place / log(2) - 1))


def least_of_scaled_powers(factor: float) -> float:
    """The x from which on they do: about 2^-124."""
    return -124 * log(2) / factor


def none_of_scaled_powers(factor: float) -> float:
    """The x, a bf16, of which they are 0."""
    return to_bf16((VERTEX[0] / log(2) - 1 - 127) / to_bf16(factor / log(2)))


def bits_of(number: float) -> int:
    """The bits of `number` as an f32, as a signed integer."""
    [bits] = struct.unpack("<i", struct.pack("<f", number))
    return int(bits)


def float_of(bits: int) -> float:
    """The f32 that has the bits of signed integer `bits`."""
    [result] = struct.unpack("<f", struct.pack("<i", bits))
    return float(result)


def to_bf16(number: float) -> float:
    """`number` rounded to bf16, of two that are as near to the even one."""
    [bits] = struct.unpack("<I", struct.pack("<f", number))
    [result] = struct.unpack("<f", struct.pack("<I", (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000))
    return float(result)


CYCLES: dict[str, tuple[int, int]] = {
    "arith.divf": (124, 50),
    "arith.mulf": (24, 1),
    "math.absf": (2, 4),
    "math.acos": (898, 252),
    "math.acosh": (711, 191),
    "math.asin": (892, 250),
    "math.asinh": (907, 485),
    "math.atan": (292, 107),
    "math.atan2": (777, 199),
    "math.atanh": (627, 168),
    "math.cbrt": (685, 161),
    "math.ceil": (19, 20),
    "math.cos": (167, 91),
    "math.cosh": (211, 107),
    "math.erf": (297, 92),
    "math.erfc": (301, 105),
    "math.exp": (111, 32),
    "math.exp2": (117, 37),
    "math.expm1": (155, 61),
    "math.floor": (19, 20),
    "math.log": (205, 78),
    "math.log10": (220, 87),
    "math.log1p": (215, 84),
    "math.log2": (216, 84),
    "math.powf": (690, 691),
    "math.round": (18, 19),
    "math.roundeven": (14, 15),
    "math.rsqrt": (127, 80),
    "math.sin": (172, 85),
    "math.sinh": (522, 164),
    "math.sqrt": (143, 90),
    "math.tan": (509, 191),
    "math.tanh": (263, 59),
    "math.trunc": (18, 19),
}
"""Cycles of a core for a vector of 16 numbers in compiled code, for f32 and for bf16; the larger of AIE2 and AIE2p.

The code is that of `unroll-vector-loops`, without LOOP_CYCLES. The cycles are from the simulator's model of the cores. The test
of the bounds checks them, too.
"""

LOOP_CYCLES = 3
"""Other cycles of such a loop, for each vector: loads, the store and the jump."""
