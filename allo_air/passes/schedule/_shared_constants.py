"""Constants of loops that stand before them already."""

from __future__ import annotations

from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import AnyOp, ir


def share_constants(root: AnyOp) -> None:
    """Has loops use the constants that stand before them in their function or hierarchy, as mlir-air's folding does."""
    known: dict[tuple[ir.Operation, ir.Attribute], ir.Value] = {}
    for op in walk_named(root, "arith.constant"):
        around = next(p for p in parents(op) if p.name == "func.func" or p.name in HIERARCHIES or p.name == "builtin.module")
        key = around, op.attributes["value"]
        if op.parent == around:
            known.setdefault(key, op.results[0])
        elif key in known:
            op.results[0].replace_all_uses_with(known[key])
            op.erase()
