"""Finds known properties of an index in a core's code: its divisors, and its values."""

from __future__ import annotations

from math import gcd
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.loops import FOR, dim_of
from allo_air.core.walking import defining_op
from allo_air.mlir import ir

_SIGNED = ("arith.index_cast", "arith.extsi")
_MODULAR = ("arith.index_castui", "arith.extui", "arith.trunci")
"""Casts that preserve a value only modulo a power of two."""


def values(value: Any) -> range | None:
    """All values of an index that is a constant, or the variable of a loop with constant bounds; None for others."""
    number = constant_of(value)
    if number is not None:
        return range(number, number + 1)
    if not isinstance(value, ir.BlockArgument) or value.arg_number != 0 or value.owner.owner.operation.name not in FOR:
        return None
    dim = dim_of(value.owner.owner.operation)
    return None if dim is None else dim.values


def divisor(value: ir.Value) -> int:
    """A number that always divides `value`; 0 if the value is always 0."""
    result = values(value)
    if result is not None:
        return gcd(result.start, result.step if len(result) > 1 else 0)
    owner = defining_op(value)
    if owner is None:
        return _of_counter(value)
    if owner.name in _SIGNED:
        return divisor(owner.operands[0])
    if owner.name in _MODULAR:
        source = divisor(owner.operands[0])
        return source & -source
    if owner.name == "affine.apply":
        mapping = owner.attributes["map"].value
        return _of_expression(mapping.results[0], list(owner.operands), mapping.n_dims)
    parts = [divisor(v) for v in owner.operands] if owner.name.startswith("arith.") else []
    match owner.name:
        case "arith.muli":
            return parts[0] * parts[1]
        case "arith.addi" | "arith.subi" | "arith.minsi" | "arith.maxsi":
            return gcd(*parts)
        case "arith.select":
            return gcd(*parts[1:])
    return 1


def _of_counter(value: Any) -> int:
    loop = value.owner.owner.operation
    if loop.name == "scf.for" and value.arg_number == 0:
        return gcd(divisor(loop.operands[0]), divisor(loop.operands[2]))
    return 1


def _of_expression(expression: ir.AffineExpr, operands: list[ir.Value], dims: int) -> int:
    if isinstance(expression, ir.AffineConstantExpr):
        return abs(expression.value)
    if isinstance(expression, ir.AffineDimExpr):
        return divisor(operands[expression.position])
    if isinstance(expression, ir.AffineSymbolExpr):
        return divisor(operands[dims + expression.position])
    if isinstance(expression, ir.AffineAddExpr | ir.AffineMulExpr):
        a, b = (_of_expression(e, operands, dims) for e in (expression.lhs, expression.rhs))
        return gcd(a, b) if isinstance(expression, ir.AffineAddExpr) else a * b
    return 1
