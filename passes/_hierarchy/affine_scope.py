"""Rewrites affine operations that a hierarchy's ids and arguments would make illegal.

In memory a hierarchy is no affine scope (the bindings cannot attach that trait), so MLIR refuses its block arguments as operands of
affine.load, affine.store, affine.if and of the bounds of affine.for. affine.apply takes any index, and carries the arithmetic.
"""

import re
from collections.abc import Callable
from typing import Any

from allo_air.core.rewrite import walk_named
from allo_air.dialects.air import IfOp, YieldOp
from allo_air.mlir import ir, scf

_ACCESSES = {
    "affine.load": "memref.load",
    "affine.store": "memref.store",
    "affine.vector_load": "vector.load",
    "affine.vector_store": "vector.store",
}


def leave_affine_scope(hierarchy: Any) -> None:
    """Turns affine accesses, conditions and loops in `hierarchy` that depend on more than affine loops into ones that verify.

    Before: `affine.load %a[%id + 1]`; after: `%i = affine.apply (d0 + 1)(%id)`, `memref.load %a[%i]`. affine.if becomes
    air.affine_if (which prints as affine.if), affine.for with such bounds scf.for.
    """
    for op in walk_named(hierarchy, *_ACCESSES):
        if not all(map(_valid, list(op.operands)[_leading(op) :])):
            _access(op)
    for op in walk_named(hierarchy, "affine.for"):
        if not all(map(_valid, list(op.operands)[: sum(list(op.attributes["operandSegmentSizes"])[:2])])):
            _loop(op)
    for op in reversed(walk_named(hierarchy, "affine.if")):
        if not all(map(_valid, op.operands)):
            _condition(op)


def _leading(access: Any) -> int:
    """Number of operands before the indices: the memref, and what is stored."""
    return 2 if access.name.endswith("store") else 1


def _valid(value: Any) -> bool:
    """Whether MLIR takes `value` as an affine dimension inside a hierarchy: affine loops' ivs, constants, and what applies to them."""
    if isinstance(value.owner, ir.Block):
        return value.owner.owner.name in ("affine.for", "affine.parallel")
    if value.owner.name == "affine.apply":
        return all(_valid(v) for v in value.owner.operands)
    return bool(value.owner.name == "arith.constant")


def _access(op: Any) -> None:
    """`affine.load`, `affine.store` and their vector forms become plain ones on affine.apply."""
    where, operands = op.location, list(op.operands)
    leading = _leading(op)
    with ir.InsertionPoint(op):
        indices = _results(op.attributes["map"].value, operands[leading:], where)
        types = [r.type for r in op.results]
        new = ir.Operation.create(_ACCESSES[op.name], types, [*operands[:leading], *indices], loc=where)
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.erase()


def _results(wanted: Any, operands: list[Any], where: Any) -> list[Any]:
    """The values of all results of affine map `wanted` on `operands`."""
    index = ir.IndexType.get()
    values = []
    for expression in wanted.results:
        one = ir.AffineMapAttr.get(ir.AffineMap.get(wanted.n_dims, wanted.n_symbols, [expression]))
        values.append(ir.Operation.create("affine.apply", [index], operands, {"map": one}, loc=where).results[0])
    return values


def _loop(op: Any) -> None:
    """`affine.for` becomes `scf.for` with bounds from affine.max and affine.min."""
    where, operands = op.location, list(op.operands)
    lower, upper, _ = list(op.attributes["operandSegmentSizes"])
    index = ir.IndexType.get()

    def bound(name: str, attribute: str, given: list[Any]) -> Any:
        return ir.Operation.create(name, [index], given, {"map": op.attributes[attribute]}, loc=where).results[0]

    with ir.InsertionPoint(op):
        first = bound("affine.max", "lowerBoundMap", operands[:lower])
        last = bound("affine.min", "upperBoundMap", operands[lower : lower + upper])
        step = ir.Operation.create("arith.constant", [index], [], {"value": op.attributes["step"]}, loc=where).results[0]
        new = ir.Operation.create(
            "scf.for", [r.type for r in op.results], [first, last, step, *operands[lower + upper :]], regions=1, loc=where
        )
    op.regions[0].blocks[0].append_to(new.regions[0])
    _finish(op, new, scf.YieldOp)


def _condition(op: Any) -> None:
    """`affine.if` becomes `air.affine_if`."""
    with ir.InsertionPoint(op):
        condition = op.attributes["condition"]
        new = IfOp(
            args=list(op.operands),
            values=[r.type for r in op.results],
            condition=condition,
            dims=_dims(condition),
            loc=op.location,
        ).operation
    for old, region in zip(op.regions, new.regions, strict=True):
        for block in list(old.blocks):
            block.append_to(region)
    _finish(op, new, lambda values: YieldOp(values=values))


def _dims(condition: Any) -> int:
    """Number of dimensions, as opposed to symbols, of an integer set; the bindings do not open the attribute."""
    given = re.match(r"affine_set<\((.*?)\)", str(condition))
    assert given, f"{condition} is an integer set"
    return len(given[1].split(",")) if given[1] else 0


def _finish(op: Any, new: Any, yields: Callable[[list[Any]], Any]) -> None:
    """Replaces the terminators moved into `new` by what `yields` builds, and `op`'s results by those of `new`."""
    for block in (block for region in new.regions for block in region.blocks):
        [*_, terminator] = block.operations
        with ir.InsertionPoint(terminator), terminator.location:
            yields(list(terminator.operands))
        terminator.operation.erase()
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.erase()
