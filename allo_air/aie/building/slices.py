"""Slices of buffers as views: `b[2:6, :]` is `memref.subview`, whose rank is the buffer's."""

from __future__ import annotations

from typing import Any

from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.core.walking import constant_of, defining_op
from allo_air.errors import counted
from allo_air.mlir import arith, ir, memref


def is_slice(index: object, rank: int) -> bool:
    """Whether `index` names a part of a buffer of `rank` dimensions rather than an element."""
    entries = index if isinstance(index, tuple) else (index,)
    return any(isinstance(entry, slice) or entry is Ellipsis for entry in entries) or len(entries) < rank


def view(buffer: ir.Value, index: object) -> ir.Value:
    """The part of `buffer` at `index`. An integer is a slice of one element, and a missing entry is the whole dimension."""
    kind = ir.MemRefType(buffer.type)
    entries = _full(index if isinstance(index, tuple) else (index,), kind.rank)
    offsets, sizes, steps = [], [], []
    for entry, extent in zip(entries, kind.shape, strict=True):
        offset, size, step = _part(entry, extent)
        offsets.append(offset)
        sizes.append(size)
        steps.append(step)
    dynamic = ir.ShapedType.get_dynamic_size()
    static = [offset if isinstance(offset, int) else ir.ShapedType.get_dynamic_stride_or_offset() for offset in offsets]
    values = [_index(offset) for offset in offsets if not isinstance(offset, int)]
    if dynamic in kind.shape:
        raise IronTypeError(f"a slice of {kind}: its extents must be known")
    strides, start = kind.get_strides_and_offset()
    layout = ir.StridedLayoutAttr.get(_start(start, static, strides), [a * b for a, b in zip(strides, steps, strict=True)])
    result = ir.MemRefType.get(sizes, kind.element_type, layout, kind.memory_space)
    return memref.SubViewOp(result, buffer, values, [], [], static, sizes, steps).result


def _full(entries: tuple[Any, ...], rank: int) -> list[Any]:
    """One entry for each dimension: `...` and missing entries at the end are whole dimensions."""
    dots = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    missing = rank - len(entries) + len(dots)
    if missing < 0 or len(dots) > 1:
        raise IronTypeError(f"{counted(len(entries), 'index')} for a buffer of {counted(rank, 'dimension')}")
    position = dots[0] if dots else len(entries)
    return [*entries[:position], *[slice(None)] * missing, *entries[position + len(dots) :]]


def _part(entry: Any, extent: int) -> tuple[Any, int, int]:
    """Offset, size and step of one dimension."""
    if isinstance(entry, ir.Value):
        return entry, 1, 1
    if not isinstance(entry, slice):
        entry = slice(entry, None if entry == -1 else entry + 1)
    step = 1 if entry.step is None else entry.step
    if not isinstance(step, int) or step < 1:
        raise IronValueError(f"a slice's step is a positive integer, found {step}")
    if isinstance(entry.start, ir.Value):
        return entry.start, -(-_distance(entry.start, entry.stop) // step), step
    if isinstance(entry.stop, ir.Value):
        raise IronTypeError("a slice to a value must begin at a value: b[i : i + 8]")
    start, stop, _ = entry.indices(extent)
    if not (entry.start is None or -extent <= entry.start < extent) or (entry.stop or 0) > extent or stop <= start:
        raise IronValueError(
            f"slice {entry.start}:{entry.stop} of a dimension of {counted(extent, 'element')} is empty, or outside of it"
        )
    return start, -(-(stop - start) // step), step


def _distance(start: ir.Value, stop: object) -> int:
    """The number n of a slice `start : start + n`."""
    add = defining_op(stop, "arith.addi") if isinstance(stop, ir.Value) else None
    if add is not None:
        for lhs, rhs in (add.operands, reversed(list(add.operands))):
            number = constant_of(rhs)
            if ir.Value(lhs) == ir.Value(start) and number is not None:
                return number
    raise IronTypeError("a slice that begins at a value has a constant length: write b[i : i + 8]")


def _index(value: ir.Value) -> ir.Value:
    index = ir.IndexType.get()
    return value if value.type == index else arith.index_cast(index, value)


def _start(start: int, offsets: list[int], strides: list[int]) -> int:
    """The view's offset in elements; MLIR's dynamic marker if it is known only at run time."""
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    if dynamic in (start, *offsets):
        return int(dynamic)
    return start + sum(offset * stride for offset, stride in zip(offsets, strides, strict=True))
