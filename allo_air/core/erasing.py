"""Reports the erasure of an operation whose results are still used. MLIR accepts it and crashes later."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from allo_air.core.diagnostics import position
from allo_air.errors import Diagnostic, PassError
from allo_air.mlir import ir, rewrite

_BASE: Any = ir.Operation.__mro__[1]
"""The class of the bindings that operations and their views have `erase` from."""
_REWRITER: Any = rewrite.PatternRewriter


@contextlib.contextmanager
def checked_erasure() -> Iterator[None]:
    """Within the context, `op.erase()` and a rewriter's `erase_op` raise PassError if a result is used outside of `op`."""
    erase, erase_op = _BASE.erase, _REWRITER.erase_op

    def checked(op: ir.Operation) -> None:
        _check(op)
        erase(op)

    def checked_op(rewriter: object, op: ir.Operation) -> None:
        _check(op)
        erase_op(rewriter, op)

    _BASE.erase, _REWRITER.erase_op = checked, checked_op
    try:
        yield
    finally:
        _BASE.erase, _REWRITER.erase_op = erase, erase_op


def _check(op: ir.Operation) -> None:
    for result in op.operation.results:
        for use in result.uses:
            if not _is_inside(use.owner.operation, op.operation):
                raise PassError(_message(use.owner), op.location, op.operation.name)


def _is_inside(user: Any, op: ir.Operation) -> bool:
    while user is not None and user != op:
        user = user.parent.operation if user.parent is not None else None
    return user is not None


def _message(user: ir.OpView) -> str:
    where = Diagnostic("note", *position(user.location), "").position
    place = f" at {where}" if where else ""
    return (
        f"is erased by the pass while '{user.operation.name}'{place} uses its result; replace the uses or erase the users first"
    )
