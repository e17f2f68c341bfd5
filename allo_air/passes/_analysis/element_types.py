"""The element types of values, by name."""

from __future__ import annotations

from allo_air.mlir import ir


def bit_width(element: str) -> int:
    """Bits of an element; 0 for index and other types without a width."""
    digits = element.lstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits) if digits.isdigit() else 0


def element_of(kind: ir.Type) -> str:
    """The element type of a vector or buffer, or the type itself."""
    return str(kind.element_type if isinstance(kind, ir.ShapedType) else kind)
