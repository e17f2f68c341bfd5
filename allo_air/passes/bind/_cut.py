"""Splits a loop into two consecutive ones."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import index_constant
from allo_air.core.loops import Dim, Loop
from allo_air.mlir import AnyOp, ir


def can_be_cut(op: AnyOp) -> bool:
    """Whether `cut` supports the loop `op`: an scf loop with its bounds as operands or attributes, without reductions."""
    if op.name == "scf.forall":
        dynamic = ir.ShapedType.get_dynamic_size()
        return all(dynamic not in list(op.attributes[name]) for name in ("staticLowerBound", "staticUpperBound", "staticStep"))
    return op.name == "scf.for" or (op.name == "scf.parallel" and not len(op.results))


def cut(op: AnyOp, dims: tuple[Dim, ...], number: int, trips: int) -> tuple[Any, Any]:
    """Ends the loop `op`, whose dimensions are `dims`, after `trips` iterations of dimension `number`; a new loop runs the
    rest.

    The second loop starts from the results of the first. Its last iteration is a whole step, even if the range was not.
    Before: `scf.for %i = 0 to 100 step 32 { ... }`; after, for 3 trips: `scf.for %i = 0 to 96 step 32 { ... }` and `scf.for %i
    = 96 to 128 step 32 { ... }`.
    """
    dim = dims[number]
    middle = dim.lower + trips * dim.step
    after = ir.InsertionPoint(_next_op(op))
    rest = clone(op, {}, after)
    results = len(op.results)
    for old, new in zip(op.results, rest.results, strict=True):
        old.replace_all_uses_with(new)
    for n in range(results):
        rest.operands[len(rest.operands) - results + n] = op.results[n]
    _bound(op, number, 1, middle)
    _bound(rest, number, 0, middle)
    _bound(rest, number, 1, middle + (dim.trips - trips) * dim.step)
    return op, rest


def _next_op(op: AnyOp) -> Any:
    operations = [o.operation for o in op.block.operations]
    return operations[operations.index(op) + 1]


def _bound(op: AnyOp, number: int, which: int, value: int) -> None:
    """Emits the lower (`which` 0) or upper (1) bound of dimension `number`."""
    if op.name == "scf.forall":
        name = ("staticLowerBound", "staticUpperBound")[which]
        bounds = list(op.attributes[name])
        bounds[number] = value
        with op.context:
            op.attributes[name] = ir.DenseI64ArrayAttr.get(bounds)
        return
    rank = len(Loop(op).ivs)
    op.operands[which * rank + number] = index_constant(value, op.location, ir.InsertionPoint(op))
