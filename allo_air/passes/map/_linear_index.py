"""Indices that are linear sums of numbered dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.mlir import ir

Linear = tuple[tuple[tuple[int, int], ...], int]
"""The terms (dimension, coefficient) in the order of the dimensions, and a constant."""


def constant(number: int) -> Linear:
    return (), number


def dim(number: int) -> Linear:
    return ((number, 1),), 0


def add(a: Linear, b: Linear) -> Linear:
    terms = dict(a[0])
    for d, c in b[0]:
        terms[d] = terms.get(d, 0) + c
    return tuple(sorted((d, c) for d, c in terms.items() if c)), a[1] + b[1]


def scaled(a: Linear, factor: int) -> Linear:
    return (tuple((d, c * factor) for d, c in a[0]) if factor else ()), a[1] * factor


def evaluated(expression: ir.AffineExpr, loops: Sequence[Linear | None]) -> Linear | None:
    """An affine expression of `loops`; None if it is not linear, or contains a loop without a value."""
    if isinstance(expression, ir.AffineConstantExpr):
        return constant(ir.AffineConstantExpr(expression).value)
    if isinstance(expression, ir.AffineDimExpr):
        return loops[ir.AffineDimExpr(expression).position]
    if not isinstance(expression, ir.AffineAddExpr | ir.AffineMulExpr):
        return None
    binary = ir.AffineBinaryExpr(expression)
    left, right = evaluated(binary.lhs, loops), evaluated(binary.rhs, loops)
    if left is None or right is None:
        return None
    if isinstance(expression, ir.AffineAddExpr):
        return add(left, right)
    if not right[0]:
        return scaled(left, right[1])
    return scaled(right, left[1]) if not left[0] else None
