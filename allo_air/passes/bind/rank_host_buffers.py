"""rank-host-buffers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.access.linear import Linear
from allo_air.core.names import callee_of, set_function_type, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import forwarded_value, regroup_operands
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.linear import of_mixed


@dataclass(frozen=True)
class RankHostBuffers(Pass):
    """Gives unranked memref arguments a one-dimensional type with as many elements as are accessed.

    Triton-style kernels have pointer arguments (memref<*xf32>), from which memref.reinterpret_cast makes memrefs at offsets
    that depend on program ids. If these are ids of launches or variables of loops with constant bounds, the last accessed
    element is known. An argument that has other uses, or unbounded offsets, stays unranked.

    Before:

        func.func @k(%p: memref<*xf32>) {
          air.launch (%i) in (%n = %c4) args(%q = %p) : memref<*xf32> {
            %o = arith.muli %i, %c64 : index
            %v = memref.reinterpret_cast %q to offset: [%o], sizes: [64], strides: [1] : memref<*xf32> to ...

    After:

        func.func @k(%p: memref<256xf32>) {
          air.launch (%i) in (%n = %c4) args(%q = %p) : memref<256xf32> { ... }
    """

    name = "rank-host-buffers"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        called = {callee_of(c) for c in walk_named(op, "func.call")}
        for function in walk_named(op, "func.func"):
            if function.regions[0].blocks and sym_name_of(function) not in called:
                _rank(function)


def _rank(function: ir.Operation) -> None:
    arguments = list(function.regions[0].blocks[0].arguments)
    values = IndexValues()
    for argument in arguments:
        if isinstance(argument.type, ir.UnrankedMemRefType) and (extent := _extent(argument, values)):
            kind = argument.type
            _retype(argument, ir.MemRefType.get([extent], kind.element_type, None, kind.memory_space))
    set_function_type(function)


def _aliases(argument: ir.Value) -> list[Any]:
    """`argument`, and the block arguments of hierarchies that receive it."""
    aliases = [argument]
    for value in aliases:
        aliases += [forwarded for use in value.uses if (forwarded := forwarded_value(use)) is not None]
    return aliases


def _extent(argument: ir.Value, values: IndexValues) -> int:
    """The number of elements up to the last accessed one; 0 if unknown."""
    extent = 0
    for value in _aliases(argument):
        for use in value.uses:
            if forwarded_value(use) is not None:
                continue
            reached = _last_element(use.owner.operation, values)
            if reached is None:
                return 0
            extent = max(extent, reached)
    return extent


def _last_element(cast: ir.Operation, values: IndexValues) -> int | None:
    """The last element of a memref.reinterpret_cast, counted from 1; None if unknown, and for other operations."""
    if cast.name != "memref.reinterpret_cast":
        return None
    view = cast.opview
    offsets = of_mixed(view.static_offsets, view.offsets)
    sizes, strides = of_mixed(view.static_sizes, view.sizes), of_mixed(view.static_strides, view.strides)
    last = Linear(0)
    for size, stride in zip(sizes, strides, strict=True):
        if not size.is_constant or not stride.is_constant or stride.constant < 0:
            return None
        last += Linear((size.constant - 1) * stride.constant)
    place = values.resolved(offsets[0])
    if place is None:
        return None
    total = place.constant + last.constant
    for value, factor in place.terms:
        ends = values.range_of(value)
        if ends is None:
            return None
        lowest, count, step = ends
        total += max(factor * lowest, factor * (lowest + max(count - 1, 0) * step))
    return total + 1


def _retype(argument: ir.Value, kind: ir.MemRefType) -> None:
    aliases = _aliases(argument)
    holders = [use.owner.operation for value in aliases for use in value.uses if forwarded_value(use) is not None]
    for value in aliases:
        value.set_type(kind)
    for holder in holders:
        regroup_operands(holder)
