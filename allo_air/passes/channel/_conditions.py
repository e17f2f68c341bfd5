"""Computes the conditions of `affine.if` by arithmetic, where its operands would not be valid affine dimensions."""

from __future__ import annotations

from typing import Any

from allo_air.core.affine import IntegerSet
from allo_air.core.constants import index_constant
from allo_air.mlir import affine, arith, ir


def of_set(attribute: ir.Attribute, inputs: list[ir.Value], ip: ir.InsertionPoint) -> Any:
    """Whether `inputs` are in the integer set `attribute`, as an i1 value that is computed at insertion point `ip`."""
    argument = IntegerSet.of(attribute)
    holds = None
    zero = index_constant(0, ip=ip)
    for constraint in argument.constraints:
        applied = ir.AffineMap.get(argument.dims, argument.symbols, [constraint.expression])
        value = affine.AffineApplyOp(applied, inputs, ip=ip).result
        kind = arith.CmpIPredicate.eq if constraint.is_equality else arith.CmpIPredicate.sge
        test = arith.CmpIOp(kind, value, zero, ip=ip).result
        holds = test if holds is None else arith.AndIOp(holds, test, ip=ip).result
    return holds
