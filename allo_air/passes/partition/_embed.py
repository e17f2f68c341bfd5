"""Rewrites concatenations and insertions of large tensors as pads and selections by index, which can be tiled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import gcd, prod
from typing import Any

from allo_air.access.pattern import kept_dims
from allo_air.core.walking import is_result_of
from allo_air.dialects.memrefs import element_bits, total_bits
from allo_air.mlir import AnyOp, arith, ir, tensor
from allo_air.passes._ir.generic import open_generic
from allo_air.passes._ir.packing import pad_by
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._generic import copy_of, finish, index_of
from allo_air.passes.partition._kinds import has_channels, is_convolution

TILES = 5
"""Room in a core for a padded tensor, in padded tiles: two for unpadded tiles, two for padded ones, and one in reserve."""
Box = Sequence[tuple[int, int]]
"""For each dimension, the first index and the index after the last."""


def is_large(op: AnyOp, memory: int) -> bool:
    """Whether the operands and results of `op`, and the copy of the result, exceed `memory` bytes; False if unknown."""
    values = (*op.operands, *op.results, *op.results)
    bits = [total_bits(v.type) for v in values if isinstance(v.type, ir.ShapedType)]
    return None not in bits and sum(b for b in bits if b) > 8 * memory


def concat(op: AnyOp, _: int = 0) -> Any:
    """The result of a `tensor.concat`. For one-dimensional tensors, rows have the greatest common divisor of their sizes."""
    dim, kind, parts = int(op.attributes["dim"]), op.results[0].type, list(op.operands)
    common = gcd(*(v.type.shape[dim] for v in parts))
    rows = len(kind.shape) == 1 and common > 1
    if rows:
        parts = [_rows(v, common) for v in parts]
        kind = ir.RankedTensorType.get([kind.shape[0] // common, common], kind.element_type)
    ends = list(accumulate(v.type.shape[dim] for v in parts))
    boxes = []
    for part, end in zip(parts, ends, strict=True):
        start = end - part.type.shape[dim]
        boxes.append([(start, end) if d == dim else (0, e) for d, e in enumerate(kind.shape)])
    result = _first_containing([_padded(v, b, kind) for v, b in zip(parts, boxes, strict=True)], boxes, kind)
    return tensor.CollapseShapeOp(op.results[0].type, result, [[0, 1]]).result if rows else result


def insert_slice(op: AnyOp, _: int = 0) -> Any:
    """The result of a `tensor.insert_slice`: a selection if a splat is inserted, a pad if the destination is a splat; otherwise
    None for slices with gaps.
    """
    if len(op.operands) != 2 or not op.results[0].type.has_static_shape:
        return None
    source, target = op.operands
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    inserted = _filled(source)
    if inserted is not None:
        return _assigned(target, inserted, offsets, sizes, strides)
    dims = kept_dims(sizes, source.type.shape)
    if len(dims) != len(sizes):
        if not dims:
            return None
        ends = [*(d + 1 for d in dims[:-1]), len(sizes)]
        groups = [list(range(start, end)) for start, end in zip([0, *ends], ends, strict=False)]
        source = tensor.ExpandShapeOp(
            ir.RankedTensorType.get(sizes, target.type.element_type), source, groups, [], sizes
        ).result
    outside_value = _filled(target)
    if set(strides) - {1}:
        return dilated(source, target, offsets, strides) if outside_value is not None else None
    box = [(o, o + n) for o, n in zip(offsets, sizes, strict=True)]
    if outside_value is not None:
        return _padded(source, box, target.type, outside_value)
    return _first_containing([_padded(source, box, target.type), target], [box], target.type)


def _assigned(target: ir.Value, value: ir.Value, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> Any:
    """`target` with `value` at the positions of a slice. A selection by index, without a table."""
    box = [(o, o + (n - 1) * s + 1) for o, n, s in zip(offsets, sizes, strides, strict=True)]
    result, block = open_generic([target], [empty(target.type)], [ir.AffineMap.get_identity(len(box))] * 2)
    with ir.InsertionPoint(block):
        chosen: Any = value
        for condition in [*_conditions(box, target.type.shape), *_steps(offsets, strides)]:
            chosen = arith.select(condition, chosen, block.arguments[0])
    finish(block, [chosen])
    return result.results[0]


def _steps(offsets: Sequence[int], strides: Sequence[int]) -> list[Any]:
    """Whether the element's index is at a step of `strides`, counted from `offsets`."""
    conditions = []
    for loop, (offset, stride) in enumerate(zip(offsets, strides, strict=True)):
        if stride > 1:
            [stride_value, phase] = [arith.constant(ir.IndexType.get(), n) for n in (stride, offset % stride)]
            conditions.append(arith.cmpi(arith.CmpIPredicate.eq, arith.remui(index_of(loop), stride_value), phase))
    return conditions


