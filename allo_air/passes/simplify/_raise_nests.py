"""Raises affine loop nests to linalg operations on buffers."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.mlir import AnyOp, arith, ir, linalg, memref
from allo_air.passes.simplify._distribute import StoreNest, carry_in_variables, distributed_stores
from allo_air.passes.simplify._not_raised import NotRaised
from allo_air.scheduling.dependences import builds_up
from allo_air.scheduling.loops import constant_range
from allo_air.scheduling.subscripts import Access, access, values_of


def raise_nests(function: AnyOp) -> None:
    """Every loop nest of the function's block becomes a `linalg.generic` for each of its stores.

    Before: `affine.for %i { affine.for %j { C[i] += A[i, j] } }`
    After: `linalg.generic ins(%A) outs(%C)` with maps (i, j) -> (i, j) and (i, j) -> (i), and j reduced
    """
    [block] = function.regions[0].blocks
    for view in list(block.operations):
        op = view.operation
        if op.name == "affine.for":
            carry_in_variables(op)
            for nest in distributed_stores(op):
                with ir.InsertionPoint(op), nest.store.location:
                    _generic(nest)
            op.erase()
        elif op.name.startswith("affine.") and len(op.regions):
            raise NotRaised(op.name)


def _generic(nest: StoreNest) -> None:
    """Writes the `linalg.generic` of a nest with one store; raises NotRaised if it has no such form."""
    variables = [loop.variable for loop in nest.loops]
    ranges = [constant_range(loop) for loop in nest.loops]
    if any(t.step != 1 for t in ranges):
        raise NotRaised("a loop that steps by more than 1")
    written = access(nest.store)
    parallel = _parallel(written, variables)
    loads = [op for op in nest.needed if op.name == "affine.load"]
    of_target = [op for op in loads if op.operands[0] == nest.store.operands[1]]
    if any(access(op).subscripts != written.subscripts for op in of_target):
        raise NotRaised("a nest that reads other elements of the tensor that it writes")
    if len(parallel) < len(variables) and not (of_target and builds_up(nest.store, [*of_target, nest.store])):
        raise NotRaised("a reduction that is not a sum, product, minimum or maximum")
    inputs = [op for op in loads if op not in of_target]
    operands = [_operand(access(op), variables) for op in (*inputs, nest.store)]
    operands[-1:-1] = _windows(operands, ranges)
    iterators = ["parallel" if v in parallel else "reduction" for v in variables]
    kinds = [ir.Attribute.parse(f"#linalg.iterator_type<{k}>") for k in iterators]
    maps = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for _, m in operands])
    result = linalg.GenericOp([], [v for v, _ in operands[:-1]], [operands[-1][0]], maps, ir.ArrayAttr.get(kinds))
    elements = [ir.MemRefType(v.type).element_type for v, _ in operands]
    body = result.regions[0].blocks.append(*elements)
    with ir.InsertionPoint(body):
        values: dict[Any, Any] = {}
        for number, (variable, range_) in enumerate(zip(variables, ranges, strict=True)):
            if any(variable in op.operands for op in nest.needed if op.name != "affine.load"):
                index = linalg.IndexOp(number).result
                values[variable] = (
                    arith.addi(index, arith.constant(ir.IndexType.get(), range_.start)) if range_.start else index
                )
        for op, argument in zip(inputs, body.arguments, strict=False):
            values[op.results[0]] = argument
        for op in of_target:
            values[op.results[0]] = list(body.arguments)[-1]
        for op in nest.needed:
            if op.name != "affine.load":
                clone(op, values)
        stored = nest.store.operands[0]
        linalg.YieldOp([values.get(stored, stored)])


def _parallel(written: Access, variables: list[ir.Value]) -> list[Any]:
    """The variables of the loops that the store's subscripts consist of: one variable in each dimension of the tensor."""
    terms: list[Any] = []
    for subscript in written.subscripts:
        factors = subscript.terms
        if factors is None or len(factors) > 1 or any(f != 1 or v in terms for v, f in factors.items()):
            raise NotRaised("a store with a subscript that is not a loop variable of its own")
        terms += list(factors)
    if any(v not in variables for v in terms):
        raise NotRaised("a subscript that no loop of the nest varies")
    return terms


def _windows(operands: list[Any], ranges: list[range]) -> list[Any]:
    """A buffer that is never read and whose shape gives the extents of loops that no operand has, as in linalg's pooling.

    Returns its value and map, or nothing if operands have all extents.
    """
    with_extent = {e.position for _, map_ in operands for e in map_.results if isinstance(e, ir.AffineDimExpr)}
    missing = [n for n in range(len(ranges)) if n not in with_extent]
    if not missing:
        return []
    element = ir.MemRefType(operands[-1][0].type).element_type
    result = memref.AllocOp(ir.MemRefType.get([len(ranges[n]) for n in missing], element), [], []).result
    return [(result, ir.AffineMap.get(len(ranges), 0, [ir.AffineDimExpr.get(n) for n in missing]))]


def _operand(used: Access, variables: list[ir.Value]) -> tuple[Any, Any]:
    """The part of a tensor that an access reaches in all iterations, and its map."""
    tensor = used.op.operands[0 if used.is_load else 1]
    kind = ir.MemRefType(tensor.type)
    offsets, sizes, expressions = [], [], []
    for subscript in used.subscripts:
        if subscript.terms is None or any(v not in variables or f < 0 for v, f in subscript.terms.items()):
            raise NotRaised("a subscript that is not a sum of loop variables")
        low, size, total = subscript.constant, 1, ir.AffineConstantExpr.get(0)
        for variable, factor in subscript.terms.items():
            range_ = values_of(variable)
            if range_ is None:
                raise NotRaised("a loop that never runs")
            low, size = low + factor * range_.start, size + factor * (len(range_) - 1)
            total = total + ir.AffineDimExpr.get(variables.index(variable)) * factor  # type: ignore[assignment]
        offsets.append(low)
        sizes.append(size)
        expressions.append(total)
    if sizes != list(kind.shape):
        tensor = memref.subview(tensor, offsets, sizes, [1] * len(sizes))
    return tensor, ir.AffineMap.get(len(variables), 0, expressions)
