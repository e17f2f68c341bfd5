"""Types and constants with the same lanes as other values."""

from __future__ import annotations

from allo_air.mlir import arith, ir


def shaped(like: ir.Value, element: ir.Type) -> ir.Type:
    """`element`, or the vector type of such elements with the lanes of `like`."""
    kind = like.type
    return ir.VectorType.get(kind.shape, element) if isinstance(kind, ir.VectorType) else element


def splat(kind: ir.Type, number: float) -> ir.Value:
    """The constant `number` of type `kind`, in every lane of a vector."""
    element = kind.element_type if isinstance(kind, ir.VectorType) else kind
    is_float = isinstance(element, ir.FloatType)
    attribute: ir.Attribute = ir.FloatAttr.get(element, number) if is_float else ir.IntegerAttr.get(element, int(number))
    if isinstance(kind, ir.VectorType):
        attribute = ir.DenseElementsAttr.get_splat(kind, attribute)
    return arith.constant(kind, attribute)
