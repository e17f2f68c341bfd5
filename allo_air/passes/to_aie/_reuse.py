"""Makes a channel fill two buffers of a core alternately, if its buffers need more descriptors than the DMA has. If all
transfers have the same number of bytes, a ring of two descriptors serves any number of them. The core reads data of another
type as vectors of the buffer's type, and bitcasts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import gcd, prod
from typing import Any

from allo_air.mlir import AnyOp, arith, ir, memref, vector
from allo_air.passes._analysis.alias import VIEWS
from allo_air.passes.to_aie._cores import CoreClone
from allo_air.passes.to_aie._design import Buffer, Transfer
from allo_air.passes.to_aie._phases import Item, read, transfers_in
from allo_air.passes.to_aie._program import rings_of

_KEPT = 2
"""Number of buffers that alternate."""
VECTOR_BITS = 256
"""Bytes of the narrowest vector register."""


Terms = tuple[tuple[Any, int], ...]
"""Index values with their strides in elements; None for a constant."""


def reuse(block: ir.Block, clone: CoreClone, descriptors: int) -> list[Buffer]:
    """Makes channels into a core fill two buffers alternately if its DMA has fewer than the needed `descriptors`; returns the
    unused buffers.
    """
    rings = rings_of(transfers_in(block, clone.transfers))
    if sum(map(len, rings.values())) <= descriptors:
        return []
    items = read(block, clone.buffers, clone.transfers)
    values = {b.number: v for v, b in clone.buffers.items()}
    buffer_of = {b.number: b for b in clone.buffers.values()}
    removed: list[Buffer] = []
    for (_, is_put), ring in rings.items():
        if is_put or not _takes_turns(ring, buffer_of, clone.transfers):
            continue
        if not all(_is_used_in_time(items, {t.buffer for t in ring[n::_KEPT]}) for n in range(_KEPT)):
            continue
        if not all(
            _is_readable(values[n], values[ring[index % _KEPT].buffer]) for index, n in enumerate(t.buffer for t in ring)
        ):
            continue
        reused = [buffer_of[t.buffer] for t in ring[:_KEPT]]
        clone.in_turns.update(b.number for b in reused)
        for slot, number in dict.fromkeys((n % _KEPT, t.buffer) for n, t in enumerate(ring)):
            if number != reused[slot].number:
                removed.append(buffer_of[number])
                _replace(values[number], values[reused[slot].number])
                del clone.buffers[values[number]]
                clone.transfers[:] = [
                    replace(t, buffer=reused[slot].number, walk=ring[slot].walk) if t.buffer == number else t
                    for t in clone.transfers
                ]
    return removed


def _takes_turns(ring: tuple[Transfer, ...], buffer_of: Mapping[int, Buffer], transfers: list[Transfer]) -> bool:
    """Whether each transfer of a ring fills a whole buffer, all of one size, and each buffer occurs once, is filled only by
    this channel, and is read in a way that can be rewritten for another type."""
    halves = [{t.buffer for t in ring[n::_KEPT]} for n in range(_KEPT)]
    if len(ring) <= _KEPT or len(ring) % _KEPT or halves[0] & halves[1]:
        return False
    numbers, channel = halves[0] | halves[1], ring[0].key
    own_transfers = [t for t in transfers if t.buffer in numbers]
    whole = all(t.walk.is_whole and not t.put and t.key == channel for t in own_transfers)
    return whole and len({buffer_of[n].bytes for n in numbers}) == 1


def _is_used_in_time(items: list[Item], numbers: set[int]) -> bool:
    """Whether each of the buffers `numbers` is used only until another of them is filled, in loops of any length."""

    def walk(some: list[Item], filled: int | None) -> tuple[int | None, bool]:
        good = True
        for item in some:
            if item.transfer is not None:
                filled = item.transfer.buffer if item.transfer.buffer in numbers else filled
            elif item.body:
                for _ in range(2):
                    filled, well = walk(item.body, filled)
                    good = good and well
            elif item.op.name != "memref.dealloc":
                good = good and item.uses & numbers <= {filled}
        return filled, good

    return walk(items, None)[1]


def _is_readable(old: ir.Value, new: ir.Value) -> bool:
    """Whether `old` is only read as contiguous vectors that are whole elements of `new`."""
    if old == new:
        return True
    ratio, rest = divmod(old.type.element_type.width, new.type.element_type.width)
    return rest == 0 and ratio > 0 and _reads(old, ()) is not None


def _replace(old: ir.Value, new: ir.Value) -> None:
    """Replaces reads of `old` by reads of `new`, and erases `old`."""
    reads = _reads(old, ())
    assert reads is not None, "looked at before"
    for op, terms in reads:
        _rewrite(op, terms, new)
    for view in reversed(_views(old)):
        view.erase()
    old.owner.operation.erase()


def _views(value: ir.Value) -> list[Any]:
    """All views of `value`, direct and indirect, each after its source."""
    views: list[Any] = []
    for use in list(value.uses):
        op = use.owner.operation
        if op.name in VIEWS:
            views += [op, *_views(op.results[0])]
    return views


def _reads(value: ir.Value, base: Terms) -> list[tuple[Any, Terms]] | None:
    """The vector reads of a buffer through its view `value`, which begins at `base`, with their positions; None if there are
    other uses."""
    reads: list[tuple[Any, Terms]] = []
    strides, _ = value.type.get_strides_and_offset()
    for use in list(value.uses):
        op = use.owner.operation
        match op.name:
            case "memref.load" | "vector.transfer_read" | "vector.load" if _is_run(op.opview, value.type, strides):
                indices = zip(op.opview.indices, strides, strict=True)
                reads.append((op, (*base, *((index, stride) for index, stride in indices))))
                continue
            case "memref.subview":
                view = op.opview
                dynamic = iter(view.offsets)
                offsets = [next(dynamic) if _is_dynamic(n) else n for n in view.static_offsets]
                if len(list(view.sizes)) or len(list(view.strides)):
                    return None
                start = tuple((None, n * s) if isinstance(n, int) else (n, s) for n, s in zip(offsets, strides, strict=True))
                inner = _reads(op.results[0], (*base, *start))
            case "memref.collapse_shape" | "memref.expand_shape" | "memref.cast":
                inner = _reads(op.results[0], base)
            case "memref.dealloc":
                continue
            case _:
                return None
        if inner is None:
            return None
        reads += inner
    return reads


def _is_dynamic(size: int) -> bool:
    return size == ir.ShapedType.get_dynamic_stride_or_offset()


def _is_run(read: ir.OpView, kind: ir.MemRefType, strides: list[int]) -> bool:
    """Whether the read is a single element, or a whole vector whose elements are contiguous in the buffer."""
    shape = list(getattr(read.result.type, "shape", ()))
    rank = len(kind.shape)
    if any(_is_dynamic(s) for s in strides) or len(shape) > rank:
        return False
    if read.operation.name == "vector.transfer_read":
        minor = ir.AffineMap.get_minor_identity(rank, len(shape))
        if read.mask is not None or read.permutation_map.value != minor or not all(b.value for b in read.in_bounds):
            return False
    inner = rank - len(shape)
    run = 1
    for size, extent, stride in reversed(list(zip(shape, list(kind.shape)[inner:], strides[inner:], strict=True))):
        if size == 1:
            continue
        if stride != run:
            return False
        run = run * size if size == extent else -1
    return True


def _rewrite(read: AnyOp, terms: Terms, new: ir.Value) -> None:
    """The same bits, read from `new`."""
    kind = read.results[0].type
    element = new.type.element_type
    with ir.InsertionPoint(read), read.location:
        flat = new
        if new.type.rank > 1:
            row = ir.MemRefType.get([prod(new.type.shape)], element, memory_space=new.type.memory_space)
            i64 = ir.IntegerType.get_signless(64)
            all_dims = ir.ArrayAttr.get([ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in range(new.type.rank)])])
            flat = memref.CollapseShapeOp(row, new, all_dims).result
        value: Any
        if read.name == "memref.load":
            value = _element(flat, terms, kind)
        else:
            value = _vector(flat, _sum(terms), prod(kind.shape), kind.element_type)
            if value.type != kind:
                value = vector.shape_cast(kind, value)
    read.results[0].replace_all_uses_with(value)
    read.erase()


def _vector(flat: ir.Value, index: ir.Value, count: int, kind: ir.F32Type) -> Any:
    """`count` elements of type `kind` from element `index` (in this type) on, read from a row of another type."""
    element = flat.type.element_type
    ratio = kind.width // element.width
    index = index if ratio == 1 else arith.muli(index, _constant(ratio))
    value = vector.LoadOp(ir.VectorType.get([count * ratio], element), flat, [index]).result
    return value if element == kind else vector.bitcast(ir.VectorType.get([count], kind), value)


def _element(flat: ir.Value, terms: Terms, kind: ir.F32Type) -> Any:
    """One element; if it is wider than the row's type, it is extracted from a vector."""
    element, index = flat.type.element_type, _sum(terms)
    if element == kind:
        return memref.load(flat, [index])
    if element.width == kind.width:
        return arith.bitcast(kind, memref.load(flat, [index]))
    count = gcd(VECTOR_BITS, flat.type.shape[0] * element.width) // kind.width
    place = arith.remui(index, _constant(count))
    several = _vector(flat, arith.subi(index, place), count, kind)
    return vector.extract(several, [place], [ir.ShapedType.get_dynamic_size()])


def _sum(terms: Terms) -> Any:
    """The sum of `terms`."""
    total: Any = None
    for value, factor in terms:
        term = _constant(factor) if value is None else arith.muli(value, _constant(factor))
        total = term if total is None else arith.addi(total, term)
    return _constant(0) if total is None else total


def _constant(number: int) -> Any:
    return arith.constant(ir.IndexType.get(), number)
