"""Maxima and minima that keep NaN: torch-mlir compares and selects, which loses it on one side or both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.cloning import replace
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_GREATER, _LESS = (2, 3, 9, 10), (4, 5, 11, 12)
"""Predicates of arith.cmpf: ogt, oge, ugt, uge; and olt, ole, ult, ule."""


def keep_nan(function: AnyOp) -> None:
    """Rewrites selects of one of two compared numbers as arith.maximumf or minimumf, as PyTorch and ONNX define `maximum`,
    `clamp`, `relu6`, `Max` and `Clip`.

    The importer gives each operation of the model a body of its own, so that `where(x > y, x, y)` is not rewritten.

    Before:

        %c = arith.cmpf ogt, %x, %y : f32
        %r = arith.select %c, %x, %y : f32

    After:

        %r = arith.maximumf %x, %y : f32
    """
    for op in walk_named(function, "arith.select"):
        condition, yes, no = op.operands
        compare = defining_op(condition, "arith.cmpf")
        if compare is None or not isinstance(yes.type, ir.FloatType) or yes == no:
            continue
        predicate = int(compare.attributes["predicate"].value)
        a, b = compare.operands
        if predicate not in (*_GREATER, *_LESS) or (a, b) not in ((yes, no), (no, yes)):
            continue
        name = "arith.maximumf" if (predicate in _GREATER) == (a == yes) else "arith.minimumf"
        with ir.InsertionPoint(op), op.location:
            replace(op, [ir.Operation.create(name, [yes.type], [yes, no]).results[0]])
