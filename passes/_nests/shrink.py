"""Gives a buffer the size of the part of it that its transfers use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.dialects.air import ExecuteOp, ExecuteTerminatorOp
from allo_air.mlir import ir
from allo_air.passes._analysis.box import Walk
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.linear import Linear
from allo_air.passes._analysis.loops import interval
from allo_air.passes._canonical.constants import Indices
from allo_air.passes._canonical.rebuild import operand_groups, with_operands
from allo_air.passes._nests.buffers import Buffer, Nest, nest_of


def shrink(buffer: Buffer, indices: IndexValues) -> bool:
    """Shrinks `buffer` to the box of indices that its transfers visit, and moves them by the box's first index.

    The box may lie elsewhere each time that the buffer is allocated, but its size must be known.

    Before:
        scf.for %k = %c0 to %c1024 step %c256 {
          %m = memref.alloc() : memref<64x1024xbf16, 1>
          air.channel.get @a[] (%m[%c0, %k] [%c64, %c256] [%c1024, %c1]) : (memref<64x1024xbf16, 1>)
    After:
        scf.for %k = %c0 to %c1024 step %c256 {
          %m = memref.alloc() : memref<64x256xbf16, 1>
          air.channel.get @a[] (%m[%c0, %c0] [%c64, %c256] [%c256, %c1]) : (memref<64x256xbf16, 1>)
    """
    nests = [nest_of(t, buffer.block, indices) for t in buffer.transfers]
    known = [n for n in nests if n is not None]
    if not known or len(known) < len(nests):
        return False
    found = bounding_box(known)
    shape = known[0].walk.shape
    if found is None or found[1] == shape:
        return False
    base, size = found
    moved = [nest.walk.moved(size, base) for nest in known]
    sure = [walk for walk in moved if walk is not None]
    if len(sure) < len(moved) or not all(_is_known_at(n.transfer, w, indices) for n, w in zip(known, sure, strict=True)):
        return False
    old = buffer.alloc.results[0].type
    value = reallocated(buffer, ir.MemRefType.get(size, old.element_type, memory_space=old.memory_space))
    for nest, walk in zip(known, sure, strict=True):
        with_walk(nest.transfer, value, walk)
    for free in buffer.frees:
        for op in [free, *(o.operation for region in free.regions for b in region.blocks for o in b.operations)]:
            op.replace_uses_of_with(buffer.value, value)
    if buffer.token is not None:
        buffer.token.replace_all_uses_with(value.owner.operation.results[0])
    buffer.home.erase()
    return True


def bounding_box(nests: Sequence[Nest]) -> tuple[list[Linear], tuple[int, ...]] | None:
    """The first index and the size, per dimension, of the box around all that `nests` visit; None where it is not known."""
    base, sizes = [], []
    for dim in range(len(nests[0].walk.shape)):
        spans = []
        for nest in nests:
            least, reach = interval(nest.walk.low[dim], list(nest.loops))
            spans.append((least, nest.walk.size[dim] + reach))
        first = spans[0][0]
        distances = [least + first.scaled(-1) for least, _ in spans]
        if not all(d.is_constant for d in distances):
            return None
        low = min(d.constant for d in distances)
        base.append(first + Linear(low))
        sizes.append(max(d.constant + size for d, (_, size) in zip(distances, spans, strict=True)) - low)
    return base, tuple(sizes)


def reallocated(buffer: Buffer, kind: Any) -> Any:
    """A new allocation of type `kind` in front of that of `buffer`, with its attributes; the value to use it by."""
    ip = ir.InsertionPoint(buffer.home)
    attributes = dict(buffer.alloc.attributes.items())
    loc = buffer.alloc.location
    if buffer.token is None:
        return ir.Operation.create("memref.alloc", [kind], [], attributes, loc=loc, ip=ip).results[0]
    own = {k: v for k, v in buffer.home.attributes.items() if not k.endswith("SegmentSizes")}
    execute = ExecuteOp(deps=list(buffer.home.operands), values=[kind], attributes=own, loc=buffer.home.location, ip=ip)
    inside = ir.InsertionPoint(execute.regions[0].blocks.append())
    alloc = ir.Operation.create("memref.alloc", [kind], [], attributes, loc=loc, ip=inside)
    ExecuteTerminatorOp(values=[alloc.results[0]], loc=loc, ip=inside)
    return execute.values[0]


def with_walk(transfer: Any, memref: Any, walk: Walk) -> Any:
    """Replaces `transfer` by one that walks `memref` as `walk` says."""
    groups, constants = operand_groups(transfer), Indices()
    groups[2] = [memref]
    lists = walk.lists()
    for n, parts in enumerate((lists.offsets, lists.sizes, lists.strides)):
        groups[3 + n] = [constants.value(part, transfer) for part in parts]
    return with_operands(transfer, groups)


def _is_known_at(transfer: Any, walk: Walk, indices: IndexValues) -> bool:
    """Whether the values in the offsets of `walk` are there where `transfer` stands, inside the same hierarchy."""
    blocks = []
    inner = transfer.operation
    while True:
        blocks.append(inner.block)
        outer = inner.parent.operation
        if outer.has_trait(ir.IsIsolatedFromAboveTrait) or outer.name == "builtin.module":
            break
        inner = outer
    return all(indices.block_of(v) in blocks for s in walk.steps for v, _ in s.offset.terms)
