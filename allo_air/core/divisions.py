"""Divisions of integers that would crash the process that simulates them."""

from __future__ import annotations

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.mlir import arith, ir

_DIVISIONS = (
    "arith.divsi",
    "arith.divui",
    "arith.remsi",
    "arith.remui",
    "arith.floordivsi",
    "arith.ceildivsi",
    "arith.ceildivui",
)


def make_divisions_safe(module: ir.Operation) -> None:
    """Makes divisions by zero, and those whose quotient overflows, divide by 1: on the host, they would raise a signal.

    So the quotient that overflows wraps. Raises DiagnosticError if a divisor is the constant 0.
    """
    for op in walk_named(module, *_DIVISIONS):
        value, divisor = op.operands
        kind = divisor.type
        element = kind.element_type if isinstance(kind, ir.VectorType) else kind
        if not isinstance(element, ir.IntegerType | ir.IndexType) or (constant := constant_of(divisor)):
            continue
        if constant == 0:
            raise error_at(op, "divides by 0, which is undefined on a core; use another divisor")
        with ir.InsertionPoint(op), op.location:
            width = 64 if isinstance(element, ir.IndexType) else element.width
            one = _constant(kind, element, 1)
            bad = arith.cmpi(arith.CmpIPredicate.eq, divisor, _constant(kind, element, 0))
            if width > 1:
                least = arith.cmpi(arith.CmpIPredicate.eq, value, _constant(kind, element, -(1 << (width - 1))))
                minus = arith.cmpi(arith.CmpIPredicate.eq, divisor, _constant(kind, element, -1))
                bad = arith.ori(bad, arith.andi(least, minus))
            op.operands[1] = arith.select(bad, one, divisor)


def _constant(kind: ir.Type, element: ir.Type, number: int) -> ir.Value:
    attribute = ir.IntegerAttr.get(element, number)
    is_vector = isinstance(kind, ir.VectorType)
    return arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, attribute) if is_vector else attribute)
