"""Rewrites named operations of linalg as linalg.generic."""

from __future__ import annotations

from collections.abc import Iterable

from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir

_MARK = "allo.generalize"
ELEMENTWISE = frozenset(
    f"linalg.{name}"
    for name in (
        *("abs", "add", "ceil", "div", "div_unsigned", "elementwise", "erf", "exp", "floor", "log", "map", "max", "min"),
        *("mul", "negf", "powf", "reciprocal", "round", "rsqrt", "select", "sqrt", "square", "sub", "tanh"),
    )
)


def generalize_named(function: AnyOp, named: Iterable[AnyOp]) -> None:
    """Rewrites the `named` operations of `function` as linalg.generic."""
    named = list(named)
    for op in named:
        op.attributes[_MARK] = ir.UnitAttr.get()
    if named:
        schedule("generalize-marked").run(function)
    for op in walk_named(function, "linalg.generic"):
        if _MARK in op.attributes:
            del op.attributes[_MARK]
