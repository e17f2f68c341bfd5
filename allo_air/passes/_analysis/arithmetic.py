"""Evaluates integer operations on linear forms, if the result is a linear form, too, and cannot overflow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.access.linear import Linear, product
from allo_air.core.folding import fold
from allo_air.core.integers import width_of
from allo_air.mlir import AnyOp, ir

Known = Linear | None
"""A linear form; None for a value that is not known to be linear."""

Range = Callable[[Any], tuple[int, int] | None]
"""The smallest and the largest value of a term; None if a bound is unknown."""

_CASTS = ("arith.index_cast", "arith.extsi", "arith.trunci", "arith.index_castui", "arith.extui")


def evaluate(op: Any, values: Sequence[Known], range_of: Range) -> Known:
    """The result of `op` on `values`, one for each operand; None if it is not a linear form, or may overflow."""
    if op.name == "arith.select":
        condition, *choices = values
        return None if condition is None or condition.terms else choices[0 if condition.constant else 1]
    if all(v is not None and not v.terms for v in values):
        operand_values = dict(zip(op.operands, values, strict=True))
        result = fold(op, lambda operand: operand_values[operand].constant)
        return Linear(result[0]) if result is not None and len(result) == 1 else None
    if op.name in _CASTS:
        return _cast(op, values[0], range_of)
    new = _linear(op, values)
    if new is None or isinstance(op.results[0].type, ir.IndexType):
        return new  # an index counts elements of memory, which 64 bits hold
    return new if _is_within(new, _numbers(op.results[0]), range_of) else None


def _cast(op: AnyOp, value: Known, range_of: Range) -> Known:
    """`value` if the cast preserves the number: no bits are lost, and the sign is interpreted equally."""
    if value is None or (op.name == "arith.extsi" and width_of(op.operands[0].type) == 1):
        return None
    low, high = _numbers(op.results[0])
    if op.name.endswith("ui"):
        low = 0
    if op.name != "arith.trunci" and low and width_of(op.operands[0].type) <= width_of(op.results[0].type):
        return value
    return value if _is_within(value, (low, high), range_of) else None


def _numbers(value: ir.Value) -> tuple[int, int]:
    """The smallest and the largest number of a value's type."""
    width = width_of(value.type)
    return (0, 1) if width == 1 else (-(1 << width - 1), (1 << width - 1) - 1)


def _is_within(value: Linear, bounds: tuple[int, int], range_of: Range) -> bool:
    low = high = value.constant
    for term, factor in value.terms:
        if (term_range := range_of(term)) is None:
            return False
        ends = [factor * end for end in term_range]
        low, high = low + min(ends), high + max(ends)
    return bounds[0] <= low and high <= bounds[1]


def _linear(op: AnyOp, values: Sequence[Known]) -> Known:
    """The result of `op` in unbounded integers."""
    if op.name == "affine.apply":
        map_ = op.attributes["map"].value
        return _expression(map_.results[0], values[: map_.n_dims], values[map_.n_dims :])
    if op.name not in ("arith.addi", "arith.subi", "arith.muli"):
        return None
    left, right = values
    if op.name == "arith.muli":
        return product(left, right)
    if left is None or right is None:
        return None
    return left + (right if op.name == "arith.addi" else right.scaled(-1))


def _expression(e: Any, dims: Sequence[Known], symbols: Sequence[Known]) -> Known:
    """The value of an affine expression."""
    if isinstance(e, ir.AffineConstantExpr):
        return Linear(e.value)
    if isinstance(e, ir.AffineDimExpr):
        return dims[e.position]
    if isinstance(e, ir.AffineSymbolExpr):
        return symbols[e.position]
    left, right = _expression(e.lhs, dims, symbols), _expression(e.rhs, dims, symbols)
    if left is None or right is None:
        return None
    if isinstance(e, ir.AffineAddExpr):
        return left + right
    if isinstance(e, ir.AffineMulExpr):
        return product(left, right)
    return _quotient(e, left, right.constant) if not right.terms and right.constant > 0 else None


def _quotient(e: ir.AffineExpr, value: Linear, by: int) -> Known:
    """`value` floordiv, ceildiv or mod `by`; None unless all coefficients except the constant are multiples of `by`."""
    if any(c % by for _, c in value.terms):
        return None
    whole = Linear(0, tuple((v, c // by) for v, c in value.terms))
    if isinstance(e, ir.AffineFloorDivExpr):
        return whole + Linear(value.constant // by)
    if isinstance(e, ir.AffineCeilDivExpr):
        return whole + Linear(-(-value.constant // by))
    return Linear(value.constant % by)
