"""Conversions between short integers and floats, as vectors that AIE has: by way of i16, i32 and the bits of 1.5 * 2^23."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import arith, ir, vector
from allo_air.passes.kernel._form import Form, element_of
from allo_air.passes.kernel._lane_values import shaped, splat
from allo_air.passes.kernel._real import MAGIC, MAGIC_BITS, Bits, Real
from allo_air.passes.kernel._rounding import truncate

_LANES = 16


def _to_float(op: ir.Operation, form: Form, arch: str) -> Any:
    """A byte is put into the upper half of an i16, which keeps its sign, or into the lower one of a number without a sign."""
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
    found = (Bits(value) + MAGIC_BITS).real() - MAGIC
    if form.source == "i8" and signed:
        found = found.brief().times(1 / 256)
    return _rounded(found.value, op.results[0].type)


def _to_integer(op: ir.Operation, form: Form, arch: str) -> Any:
    """The fraction goes; a number that does not fit may become anything."""
    if form.lanes != _LANES or form.result not in ("i8", "i16"):
        return None
    value = op.operands[0]
    if element_of(value.type) != "f32":
        value = arith.extf(shaped(value, ir.F32Type.get()), value)
    whole = (truncate(Real(value)) + MAGIC).bits() + (-MAGIC_BITS)
    half = arith.trunci(shaped(value, ir.IntegerType.get_signless(16)), whole.max(-(1 << 15)).min((1 << 15) - 1).value)
    if form.result == "i16":
        return half
    bytes_ = vector.bitcast(ir.VectorType.get([2 * _LANES], ir.IntegerType.get_signless(8)), half)
    return vector.DeinterleaveOp(bytes_).results[0]


def _rounded(value: Any, kind: ir.Type) -> Any:
    return value if value.type == kind else arith.truncf(kind, value)


RULES = {
    **dict.fromkeys(("arith.sitofp", "arith.uitofp"), _to_float),
    **dict.fromkeys(("arith.fptosi", "arith.fptoui"), _to_integer),
}
