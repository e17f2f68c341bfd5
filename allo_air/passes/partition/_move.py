"""Strided slices, and concatenations of equal parts, as linalg.generic."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.access.pattern import kept_dims
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, arith, ir, tensor
from allo_air.passes._analysis.kernels import BROUGHT
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._generic import finish, generic, index_of
from allo_air.passes.partition._host_relayout import is_host_relayout

WORD = 32
"""Bits that DMAs move at least, and between whose multiples they cannot begin."""


def slice_of(op: AnyOp, memory: int) -> Any:
    """The result of a `tensor.extract_slice` that is strided or starts inside a word, which no DMA can fetch; None for others.

    Slices of odd bytes that exceed `memory` are left to the caller.
    """
    kind, source = op.results[0].type, op.operands[0]
    lists = [list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides")]
    if any(n < 0 for list_ in lists for n in list_):
        return None
    [offsets, sizes, strides] = lists
    bits = element_bits(kind) or WORD
    shape = list(source.type.shape)
    begins = [o * prod(shape[d + 1 :]) * bits for d, o in enumerate(offsets)]
    inside = [s > 1 or begin % WORD != 0 for s, begin in zip(strides, begins, strict=True)]
    from_host = is_host_relayout(source, kind, memory)
    inside = [s > 1 or o > 0 for s, o in zip(strides, offsets, strict=True)] if from_host else inside
    if not any(inside):
        if from_host:
            op.attributes[BROUGHT] = ir.UnitAttr.get()
        return None
    box = [(0, e) if i else (o, n) for i, o, n, e in zip(inside, offsets, sizes, shape, strict=True)]
    if box != [(0, e) for e in shape]:
        cut = ir.RankedTensorType.get([n for _, n in box], kind.element_type)
        source = tensor.ExtractSliceOp(cut, source, [], [], [], [o for o, _ in box], list(cut.shape), [1] * len(box)).result
        if from_host:
            source.owner.attributes[BROUGHT] = ir.UnitAttr.get()
    loops = {d: n for n, d in enumerate(kept_dims(sizes, kind.shape))}
    places = zip(inside, offsets, strides, strict=True)
    results = [_place(loops.get(d), s if i else 1, o if i else 0) for d, (i, o, s) in enumerate(places)]
    rank = len(kind.shape)
    result, block = generic([source], [empty(kind)], [ir.AffineMap.get(rank, 0, results), ir.AffineMap.get_identity(rank)])
    finish(block, [block.arguments[0]])
    if from_host:
        result.attributes[BROUGHT] = ir.UnitAttr.get()
    return result.results[0]


def _place(loop: int | None, stride: int, offset: int) -> ir.AffineExpr:
    return ir.AffineConstantExpr.get(offset) if loop is None else ir.AffineDimExpr.get(loop) * stride + offset


def concat(op: AnyOp, _: int = 0) -> Any:
    """The result of a `tensor.concat` of equal parts: a select by index; None for others."""
    at, kind, parts = int(op.attributes["dim"]), op.results[0].type, list(op.operands)
    if len({v.type for v in parts}) != 1 or not kind.has_static_shape:
        return None
    shape, size = list(kind.shape), parts[0].type.shape[at]
    longer = ir.RankedTensorType.get([*shape[:at], len(parts), size, *shape[at + 1 :]], kind.element_type)
    rank = len(shape) + 1
    without = ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in range(rank) if d != at])
    result, block = generic(parts, [empty(longer)], [*[without] * len(parts), ir.AffineMap.get_identity(rank)])
    with ir.InsertionPoint(block):
        chosen = _choose(list(block.arguments)[: len(parts)], index_of(at))
    finish(block, [chosen])
    groups = [[d] for d in range(at)] + [[at, at + 1]] + [[d] for d in range(at + 2, rank)]
    return tensor.CollapseShapeOp(kind, result.results[0], groups).result


def _choose(values: Sequence[ir.Value], number: ir.Value) -> Any:
    """The element of `values` with index `number`."""
    chosen = values[-1]
    for n in reversed(range(len(values) - 1)):
        here = arith.cmpi(arith.CmpIPredicate.eq, number, arith.constant(ir.IndexType.get(), n))
        chosen = arith.select(here, values[n], chosen)
    return chosen
