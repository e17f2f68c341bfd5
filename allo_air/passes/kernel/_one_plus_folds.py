"""Rewrites 1 + tanh x and 1 + erf x as single functions, which avoids cancellation in the sum."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, arith, ir, math
from allo_air.passes.kernel._flow import is_constant
from allo_air.passes.kernel._lane_values import splat


def fold_one_plus(op: AnyOp) -> None:
    """Rewrites 1 + tanh x as 2 / (1 + exp(-2 x)), and 1 + erf x as erfc(-x), for vectors of f32."""
    for item in walk_named(op, "arith.addf"):
        kind = item.results[0].type
        if not isinstance(kind, ir.VectorType) or str(kind.element_type) != "f32":
            continue
        for function, one in (tuple(item.operands), tuple(item.operands)[::-1]):
            owner = defining_op(function, *_SUMS)
            if owner is None or not is_constant(one, lambda number: number == 1):
                continue
            with ir.InsertionPoint(item), item.location:
                item.results[0].replace_all_uses_with(_SUMS[owner.name](owner.operands[0], one))
            item.erase()
            if not list(function.uses):
                owner.erase()
            break


def _logistic(x: ir.Value, one: ir.Value) -> Any:
    opposite = arith.subf(splat(x.type, 0.0), arith.addf(x, x))
    return arith.divf(splat(x.type, 2.0), arith.addf(math.exp(opposite), one))


def _erfc(x: ir.Value, one: ir.Value) -> Any:
    return math.erfc(arith.subf(splat(x.type, 0.0), x))


_SUMS = {"math.tanh": _logistic, "math.erf": _erfc}
