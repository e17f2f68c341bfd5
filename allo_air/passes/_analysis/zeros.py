"""Recognizes constants of 0.0. -0.0 does not count: x + -0.0 is always x, but -0.0 + 0.0 is 0.0."""

from __future__ import annotations

from allo_air.core.walking import defining_op
from allo_air.mlir import ir


def is_zero(value: ir.Value) -> bool:
    """Whether `value` is a constant: the number zero, or a splat of it."""
    constant = defining_op(value, "arith.constant")
    return constant is not None and is_zero_attribute(constant.attributes["value"])


def is_filled_with_zeros(value: ir.Value) -> bool:
    """Whether a `linalg.fill` with zero makes tensor `value`."""
    fill = defining_op(value, "linalg.fill")
    return fill is not None and is_zero(fill.operands[0])


def is_zero_attribute(attribute: ir.Attribute) -> bool:
    """Whether `attribute` is the number zero, or a splat of it."""
    if isinstance(attribute, ir.DenseElementsAttr):
        return attribute.is_splat and is_zero_attribute(attribute.get_splat_value())
    if not isinstance(attribute, ir.IntegerAttr | ir.FloatAttr):
        return False
    return not attribute.value and not str(attribute).startswith("-")
