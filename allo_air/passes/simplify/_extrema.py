"""Rewrites a comparison and a select of two numbers as a maximum or a minimum."""

from __future__ import annotations

import numpy as np

from allo_air.core.cloning import replace
from allo_air.core.walking import is_result_of, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.simplify._evaluate import constant_array

_GREATER = {2: False, 3: False, 9: True, 10: True}
_LESS = {4: False, 5: False, 11: True, 12: True}
"""Predicates of arith.cmpf, and whether they are true for NaN."""


def name_extrema(function: AnyOp) -> None:
    """Rewrites such selects as arith.maximumf or minimumf; importers write relu in this way.

    One side must be a constant, and NaN on the other side must be selected; the sign of a zero may differ.

    Before:

        %c = arith.cmpf ugt, %x, %zero : f32
        %r = arith.select %c, %x, %zero : f32

    After:

        %r = arith.maximumf %x, %zero : f32
    """
    for op in walk_named(function, "arith.select"):
        if isinstance(op.results[0].type, ir.FloatType) and (name := _name(op)) is not None:
            with ir.InsertionPoint(op), op.location:
                replace(op, [ir.Operation.create(name, [op.results[0].type], list(op.operands)[1:]).results[0]])


def _name(op: AnyOp) -> str | None:
    condition, yes, no = op.operands
    if not is_result_of(condition, "arith.cmpf"):
        return None
    compare = condition.owner.operation
    a, b = compare.operands
    predicate = int(compare.attributes["predicate"].value)
    table = _GREATER if predicate in _GREATER else _LESS
    if predicate not in table or {a, b} != {yes, no} or a == b:
        return None
    numbers = [constant_array(yes), constant_array(no)]
    chosen = 0 if table[predicate] else 1
    if numbers[chosen] is not None or numbers[1 - chosen] is None or np.isnan(float(numbers[1 - chosen])):
        return None
    return "arith.maximumf" if (table is _GREATER) == (a == yes) else "arith.minimumf"
