"""Tries a rewrite, and undoes it if it fails halfway."""

from __future__ import annotations

from collections.abc import Callable

from allo_air.core.match import NoMatch
from allo_air.mlir import ir


def attempt(op: ir.Operation, rewrite: Callable[[ir.Operation], NoMatch | None]) -> tuple[ir.Operation, NoMatch | None]:
    """Applies `rewrite` to `op`. If it fails, restores the operation. Returns the operation, and the failure or None."""
    before = op.clone(ip=False).operation
    failure = rewrite(op)
    if failure is None:
        before.erase()
        return op, None
    ir.InsertionPoint(op).insert(before)
    op.erase()
    return before, failure
