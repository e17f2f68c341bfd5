"""Values that depend on a condition."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir, scf


def select_or_branch(condition: ir.Value, yes: Any, no: Any) -> list[Any]:
    """The results of an `scf.if` with the values of `yes` if the condition is true, otherwise those of `no`.

    At least one of them is a list of values; the other may be a function that builds the values in its branch.
    """
    value = yes if isinstance(yes, list) else no
    chosen = scf.IfOp(condition, [v.type for v in value], has_else=True)
    for block, values in ((chosen.then_block, yes), (chosen.else_block, no)):
        with ir.InsertionPoint(block):
            scf.yield_(values if isinstance(values, list) else values())
    return list(chosen.results)
