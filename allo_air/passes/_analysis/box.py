"""The boxes of memrefs that the offset, size and stride lists of transfers visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from allo_air.access.box import Walk, boxed, whole_buffer
from allo_air.access.dims import row_major
from allo_air.mlir import ir
from allo_air.passes._analysis.access import explicit_lists, layout
from allo_air.passes._analysis.indices import IndexValues


def walk_of(
    memref: ir.Value, offsets: Sequence[ir.Value], sizes: Sequence[ir.Value], strides: Sequence[ir.Value], indices: IndexValues
) -> Walk | None:
    """The box that the lists visit on `memref`. None if they visit no box: dynamic sizes, another layout, or a run past a row's
    end.
    """
    lists = explicit_lists((offsets, sizes, strides))
    if lists is None or not is_row_major(memref.type):
        return None
    shape = tuple(memref.type.shape)
    if not lists.sizes:
        return whole_buffer(shape)
    return boxed(shape, replace(lists, offsets=tuple(indices.resolved(o) or o for o in lists.offsets)))


def is_row_major(kind: ir.MemRefType) -> bool:
    """Whether memref type `kind` is ranked, of constant shape, and dense in row-major order."""
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape or not kind.rank:
        return False
    strides, offset = layout(kind)
    row_major_strides = row_major(kind.shape)
    same = all(s is not None and (n == 1 or s.is_(w)) for s, n, w in zip(strides, kind.shape, row_major_strides, strict=True))
    return same and offset is not None and offset.is_(0)
