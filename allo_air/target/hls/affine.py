"""Affine expressions and conditions as C++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.affine import IntegerSet
from allo_air.mlir import ir


def expression(
    item: ir.AffineExpr, dims: Sequence[str], symbols: Sequence[str] = (), whole: frozenset[str] = frozenset()
) -> str:
    """An affine expression; `whole` has the operands that are never below 0, whose remainders C's % gives."""
    text, _ = _text(item, dims, symbols, whole)
    return text


def _text(e: Any, dims: Sequence[str], symbols: Sequence[str], whole: frozenset[str]) -> tuple[str, bool]:
    """The text, and whether its value is known to be at least 0."""
    match e:
        case ir.AffineConstantExpr():
            return str(e.value), e.value >= 0
        case ir.AffineDimExpr():
            return dims[e.position], dims[e.position] in whole
        case ir.AffineSymbolExpr():
            return symbols[e.position], symbols[e.position] in whole
    (a, left), (b, right) = (_text(side, dims, symbols, whole) for side in (e.lhs, e.rhs))
    match e:
        case ir.AffineAddExpr():
            return (f"({a} - {b[1:]})" if b.startswith("-") else f"({a} + {b})"), left and right
        case ir.AffineMulExpr():
            return (f"(-{a})" if b == "-1" else f"({a} * {b})"), left and right
        case ir.AffineModExpr():
            return (f"({a} % {b})" if left else f"((({a} % {b}) + {b}) % {b})"), True
        case ir.AffineFloorDivExpr():
            exact = f"({a} - ((({a} % {b}) + {b}) % {b}))"
            return (f"({a} / {b})" if left else f"({exact} / {b})"), left
        case ir.AffineCeilDivExpr():
            return _ceil(a, b, left), left
    raise AssertionError(f"{e} is an affine expression")


def _ceil(a: str, b: str, whole: bool) -> str:
    if whole:
        return f"(({a} + {b} - 1) / {b})"
    return f"(({a} + (((-({a})) % {b} + {b}) % {b})) / {b})"


def results(map_: ir.AffineMap, operands: Sequence[str], whole: frozenset[str] = frozenset()) -> list[str]:
    """The results of an affine map on `operands`, dimensions first."""
    dims, symbols = operands[: map_.n_dims], operands[map_.n_dims :]
    return [without_parentheses(expression(e, dims, symbols, whole)) for e in map_.results]


def bound(map_: ir.AffineMap, operands: Sequence[str], smallest: bool, whole: frozenset[str] = frozenset()) -> str:
    """The smallest or the largest of a map's results."""
    result = results(map_, operands, whole)
    text = result[0]
    for expression in result[1:]:
        text = f"({text} {'<' if smallest else '>'} {expression} ? {text} : {expression})"
    return text


def condition(attribute: ir.Attribute, operands: Sequence[str], whole: frozenset[str] = frozenset()) -> str:
    """The C++ condition that `operands` are in an integer set."""
    result = IntegerSet.of(attribute)
    dims, symbols = operands[: result.dims], operands[result.dims :]
    tests = [
        f"{expression(c.expression, dims, symbols, whole)} {'==' if c.is_equality else '>='} 0" for c in result.constraints
    ]
    return " && ".join(tests) or "true"


def without_parentheses(text: str) -> str:
    """A text without parentheses around all of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth:
            return text[1:-1] if position == len(text) - 1 else text
    return text
