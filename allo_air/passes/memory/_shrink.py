"""Shrinks a buffer to the part of it that is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.access.box import Walk
from allo_air.access.linear import Linear
from allo_air.dialects.air import ExecuteOp, ExecuteTerminatorOp
from allo_air.mlir import ir
from allo_air.passes._analysis.buffers import Buffer, Nest
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.loops import interval
from allo_air.passes.memory._uses import can_move, moved_use, use_of


def shrink(buffer: Buffer, indices: IndexValues) -> bool:
    """Shrinks `buffer` to the box of indices that its users (`transfers`) visit, and subtracts the box's first index from
    their offsets.

    The box may differ each time that the buffer is allocated, but its size must be constant.

    Before:

        scf.for %k = %c0 to %c1024 step %c256 {
          %m = memref.alloc() : memref<64x1024xbf16, 1>
          air.channel.get @a[] (%m[%c0, %k] [%c64, %c256] [%c1024, %c1]) : (memref<64x1024xbf16, 1>)

    After:

        scf.for %k = %c0 to %c1024 step %c256 {
          %m = memref.alloc() : memref<64x256xbf16, 1>
          air.channel.get @a[] (%m[%c0, %c0] [%c64, %c256] [%c256, %c1]) : (memref<64x256xbf16, 1>)
    """
    box = box_of(buffer, indices)
    if box is None or box.size == tuple(buffer.value.type.shape):
        return False
    shrink_to(buffer, box)
    return True


@dataclass(frozen=True)
class Box:
    """The `size` of the used part of a buffer and its `uses`, each with the indices of the part that it visits."""

    size: tuple[int, ...]
    uses: tuple[tuple[Nest, Walk], ...]


def box_of(buffer: Buffer, indices: IndexValues) -> Box | None:
    """The box around all indices that the users of `buffer` visit; None if it is not known, or a user cannot be moved to
    it.
    """
    nests = [use_of(t, buffer.block, indices) for t in buffer.transfers]
    nests_present = [n for n in nests if n is not None]
    if not nests_present or len(nests_present) < len(nests):
        return None
    result = bounding_box(nests_present)
    if result is None:
        return None
    base, size = result
    moved = [nest.walk.moved(size, base) for nest in nests_present]
    sure = [walk for walk in moved if walk is not None]
    if not all(can_move(nest.transfer, size) for nest in nests_present):
        return None
    if len(sure) < len(moved) or not all(is_known_at(n.transfer, w, indices) for n, w in zip(nests_present, sure, strict=True)):
        return None
    return Box(size, tuple(zip(nests_present, sure, strict=True)))


def shrink_to(buffer: Buffer, box: Box) -> None:
    """Gives `buffer` the size of `box`, and moves its users into the box."""
    old = buffer.alloc.results[0].type
    value = reallocated(buffer, ir.MemRefType.get(box.size, old.element_type, memory_space=old.memory_space))
    for nest, walk in box.uses:
        moved_use(nest.transfer, value, walk)
    buffer.value.replace_all_uses_with(value)
    if buffer.token is not None:
        buffer.token.replace_all_uses_with(value.owner.operation.results[0])
    buffer.home.erase()


def bounding_box(nests: Sequence[Nest]) -> tuple[list[Linear], tuple[int, ...]] | None:
    """The first index and the size, per dimension, of the box around all that `nests` visit; None if they are not known, or
    not inside of the buffer.
    """
    base, sizes = [], []
    for dim, extent in enumerate(nests[0].walk.shape):
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
        room = extent - sizes[-1]
        if room < 0 or (base[-1].is_constant and not 0 <= base[-1].constant <= room):
            return None
    return base, tuple(sizes)


def reallocated(buffer: Buffer, kind: ir.MemRefType) -> ir.OpResult:
    """A new allocation of type `kind` before that of `buffer`, with its attributes; returns the value that users take."""
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


def is_known_at(transfer: ir.Operation, walk: Walk, indices: IndexValues) -> bool:
    """Whether the values in the offsets of `walk` dominate `transfer` and are defined in the same hierarchy."""
    blocks = []
    inner = transfer.operation
    while True:
        blocks.append(inner.block)
        outer = inner.parent.operation
        if outer.has_trait(ir.IsIsolatedFromAboveTrait) or outer.name == "builtin.module":
            break
        inner = outer
    return all(indices.block_of(v) in blocks for s in walk.steps for v, _ in s.offset.terms)
