"""The access patterns of memrefs and of the offset, size and stride lists of transfers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from allo_air.access.dims import aligned
from allo_air.access.linear import ZERO, Linear
from allo_air.access.pattern import AccessPattern, Dim, Lists
from allo_air.mlir import ir
from allo_air.passes._analysis.linear import of_int, of_value


def explicit_lists(lists: Sequence[Sequence[ir.Value]], number: Callable[[ir.Value], Linear] = of_value) -> Lists | None:
    """Offsets, sizes and strides as SSA values, each converted by `number`; missing outer offsets are 0.

    None if there are more offsets than sizes, or not as many strides as sizes.
    """
    offsets, sizes, strides = lists
    if len(sizes) != len(strides) or len(offsets) > len(sizes):
        return None
    value = aligned([number(v) for v in offsets], len(sizes), ZERO)
    return Lists(tuple(value), tuple(map(number, sizes)), tuple(map(number, strides)))


def whole_of(memref: ir.Value) -> AccessPattern:
    """The pattern of all of `memref`, in row-major order of its shape. Dynamic sizes and strides are unknown."""
    if not isinstance(memref.type, ir.MemRefType):
        return AccessPattern(memref, (Dim(ZERO, None, None),))
    strides, _ = layout(memref.type)
    dims = [Dim(ZERO, of_int(n), s) for n, s in zip(memref.type.shape, strides, strict=True)]
    return AccessPattern(memref, tuple(dims))


def layout(memref_type: ir.MemRefType) -> tuple[list[Linear | None], Linear | None]:
    """Strides and offset of a ranked memref type, in elements; None if they are dynamic or the layout is not strided."""
    try:
        strides, offset = memref_type.get_strides_and_offset()
    except RuntimeError:  # the layout map is not strided
        return [None] * memref_type.rank, None
    return [of_int(s) for s in strides], of_int(offset)
