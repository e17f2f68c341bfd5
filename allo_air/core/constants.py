"""Integer constants: what number a value is, and new ones."""

from __future__ import annotations

from allo_air.mlir import ir


def constant_of(value: ir.Value | None) -> int | None:
    """The number that `arith.constant` gives the integer or index `value`; None for any other value."""
    if not isinstance(value, ir.OpResult):
        return None
    owner = value.owner
    if owner.name != "arith.constant":
        return None
    attribute = owner.attributes["value"]
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def index_constant(number: int, where: ir.Location | None = None, ip: ir.InsertionPoint | None = None) -> ir.Value:
    """An `arith.constant` of type index, at location `where` and `ip`, or the current ones."""
    index = ir.IndexType.get()
    attributes = {"value": ir.IntegerAttr.get(index, number)}
    return ir.Operation.create("arith.constant", [index], [], attributes, loc=where, ip=ip).results[0]
