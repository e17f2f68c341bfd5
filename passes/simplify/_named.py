"""Named elementwise operations as linalg.generic."""

from __future__ import annotations

from collections.abc import Iterable

from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.mlir import AnyOp, ir

_MARK = "allo.generalize"
_NAMES = frozenset(
    f"linalg.{name}"
    for name in (
        *("abs", "add", "broadcast", "ceil", "copy", "div", "div_unsigned", "elementwise", "erf", "exp", "floor", "log", "map"),
        *("max", "min", "mul", "negf", "powf", "reciprocal", "reduce", "round", "rsqrt", "select", "sqrt", "square", "sub"),
        *("tanh", "transpose"),
    )
)


def generalize(function: AnyOp) -> None:
    """Writes the named operations that are neither contraction, convolution, pooling nor fill as linalg.generic.

    Before:
        %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    After:
        %t = linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)], ...} ins(%x) outs(%e) { yield %in }
    """
    generalize_all(function, [o for o in walk_pre_order(function) if o.name in _NAMES and len(o.results)])


def generalize_all(function: AnyOp, found: Iterable[AnyOp]) -> None:
    """Writes the named operations `found` as linalg.generic."""
    found = list(found)
    for op in found:
        op.attributes[_MARK] = ir.UnitAttr.get()
    if found:
        schedule("generalize-marked").run(function)
    for op in walk_named(function, "linalg.generic"):
        if _MARK in op.attributes:
            del op.attributes[_MARK]
