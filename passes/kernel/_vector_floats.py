"""Comparisons, extremes, selections and negations of floats, as vectors that AIE has."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import arith, ir
from allo_air.passes.kernel._form import Form
from allo_air.passes.kernel._lane_values import splat
from allo_air.passes.kernel._real import INFINITY, Bits, Real

_SLT, _SLE, _SGT, _SGE = 2, 3, 4, 5
_BY_ORDER = {4: _SLT, 11: _SLT, 5: _SLE, 12: _SLE, 2: _SGT, 9: _SGT, 3: _SGE, 10: _SGE}
"""arith.cmpf's predicates of an order, and those of arith.cmpi."""

_EQUAL, _UNEQUAL, _ORDERED, _UNORDERED = (1, 8), (6, 13), 7, 14


def _compare(op: ir.Operation, form: Form, arch: str) -> Any:
    same = op.operands[0] == op.operands[1]
    asks = form.predicate in (_ORDERED, _UNORDERED) or (same and form.predicate in (*_EQUAL, *_UNEQUAL))
    if form.source != "f32" and not asks:
        return None
    left, right = (Real(_wide(v)) for v in op.operands)
    if asks:
        worst = left.magnitude() if same else left.magnitude().max(right.magnitude())
        limit = 2 * INFINITY - (1 << 31)
        return worst > limit if form.predicate in (_UNORDERED, 6, 13) else worst < limit + 1
    one, other = (left + 0.0).bits(), (right + 0.0).bits()  # a zero has no sign then
    if form.predicate in _BY_ORDER:
        negative = one.max(other) < 0
        low, high = (Bits(arith.select(negative, *pair)) for pair in ((other.value, one.value), (one.value, other.value)))
        return arith.cmpi(_BY_ORDER[form.predicate], low.value, high.value)
    if form.predicate in (*_EQUAL, *_UNEQUAL):
        least, most = one.min(other), one.max(other)
        return arith.cmpi(_SGE if form.predicate in _EQUAL else _SLT, least.value, most.value)
    return None


def _extreme(op: ir.Operation, form: Form, arch: str) -> Any:
    """By bits, in whose order floats are, or negative ones in the opposite order."""
    if form.source != "f32":
        return arith.minimumf(*op.operands) if op.name == "arith.minnumf" else None
    is_most = "max" in op.name
    one, other = (Real(v).bits() for v in op.operands)
    most, least = one.max(other), one.min(other)
    wanted, opposite = (most, least) if is_most else (least, most)
    if any(_is_positive(v) for v in op.operands):
        return wanted.real().value
    return Bits(arith.select(most < 0, opposite.value, wanted.value)).real().value


def _select(op: ir.Operation, form: Form, arch: str) -> Any:
    condition, yes, no = op.operands
    if not isinstance(condition.type, ir.VectorType) or form.source != "f32":
        return None
    return Bits(arith.select(condition, Real(yes).bits().value, Real(no).bits().value)).real().value


def _negate(op: ir.Operation, form: Form, arch: str) -> Any:
    value = op.operands[0]
    return arith.subf(splat(value.type, 0.0), value)


def _wide(value: Any) -> Any:
    kind = ir.VectorType.get(value.type.shape, ir.F32Type.get())
    return value if value.type == kind else arith.extf(kind, value)


def _is_positive(value: Any) -> bool:
    """Whether `value` is a constant that is not negative, nor a zero with a sign."""
    if isinstance(value.owner, ir.Block) or value.owner.name != "arith.constant":
        return False
    attribute = value.owner.attributes["value"]
    if not isinstance(attribute, ir.DenseElementsAttr) or not attribute.is_splat:
        return False
    number = attribute.get_splat_value().value
    return number > 0 or (number == 0 and not str(number).startswith("-"))


RULES = {
    "arith.cmpf": _compare,
    **dict.fromkeys(("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"), _extreme),
    "arith.select": _select,
    "arith.negf": _negate,
}
