"""MLIR's folding, as its greedy rewriter does it around patterns."""

from __future__ import annotations

from allo_air.mlir import AnyOp, rewrite
from allo_air.passes._ir.symbols import CONDITION, promote_symbols


def fold_greedily(op: AnyOp) -> None:
    """Folds what is in `op`, drops what is dead, and collects constants at the begin of functions and hierarchies.

    Passes of mlir-air that rewrite by patterns leave the IR so: each constant once, the last found first.
    """
    with op.context, op.location:
        promote_symbols(op, CONDITION)
    rewrite.apply_patterns_and_fold_greedily(op, rewrite.RewritePatternSet().freeze())
