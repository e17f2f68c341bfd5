"""Comparisons, extremes, selections and negations of floats, by vector operations that AIE has."""

from __future__ import annotations

from math import isnan
from typing import Any

from allo_air.core.walking import is_result_of
from allo_air.mlir import arith, ir
from allo_air.passes.kernel._lane_values import splat
from allo_air.passes.kernel._op_signature import OpSignature
from allo_air.passes.kernel._real import INFINITY, Bits, Real

_SLT, _SLE, _SGT, _SGE = 2, 3, 4, 5
_BY_ORDER = {4: _SLT, 11: _SLT, 5: _SLE, 12: _SLE, 2: _SGT, 9: _SGT, 3: _SGE, 10: _SGE}
"""For each ordering predicate of arith.cmpf, the predicate of arith.cmpi."""

_EQUAL, _UNEQUAL, _ORDERED, _UNORDERED = (1, 8), (6, 13), 7, 14
_OF_NAN = 8
"""The first predicate of arith.cmpf that is true if a side is NaN."""

_GREATEST = 2 * INFINITY - (1 << 31)
"""The bits of infinity; larger magnitudes are NaN."""
_NAN, _LEAST = 0x7FC00000, -(1 << 31)
"""The bits of a NaN, and bits below those of all numbers: those of -0.0, which sums with zero never have."""


def _compare(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    tests_nan = form.predicate in (_ORDERED, _UNORDERED) or (op.operands[0] == op.operands[1] and form.predicate in (1, 13))
    if form.source != "f32" and not tests_nan:
        return None
    sides = [_extended(v) for v in op.operands]
    if tests_nan:
        magnitude = _magnitude(*sides)
        return magnitude > _GREATEST if form.predicate in (_UNORDERED, 13) else magnitude < _GREATEST + 1
    lhs, rhs = ((Real(v) + 0.0).bits() for v in sides)
    if form.predicate in _BY_ORDER:
        negative, predicate = lhs.max(rhs) < 0, _BY_ORDER[form.predicate]
        low, high = (Bits(arith.select(negative, *pair)) for pair in ((rhs.value, lhs.value), (lhs.value, rhs.value)))
    elif form.predicate in (*_EQUAL, *_UNEQUAL):
        low, high, predicate = lhs.min(rhs), lhs.max(rhs), _SGE if form.predicate in _EQUAL else _SLT
    else:
        return None
    return arith.cmpi(predicate, *_comparison_operands(low, high, form.predicate, predicate, sides))


def _comparison_operands(low: Bits, high: Bits, bound: int, predicate: int, sides: list[ir.Value]) -> tuple[Any, Any]:
    """The integers to compare by `predicate` of arith.cmpi, with the result of predicate `bound` of arith.cmpf also for NaN."""
    may_be_nan = [v for v in sides if not _is_number(v)]
    differs = bound in (_EQUAL[0], _UNEQUAL[1]) and len(may_be_nan) < 2  # no number has the bits of NaN
    if differs or not may_be_nan:
        return low.value, high.value
    nan, least = _magnitude(*may_be_nan) > _GREATEST, low.of(_LEAST)
    if (predicate in (_SLT, _SLE)) == (bound >= _OF_NAN):
        return arith.select(nan, least, low.value), high.value
    return low.value, arith.select(nan, least, high.value)


def _magnitude(*values: ir.Value) -> Bits:
    """The lanes filled with the largest magnitude of the values."""
    first, *rest = (Real(v).magnitude() for v in dict.fromkeys(values))
    for bits in rest:
        first = first.max(bits)
    return first


def _extreme(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """A minimum or maximum by comparing bits, whose order is that of positive floats and the reverse of that of negative ones.
    If one side is NaN, `minimumf` and `maximumf` give NaN, `minnumf` and `maxnumf` the other side.

    A maximum that reduces many values does not test for NaN, since the test would slow down softmax: a positive NaN has the
    largest bits and is the result anyway.
    """
    if form.source != "f32":
        return _minimum_number(*op.operands) if op.name == "arith.minnumf" else None
    is_most = "max" in op.name
    lhs, rhs = (Real(v).bits() for v in op.operands)
    most, least = lhs.max(rhs), lhs.min(rhs)
    extreme, opposite = (most, least) if is_most else (least, most)
    if not any(_is_positive(v) for v in op.operands):
        extreme = Bits(arith.select(most < 0, opposite.value, extreme.value))
    may_be_nan = [] if is_most and _is_reduction(op) else [v for v in op.operands if not _is_number(v)]
    if "num" not in op.name and may_be_nan:
        extreme = Bits(arith.select(_magnitude(*may_be_nan) > _GREATEST, extreme.of(_NAN), extreme.value))
    for value, instead in ((op.operands[0], rhs), (op.operands[1], lhs)):
        if "num" in op.name and value in may_be_nan:
            extreme = Bits(arith.select(_magnitude(value) > _GREATEST, instead.value, extreme.value))
    return extreme.real().value


def _is_reduction(op: ir.Operation) -> bool:
    """Whether an operand of `op` is a loop-carried value, or lanes of one."""
    owners = [v.owner for v in op.operands]
    return any(
        o.owner.operation.name == "scf.for" if isinstance(o, ir.Block) else o.operation.name == "vector.shuffle" for o in owners
    )


def _minimum_number(lhs: ir.Value, rhs: ir.Value) -> Any:
    """The minimum in bf16; of a number and NaN, the number."""
    uno, result = arith.CmpFPredicate.UNO, arith.minimumf(lhs, rhs)
    result = arith.select(arith.cmpf(uno, lhs, lhs), rhs, result)
    return arith.select(arith.cmpf(uno, rhs, rhs), lhs, result)


def _select(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    condition, yes, no = op.operands
    if not isinstance(condition.type, ir.VectorType) or form.source != "f32":
        return None
    return Bits(arith.select(condition, Real(yes).bits().value, Real(no).bits().value)).real().value


def _negate(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    value = op.operands[0]
    return arith.subf(splat(value.type, 0.0), value)


def _extended(value: ir.Value) -> Any:
    kind = ir.VectorType.get(value.type.shape, ir.F32Type.get())
    return value if value.type == kind else arith.extf(kind, value)


def _is_positive(value: ir.Value) -> bool:
    """Whether `value` is a constant that is neither negative nor -0.0."""
    number = _constant(value)
    return number is not None and (number > 0 or (number == 0 and not str(number).startswith("-")))


def _is_number(value: ir.Value) -> bool:
    """Whether `value` is a constant other than NaN."""
    number = _constant(value)
    return number is not None and not isnan(number)


def _constant(value: ir.Value) -> float | None:
    if not is_result_of(value, "arith.constant"):
        return None
    attribute = value.owner.attributes["value"]
    if not isinstance(attribute, ir.DenseElementsAttr) or not attribute.is_splat:
        return None
    return float(attribute.get_splat_value().value)


RULES = {
    "arith.cmpf": _compare,
    **dict.fromkeys(("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"), _extreme),
    "arith.select": _select,
    "arith.negf": _negate,
}
