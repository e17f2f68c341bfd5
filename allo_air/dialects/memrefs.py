"""Properties of a memref's type: bits of its elements, its memory space."""

from __future__ import annotations

from math import prod

from allo_air.arch.limits import BLOCK_BITS
from allo_air.mlir import ir


def element_bits(kind: ir.Type, index: int = 64) -> int | None:
    """Bits of a number of type `kind`, or of an element of a shaped type; block floating point counts its stored bits.
    `index` is the width of index (32 in a core's memory). None for types of unknown width.
    """
    kind = kind.element_type if isinstance(kind, ir.ShapedType) else kind
    if isinstance(kind, ir.IntegerType | ir.FloatType):
        return int(kind.width)
    return index if isinstance(kind, ir.IndexType) else BLOCK_BITS.get(str(kind))


def has_gaps(bits: int) -> bool:
    """Whether numbers of `bits` bits have gaps between them in memory, where each occupies a power of two of bytes."""
    return bits < 8 or bits & (bits - 1) != 0


def total_bits(kind: ir.Type, index: int = 64) -> int | None:
    """Bits of a number, a vector, or the whole of a memref; None for types of unknown width and dynamic shapes."""
    bits = element_bits(kind, index)
    if bits is None or not isinstance(kind, ir.ShapedType):
        return bits
    return bits * prod(kind.shape) if kind.has_static_shape else None


def memory_space(kind: ir.Type) -> int | None:
    """0 (L3, the default), 1 (L2), 2 (L1), ...; None for other types and for spaces that are not an integer."""
    if not isinstance(kind, ir.MemRefType | ir.UnrankedMemRefType):
        return None
    space = kind.memory_space
    if space is None:
        return 0
    return int(space.value) if isinstance(space, ir.IntegerAttr) else None
