"""Converts between short integers and floats by vector operations that AIE has: through i16, i32 and the bits of 1.5 * 2^23."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import is_result_of
from allo_air.mlir import arith, ir, vector
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes._analysis.requantisation import clamps, constant_splat
from allo_air.passes.kernel._chains import is_clamped
from allo_air.passes.kernel._lane_values import shaped, splat
from allo_air.passes.kernel._op_signature import OpSignature
from allo_air.passes.kernel._real import MAGIC, MAGIC_BITS, Bits, Real
from allo_air.passes.kernel._rounding import truncate
from allo_air.passes.kernel._vector_integers import doubled, halves, number_of

_LANES = 16
UPPER_BITS = MAGIC_BITS + (16 << 23)
"""The bits of 1.5 * 2^39, whose last bit has the value 2^16."""


def _to_float(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """Converts an i16 by the bits of 1.5 * 2^23, and an i32 by its halves. A byte first becomes one half of an i16: the upper
    one if it is signed, else the lower one.
    """
    value = op.operands[0]
    signed = op.name == "arith.sitofp"
    if form.lanes != _LANES or form.source not in (("i8", "i16", "i32") if signed else ("i8",)):
        return None
    if form.source == "i8":
        nothing = splat(value.type, 0)
        bytes_ = vector.InterleaveOp(nothing, value).result if signed else vector.InterleaveOp(value, nothing).result
        value = vector.bitcast(ir.VectorType.get([_LANES], ir.IntegerType.get_signless(16)), bytes_)
    if form.source != "i32":
        value = arith.extsi(shaped(value, ir.IntegerType.get_signless(32)), value)
    if form.source == "i32":
        return _rounded(_of_halves(value), op.results[0].type)
    result = (Bits(value) + MAGIC_BITS).real() - MAGIC
    if form.source == "i8" and signed:
        result = result.to_bf16().times(1 / 256)
    return _rounded(result.value, op.results[0].type)


def _of_halves(value: ir.Value) -> Any:
    """The sum of the halves of an i32 as floats, the upper one times 2^16; only the sum is rounded."""
    low, high = halves(value)
    low = vector.bitcast(value.type, vector.InterleaveOp(low, splat(low.type, 0)).result)
    upper = (Bits(arith.extsi(value.type, high)) + UPPER_BITS).real() - (1 << 16) * MAGIC
    return (upper + ((Bits(low) + MAGIC_BITS).real() - MAGIC)).value


def _bit_to_byte(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """The number 0 or 1 in a byte."""
    if form.lanes != _LANES or form.source != "i1" or form.result != "i8":
        return None
    halves_of_numbers = vector.bitcast(
        ir.VectorType.get([2 * _LANES], ir.IntegerType.get_signless(16)), number_of(op.operands[0])
    )
    return _low_bytes(vector.DeinterleaveOp(halves_of_numbers).results[0])


def _lowest_bit(value: ir.Value) -> Any:
    """Whether the bytes are odd."""
    bytes_ = vector.InterleaveOp(value, splat(value.type, 0)).result
    half = vector.bitcast(ir.VectorType.get([_LANES], ir.IntegerType.get_signless(16)), bytes_)
    bit = arith.extsi(shaped(value, ir.IntegerType.get_signless(32)), arith.andi(half, splat(half.type, 1)))
    return arith.cmpi(arith.CmpIPredicate.ne, bit, splat(bit.type, 0))


def _shorten(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """Truncates to the lower bytes. Numbers that are clamped to the range of i16 are shifted first, and the upper half is used.

    A vector truncation on the device saturates. So a vector whose numbers are not clamped is split into bytes instead, which
    wraps.
    """
    if form.lanes == _LANES and (form.source, form.result) == ("i8", "i1"):
        return _lowest_bit(op.operands[0])
    if form.lanes != _LANES or form.source != "i32" or form.result not in ("i8", "i16"):
        return None
    clamped, half = is_clamped(op), _shifted(op)
    if half is None and form.result == "i16" and clamped:
        return None
    if half is None and not clamped:
        half, _ = halves(op.operands[0])
    if half is None:
        half = arith.trunci(shaped(op.operands[0], ir.IntegerType.get_signless(16)), op.operands[0])
    return _low_bytes(half) if form.result == "i8" else half


def _shifted(op: ir.Operation) -> Any:
    """The right-shifted and clamped numbers as i16, clamped first; None for other numbers."""
    bounds, value = clamps(op)
    if len(bounds) != 2 or not is_result_of(value, "arith.shrsi"):
        return None
    value, number = value.owner.operands[0], constant_splat(value.owner.operands[1])
    least, most = bounds["arith.maxsi"], bounds["arith.minsi"]
    if number is None or not 0 < number < 32 or not -(1 << 15) <= least <= most < 1 << 15:
        return None
    least, most = least << number, ((most + 1) << number) - 1
    if least > -(1 << 31):
        value = Bits(value).max(least).value
    if most < (1 << 31) - 1:
        value = Bits(value).min(most).value
    if number > 16:
        value, number = arith.extsi(value.type, halves(value)[1]), number - 16
    return halves(doubled(value, 16 - number))[1]


def _low_bytes(half: ir.Value) -> Any:
    bytes_ = vector.bitcast(ir.VectorType.get([2 * _LANES], ir.IntegerType.get_signless(8)), half)
    return vector.DeinterleaveOp(bytes_).results[0]


def _to_integer(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """Drops the fraction; the result is undefined for a number outside the integer's range."""
    if form.lanes != _LANES or form.result not in ("i8", "i16"):
        return None
    value = op.operands[0]
    if element_of(value.type) != "f32":
        value = arith.extf(shaped(value, ir.F32Type.get()), value)
    whole = (truncate(Real(value)) + MAGIC).bits() + (-MAGIC_BITS)
    half = arith.trunci(shaped(value, ir.IntegerType.get_signless(16)), whole.max(-(1 << 15)).min((1 << 15) - 1).value)
    if form.result == "i16":
        return half
    return _low_bytes(half)


def _extend_bytes(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """Places a byte in the lower half of an i16, unsigned; for signed bytes from 128 on, 256 is subtracted."""
    value = op.operands[0]
    if form.source != "i8" or form.result != "i32" or list(value.type.shape) != [_LANES]:
        return None
    bytes_ = vector.InterleaveOp(value, splat(value.type, 0)).result
    halves_ = vector.bitcast(ir.VectorType.get([_LANES], ir.IntegerType.get_signless(16)), bytes_)
    number = arith.extsi(op.results[0].type, halves_)
    return arith.select(Bits(number) < 128, number, (Bits(number) + -256).value)


def _rounded(value: ir.Value, kind: ir.Type) -> Any:
    return value if value.type == kind else arith.truncf(kind, value)


RULES = {
    **dict.fromkeys(("arith.sitofp", "arith.uitofp"), _to_float),
    "arith.extsi": _extend_bytes,
    "arith.trunci": _shorten,
    "arith.extui": _bit_to_byte,
    **dict.fromkeys(("arith.fptosi", "arith.fptoui"), _to_integer),
}
