"""Splits scans of long rows into scans of blocks and a scan of the block results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import constant_of, defining_op
from allo_air.mlir import AnyOp, arith, ir, linalg, tensor
from allo_air.passes._ir.generic import Generic, extents, generic, generics
from allo_air.passes._ir.packing import pad_by
from allo_air.passes._ir.tensors import empty, filled
from allo_air.passes.simplify._gathers import reshaped

_NEUTRAL = {"arith.addf": 0.0, "arith.addi": 0, "arith.mulf": 1.0, "arith.muli": 1}
SHORT = 32
"""Largest row that is not split: two vectors."""


@dataclass(frozen=True)
class _Scan:
    """A scan: element j along dimension `dim` of the result combines elements 0 to j of `source` by the operation `join`."""

    generic: Generic
    dim: int
    join: Any

    @property
    def source(self) -> Any:
        return self.generic.inputs[0]


def block_scans(function: AnyOp) -> None:
    """Splits scans of long rows into blocks, so that their work does not grow with the square of the length.

    Before: element j of a row of 1000 is the sum of those k of 1000 with k <= j.
    After: the row is 40 blocks of 25; element (i, j) is the sum of those k of 25 with k <= j in block i, and of the sums of
    the blocks of 40 before i. Rows that no such blocks divide are padded with the neutral element.
    """
    for generic_op in generics(function):
        if (scan := _scan(generic_op)) is not None:
            with ir.InsertionPoint(generic_op.op), generic_op.op.location:
                _scan_in_blocks(scan)


def _scan(generic_op: Generic) -> _Scan | None:
    loops = len(generic_op.iterators)
    if (
        len(generic_op.inputs) != 1
        or len(generic_op.outs) != 1
        or list(generic_op.iterators) != ["parallel"] * (loops - 1) + ["reduction"]
    ):
        return None
    places = [ir.AffineDimExpr(e).position if isinstance(e, ir.AffineDimExpr) else -1 for e in generic_op.maps[0].results]
    if (
        generic_op.maps[1] != _dims(loops, range(loops - 1))
        or sum(p == loops - 1 for p in places) != 1
        or len(places) != loops - 1
    ):
        return None
    dim = places.index(loops - 1)
    if (
        any(p != n for n, p in enumerate(places) if n != dim)
        or extents(generic_op)[dim] != extents(generic_op)[-1]
        or extents(generic_op)[dim] <= SHORT
    ):
        return None
    new, so_far = generic_op.arguments
    [total] = generic_op.yielded
    selected = defining_op(total)
    if (
        selected is None
        or selected.name != "arith.select"
        or selected.operands[2] != so_far
        or not _is_order(selected.operands[0], loops - 1, dim)
    ):
        return None
    first = defining_op(selected.operands[1])
    join = first if first is None or first.name != "arith.select" else defining_op(first.operands[2])
    if first is None or join is None or join.name not in _NEUTRAL or {*join.operands} != {new, so_far}:
        return None
    is_first = first == join or (first.operands[1] == new and _is_first(first.operands[0], loops - 1))
    return _Scan(generic_op, dim, join) if is_first and _is_filled_with(generic_op.outs[0], _NEUTRAL[join.name]) else None


def _is_filled_with(value: ir.Value, number: float) -> bool:
    """Whether a destination is filled with `number`, or empty."""
    result = defining_op(value)
    if result is None or result.name != "linalg.fill":
        return result is not None and result.name == "tensor.empty"
    filled = defining_op(result.operands[0], "arith.constant")
    return filled is not None and filled.attributes["value"].value == number


def _is_index(value: ir.Value, loop: int) -> bool:
    result = defining_op(value, "linalg.index")
    return result is not None and int(result.attributes["dim"].value) == loop


def _is_order(value: ir.Value, reduced: int, dim: int) -> bool:
    """Whether `value` is the comparison of an element's index with the result's index: at most that index."""
    result = defining_op(value)
    return (
        result is not None
        and result.name == "arith.cmpi"
        and result.attributes["predicate"].value in (arith.CmpIPredicate.ule, arith.CmpIPredicate.sle)
        and _is_index(result.operands[0], reduced)
        and _is_index(result.operands[1], dim)
    )


def _is_first(value: ir.Value, reduced: int) -> bool:
    """Whether `value` says that the element is the first one."""
    result = defining_op(value)
    return (
        result is not None
        and result.name == "arith.cmpi"
        and result.attributes["predicate"].value == arith.CmpIPredicate.eq
        and _is_index(result.operands[0], reduced)
        and constant_of(result.operands[1]) == 0
    )


def _scan_in_blocks(scan: _Scan) -> None:
    shape, dim, kind = list(scan.source.type.shape), scan.dim, scan.source.type.element_type
    length = _block(shape[dim])
    count = -(-shape[dim] // length)
    neutral = _NEUTRAL[scan.join.name]
    source = scan.source
    if count * length > shape[dim]:
        padding = [count * length - shape[dim] if n == dim else 0 for n in range(len(shape))]
        source = pad_by(source, [0] * len(shape), padding, neutral)
    blocks = reshaped(source, [*shape[:dim], count, length, *shape[dim + 1 :]])
    rank = len(shape) + 1
    inside = _prefix(scan, blocks, dim + 1, arith.CmpIPredicate.sle)
    row_dims = [d for d in range(rank) if d != dim + 1]
    totals = generic(
        [blocks],
        [_filled([blocks.type.shape[d] for d in row_dims], kind, neutral)],
        [_dims(rank, range(rank)), _dims(rank, row_dims)],
        ["reduction" if d == dim + 1 else "parallel" for d in range(rank)],
        lambda values: [_joined(scan, values[1], values[0])],
    ).results[0]
    before = _prefix(scan, totals, dim, arith.CmpIPredicate.slt)
    out = empty(blocks.type)
    new = generic(
        [before, inside],
        [out],
        [_dims(rank, row_dims), *[_dims(rank, range(rank))] * 2],
        ["parallel"] * rank,
        lambda values: [_joined(scan, values[0], values[1])],
    ).results[0]
    result = scan.generic.op.results[0]
    long = reshaped(new, [*shape[:dim], count * length, *shape[dim + 1 :]])
    if count * length > shape[dim]:
        rank = len(shape)
        long = tensor.ExtractSliceOp(result.type, long, [], [], [], [0] * rank, shape, [1] * rank).result
    result.replace_all_uses_with(long)
    scan.generic.op.erase()


def _block(length: int) -> int:
    """The length of a block, near the square root of the row's length. It divides the row, or is whole vectors."""
    near = [n for n in range(8, 129) if length % n == 0 and n * n <= 4 * length and 4 * n * n >= length]
    root = length**0.5
    return min(near, key=lambda n: (n % 16 != 0, abs(n - root))) if near else min(128, max(16, -(-round(root) // 16) * 16))


def _prefix(scan: _Scan, source: ir.Value, dim: int, order: object) -> Any:
    """For each element along a dimension: the combination of the preceding elements (and of itself, depending on `order`)."""
    shape, kind = list(source.type.shape), source.type.element_type
    rank = len(shape)
    loops = [d if d != dim else rank for d in range(rank)]

    def body(values: list[ir.Value]) -> Sequence[Any]:
        new, so_far = values
        is_added = arith.cmpi(order, _index(rank), _index(dim))
        return [arith.select(is_added, _joined(scan, so_far, new), so_far)]

    out = _filled(shape, kind, _NEUTRAL[scan.join.name])
    maps = [_dims(rank + 1, loops), _dims(rank + 1, range(rank))]
    return generic([source], [out], maps, ["parallel"] * rank + ["reduction"], body).results[0]


def _joined(scan: _Scan, so_far: ir.Value, new: ir.Value) -> Any:
    values = dict(zip(reversed(scan.generic.arguments), (so_far, new), strict=True))
    return clone(scan.join, values).results[0]


def _index(loop: int) -> Any:
    return linalg.IndexOp(loop).result


def _number(kind: ir.Type, number: float) -> Any:
    return ir.FloatAttr.get(kind, number) if isinstance(kind, ir.FloatType) else ir.IntegerAttr.get(kind, int(number))


def _filled(shape: Sequence[int], kind: ir.Type, number: float) -> Any:
    value = arith.constant(kind, _number(kind, number))
    return filled(value, ir.RankedTensorType.get(list(shape), kind))


def _dims(rank: int, dims: Sequence[int] | range) -> Any:
    return ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in dims])
