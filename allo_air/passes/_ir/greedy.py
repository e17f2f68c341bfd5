"""Folds operations like MLIR's greedy rewriter."""

from __future__ import annotations

from allo_air.mlir import AnyOp, rewrite
from allo_air.passes._ir.symbols import CONDITION, promote_symbols


def fold_greedily(op: AnyOp) -> None:
    """Folds operations in `op`, erases dead ones, and moves constants to the start of functions and hierarchies.

    This is the state in which mlir-air's greedy pattern rewrites leave the IR: each constant once, the last one found first.
    """
    with op.context, op.location:
        promote_symbols(op, CONDITION)
    rewrite.apply_patterns_and_fold_greedily(op, rewrite.RewritePatternSet().freeze())
