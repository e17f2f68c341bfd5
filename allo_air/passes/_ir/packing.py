"""Tensors in other layouts: a pad and a copy by an affine map, and the layout of such operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.access.layout import Layout
from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, arith, ir, tensor
from allo_air.mlir import linalg_views as linalg
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.generic import maps_attr
from allo_air.passes._ir.tensors import all_parallel, empty, number_of


def pack(value: ir.Value, layout: Layout, shape: Sequence[int]) -> Any:
    """`value` packed by `layout`, as a tensor of `shape`, at the insertion point."""
    pads, inner = pad_and_map(layout, value.type.shape, shape)
    if any(map(any, pads)):
        value = pad_by(value, *pads, layout.outside)
    kept_shape = [
        shape[e.position] if isinstance(e, ir.AffineDimExpr) else n
        for e, n in zip(inner.results, value.type.shape, strict=True)
    ]
    if kept_shape != list(value.type.shape):  # the loops of the copy traverse whole dimensions
        rank, kind = len(kept_shape), ir.RankedTensorType.get(kept_shape, value.type.element_type)
        value = tensor.ExtractSliceOp(kind, value, [], [], [], [0] * rank, kept_shape, [1] * rank).result
    return copy_by(value, inner, shape)


def pad_and_map(layout: Layout, host: Sequence[int], shape: Sequence[int]) -> tuple[tuple[list[int], list[int]], ir.AffineMap]:
    """A layout as a pad and a copy: the padding before and after each dimension of `host`, and the copy's map to `shape`."""
    low, high, results = [], [], []
    for (constant, *factors), size in zip(layout.rows, host, strict=True):
        ends = [f * (n - 1) for f, n in zip(factors, shape, strict=True)]
        low.append(max(0, -constant - sum(min(end, 0) for end in ends)))
        high.append(max(0, constant + sum(max(end, 0) for end in ends) + 1 - size))
        expression: Any = ir.AffineConstantExpr.get(constant + low[-1])
        for d, factor in enumerate(factors):
            expression = expression + ir.AffineDimExpr.get(d) * factor if factor else expression
        results.append(expression)
    return (low, high), ir.AffineMap.get(len(shape), 0, results)


def copy_by(value: ir.Value, indexing: ir.AffineMap, shape: Sequence[int]) -> Any:
    """A tensor of `shape` whose elements are those of `value` at `indexing`."""
    element = value.type.element_type
    kind = ir.RankedTensorType.get(list(shape), element)
    maps = [indexing, ir.AffineMap.get_identity(len(shape))]
    attributes = maps_attr(maps)
    op = linalg.GenericOp([kind], [value], [empty(kind)], attributes, all_parallel(len(shape)))
    block = op.regions[0].blocks.append(element, element)
    with ir.InsertionPoint(block):
        linalg.YieldOp([block.arguments[0]])
    return op.results[0]


def layout_of(op: AnyOp) -> Layout | None:
    """The layout of the result of a copy by an affine map, or of a tensor.pad by constants; None for other operations."""
    if op.name == "tensor.pad":
        return _of_pad(op)
    if op.name != "linalg.generic" or len(op.operands) != 2 or len(op.results) != 1:
        return None
    [block] = op.regions[0].blocks
    first, last = indexing_maps(op)
    [end, *rest] = reversed([o.operation for o in block.operations])
    if rest or end.operands[0] != block.arguments[0] or last != ir.AffineMap.get_identity(last.n_dims):
        return None
    rows = [_row(e, first.n_dims) for e in first.results]
    return None if any(row is None for row in rows) else Layout.of([row for row in rows if row is not None])


def pad_by(value: ir.Value, low: Sequence[int], high: Sequence[int], outside: ir.Value | int | float = 0) -> Any:
    """`value` padded by `outside`, a number or a scalar, before and after, in each dimension."""
    element = value.type.element_type
    shape = [n + before + after for n, before, after in zip(value.type.shape, low, high, strict=True)]
    number = outside if isinstance(outside, ir.Value) else arith.constant(element, number_of(element, outside))
    pad = tensor.PadOp(ir.RankedTensorType.get(shape, element), value, [], [], low, high)
    with ir.InsertionPoint(pad.region.blocks.append(*[ir.IndexType.get()] * len(low))):
        tensor.YieldOp(number)
    return pad.result


def _of_pad(op: AnyOp) -> Layout | None:
    low = list(op.attributes["static_low"])
    [block] = op.regions[0].blocks
    yielded = defining_op(block.operations[-1].operands[0], "arith.constant")
    if len(op.operands) != 1 or min(low, default=0) < 0 or yielded is None:
        return None
    identity = Layout.identity(len(low), yielded.attributes["value"].value)
    rows = [(-before, *row[1:]) for before, row in zip(low, identity.rows, strict=True)]
    return Layout(tuple(rows), identity.outside)


def _row(expression: ir.AffineExpr, loops: int) -> list[int] | None:
    """The constant and the factor of each loop; None if an expression is not linear."""
    if isinstance(expression, ir.AffineConstantExpr):
        return [expression.value, *[0] * loops]
    if isinstance(expression, ir.AffineDimExpr):
        return [0, *(int(d == expression.position) for d in range(loops))]
    if isinstance(expression, ir.AffineAddExpr | ir.AffineMulExpr):
        left, right = _row(expression.lhs, loops), _row(expression.rhs, loops)
        if left is None or right is None:
            return None
        if isinstance(expression, ir.AffineAddExpr):
            return [a + b for a, b in zip(left, right, strict=True)]
        if not any(right[1:]):
            return [a * right[0] for a in left]
    return None
