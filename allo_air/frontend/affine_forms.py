"""Affine subscripts and bounds: sums of loop variables with constant factors."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allo_air.frontend.state import State
from allo_air.frontend.values import LoopIndex
from allo_air.mlir import ir


@dataclass(frozen=True)
class Form:
    """An affine expression `expr`, whose dimensions are `operands`; `terms` are its factors if it is a plain sum, else None."""

    expr: Any
    operands: tuple[Any, ...]
    terms: tuple[tuple[int, int], ...] | None
    """Pairs of an operand's number and its factor; the constant has number -1."""

    @property
    def constant(self) -> int | None:
        """The value if it is constant, else None."""
        if self.terms is None or any(number >= 0 and factor for number, factor in self.terms):
            return None
        return dict(self.terms).get(-1, 0)


class Forms:
    """Converts several subscripts or bounds to affine forms over one common list of operands."""

    def __init__(self, state: State):
        self.state = state
        self.operands: list[Any] = []

    def of(self, node: ast.AST) -> Form | None:
        """The form of an expression, or None if it is not affine."""
        terms = self._terms(node)
        if terms is not None:
            return Form(self._expr(terms), tuple(self.operands), tuple(sorted(terms.items())))
        expr = self._divided(node)
        return None if expr is None else Form(expr, tuple(self.operands), None)

    def difference(self, low: ast.AST, high: ast.AST) -> int | None:
        """high - low if that is a constant, else None."""
        a, b = self._terms(low), self._terms(high)
        if a is None or b is None:
            return _difference(low, high, self._static)
        rest = {key: b.get(key, 0) - a.get(key, 0) for key in {*a, *b}}
        return rest.get(-1, 0) if not any(v for k, v in rest.items() if k >= 0) else None

    def _expr(self, terms: dict[int, int]) -> ir.AffineExpr:
        expr: ir.AffineExpr = ir.AffineConstantExpr.get(terms.get(-1, 0))
        for number, factor in sorted(terms.items()):
            if number >= 0 and factor:
                expr = ir.AffineDimExpr.get(number) * factor + expr
        return expr

    def _terms(self, node: ast.AST) -> dict[int, int] | None:
        static = self._static(node)
        if static is not None:
            return {-1: static}
        match node:
            case ast.Name():
                return self._name(node)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                terms = self._terms(inner)
                return None if terms is None else {k: -v for k, v in terms.items()}
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                a, b = self._terms(left), self._terms(right)
                if a is None or b is None:
                    return None
                sign = 1 if isinstance(op, ast.Add) else -1
                return {key: a.get(key, 0) + sign * b.get(key, 0) for key in {*a, *b}}
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                for factor, remaining in ((left, right), (right, left)):
                    number = self._static(factor)
                    terms = self._terms(remaining)
                    if number is not None and terms is not None:
                        return {key: value * number for key, value in terms.items()}
        return None

    def _divided(self, node: ast.AST) -> Any:
        match node:
            case ast.BinOp(left=left, op=ast.FloorDiv() | ast.Mod() as op, right=right):
                by = self._static(right)
                inner = self.of(left)
                if by is None or by <= 0 or inner is None:
                    return None
                make = ir.AffineExpr.get_floor_div if isinstance(op, ast.FloorDiv) else ir.AffineExpr.get_mod
                return make(inner.expr, ir.AffineConstantExpr.get(by))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                a, b = self.of(left), self.of(right)
                if a is None or b is None:
                    return None
                return a.expr + (b.expr if isinstance(op, ast.Add) else b.expr * -1)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                for factor, remaining in ((left, right), (right, left)):
                    number, form = self._static(factor), self.of(remaining)
                    if number is not None and form is not None:
                        return form.expr * number
        return None

    def _static(self, node: ast.AST) -> int | None:
        from allo_air.frontend.static import static_value

        result = static_value(self.state, node)
        return int(result) if isinstance(result, int) or hasattr(result, "__index__") else None

    def _name(self, node: ast.Name) -> dict[int, int] | None:
        result = self.state.variable(node.id)
        if not isinstance(result, LoopIndex) or not result.affine:
            return None
        if result.value not in self.operands:
            self.operands.append(result.value)
        return {self.operands.index(result.value): 1}


def _difference(low: ast.AST, high: ast.AST, static: Callable[[ast.AST], int | None]) -> int | None:
    """high - low if both are sums of equal terms and constants, as in `A[i : i + 2]` or `x[i * 8 : (i + 1) * 8]` for any i."""
    sums = [_sum(node, static) for node in (low, high)]
    if sums[0] is None or sums[1] is None:
        return None
    rest = {key: sums[1].get(key, 0) - sums[0].get(key, 0) for key in {*sums[0], *sums[1]}}
    return rest.pop("", 0) if not any(v for k, v in rest.items() if k) else None


def _sum(node: ast.AST, static: Callable[[ast.AST], int | None]) -> dict[str, int] | None:
    """A sum as a map from the text of each term to its factor; the constant has key "". None if a term calls a function."""
    number = static(node)
    if number is not None:
        return {"": number}
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            a, b = _sum(left, static), _sum(right, static)
            sign = 1 if isinstance(op, ast.Add) else -1
            return None if a is None or b is None else {k: a.get(k, 0) + sign * b.get(k, 0) for k in {*a, *b}}
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for factor, remaining in ((left, right), (right, left)):
                number, terms = static(factor), _sum(remaining, static)
                if number is not None and terms is not None:
                    return {key: value * number for key, value in terms.items()}
    return None if any(isinstance(n, ast.Call) for n in ast.walk(node)) else {ast.dump(node): 1}
