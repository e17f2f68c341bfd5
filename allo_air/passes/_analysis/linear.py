"""Converts index values, and the mixed static and dynamic lists of MLIR, to linear forms."""

from __future__ import annotations

from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of
from allo_air.mlir import ir


def of_int(number: int) -> Linear | None:
    """`number`; None if it is MLIR's marker for a dynamic size, stride or offset."""
    return None if number == ir.ShapedType.get_dynamic_size() else Linear(number)


def of_value(value: ir.Value) -> Linear:
    """The index `value` as a linear form: a number if it is an `arith.constant`, otherwise the value itself."""
    number = constant_of(value)
    return Linear(0, ((value, 1),)) if number is None else Linear(number)


def of_mixed(static: ir.DenseI64ArrayAttr, dynamic: ir.OpOperandList) -> list[Linear]:
    """A list as MLIR stores it: integers, with SSA values for the dynamic markers."""
    values = iter(dynamic)
    return [constant_part if (constant_part := of_int(s)) is not None else of_value(next(values)) for s in static]
