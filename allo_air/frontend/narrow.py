"""Narrows integer arithmetic whose result is truncated: only the low bits are computed."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir

_LOW_BITS = ("arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori")
"""Operations whose low n bits depend on nothing but the low n bits of their operands."""


def narrow(function: AnyOp) -> None:
    """Before: `trunci(addi(extsi a, extsi b))` from i33 to i32. After: `addi a, b`."""
    for op in walk_named(function, "arith.trunci"):
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(_truncated(op.operands[0], op.results[0].type))
        op.erase()


def _truncated(value: ir.Value, kind: Any) -> Any:
    """A value of integer type `kind` with the low bits of `value`; sign-extended if `value` is narrower."""
    op = None if isinstance(value, ir.BlockArgument) else value.owner
    if value.type == kind:
        return value
    if op is not None and op.name in _LOW_BITS:
        left, right = (_truncated(v, kind) for v in op.operands)
        return ir.Operation.create(op.name, results=[kind], operands=[left, right]).results[0]
    if op is not None and op.name in ("arith.extsi", "arith.extui"):
        source = op.operands[0]
        if source.type.width < kind.width:
            return ir.Operation.create(op.name, results=[kind], operands=[source]).results[0]
        return _truncated(source, kind)
    if op is not None and op.name == "arith.constant":
        number = int(ir.IntegerAttr(op.attributes["value"]).value) & ((1 << kind.width) - 1)
        number -= 1 << kind.width if kind.width > 1 and number >> (kind.width - 1) else 0
        return arith.constant(kind, number)
    if value.type.width > kind.width:
        return arith.TruncIOp(kind, value).result
    return arith.ExtSIOp(kind, value).result
