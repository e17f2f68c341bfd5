"""Transfers of which each core of a herd executes a part: the first two dimensions of both sides are those of the herd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.access.dims import row_major
from allo_air.core.constants import constant_of, index_constant
from allo_air.dialects.air import DmaMemcpyNdOp
from allo_air.dialects.operands import MEMREFS
from allo_air.mlir import arith, ir

_SIDES = ("dst", "src")
_LOADS = ("memref.load", "memref.store", "vector.load", "vector.store", "vector.transfer_read", "vector.transfer_write")
"""Operations whose indices follow the buffer among the operands."""
_DYNAMIC = ir.ShapedType.get_dynamic_stride_or_offset()


def has_parts(dma: ir.Operation, buffer: ir.Value) -> bool:
    """Whether both sides of a transfer have the same constant sizes, and the first two dimensions of its side of `buffer` are
    those of `buffer`.
    """
    patterns = {side: tuple(map(_constants, _pattern(dma, side))) for side in _SIDES}
    target, source = patterns.values()
    if target[1] != source[1] or None in target[1] or {len(p) for p in (*target, *source)} != {len(buffer.type.shape)}:
        return False
    whole = _full_pattern(list(buffer.type.shape))
    side = target if dma.opview.dst == buffer else source
    return len(buffer.type.shape) > 2 and all(part[:2] == other[:2] for part, other in zip(side, whole, strict=True))


def is_in_part(op: ir.Operation, number: int, ids: Sequence[ir.Value]) -> bool:
    """Whether `op` accesses only the part of its operand `number` that `ids` select by the first two indices."""
    buffer, after = op.operands[number], list(op.operands)[number + 1 :][:2]
    shape = list(buffer.type.shape)
    if op.name == "memref.subview":
        offsets, sizes = (list(op.attributes[f"static_{name}"]) for name in ("offsets", "sizes"))
        return after == list(ids) and offsets[:2] == [_DYNAMIC] * 2 and sizes[:2] == [1, 1]
    if op.name in MEMREFS:
        sides = [_pattern(op, field) for field in MEMREFS[op.name] if getattr(op.opview, field) == buffer]
        return after == list(ids) and all(_is_of_part(side, shape) for side in sides)
    return op.name in _LOADS and after == list(ids) and _is_within(op, shape)


def _is_of_part(pattern: Sequence[list[Any]], shape: list[int]) -> bool:
    """Whether a side's sizes are one in the first two dimensions of `shape`, and its strides those of `shape`."""
    offsets, sizes, strides = map(_constants, pattern)
    return len(offsets) == len(sizes) == len(shape) and sizes[:2] == [1, 1] and strides == _full_pattern(shape)[2]


def _is_within(op: ir.Operation, shape: list[int]) -> bool:
    """Whether a load or store moves a number, or a vector of the last dimensions without the first two."""
    vectors = [v.type for v in (*op.operands, *op.results) if isinstance(v.type, ir.VectorType)]
    width = max((v.rank for v in vectors), default=0)
    if width > len(shape) - 2:
        return False
    order = op.attributes["permutation_map"].value if "permutation_map" in op.attributes else None
    return order is None or bool(order == ir.AffineMap.get_minor_identity(len(shape), width))


def take_part(dma: ir.Operation, ids: Sequence[ir.Value]) -> None:
    """Replaces a transfer in a herd by that of the part that `ids` select."""
    lists: dict[str, list[ir.Value]] = {}
    with ir.InsertionPoint(dma), dma.location:
        for side in _SIDES:
            offsets, sizes, strides = ([_value(n) for n in part] for part in _pattern(dma, side))
            moved = [_sum(offset, number) for offset, number in zip(offsets, ids, strict=False)]
            lists[f"{side}_offsets"] = [*moved, *offsets[2:]]
            lists[f"{side}_sizes"] = [index_constant(1), index_constant(1), *sizes[2:]]
            lists[f"{side}_strides"] = strides
        DmaMemcpyNdOp(dst=dma.opview.dst, src=dma.opview.src, **lists)
    dma.erase()


def _pattern(dma: ir.Operation, side: str) -> tuple[list[Any], ...]:
    """Offsets, sizes and strides of one side; those of the whole buffer if it has none."""
    lists = tuple(list(getattr(dma.opview, f"{side}_{name}")) for name in ("offsets", "sizes", "strides"))
    return lists if lists[1] else _full_pattern(list(getattr(dma.opview, side).type.shape))


def _full_pattern(shape: list[int]) -> tuple[list[int], ...]:
    return [0] * len(shape), shape, list(row_major(shape))


def _sum(offset: ir.Value, number: ir.Value) -> ir.Value:
    return number if constant_of(offset) == 0 else arith.addi(offset, number)


def _constant(number: ir.Value | int) -> int | None:
    return number if isinstance(number, int) else constant_of(number)


def _constants(numbers: Sequence[Any]) -> list[int | None]:
    return [_constant(number) for number in numbers]


def _value(number: ir.Value | int) -> ir.Value:
    return index_constant(number) if isinstance(number, int) else number
