"""Numbers that index arithmetic has once the values it starts from are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from allo_air.mlir import ir

_COMPARE: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)
"""Signed comparisons in the order of arith's predicates; the unsigned ones that follow agree on numbers >= 0."""

_BINARY: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divsi": lambda a, b: _towards_zero(a, b),
    "arith.divui": lambda a, b: _towards_zero(a, b),
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.ceildivui": lambda a, b: -(-a // b),
    "arith.remsi": lambda a, b: a - b * _towards_zero(a, b),
    "arith.remui": lambda a, b: a - b * _towards_zero(a, b),
    "arith.minsi": min,
    "arith.minui": min,
    "arith.maxsi": max,
    "arith.maxui": max,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
}
_CASTS = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui")
_AFFINE = ("affine.apply", "affine.min", "affine.max")
_FOLDED = frozenset((*_BINARY, *_CASTS, *_AFFINE, "arith.cmpi", "arith.select"))
_UNSIGNED = ("arith.divui", "arith.remui", "arith.ceildivui", "arith.minui", "arith.maxui", "arith.index_castui", "arith.extui")


def fold(op: Any, known: Mapping[Any, int]) -> int | None:
    """The number that the only result of `op` is, given the numbers of the values in `known`; None where that is open.

    Only `index`, `i1` and integers that stay far from overflow are followed: what does not fit its type is left open.
    """
    if len(op.results) != 1 or not isinstance(op.results[0].type, ir.IndexType | ir.IntegerType):
        return None
    name = op.name
    if name == "arith.constant":
        value = op.attributes["value"]
        return int(value.value) if isinstance(value, ir.IntegerAttr) else None
    if name not in _FOLDED:
        return None
    operands = [known.get(v) for v in op.operands]
    if any(v is None for v in operands):
        return None
    found = _compute(op, [v for v in operands if v is not None])
    return found if found is not None and _fits(found, op.results[0].type) else None


def _compute(op: Any, values: list[int]) -> int | None:
    name = op.name
    if name in _UNSIGNED and min(values) < 0:
        return None
    if name in _BINARY:
        zero = values[1] == 0 and ("div" in name or "rem" in name)
        return None if zero else _BINARY[name](*values)
    if name in _CASTS:
        return values[0]
    if name == "arith.select":
        return values[1] if values[0] else values[2]
    if name == "arith.cmpi":
        predicate = op.attributes["predicate"].value
        if predicate >= len(_COMPARE):
            return int(_COMPARE[predicate - 4](*values)) if min(values) >= 0 else None
        return int(_COMPARE[predicate](*values))
    if name in _AFFINE:
        results = evaluate_map(op.attributes["map"].value, values)
        return {"affine.min": min, "affine.max": max}.get(name, min)(results)
    return None


def _fits(number: int, kind: Any) -> bool:
    width = 31 if isinstance(kind, ir.IndexType) else 1 if kind.width == 1 else kind.width - 1
    return -(1 << width) <= number < (1 << width)


def _towards_zero(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def evaluate_map(affine_map: Any, values: list[int]) -> list[int]:
    """The results of an affine map on numbers, dimensions first."""
    split = affine_map.n_dims
    return [_evaluate(e, values[:split], values[split:]) for e in affine_map.results]


def holds(condition: Any, values: list[int]) -> bool:
    """Whether numbers (dimensions first) lie in the integer set of attribute `condition`."""
    lhs, equalities = _constraints(str(condition))
    numbers = evaluate_map(ir.AffineMapAttr.parse(lhs).value, values) if equalities else []
    return all(n == 0 if equal else n >= 0 for n, equal in zip(numbers, equalities, strict=True))


@lru_cache(maxsize=256)
def _constraints(text: str) -> tuple[str, tuple[bool, ...]]:
    """A set's left-hand sides as an affine map, and which of them equal zero; the bindings do not open the attribute."""
    match = re.fullmatch(r"affine_set<(.*?) : \((.*)\)>", text)
    assert match, f"{text} is an integer set"
    parts = [p.strip() for p in match[2].split(",") if p.strip()]
    sides = [re.fullmatch(r"(.*?) (==|>=) 0", p) for p in parts]
    assert all(sides), f"{text} compares with zero"
    return (
        f"affine_map<{match[1]} -> ({', '.join(s[1] for s in sides if s)})>",
        tuple(s[2] == "==" for s in sides if s),
    )


def _evaluate(expression: Any, dims: list[int], symbols: list[int]) -> int:
    if isinstance(expression, ir.AffineDimExpr):
        return dims[expression.position]
    if isinstance(expression, ir.AffineSymbolExpr):
        return symbols[expression.position]
    if isinstance(expression, ir.AffineConstantExpr):
        return int(expression.value)
    left, right = (_evaluate(e, dims, symbols) for e in (expression.lhs, expression.rhs))
    if isinstance(expression, ir.AffineAddExpr):
        return left + right
    if isinstance(expression, ir.AffineMulExpr):
        return left * right
    if isinstance(expression, ir.AffineFloorDivExpr):
        return left // right
    if isinstance(expression, ir.AffineCeilDivExpr):
        return -(-left // right)
    return left % right
