"""Integer operations of a control program on linear values; None is a value that is not known to be linear."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from allo_air.access.linear import Linear, product
from allo_air.mlir import ir
from allo_air.passes._analysis.integer_sets import IntegerSet

Known = Linear | None

_CASTS = ("index_cast", "index_castui", "extsi", "extui", "trunci")
_ON_NUMBERS: Mapping[str, Callable[[int, int], int]] = {
    "divsi": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "divui": lambda a, b: a // b,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "ceildivui": lambda a, b: -(-a // b),
    "remsi": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "remui": lambda a, b: a % b,
    "minsi": min,
    "minui": min,
    "maxsi": max,
    "maxui": max,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "shli": lambda a, b: a << b,
}
_COMPARE: Sequence[Callable[[int, int], bool]] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)
"""By number of `arith.cmpi` predicate; the unsigned ones come last."""


def evaluate(op: Any, values: Sequence[Known]) -> Known:
    """The result of `op`, of the arith or affine dialect, on operands `values`."""
    dialect, name = op.name.split(".", 1)
    if dialect == "affine":
        return _affine(op, name, values)
    if name == "constant":
        number = op.attributes["value"]
        return Linear(int(number.value)) if isinstance(number, ir.IntegerAttr | ir.BoolAttr) else None
    if name in _CASTS:
        return values[0]
    if name == "select":
        condition = values[0]
        return None if condition is None or not condition.is_constant else values[1 if condition.constant else 2]
    left, right = values if len(values) == 2 else (None, None)
    if left is None or right is None:
        return None
    match name:
        case "addi":
            return left + right
        case "subi":
            return left + right.scaled(-1)
        case "muli":
            return product(left, right)
    if not (left.is_constant and right.is_constant):
        return None
    a, b = left.constant, right.constant
    if name == "cmpi":
        return Linear(int(_COMPARE[op.attributes["predicate"].value](a, b)))
    if name not in _ON_NUMBERS or (not b and ("div" in name or "rem" in name)):
        return None
    return Linear(_ON_NUMBERS[name](a, b))


def _affine(op: Any, name: str, values: Sequence[Known]) -> Known:
    if name not in ("apply", "min", "max"):
        return None
    results = apply_map(op.attributes["map"].value, values)
    if name == "apply":
        return results[0]
    if any(r is None or not r.is_constant for r in results):
        return None
    return Linear((min if name == "min" else max)(r.constant for r in results if r is not None))


def apply_map(map_: Any, values: Sequence[Known]) -> list[Known]:
    """The results of an affine map on dimensions and symbols `values`."""
    dims, symbols = values[: map_.n_dims], values[map_.n_dims :]
    return [expression(e, dims, symbols) for e in map_.results]


def expression(e: Any, dims: Sequence[Known], symbols: Sequence[Known]) -> Known:
    """The value of an affine expression."""
    if isinstance(e, ir.AffineConstantExpr):
        return Linear(e.value)
    if isinstance(e, ir.AffineDimExpr):
        return dims[e.position]
    if isinstance(e, ir.AffineSymbolExpr):
        return symbols[e.position]
    left, right = expression(e.lhs, dims, symbols), expression(e.rhs, dims, symbols)
    if left is None or right is None:
        return None
    if isinstance(e, ir.AffineAddExpr):
        return left + right
    if isinstance(e, ir.AffineMulExpr):
        return product(left, right)
    if not right.is_constant or right.constant <= 0:
        return None
    return _quotient(e, left, right.constant)


def _quotient(e: Any, value: Linear, by: int) -> Known:
    """`value` floordiv, ceildiv or mod `by`; exact where all but the constant is a multiple of `by`."""
    if any(c % by for _, c in value.terms):
        return None
    whole = Linear(0, tuple((v, c // by) for v, c in value.terms))
    if isinstance(e, ir.AffineFloorDivExpr):
        return whole + Linear(value.constant // by)
    if isinstance(e, ir.AffineCeilDivExpr):
        return whole + Linear(-(-value.constant // by))
    return Linear(value.constant % by)


def holds(condition: Any, values: Sequence[Known]) -> bool | None:
    """Whether the integer set in attribute `condition` holds at `values`; None if that is not known."""
    numbers = [v.constant for v in values if v is not None and v.is_constant]
    if len(numbers) < len(values):
        return None
    found = IntegerSet.of(condition)
    return found.contains(numbers[: found.dims], numbers[found.dims :])
