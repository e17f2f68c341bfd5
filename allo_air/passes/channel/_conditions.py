"""Conditions of `affine.if` in arithmetic, for places where its operands would be no affine dimensions."""

from __future__ import annotations

from typing import Any

from allo_air.core.affine import IntegerSet
from allo_air.core.constants import index_constant
from allo_air.mlir import affine, arith, ir


def of_set(attribute: ir.Attribute, inputs: list[ir.Value], where: ir.InsertionPoint) -> Any:
    """The i1 value, computed at insertion point `where`, of `inputs` being in the integer set `attribute`."""
    argument = IntegerSet.of(attribute)
    holds = None
    zero = index_constant(0, ip=where)
    for constraint in argument.constraints:
        applied = ir.AffineMap.get(argument.dims, argument.symbols, [constraint.expression])
        value = affine.AffineApplyOp(applied, inputs, ip=where).result
        kind = arith.CmpIPredicate.eq if constraint.is_equality else arith.CmpIPredicate.sge
        test = arith.CmpIOp(kind, value, zero, ip=where).result
        holds = test if holds is None else arith.AndIOp(holds, test, ip=where).result
    return holds
