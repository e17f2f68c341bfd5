"""Recognizes kernels that write zeros to columns for which an argument, the mask, is zero."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import is_result_of
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.structured import indexing_maps, is_structured, reductions
from allo_air.passes._analysis.zeros import is_zero

_CASTS = ("arith.truncf", "arith.trunci", "arith.extf", "arith.extsi", "arith.extui", "arith.bitcast")
"""Casts that map zero to zero."""


def masked_by(function: AnyOp) -> int | None:
    """The number of the mask argument of `function`: where it is zero, that column of the only result is zero. None if
    `function` has no such argument.
    """
    [block] = function.operation.regions[0].blocks
    returned = list(block.operations[-1].operands)
    if len(returned) != 1 or isinstance(returned[0], ir.BlockArgument):
        return None
    op = returned[0].owner.operation
    if op.name != "linalg.generic" or not is_structured(op) or any(reductions(op)) or len(op.results) != 1:
        return None
    *ins, out = indexing_maps(op)
    if not len(out.results) or out != ir.AffineMap.get_identity(out.n_dims):
        return None
    [body] = op.regions[0].blocks
    value: Any = body.operations[-1].operands[0]
    while is_result_of(value, *_CASTS):
        value = value.owner.operands[0]
    mask = _mask(value)
    column = ir.AffineMap.get(out.n_dims, 0, [ir.AffineDimExpr.get(out.n_dims - 1)])
    if mask is None or mask.owner != body or mask.arg_number >= len(ins) or ins[mask.arg_number] != column:
        return None
    operand = op.operands[mask.arg_number]
    return int(operand.arg_number) if operand in list(block.arguments) else None


def _mask(value: ir.Value) -> Any:
    """The block argument that `value`, a select, compares with zero, and for whose zeros it selects zero; None otherwise."""
    if not is_result_of(value, "arith.select"):
        return None
    condition, _, masked = value.owner.operands
    if not is_zero(masked) or not is_result_of(condition, "arith.cmpi"):
        return None
    mask, zero = condition.owner.operands
    is_unequal = condition.owner.attributes["predicate"].value == arith.CmpIPredicate.ne
    return mask if is_unequal and is_zero(zero) and isinstance(mask, ir.BlockArgument) else None
