"""Rewrites slices and concatenations that no DMA can perform as linalg.generic, which a core computes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.access.pattern import kept_dims
from allo_air.core.walking import defining_op
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, arith, ir, tensor
from allo_air.passes._analysis.kernels import MOVED_BY_HOST
from allo_air.passes._ir.generic import open_generic
from allo_air.passes._ir.kernel_calls import reshape_to
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._generic import finish, index_of
from allo_air.passes.partition._host_relayout import is_host_relayout

WORD = 32
"""Bits of a DMA's word. Each transfer begins at a multiple of this and has a multiple of it."""


def slice_of(op: AnyOp, memory: int) -> Any:
    """The result of a `tensor.extract_slice`, rewritten if it is strided or starts inside a word; None if a DMA can do it.

    A kernel receives a contiguous box that contains the slice and selects its elements by a linalg.generic. If the source is
    an argument and the slice has odd bytes and exceeds `memory` (bytes), the host moves the box, marked by MOVED_BY_HOST.

    Before:

        %s = tensor.extract_slice %x[0, 1] [64, 8] [1, 2] : tensor<64x16xf32> to tensor<64x8xf32>

    After:

        %s = linalg.generic {indexing_maps = [(i, j) -> (i, j * 2 + 1), (i, j) -> (i, j)]} ins(%x) outs(%empty)
    """
    kind, source = op.results[0].type, op.operands[0]
    lists = [list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides")]
    if any(n < 0 for list_ in lists for n in list_):
        return None
    [offsets, sizes, strides] = lists
    bits = element_bits(kind) or WORD
    shape = list(source.type.shape)
    first_bits = [o * prod(shape[d + 1 :]) * bits for d, o in enumerate(offsets)]
    by_core = [s > 1 or first % WORD != 0 for s, first in zip(strides, first_bits, strict=True)]
    """For each dimension, whether the core selects its elements because a DMA cannot."""
    from_host = is_host_relayout(source, kind, memory)
    by_core = [s > 1 or o > 0 for s, o in zip(strides, offsets, strict=True)] if from_host else by_core
    if not any(by_core):
        if from_host:
            op.attributes[MOVED_BY_HOST] = ir.UnitAttr.get()
        return None
    box = [(0, e) if i else (o, n) for i, o, n, e in zip(by_core, offsets, sizes, shape, strict=True)]
    if box != [(0, e) for e in shape]:
        cut = ir.RankedTensorType.get([n for _, n in box], kind.element_type)
        source = tensor.ExtractSliceOp(cut, source, [], [], [], [o for o, _ in box], list(cut.shape), [1] * len(box)).result
        if from_host:
            source.owner.attributes[MOVED_BY_HOST] = ir.UnitAttr.get()
    loops = {d: n for n, d in enumerate(kept_dims(sizes, kind.shape))}
    dims = enumerate(zip(by_core, offsets, strides, strict=True))
    results = [_subscript(loops.get(d), s if i else 1, o if i else 0) for d, (i, o, s) in dims]
    rank = len(kind.shape)
    result, block = open_generic([source], [empty(kind)], [ir.AffineMap.get(rank, 0, results), ir.AffineMap.get_identity(rank)])
    finish(block, [block.arguments[0]])
    if from_host:
        result.attributes[MOVED_BY_HOST] = ir.UnitAttr.get()
    return result.results[0]


def _subscript(loop: int | None, stride: int, offset: int) -> ir.AffineExpr:
    """`offset` plus `stride` times the loop's index. `loop` is None for a dimension that the result drops."""
    return ir.AffineConstantExpr.get(offset) if loop is None else ir.AffineDimExpr.get(loop) * stride + offset


def concat(op: AnyOp, _: int = 0) -> Any:
    """The result of a `tensor.concat` of equal parts: a linalg.generic that selects by index; None for other operations.

    That operation has no dimensions of one element, which later passes drop from operations without indices.

    Before:

        %c = tensor.concat dim(0) %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>

    After:

        %g = linalg.generic ins(%a, %b) outs(%empty : tensor<2x4x8xf32>) { select (linalg.index 0 == 0), %in, %in_0 }
        %c = tensor.collapse_shape %g [[0, 1], [2]]
    """
    dim, kind, parts = int(op.attributes["dim"]), op.results[0].type, list(op.operands)
    if len({v.type for v in parts}) != 1 or not kind.has_static_shape:
        return None
    dims = [d for d, n in enumerate(kind.shape) if n != 1 or d == dim]
    shape, size = [kind.shape[d] for d in dims], parts[0].type.shape[dim]
    dim = dims.index(dim)
    part = ir.RankedTensorType.get([*shape[:dim], size, *shape[dim + 1 :]], kind.element_type)
    parts = [_reshaped(v, part) for v in parts]
    stacked = ir.RankedTensorType.get([*shape[:dim], len(parts), size, *shape[dim + 1 :]], kind.element_type)
    rank = len(shape) + 1
    of_part = ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in range(rank) if d != dim])
    result, block = open_generic(parts, [empty(stacked)], [*[of_part] * len(parts), ir.AffineMap.get_identity(rank)])
    with ir.InsertionPoint(block):
        selected = _select(list(block.arguments)[: len(parts)], index_of(dim))
    finish(block, [selected])
    groups = [[d] for d in range(dim)] + [[dim, dim + 1]] + [[d] for d in range(dim + 2, rank)]
    whole = ir.RankedTensorType.get(shape, kind.element_type)
    return reshape_to(tensor.CollapseShapeOp(whole, result.results[0], groups).result, kind)


def _reshaped(value: ir.Value, kind: ir.RankedTensorType) -> Any:
    """`value` as a tensor of type `kind`, perhaps what it was expanded from."""
    expand = defining_op(value, "tensor.expand_shape")
    return expand.operands[0] if expand is not None and expand.operands[0].type == kind else reshape_to(value, kind)


def _select(values: Sequence[ir.Value], number: ir.Value) -> Any:
    """The element of `values` with index `number`."""
    selected = values[-1]
    for n in reversed(range(len(values) - 1)):
        is_number = arith.cmpi(arith.CmpIPredicate.eq, number, arith.constant(ir.IndexType.get(), n))
        selected = arith.select(is_number, values[n], selected)
    return selected
