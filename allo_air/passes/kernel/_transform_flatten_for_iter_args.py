"""`transform.air.flatten_for_iter_args`: flattens loop-carried vectors."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir, vector
from allo_air.passes.kernel._rebuilt_for import rebuilt_for
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Makes the loops carry multi-dimensional vectors as one-dimensional ones; returns the loops.

    Before: `scf.for iter_args(%a = %z : vector<4x8xf32>)`
    After:  `%f = vector.shape_cast %z; scf.for iter_args(%b = %f : vector<32xf32>) { %a = vector.shape_cast %b ... }`
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "scf.for")
        kinds = [r.type for r in target.results]
        if all(_flat_type(kind) == kind for kind in kinds):
            return target
        inits = [_cast(v, _flat_type(v.type)) for v in list(target.operands)[3:]]
        new = rebuilt_for(
            target,
            inits,
            lambda arguments: [_cast(v, kind) for v, kind in zip(arguments, kinds, strict=True)],
            lambda _, yielded: [_cast(v, _flat_type(v.type)) for v in yielded],
        )
        for old, item in zip(target.results, new.results, strict=True):
            old.replace_all_uses_with(_cast(item, old.type))
        target.erase()
        return new

    return call.each(rewrite)


def _flat_type(kind: ir.Type) -> Any:
    if not isinstance(kind, ir.VectorType) or kind.rank < 2:
        return kind
    total = 1
    for size in kind.shape:
        total *= size
    return ir.VectorType.get([total], kind.element_type)


def _cast(value: ir.Value, kind: ir.Type) -> Any:
    return value if value.type == kind else vector.ShapeCastOp(kind, value).result
