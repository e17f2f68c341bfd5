"""Decides whether the writes of loops to parts of a buffer cover the whole buffer."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from allo_air.core.folding import number_of
from allo_air.core.loops import LOOPS, Loop
from allo_air.mlir import ir
from allo_air.passes._analysis.effects import Access

_MOST = 1 << 16  # largest number of iterations that are examined


def covers(core_accesses: list[Access], home: ir.Value, block: ir.Block) -> bool:
    """Whether accesses `core_accesses`, in loops of `block`, write all of `home`, a buffer or a view, and read none of it."""
    import numpy as np

    written = np.zeros(home.type.shape, bool)
    for access in core_accesses:
        views = _views(access.memref, home)
        loops = _loops(access.op.operation, block)
        if access.kind == "read" or views is None or loops is None:
            return False
        for values in product(*(dim.values for dim in loops)):
            box = _box(views, list(home.type.shape), dict(zip((dim.iv for dim in loops), values, strict=True)))
            if box is None:
                return False
            written[box] = True
    return bool(written.all())


def _views(memref: ir.Value, home: ir.Value) -> list[Any] | None:
    """The subviews from `home` to `memref`, in order; None if there are other views."""
    views: list[Any] = []
    while memref != home:
        if not isinstance(memref, ir.OpResult) or memref.owner.name != "memref.subview":
            return None
        views.insert(0, memref.owner.opview)
        memref = memref.owner.operands[0]
    return views


def _loops(op: ir.Operation, block: ir.Block) -> list[Any] | None:
    """The dimensions of the loops between `block` and `op`; None if another operation is around it, or there are too many."""
    dims: list[Any] = []
    trips = 1
    while op.block != block:
        op = op.parent.operation
        result = Loop(op).dims() if op.name in LOOPS else None
        if result is None:
            return None
        dims += result
        for dim in result:
            trips *= dim.trips
    return dims if 0 < trips <= _MOST else None


def _box(views: list[ir.OpView], shape: list[int], values: Mapping[ir.BlockArgument, int]) -> tuple[slice, ...] | None:
    """The box of a buffer of `shape` that `views` select, for `values` loop counters; None if it is not a box."""
    box = [(0, n) for n in shape]
    dims = list(range(len(shape)))
    dynamic = ir.ShapedType.get_dynamic_size()
    for view in views:
        sizes = list(view.static_sizes)
        value = iter(view.offsets)
        offsets = [number_of(next(value), values) if o == dynamic else o for o in view.static_offsets]
        if dynamic in sizes or None in offsets or any(s != 1 for s in view.static_strides):
            return None
        for dim, offset, size in zip(dims, offsets, sizes, strict=True):
            box[dim] = (box[dim][0] + int(offset or 0), size)
        remaining = list(view.result.type.shape)
        remaining_dims = []
        for dim, size in zip(dims, sizes, strict=True):
            if remaining and size == remaining[0]:
                remaining_dims.append(dim)
                remaining.pop(0)
        dims = remaining_dims
    return tuple(slice(start, start + size) for start, size in box)
