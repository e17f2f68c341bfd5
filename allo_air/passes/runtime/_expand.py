"""Expands affine expressions to arithmetic, since outside of AIR's hierarchies operands may not be valid affine dimensions or
symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import AnyOp, ir

AFFINE = ("affine.apply", "affine.min", "affine.max")


def expand(op: AnyOp, values: Sequence[ir.Value]) -> ir.Value:
    """The result of `op`, one of AFFINE, on `values`, built at the insertion point."""
    map_ = op.attributes["map"].value
    dims, symbols = values[: map_.n_dims], values[map_.n_dims :]
    results = [expression(e, dims, symbols) for e in map_.results]
    while len(results) > 1:
        results[:2] = [_arith("minsi" if op.name == "affine.min" else "maxsi", *results[:2])]
    return results[0]


def expression(e: Any, dims: Sequence[object], symbols: Sequence[object]) -> Any:
    """The value of an affine expression, built at the insertion point."""
    if isinstance(e, ir.AffineConstantExpr):
        return index_constant(e.value)
    if isinstance(e, ir.AffineDimExpr):
        return dims[e.position]
    if isinstance(e, ir.AffineSymbolExpr):
        return symbols[e.position]
    left, right = expression(e.lhs, dims, symbols), expression(e.rhs, dims, symbols)
    if isinstance(e, ir.AffineAddExpr):
        return _arith("addi", left, right)
    if isinstance(e, ir.AffineMulExpr):
        return _arith("muli", left, right)
    if isinstance(e, ir.AffineFloorDivExpr):
        return _arith("floordivsi", left, right)
    if isinstance(e, ir.AffineCeilDivExpr):
        return _arith("ceildivsi", left, right)
    return _arith("subi", left, _arith("muli", _arith("floordivsi", left, right), right))


def _arith(name: str, left: ir.Value, right: ir.Value) -> ir.OpResult:
    return ir.Operation.create(f"arith.{name}", [left.type], [left, right]).results[0]
