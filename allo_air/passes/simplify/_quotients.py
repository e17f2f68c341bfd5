"""Splits a loop that maps divide by a constant (nearest neighbours, repeated rows) into loops over quotient and remainder."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import is_result_of
from allo_air.mlir import AnyOp, arith, ir, linalg, tensor
from allo_air.passes._ir.generic import Generic, extents, generic, generics
from allo_air.passes._ir.tensors import empty
from allo_air.passes.simplify._scalars import constant

_PARTS = (ir.AffineFloorDivExpr, ir.AffineModExpr)
_PAIRS = (ir.AffineAddExpr, ir.AffineMulExpr, *_PARTS, ir.AffineCeilDivExpr)


def split_quotients(function: AnyOp) -> None:
    """Splits a loop by the constant by which maps divide it, if that divides its extent; results are collapsed.

    Before:

        %y = linalg.generic {(i, j) -> (i floordiv 4, j), (i, j) -> (i, j)} ins(%x : tensor<2x9xf32>) outs(%e : tensor<8x9xf32>)

    After:

        %z = linalg.generic {(q, r, j) -> (q, j), (q, r, j) -> (q, r, j)} ins(%x) outs(%f : tensor<2x4x9xf32>)
        %y = tensor.collapse_shape %z [[0, 1], [2]] : tensor<2x4x9xf32> into tensor<8x9xf32>
    """
    for generic_op in generics(function):
        result: Generic | None = generic_op
        while result is not None:
            result = _split(result)


def _split(generic_op: Generic) -> Generic | None:
    """`generic_op` with one of its loops split; None if there is none."""
    shape = extents(generic_op)
    for expr in (e for m in generic_op.maps for e in m.results):
        divided = _divided(expr)
        if divided is not None and shape[divided[0]] % divided[1] == 0 and divided[1] > 1:
            with ir.InsertionPoint(generic_op.op), generic_op.op.location:
                return _split_by(generic_op, *divided)
    return None


def _divided(expr: ir.AffineExpr) -> tuple[int, int] | None:
    """A loop that `expr` divides, and the divisor."""
    if isinstance(expr, _PARTS):
        by, of = ir.AffineBinaryExpr(expr).rhs, ir.AffineBinaryExpr(expr).lhs
        if isinstance(of, ir.AffineDimExpr) and isinstance(by, ir.AffineConstantExpr):
            return of.position, by.value
    if isinstance(expr, _PAIRS):
        sides = ir.AffineBinaryExpr(expr)
        return _divided(sides.lhs) or _divided(sides.rhs)
    return None


def _split_by(generic_op: Generic, loop: int, by: int) -> Generic:
    maps = [_map(m, loop, by) for m in generic_op.maps]
    operands = [_expanded(v, m, loop, by) for v, m in zip((*generic_op.inputs, *generic_op.outs), generic_op.maps, strict=True)]
    iterators = [*generic_op.iterators[: loop + 1], *generic_op.iterators[loop:]]

    def body(values: list[ir.Value]) -> Any:
        copies, yielded = clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))
        for op in copies:
            if op.name == "linalg.index":
                _index(op, loop, by)
        return yielded

    count = len(generic_op.inputs)
    result = generic(operands[:count], operands[count:], maps, iterators, body)
    for old, new in zip(generic_op.op.results, result.results, strict=True):
        if old.type != new.type:
            groups = _groups(generic_op.maps[count + old.result_number], loop)
            new = tensor.CollapseShapeOp(old.type, new, groups).result
        old.replace_all_uses_with(new)
    generic_op.op.erase()
    return Generic.of(result)


def _index(op: AnyOp, loop: int, by: int) -> None:
    """The index of an old loop, in the new loops."""
    dim = int(op.attributes["dim"].value)
    if dim > loop:
        op.attributes["dim"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim + 1)
    elif dim == loop:
        with ir.InsertionPoint.after(op), op.location:
            scaled = arith.muli(op.results[0], constant(by, ir.IndexType.get()))
            value = arith.addi(scaled, linalg.IndexOp(loop + 1).result)
        op.results[0].replace_all_uses_except(value, scaled.owner.operation)


def _map(map_: ir.AffineMap, loop: int, by: int) -> Any:
    """`map_` in the new loops; a dimension that is the split loop becomes two."""
    exprs = list[Any]()
    for e in map_.results:
        if _is_loop(e, loop):
            exprs += [ir.AffineDimExpr.get(loop), ir.AffineDimExpr.get(loop + 1)]
        else:
            exprs.append(_rewritten(e, loop, by))
    return ir.AffineMap.get(map_.n_dims + 1, 0, exprs)


def _rewritten(expr: ir.AffineExpr, loop: int, by: int) -> Any:
    if isinstance(expr, ir.AffineDimExpr):
        quotient = ir.AffineDimExpr.get(loop)
        if expr.position == loop:
            return quotient * by + ir.AffineDimExpr.get(loop + 1)
        return ir.AffineDimExpr.get(expr.position + (expr.position > loop))
    if not isinstance(expr, _PAIRS):
        return expr
    sides = ir.AffineBinaryExpr(expr)
    if isinstance(expr, _PARTS) and _divided(expr) == (loop, by):
        return ir.AffineDimExpr.get(loop + isinstance(expr, ir.AffineModExpr))
    return type(expr).get(_rewritten(sides.lhs, loop, by), _rewritten(sides.rhs, loop, by))


def _is_loop(expr: ir.AffineExpr, loop: int) -> bool:
    return isinstance(expr, ir.AffineDimExpr) and expr.position == loop


def _groups(map_: ir.AffineMap, loop: int) -> list[list[int]]:
    groups, dim = list[list[int]](), 0
    for e in map_.results:
        width = 1 + _is_loop(e, loop)
        groups.append([*range(dim, dim + width)])
        dim += width
    return groups


def _expanded(value: ir.Value, map_: ir.AffineMap, loop: int, by: int) -> Any:
    """`value` with two dimensions for each one that the split loop indexes."""
    if not any(_is_loop(e, loop) for e in map_.results):
        return value
    shape = list[int]()
    for n, e in zip(value.type.shape, map_.results, strict=True):
        shape += [n // by, by] if _is_loop(e, loop) else [n]
    kind = ir.RankedTensorType.get(shape, value.type.element_type)
    if is_result_of(value, "tensor.empty"):
        return empty(kind)
    return tensor.ExpandShapeOp(kind, value, _groups(map_, loop), [], shape).result
