"""Rewrites affine operations that would be illegal on a hierarchy's ids and arguments.

A hierarchy is not an affine scope in memory (the bindings cannot attach that trait), so MLIR rejects its block arguments as
operands of affine.load, affine.store, affine.if and bounds of affine.for. affine.apply accepts any index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.affine import IntegerSet
from allo_air.core.constants import index_constant
from allo_air.core.loops import for_around
from allo_air.core.walking import walk_named
from allo_air.dialects.air import IfOp, YieldOp
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, arith, ir, scf

_ACCESSES = {
    "affine.load": "memref.load",
    "affine.store": "memref.store",
    "affine.vector_load": "vector.load",
    "affine.vector_store": "vector.store",
    "affine.prefetch": "memref.prefetch",
}


def lower_affine_scope(hierarchy: AnyOp, *, branches: bool = False) -> None:
    """Turns affine accesses and conditions in `hierarchy`, and loops whose bounds have operands, into operations that verify.

    Before: `affine.load %a[%id + 1]`; after: `%i = affine.apply (d0 + 1)(%id)`, `memref.load %a[%i]`. affine.if becomes
    air.affine_if (which prints as affine.if), affine.for becomes scf.for, and affine.parallel becomes scf.parallel. With
    `branches`, as for loops that are no hierarchies yet, it becomes scf.if.
    """
    for op in walk_named(hierarchy, "affine.for"):
        if sum(list(op.attributes["operandSegmentSizes"])[:2]):
            _loop(op)
    for op in walk_named(hierarchy, "affine.parallel"):
        if len(op.operands):
            _parallel(op)
    for op in walk_named(hierarchy, *_ACCESSES):
        _access(op)
    for op in reversed(walk_named(hierarchy, "affine.if")):
        _condition(op, branches)


def _access(op: ir.Operation) -> None:
    """Rewrites `affine.load`, `affine.store` and their vector forms as operations of memref and vector on affine.apply."""
    location, operands = op.location, list(op.operands)
    leading = 2 if op.name.endswith("store") else 1  # the memref, and the value that is stored
    attributes = {name: value for name, value in op.attributes.items() if name != "map"}
    with ir.InsertionPoint(op):
        accessed = op.attributes["map"].value
        indices = [_bound("affine.apply", accessed, [e], operands[leading:], location) for e in accessed.results]
        types = [r.type for r in op.results]
        new = ir.Operation.create(_ACCESSES[op.name], types, [*operands[:leading], *indices], attributes, loc=location)
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.erase()


def _bound(
    name: str, full: ir.AffineMap, expressions: list[ir.AffineExpr], operands: list[ir.Value], location: ir.Location
) -> ir.OpResult:
    """The value of operation `name` (affine.apply, affine.max or affine.min) on some results of affine map `full`."""
    part = ir.AffineMapAttr.get(ir.AffineMap.get(full.n_dims, full.n_symbols, expressions))
    return ir.Operation.create(name, [ir.IndexType.get()], operands, {"map": part}, loc=location).results[0]


def _loop(op: ir.Operation) -> None:
    """Rewrites `affine.for` as `scf.for` with bounds from affine.max and affine.min."""
    location, operands = op.location, list(op.operands)
    lower, upper, _ = list(op.attributes["operandSegmentSizes"])
    first, last = (op.attributes[name].value for name in ("lowerBoundMap", "upperBoundMap"))
    with ir.InsertionPoint(op), location:
        bounds = [
            _bound("affine.max", first, list(first.results), operands[:lower], location),
            _bound("affine.min", last, list(last.results), operands[lower : lower + upper], location),
            arith.constant(ir.IndexType.get(), op.attributes["step"]),
        ]
        new = for_around(op.regions[0].blocks[0], bounds, operands[lower + upper :])
    _finish(op, new, scf.YieldOp)


def _parallel(op: ir.Operation) -> None:
    """Rewrites `affine.parallel` as `scf.parallel` with bounds from affine.max and affine.min."""
    if len(op.results):
        raise PassError(
            "reduces values, with bounds that are not constant, inside what becomes a hierarchy; use scf.parallel",
            op.location,
            op.name,
        )
    location, operands = op.location, list(op.operands)
    split = op.attributes["lowerBoundsMap"].value.n_inputs
    with ir.InsertionPoint(op):
        lower = _bounds(op, "affine.max", "lowerBounds", operands[:split])
        upper = _bounds(op, "affine.min", "upperBounds", operands[split:])
        steps = [arith.constant(ir.IndexType.get(), s.value, loc=location) for s in op.attributes["steps"]]
        new = scf.ParallelOp([], lower, upper, steps, [], loc=location).operation
    op.regions[0].blocks[0].append_to(new.regions[0])
    _finish(op, new, lambda values: scf.ReduceOp(values, 0))


def _bounds(op: ir.Operation, name: str, attribute: str, operands: list[ir.Value]) -> list[ir.OpResult]:
    full = op.attributes[f"{attribute}Map"].value
    results = iter(full.results)
    groups = [[next(results) for _ in range(int(size))] for size in op.attributes[f"{attribute}Groups"]]
    return [_bound(name, full, group, operands, op.location) for group in groups]


def _condition(op: ir.Operation, branches: bool) -> None:
    """Rewrites `affine.if` as `air.affine_if`; with `branches` as `scf.if`."""
    if branches:
        _branch(op)
        return
    with ir.InsertionPoint(op):
        condition = op.attributes["condition"]
        new = IfOp(
            args=list(op.operands),
            values=[r.type for r in op.results],
            condition=condition,
            dims=IntegerSet.of(condition).dims,
            loc=op.location,
        ).operation
    for old, region in zip(op.regions, new.regions, strict=True):
        for block in list(old.blocks):
            block.append_to(region)
    _finish(op, new, lambda values: YieldOp(values=values))


def _branch(op: ir.Operation) -> None:
    """Rewrites `affine.if` as `scf.if`."""
    points = IntegerSet.of(op.attributes["condition"])
    operands, location = list(op.operands), op.location
    with ir.InsertionPoint(op), location:
        zero, holds = index_constant(0), arith.constant(ir.IntegerType.get_signless(1), 1)
        for constraint in points.constraints:
            map_ = ir.AffineMap.get(points.dims, points.symbols, [constraint.expression])
            side = _bound("affine.apply", map_, [constraint.expression], operands, location)
            kind = arith.CmpIPredicate.eq if constraint.is_equality else arith.CmpIPredicate.sge
            holds = arith.andi(holds, arith.cmpi(kind, side, zero))
        new = scf.IfOp(holds, [r.type for r in op.results], has_else=bool(len(op.regions[1].blocks))).operation
    for old, region in zip(op.regions, new.regions, strict=True):
        for block in list(old.blocks):
            [created] = region.blocks
            end = ir.InsertionPoint(created)
            for inner in [o.operation for o in block.operations]:
                end.insert(inner.detach_from_parent())
    _finish(op, new, scf.YieldOp)


def _finish(op: ir.Operation, new: ir.Operation, yields: Callable[[list[Any]], Any]) -> None:
    """Replaces the terminators moved into `new` by those that `yields` builds, and `op`'s results by those of `new`."""
    for block in (block for region in new.regions for block in region.blocks):
        [*_, terminator] = block.operations
        with ir.InsertionPoint(terminator), terminator.location:
            yields(list(terminator.operands))
        terminator.operation.erase()
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.erase()
