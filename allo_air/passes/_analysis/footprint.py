"""The elements of a buffer that an access touches. Views, `air.execute` results and hierarchy arguments are followed to the
buffer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from allo_air.access.footprint import Footprint
from allo_air.access.linear import ZERO, Linear, product
from allo_air.access.pattern import AccessPattern
from allo_air.dialects.air_values import outer_operand
from allo_air.mlir import ir
from allo_air.passes._analysis.access import explicit_lists, whole_of
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.views import chain, patterns_of


def footprint_of(memref: ir.Value, lists: Sequence[list[ir.Value]] | None, indices: IndexValues) -> Footprint | None:
    """The elements of its root that an access through `memref` touches: all of the view, or those of `lists` (offsets, sizes,
    strides).

    None if they are unknown, or if they are all of the root. Both mean: any element.
    """
    result, root = visited(memref, lists, indices), root_of(memref)
    if result is None:
        return None
    return None if root.type.has_static_shape and result.covers(prod(root.type.shape)) else result


def visited(memref: Any, lists: Sequence[list[ir.Value]] | None, indices: IndexValues) -> Footprint | None:
    """Like `footprint_of`, but None only if the elements are unknown."""
    pattern = _walked(memref)
    if pattern is None:
        return None
    if lists is not None and any(lists):
        explicit = explicit_lists(lists)
        if explicit is None:
            return None
        pattern = pattern.with_lists(explicit)
    steps = []
    for dim in pattern.dims:
        size, stride = indices.resolved(dim.size), indices.resolved(dim.stride)
        if size is None or not size.is_constant or size.constant < 1:
            return None
        if size.is_(1):
            continue
        if stride is None or not stride.is_constant:
            return None
        steps.append((size.constant, stride.constant))
    first = _first(pattern, indices)
    for outer in _hops(pattern.base):
        inner = _walked(outer)
        moved = _first(inner, indices) if inner else None
        if first is None or moved is None:
            return None
        first += moved
    root = root_of(memref)
    if first is None or not _is_rooted(pattern.base, root):
        return None
    return Footprint(first, tuple(steps))


def _walked(memref: ir.Value) -> AccessPattern | None:
    """The pattern of `memref` on the memref at the start of its chain of views; None if a view is not supported."""
    views = chain(memref)
    if not views:
        return whole_of(memref)
    pattern = next(patterns_of(memref), None)
    return pattern if pattern is not None and pattern.base == views[0].operands[0] else None


def _first(pattern: AccessPattern, indices: IndexValues) -> Linear | None:
    """The first address of a pattern."""
    total = ZERO
    for offset, stride in (*((d.offset, d.stride) for d in pattern.dims), *pattern.start):
        if offset.is_(0):
            continue
        moved = product(indices.resolved(offset), indices.resolved(stride))
        if moved is None:
            return None
        total += moved
    return total


def _hops(base: ir.Value) -> Iterator[ir.Value]:
    """The memrefs to which `base` refers, in steps out of hierarchies and executes."""
    while True:
        outer = outer_operand(base)
        if outer is None:
            return
        yield outer
        views = chain(outer)
        base = views[0].operands[0] if views else outer


def _is_rooted(base: ir.Value, root: ir.Value) -> bool:
    """Whether `_hops` lead from `base` to `root`: there is no view in between that `chain` does not support."""
    last = base
    for outer in _hops(base):
        views = chain(outer)
        last = views[0].operands[0] if views else outer
    return bool(last == root) and isinstance(root.type, ir.MemRefType)
