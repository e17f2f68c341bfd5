"""Rules of AIEVec's operations: lanes agree."""

from __future__ import annotations

from typing import Any

from allo_air.dialects._rules import Report, rule
from allo_air.dialects.aievec import LANE_WISE
from allo_air.mlir import ir

_SAME = ("add_elem", "sub_elem", "min", "max", "band", "bor", "bxor", "neg", "bneg")
_BITS = ("band", "bor", "bxor", "bneg")


@rule(*LANE_WISE)
def lanes(op: Any, report: Report) -> None:
    """Results are vectors; operands that are vectors have as many lanes, and the same type where nothing is converted."""
    name = op.operation.name.removeprefix("aievec.")
    made = op.operation.results[0].type
    if not isinstance(made, ir.VectorType):
        report.error(op, f"gives a {made}; wanted a vector")
        return
    for value in op.operation.operands:
        if isinstance(value.type, ir.VectorType) and name != "broadcast" and list(value.type.shape) != list(made.shape):
            report.error(op, f"takes a {value.type}, and gives a {made}; lanes must agree")
            return
        if name in _SAME and value.type != made:
            report.error(op, f"takes a {value.type}, and gives a {made}; the types must be the same")
            return
    if name in _BITS and not isinstance(made.element_type, ir.IntegerType):
        report.error(op, f"takes bits of a {made}; wanted integers")
