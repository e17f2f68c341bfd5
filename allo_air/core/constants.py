"""Reads and creates integer constants."""

from __future__ import annotations

from allo_air.core.walking import constant_of
from allo_air.mlir import ir

__all__ = ["constant_of", "index_constant"]


def index_constant(number: int, where: ir.Location | None = None, ip: ir.InsertionPoint | None = None) -> ir.Value:
    """An `arith.constant` of type index, at location `where` and `ip`, or the current ones."""
    index = ir.IndexType.get()
    attributes = {"value": ir.IntegerAttr.get(index, number)}
    return ir.Operation.create("arith.constant", [index], [], attributes, loc=where, ip=ip).results[0]