def dilated(source: ir.Value, target: ir.Value, offsets: Sequence[int], strides: Sequence[int]) -> Any:
    """A tensor like `target`, a splat, with `source` at strided positions from `offsets` on: first spread, then padded."""
    shape, outside_value = list(source.type.shape), _filled(target)
    wide, groups, results, gaps = list[int](), list[list[int]](), list[Any](), list[int]()
    for n, stride in zip(shape, strides, strict=True):
        groups.append([len(wide), len(wide) + 1] if stride > 1 else [len(wide)])
        results.append(ir.AffineDimExpr.get(len(wide)))
        gaps += [len(wide) + 1] if stride > 1 else []
        wide += [n, stride] if stride > 1 else [n]
    element, rank = source.type.element_type, len(wide)
    out = empty(ir.RankedTensorType.get(wide, element))
    result, block = open_generic([source], [out], [ir.AffineMap.get(rank, 0, results), ir.AffineMap.get_identity(rank)])
    with ir.InsertionPoint(block):
        value: Any = block.arguments[0]
        for gap in gaps:
            is_element = arith.cmpi(arith.CmpIPredicate.eq, index_of(gap), arith.constant(ir.IndexType.get(), 0))
            value = arith.select(is_element, value, outside_value)
    finish(block, [value])
    spread = [n * s for n, s in zip(shape, strides, strict=True)]
    flat = tensor.CollapseShapeOp(ir.RankedTensorType.get(spread, element), result.results[0], groups).result
    fits = [min(n, extent - o) for n, o, extent in zip(spread, offsets, target.type.shape, strict=True)]
    if fits != spread:
        kind = ir.RankedTensorType.get(fits, element)
        flat = tensor.ExtractSliceOp(kind, flat, [], [], [], [0] * len(fits), fits, [1] * len(fits)).result
    return _padded(flat, [(o, o + n) for o, n in zip(offsets, fits, strict=True)], target.type, outside_value)


def _filled(value: ir.Value) -> Any:
    """The number that all elements of a tensor have; None if unknown."""
    if isinstance(value, ir.BlockArgument):
        return None
    if value.owner.name == "linalg.fill":
        return value.owner.operands[0]
    if not is_constant(value):
        return None
    dense = value.owner.attributes["value"]
    splat = isinstance(dense, ir.DenseElementsAttr) and dense.is_splat
    return arith.ConstantOp(value.type.element_type, dense.get_splat_value()).result if splat else None


def is_constant(value: ir.Value) -> bool:
    """Whether a tensor is a constant of the module."""
    return is_result_of(value, "arith.constant")


def pad(op: Any, memory: int) -> Any:
    """The result of a `tensor.pad` of several dimensions as several pads, one after another; None if tiles of the pad fit
    `memory`.

    A core holds each tile unpadded and padded, with all elements of the padded dimensions, and both twice (ping-pong). A pad
    is unchanged if its one user is a convolution or a pooling of rows and columns: `pack-convolutions` may move it, and
    otherwise `split-paddings` splits it.
    """
    users = [use.owner for use in op.results[0].uses]
    padded = [n for n in zip(op.attributes["static_low"], op.attributes["static_high"], strict=True) if any(n)]
    stays = len(users) == 1 and (has_channels(users[0]) or (len(padded) == 2 and is_convolution(users[0])))
    return None if stays else pad_in_steps(op, memory)


def pad_in_steps(op: AnyOp, memory: int) -> Any:
    """Like `pad`, for any user of the result: a pad of a copy of another pad."""
    low, high = (list(op.attributes[f"static_{n}"]) for n in ("low", "high"))
    shape, kind = list(op.operands[0].type.shape), op.results[0].type
    [block] = op.regions[0].blocks
    value = block.operations[-1].operands[0]
    inside = not isinstance(value, ir.BlockArgument) and value.owner.operation.block == block
    padded = [d for d in range(len(shape)) if low[d] or high[d]]
    plane = (element_bits(kind) or 0) // 8 * prod(kind.shape[d] for d in padded)
    tiles = any(n > 1 for d, n in enumerate(shape) if d not in padded)
    if len(op.operands) > 1 or inside or len(padded) < 2 or (tiles and TILES * plane <= memory):
        return None
    box = [(o, o + n) for o, n in zip(low, shape, strict=True)]
    first = padded[0]
    partly = ir.RankedTensorType.get([shape[d] if d == first else n for d, n in enumerate(kind.shape)], kind.element_type)
    rest = _padded(op.operands[0], [(0, n) if d == first else box[d] for d, n in enumerate(shape)], partly, value)
    return _padded(copy_of(rest), [box[d] if d == first else (0, n) for d, n in enumerate(kind.shape)], kind, value)


def _rows(value: ir.Value, length: int) -> Any:
    """A one-dimensional tensor in rows of `length`."""
    shape = [value.type.shape[0] // length, length]
    return tensor.ExpandShapeOp(ir.RankedTensorType.get(shape, value.type.element_type), value, [[0, 1]], [], shape).result


def _padded(value: ir.Value, box: Box, kind: ir.RankedTensorType, outside_value: ir.Value | int = 0) -> Any:
    """A tensor of type `kind` with `value` at `box` and `outside_value` elsewhere."""
    high = [extent - end for (_, end), extent in zip(box, kind.shape, strict=True)]
    return pad_by(value, [start for start, _ in box], high, outside_value)


def _first_containing(values: Sequence[ir.Value], boxes: Sequence[Box], kind: ir.RankedTensorType) -> Any:
    """For each element, the first of `values` whose box contains it, or else the last one."""
    identity = ir.AffineMap.get_identity(len(kind.shape))
    result, block = open_generic(values, [empty(kind)], [identity] * (len(values) + 1))
    arguments = list(block.arguments)[: len(values)]
    with ir.InsertionPoint(block):
        chosen: Any = arguments[-1]
        for value, box in reversed(list(zip(arguments[:-1], boxes, strict=False))):
            for condition in _conditions(box, kind.shape):
                value = arith.select(condition, value, chosen)
            chosen = value
    finish(block, [chosen])
    return result.results[0]


def _conditions(box: Box, shape: Sequence[int]) -> list[Any]:
    """Whether the element's index is in `box`; bounds that are always true are left out."""
    conditions = []
    for loop, ((start, end), extent) in enumerate(zip(box, shape, strict=True)):
        for needed, predicate, bound in ((start > 0, "sge", start), (end < extent, "slt", end)):
            if needed:
                limit = arith.constant(ir.IndexType.get(), bound)
                conditions.append(arith.cmpi(arith.CmpIPredicate[predicate], index_of(loop), limit))
    return conditions
