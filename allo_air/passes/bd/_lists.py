"""Access lists in their shortest form that a buffer descriptor supports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from allo_air.access.dims import aligned
from allo_air.access.linear import ZERO, Linear
from allo_air.access.pattern import AccessPattern, Dim
from allo_air.dialects.operands import MEMREFS, lists_of, memref_of, with_lists
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.access import explicit_lists, whole_of
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.linear import of_value
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands
from allo_air.passes.bd._limits import allows, limits_of

CHANNEL_ENDS = ("air.channel.put", "air.channel.get")


def shorten(op: ir.Operation, indices: Indices, values: IndexValues) -> ir.Operation:
    """Drops unit dimensions and merges dense ones; returns the operation that replaces `op`.

    Before:

        air.channel.put @c[] (%m[%c0, %c1, %c0] [%c1, %c16, %c16] [%c512, %c32, %c1]) : (memref<32x32xi32, 1>)
        air.channel.put @c[] (%m[%c1, %c0] [%c16, %c32] [%c32, %c1]) : (memref<32x32xi32, 1>)

    After:

        air.channel.put @c[] (%m[%c1, %c0] [%c16, %c16] [%c32, %c1]) : (memref<32x32xi32, 1>)
        air.channel.put @c[] (%m[%c32] [%c512] [%c1]) : (memref<32x32xi32, 1>)
    """
    pattern = pattern_of(op, values)
    if pattern is None or is_padded(op):
        return op
    short = shortest(pattern)
    if short is None:
        return op
    _, sizes, _ = lists_of(op)
    dims = () if short.covers(whole_of(short.base)) else short.dims
    if len(dims) == len(pattern.dims) and sizes:
        return op  # as many dimensions as before: nothing was dropped or merged
    if not dims and not sizes:
        return op
    return with_dims(op, dims, indices)


def with_dims(op: AnyOp, dims: Sequence[Dim], indices: Indices) -> ir.Operation:
    """Replaces put or get `op` by the same on `dims`."""
    offsets = [indices.value(d.offset, op) for d in dims]
    sizes = [indices.value(d.size, op) for d in dims if d.size is not None]
    strides = [indices.value(d.stride, op) for d in dims if d.stride is not None]
    return with_operands(op, with_lists(MEMREFS[op.name][0], (offsets, sizes, strides)))


def with_outer_dim(op: ir.OpView, dim: Dim) -> ir.Operation:
    """Replaces put or get `op` by the same with the constant dimension `dim` outermost."""
    indices = Indices()
    offsets, sizes, strides = lists_of(op)
    if not sizes:
        return with_dims(op, [dim, *whole_of(memref_of(op)).dims], indices)
    values = [aligned(offsets, len(sizes), indices.constant(0, op)), sizes, strides]
    outer = [indices.value(part, op) for part in (dim.offset, dim.size, dim.stride) if part is not None]
    lists = [[first, *rest] for first, rest in zip(outer, values, strict=True)]
    return with_operands(op, with_lists(MEMREFS[op.name][0], lists))


def pattern_of(op: ir.Operation, values: IndexValues) -> AccessPattern | None:
    """The pattern of put or get `op` on its memref; None if its lists form no pattern."""
    memref, argument = memref_of(op), lists_of(op)
    if not argument[1]:
        return whole_of(memref) if isinstance(memref.type, ir.MemRefType) else None
    lists = explicit_lists(argument, lambda value: _constant_or_value(value, values))
    return None if lists is None else AccessPattern(memref, lists.dims)


def _constant_or_value(value: ir.Value, values: IndexValues) -> Linear:
    """`value` as a number if it is constant, else itself: its operands may not be available where it is used."""
    number = values.constant(value)
    return of_value(value) if number is None else Linear(number)


def shortest(pattern: AccessPattern) -> AccessPattern | None:
    """The same pattern in as few dimensions as the buffer's tile allows; None if a part of it is unknown."""
    if not all(d.is_known for d in pattern.dims) or any(d.size is not None and d.size.is_(0) for d in pattern.dims):
        return None
    units = [d for d in pattern.dims if d.is_unit and not d.offset.is_(0)]
    start = tuple((d.offset, d.stride) for d in units)
    walked = tuple(_without_idle_offset(d) for d in pattern.dims if not d.is_unit) or (Dim(ZERO, Linear(1), Linear(1)),)
    resolved = AccessPattern(pattern.base, walked, pattern.start + start).resolved()
    if resolved is None:
        return None
    limits = limits_of(pattern.base.type)
    fully = _merged(resolved.dims, lambda _: True)
    if limits is None or allows(limits, fully):
        return replace(resolved, dims=fully)
    most = max(filter(None, limits.sizes))
    partly = _merged(resolved.dims, lambda size: size.is_constant and size.constant <= most)
    return replace(resolved, dims=partly if allows(limits, partly) else fully)


def _without_idle_offset(dim: Dim) -> Dim:
    return replace(dim, offset=ZERO) if dim.stride is not None and dim.stride.is_(0) else dim


def _merged(dims: Sequence[Dim], allows: Callable[[Linear], bool]) -> tuple[Dim, ...]:
    merged: list[Dim] = []
    for dim in reversed(dims):
        joined = dim.around(merged[-1]) if merged else None
        if joined is not None and joined.size is not None and allows(joined.size):
            merged[-1] = joined
        else:
            merged.append(dim)
    return tuple(reversed(merged))


def is_padded(op: ir.Operation) -> bool:
    """Whether the transfer pads with zeros; its lists must keep their dimensions."""
    return any(name in op.attributes for name in ("pad_before", "pad_after"))
