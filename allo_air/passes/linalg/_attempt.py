"""Rewrites that may fail halfway."""

from __future__ import annotations

from collections.abc import Callable

from allo_air.errors import DiagnosticError
from allo_air.mlir import ir


def attempt(op: ir.Operation, rewrite: Callable[[ir.Operation], None]) -> tuple[ir.Operation, DiagnosticError | None]:
    """Applies `rewrite` to `op`. If it raises an error, restores the operation and returns the error."""
    before = op.clone(ip=False).operation
    try:
        rewrite(op)
    except DiagnosticError as error:
        ir.InsertionPoint(op).insert(before)
        op.erase()
        return before, error
    before.erase()
    return op, None
