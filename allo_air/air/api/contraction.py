"""The contraction of packed operands: nine loops, three over blocks, three over micro-tiles, three inside."""

from __future__ import annotations

from typing import Any

from allo_air.air.api.types import DType
from allo_air.mlir import arith, ir, linalg

_A, _B, _C = (0, 2, 5, 3, 6, 8), (1, 2, 4, 5, 8, 7), (1, 0, 4, 3, 6, 7)
_ITERATORS = ("parallel", "parallel", "reduction") * 3


def contract(a: ir.Value, b: ir.Value, acc: ir.Value, dtype: DType) -> Any:
    """acc += a b as a `linalg.generic`; operands are cast to the type of acc, multiplied and added."""
    dims = [ir.AffineDimExpr.get(i) for i in range(9)]
    maps = [ir.AffineMapAttr.get(ir.AffineMap.get(9, 0, [dims[i] for i in places])) for places in (_A, _B, _C)]
    iterators = [ir.Attribute.parse(f"#linalg.iterator_type<{kind}>") for kind in _ITERATORS]
    op = linalg.GenericOp([], [a, b], [acc], ir.ArrayAttr.get(maps), ir.ArrayAttr.get(iterators))
    elements = [ir.MemRefType(v.type).element_type for v in (a, b, acc)]
    where = op.operation.location
    block = op.operation.regions[0].blocks.append(*elements, arg_locs=[where] * 3)
    with ir.InsertionPoint(block):
        left, right, total = block.arguments
        linalg.YieldOp([_added(_widened(left, dtype), _widened(right, dtype), total, dtype)])
    return op


def _widened(value: ir.Value, dtype: DType) -> ir.Value:
    kind = dtype.mlir()
    if value.type == kind:
        return value
    if not dtype.is_float:
        return arith.ExtSIOp(kind, value).result
    return (arith.SIToFPOp if isinstance(value.type, ir.IntegerType) else arith.ExtFOp)(kind, value).result


def _added(a: ir.Value, b: ir.Value, total: ir.Value, dtype: DType) -> ir.Value:
    if dtype.is_float:
        return arith.AddFOp(total, arith.MulFOp(a, b).result).result
    return arith.AddIOp(total, arith.MulIOp(a, b).result).result
