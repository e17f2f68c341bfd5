"""Loops with constant bounds."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir


def trips(loop: Any) -> int:
    """Iterations of an scf.for, 0 where its bounds are not constant."""
    bounds = [operand.owner for operand in list(loop.operands)[:3]]
    if any(isinstance(owner, ir.Block) or owner.name != "arith.constant" for owner in bounds):
        return 0
    low, high, step = (owner.attributes["value"].value for owner in bounds)
    return max(0, -(-(high - low) // step))
