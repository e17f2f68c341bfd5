"""Converts dimensions of affine operations to symbols if they are constant in the body of a hierarchy, which is an affine
scope.
"""

from __future__ import annotations

from typing import Any

from allo_air.core.affine import IntegerSet
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import AnyOp, ir

_SCOPES = (*HIERARCHIES, "air.rank", "func.func")
CONDITION = "air.affine_if"


def promote_symbols(root: AnyOp, *names: str) -> bool:
    """Converts dimensions of operations in hierarchies to symbols, if they are valid symbols; returns whether any changed.

    The operations are those with `names`, by default affine.apply and air.affine_if.

    MLIR does this for its own affine scopes, but the bindings cannot declare hierarchies as scopes.

    Before: `affine.apply affine_map<(d0) -> (d0 * 32)>(%id)`; after: `affine.apply affine_map<()[s0] -> (s0 * 32)>()[%id]`.
    """
    changed = False
    for op in walk_named(root, *(names or ("affine.apply", CONDITION))):
        if any(p.name in HIERARCHIES for p in parents(op)):
            changed = _promote(op) or changed
    return changed


def _promote(op: ir.Operation) -> bool:
    dims = op.attributes["dims"].value if op.name == CONDITION else op.attributes["map"].value.n_dims
    operands = list(op.operands)
    argument = operands[:dims]
    chosen = [n for n, value in enumerate(argument) if _is_symbol(value)]
    if not chosen:
        return False
    stay = [n for n in range(dims) if n not in chosen]
    symbols = len(operands) - dims
    new: list[Any] = [ir.AffineDimExpr.get(stay.index(n)) if n in stay else None for n in range(dims)]
    for index, n in enumerate(chosen):
        new[n] = ir.AffineSymbolExpr.get(symbols + index)
    if op.name == CONDITION:
        changed = IntegerSet.of(op.attributes["condition"]).replaced(new, len(stay), symbols + len(chosen))
        op.attributes["condition"] = changed.attribute()
        op.attributes["dims"] = ir.IntegerAttr.get(op.attributes["dims"].type, len(stay))
    else:
        into = ir.AffineMap.get(len(stay), symbols + len(chosen), new)
        results = [e.compose(into) for e in op.attributes["map"].value.results]
        op.attributes["map"] = ir.AffineMapAttr.get(ir.AffineMap.get(len(stay), symbols + len(chosen), results))
    for n, value in enumerate([argument[n] for n in stay] + operands[dims:] + [argument[n] for n in chosen]):
        op.operands[n] = value
    return True


def _is_symbol(value: ir.Value) -> bool:
    """Whether `value` is constant in the body of the surrounding hierarchy or function."""
    if isinstance(value, ir.BlockArgument):
        return value.owner.owner.operation.name in _SCOPES
    owner = value.owner
    if owner.name == "arith.constant" or (owner.parent is not None and owner.parent.name in _SCOPES):
        return True
    return owner.name == "affine.apply" and all(map(_is_symbol, owner.operands))
