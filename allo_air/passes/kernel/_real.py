"""Real arithmetic on f32 scalars and vectors, by operations that have vector forms on AIE2 and AIE2p.

Neither has vector shifts, masks, conversions between integers and floats, or comparisons and selections of f32. These are
emulated on the bits, as integers that are added, compared and selected. For example, the last bit of 1.5 * 2^23 has value 1:
adding that number rounds a float to an integer, which is then in the low bits of the sum. AIE flushes denormal numbers to zero,
and so may all functions here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any

from allo_air.approximations import bits_of, to_bf16
from allo_air.mlir import arith, ir, vector
from allo_air.passes.kernel._bf16x3 import PART, lanes_constant, low_precision_source, product
from allo_air.passes.kernel._lane_values import shaped, splat

MAGIC, MAGIC_BITS = 12582912.0, 0x4B400000
"""1.5 * 2^23, and its bits."""

INFINITY, LEAST_NORMAL = 0x7F800000, 0x00800000
"""Bits of infinity and of the smallest normal number."""

_LOWEST = -(1 << 31)


FINE, COARSE = 24, 11
"""The precision of a result in bits: that of f32, or that of bf16 plus guard bits."""


@dataclass(frozen=True)
class Bits:
    """32-bit integers; sums wrap. `precision` is that of the floats whose bits they represent."""

    value: Any
    precision: int = FINE

    def __add__(self, other: Bits | int) -> Bits:
        return Bits(arith.addi(self.value, self.of(other)), self.precision)

    def __lt__(self, other: Bits | int) -> Any:
        return arith.cmpi(arith.CmpIPredicate.slt, self.value, self.of(other))

    def __gt__(self, other: Bits | int) -> Any:
        return arith.cmpi(arith.CmpIPredicate.sgt, self.value, self.of(other))

    def max(self, other: Bits | int) -> Bits:
        return Bits(arith.maxsi(self.value, self.of(other)), self.precision)

    def min(self, other: Bits | int) -> Bits:
        return Bits(arith.minsi(self.value, self.of(other)), self.precision)

    def of(self, number: Bits | int) -> Any:
        """The constant `number` with the lanes of this value."""
        if isinstance(number, Bits):
            return number.value
        return splat(self.value.type, (number + (1 << 31)) % (1 << 32) + _LOWEST)

    def min_unsigned(self, number: int) -> Bits:
        """The smaller value as unsigned integers. Of negative floats, that is the one closer to zero."""
        return (self + _LOWEST).min(number + _LOWEST) + _LOWEST

    def real(self) -> Real:
        """The float with these bits."""
        return Real(arith.bitcast(shaped(self.value, ir.F32Type.get()), self.value), self.precision)


@dataclass(frozen=True)
class Real:
    """32-bit floats, of which the first `precision` bits must be correct."""

    value: Any
    precision: int = FINE

    def __add__(self, other: Real | float) -> Real:
        return Real(arith.addf(self.value, self.of(other)), self.precision)

    def __sub__(self, other: Real | float) -> Real:
        return Real(arith.subf(self.value, self.of(other)), self.precision)

    def __rsub__(self, other: float) -> Real:
        return Real(arith.subf(self.of(other), self.value), self.precision)

    def __mul__(self, other: Real | float) -> Real:
        return Real(arith.mulf(self.value, self.of(other)), self.precision)

    def times(self, other: Real | float, bits: float = FINE, plus: Real | float | None = None) -> Real:
        """The product of finite numbers to `bits` bits, plus `plus` if set.

        It uses only the parts of the factors that contribute to these bits.
        """
        parts = min(max(1, ceil(min(bits, self.precision) / PART)), 3)
        addend = None if plus is None else self.of(plus)
        return Real(product(self.value, self.of(other), parts, addend), self.precision)

    __radd__, __rmul__ = __add__, __mul__

    def of(self, number: Real | float) -> Any:
        """The constant `number` with the lanes of this value."""
        return number.value if isinstance(number, Real) else splat(self.value.type, number)

    def constant(self, number: float) -> Real:
        """`number` in every lane."""
        return Real(splat(self.value.type, number), self.precision)

    def bits(self) -> Bits:
        """The float's bits as an integer. From zero on, their order is that of the floats; below zero, it is the opposite."""
        return Bits(arith.bitcast(shaped(self.value, ir.IntegerType.get_signless(32)), self.value), self.precision)

    def to_bf16(self) -> Real:
        """The number rounded to bf16, for products with one part."""
        return _extended(_rounded(self.value), self.precision)

    def clamped(self, least: float | None, most: float) -> Real:
        """The number rounded to bf16 and clamped to two bf16 numbers; NaN stays."""
        near = _rounded(self.value)
        if isinstance(near.type, ir.VectorType):
            near = arith.minimumf(near, splat(near.type, most))
            return _extended(near if least is None else arith.maximumf(near, splat(near.type, least)), self.precision)
        x = _extended(near, self.precision)
        inside = x.bits().min(bits_of(most))
        inside = inside if least is None else inside.min_unsigned(bits_of(least))
        return select_lanes(x.is_above(INFINITY), x, inside.real())

    def size(self, most: float) -> Real:
        """The absolute value of an extended bf16, at most the given number; NaN stays."""
        positive, negative = (_rounded(v.value) for v in (self, 0.0 - self))
        return _extended(arith.minimumf(arith.maximumf(positive, negative), splat(positive.type, most)), self.precision)

    def positive(self) -> Real:
        """The maximum of an extended bf16 and zero, or NaN."""
        rounded = _rounded(self.value)
        return _extended(arith.maximumf(rounded, splat(rounded.type, 0.0)), self.precision)

    def abs(self) -> Real:
        """The absolute value."""
        return self.bits().max((0.0 - self).bits()).real()

    def is_negative(self) -> Any:
        """Whether the sign is set."""
        return self.bits() < 0

    def magnitude(self) -> Bits:
        """The bits without the sign, as an integer in a special order: compare by `is_below` and `is_above`."""
        bits = self.bits()
        return bits + bits + _LOWEST

    def is_below(self, bits: int) -> Any:
        """Whether the absolute value has smaller bits than `bits`."""
        return self.magnitude() < 2 * bits + _LOWEST

    def is_above(self, bits: int) -> Any:
        """Whether the absolute value has larger bits than `bits`; NaNs are above infinity."""
        return self.magnitude() > 2 * bits + _LOWEST

    def is_at(self, end: float) -> Any:
        """Whether it equals `end`, for numbers that are not beyond it."""
        if end > 0:
            return self.bits() > bits_of(end) - 1
        return self.bits() + _LOWEST > bits_of(-end) - 1

    def is_normal(self) -> Any:
        """Whether it is neither zero, denormal, infinite nor NaN."""
        return self.magnitude() + -2 * LEAST_NORMAL < 2 * (INFINITY - LEAST_NORMAL) + _LOWEST


