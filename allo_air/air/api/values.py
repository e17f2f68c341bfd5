"""Integers and index expressions as values of IR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.air.api.index import Index, Leaf, Term
from allo_air.air.api.trace import Trace
from allo_air.mlir import affine, arith, ir

if TYPE_CHECKING:
    from collections.abc import Mapping


def constant(number: int) -> Any:
    """An index constant, at the insertion point."""
    return arith.ConstantOp(ir.IndexType.get(), number).result


def index_value(trace: Trace, index: Index | int) -> Any:
    """An index: a constant, or one `affine.apply` on the leaves, at the insertion point."""
    if isinstance(index, int):
        return constant(index)
    leaves = list(index.leaves())
    symbols = {leaf: ir.AffineSymbolExpr.get(i) for i, leaf in enumerate(leaves)}
    map_ = ir.AffineMap.get(0, len(leaves), [_expression(index, symbols)])
    return affine.AffineApplyOp(map_, [trace.leaf(leaf) for leaf in leaves]).result


def index_values(trace: Trace, indices: Sequence[Index | int]) -> list[Any]:
    """Each of the values as an index."""
    return [index_value(trace, i) for i in indices]


def _expression(index: Index, symbols: Mapping[Leaf, ir.AffineExpr]) -> Any:
    total = None
    for term, factor in index.terms.items():
        part = _term(term, symbols)
        part = part if factor == 1 else ir.AffineExpr.get_mul(part, ir.AffineConstantExpr.get(factor))
        total = part if total is None else ir.AffineExpr.get_add(total, part)
    if index.constant or total is None:
        number = ir.AffineConstantExpr.get(index.constant)
        total = number if total is None else ir.AffineExpr.get_add(total, number)
    return total


def _term(term: Term, symbols: Mapping[Leaf, ir.AffineExpr]) -> Any:
    if isinstance(term, Leaf):
        return symbols[term]
    make = ir.AffineExpr.get_floor_div if term.kind == "//" else ir.AffineExpr.get_mod
    return make(_expression(term.of, symbols), ir.AffineConstantExpr.get(term.by))
