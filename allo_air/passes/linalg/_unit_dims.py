"""Removes loops of one iteration from linalg.generic on buffers, strided views included."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir, memref
from allo_air.passes._ir.generic import Generic


def fold_unit_loops(op: ir.Operation) -> ir.Operation:
    """`op` without its loops of extent 1 if it has a memref with a strided layout; else `op`.

    MLIR's own folding does not change such operations. A dense buffer is collapsed; a strided one is narrowed by a
    rank-reducing subview.
    """
    generic = Generic.of(op)
    kinds = [v.type for v in op.operands]
    if len(op.results) or not all(isinstance(k, ir.MemRefType) for k in kinds) or all(_is_dense(k) for k in kinds):
        return op
    if any(o.name == "linalg.index" for o in generic.body):
        return op
    unit = _unit_loops(generic)
    if not unit:
        return op
    kept_loops = [d for d in range(len(generic.iterators)) if d not in unit]
    values, maps = [], []
    with ir.InsertionPoint(op), op.location:
        for value, m in zip(op.operands, generic.maps, strict=True):
            dims = [n for n, e in enumerate(m.results) if _dim(e) is not None and _dim(e) not in unit]
            values.append(_narrowed(value, dims))
            results = [ir.AffineDimExpr.get(kept_loops.index(ir.AffineDimExpr(m.results[n]).position)) for n in dims]
            maps.append(ir.AffineMapAttr.get(ir.AffineMap.get(len(kept_loops), 0, results)))
        loops = list(op.attributes["iterator_types"])
        attributes = dict(op.attributes.items()) | {
            "indexing_maps": ir.ArrayAttr.get(maps),
            "iterator_types": ir.ArrayAttr.get([loops[d] for d in kept_loops]),
        }
        new = ir.Operation.create("linalg.generic", [], values, attributes, regions=1)
    generic.block.append_to(new.regions[0])
    op.erase()
    return new


def _dim(expression: object) -> int | None:
    return ir.AffineDimExpr(expression).position if isinstance(expression, ir.AffineDimExpr) else None


def _unit_loops(generic: Generic) -> set[int]:
    """The loops of one iteration; none if an operand's map is not a projected permutation."""
    unit: set[int] = set()
    for value, m in zip(generic.op.operands, generic.maps, strict=True):
        for size, expression in zip(value.type.shape, m.results, strict=True):
            dim = _dim(expression)
            if dim is None:
                if size == 1 and isinstance(expression, ir.AffineConstantExpr):
                    continue
                return set()
            if size == 1:
                unit.add(dim)
    return unit


def _is_dense(kind: ir.MemRefType) -> bool:
    return isinstance(kind.layout, ir.AffineMapAttr) and kind.affine_map == ir.AffineMap.get_identity(kind.rank)


def _narrowed(value: ir.Value, dims: list[int]) -> Any:
    """A view of memref `value` with only the dimensions `dims`; the dropped ones have extent 1."""
    kind = value.type
    if len(dims) == kind.rank:
        return value
    shape = [kind.shape[d] for d in dims]
    if _is_dense(kind):
        groups: list[list[int]] = [[] for _ in dims]
        for d in range(kind.rank):
            if groups:
                groups[max(sum(k <= d for k in dims) - 1, 0)].append(d)
        type_ = ir.MemRefType.get(shape, kind.element_type, None, kind.memory_space)
        return memref.collapse_shape(type_, value, groups)
    strides, offset = kind.get_strides_and_offset()
    layout = ir.StridedLayoutAttr.get(offset, [strides[d] for d in dims])
    type_ = ir.MemRefType.get(shape, kind.element_type, layout, kind.memory_space)
    return memref.SubViewOp(type_, value, [], [], [], [0] * kind.rank, list(kind.shape), [1] * kind.rank).result