def select_lanes(condition: ir.Value, yes: Real | float, no: Real) -> Real:
    """`yes` in lanes in which the condition is true, otherwise `no`."""
    return Bits(arith.select(condition, Real(no.of(yes)).bits().value, no.bits().value), no.precision).real()


def needs_one_part(x: Real) -> bool:
    """Whether products need only one part of x: x extends a bf16, or is a bf16 constant."""
    number = lanes_constant(x.value)
    return low_precision_source(x.value) is not None or (number is not None and to_bf16(number) == number)


def copysign(x: Real, sign: Real) -> Real:
    """x with the sign of another number; zeros lose it."""
    size = x.abs()
    return select_lanes(sign.is_negative(), 0.0 - size, size)


def signed(x: Real, real: Real) -> Real:
    """A result for |x| with the sign of x; NaN for NaN."""
    return select_lanes(x.is_above(INFINITY), x, select_lanes(x.is_negative(), 0.0 - real, real))


def polynomial(x: Real, table: Mapping[int, Sequence[float]], size: float, summand: float | None = None) -> Real:
    """The polynomial with the coefficients in `table` for the precision, the lowest power first, for |x| up to `size`.

    Terms that are small relative to the first one, or to `summand` (to which the result is added), are computed with few bits.
    """
    coefficients = table[x.precision]
    reference = abs(coefficients[0]) if summand is None else summand
    *rest, last = coefficients
    real: Real = x.constant(last)
    most = abs(last)
    for power, c in reversed(list(enumerate(rest, 1))):
        share = most * size**power / reference
        real = x.times(real, x.precision - 1 + log2(share) if share < 1 else FINE, c)
        most = abs(c) + most * size
    return real


def nearest(x: Real) -> Real:
    """The integer nearest to `x`, ties to even, for |x| up to 2^22."""
    return (x + MAGIC) - MAGIC


def shifted(n: Real) -> Bits:
    """2^23 n for integers n of 9 bits: added to the bits of floats, it adds n to their exponents.

    A bf16 has its exponent before 7 mantissa bits, and an f32 before 16 more.
    """
    return low_half(n.times(128.0, PART, MAGIC)).bits()


def from_high_half(number: Real) -> Real:
    """The float whose upper 16 bits are the integer nearest to `number`; the rest is zero."""
    return low_half(number + MAGIC)


def high_half(x: Real, less: int = 0) -> Real:
    """The integer in the upper 16 bits of a positive x, rounded, minus another: 128 times its exponent, plus its mantissa."""
    return _magic_and_high_half(x) - (MAGIC + less)


def opposite_of_high_half(x: Real, total: int) -> Real:
    """The float whose upper 16 bits are `total`, an even number, minus those of a positive x, which are not larger."""
    return low_half((2 * MAGIC + total) - _magic_and_high_half(x))


def _magic_and_high_half(x: Real) -> Real:
    """1.5 * 2^23 with its upper 16 bits placed before those of x."""
    near = _rounded(x.value)
    i16, i32 = (ir.IntegerType.get_signless(bits) for bits in (16, 32))
    half = arith.bitcast(shaped(near, i16), near)
    if isinstance(half.type, ir.VectorType):
        words = vector.InterleaveOp(half, splat(half.type, MAGIC_BITS >> 16)).result
        return Real(vector.bitcast(shaped(half, ir.F32Type.get()), words), x.precision)
    return (Bits(arith.extsi(i32, half), x.precision) + MAGIC_BITS).real()


def low_half(x: Real) -> Real:
    """The float whose upper 16 bits are the lower ones of x; the rest is zero."""
    i16, kind = ir.IntegerType.get_signless(16), x.value.type
    if isinstance(kind, ir.VectorType):
        half = vector.DeinterleaveOp(vector.bitcast(ir.VectorType.get([2 * kind.shape[0]], i16), x.value)).results[0]
    else:
        half = arith.trunci(i16, x.bits().value)
    return _extended(arith.bitcast(shaped(half, ir.BF16Type.get()), half), x.precision)


def _extended(near: ir.Value, precision: int) -> Real:
    return Real(arith.extf(shaped(near, ir.F32Type.get()), near), precision)


def _rounded(value: ir.Value) -> Any:
    """`value` as a bf16."""
    near = low_precision_source(value)
    return arith.truncf(shaped(value, ir.BF16Type.get()), value) if near is None else near
