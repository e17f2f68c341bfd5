"""Tokens of operations of any kind, and of loops that carry them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from allo_air.dialects.air import WaitAllOp
from allo_air.mlir import ir
from allo_air.passes._ir.dependences import ASYNC, dep_count, distinct, with_deps

JOIN = "air.wait_all"


def is_token(value: Any) -> bool:
    """Whether `value` is an `!air.async.token`."""
    return str(value.type) == "!air.async.token"


def token_of(op: Any) -> Any:
    """The token that tells when `op` is done; None where it has none."""
    if op.name in ASYNC:
        return op.results[0] if len(op.results) else None
    return next((r for r in op.results if is_token(r)), None)


def deps_of(op: Any) -> list[Any]:
    """The tokens that asynchronous `op`, or the first iteration of a loop, waits for."""
    if op.name in ASYNC:
        return list(op.operands)[: dep_count(op)]
    return [v for v in op.operands if is_token(v)]


def add_deps(op: Any, tokens: Iterable[Any]) -> Any:
    """Makes asynchronous `op`, or a loop, also wait for `tokens`; returns the operation that stands for it afterwards."""
    missing = [t for t in distinct(tokens) if t not in deps_of(op)]
    if not missing:
        return op
    if op.name in ASYNC:
        return with_deps(op, [*deps_of(op), *missing])
    for n, value in enumerate(op.operands):
        if is_token(value):
            op.operands[n] = joined([value, *missing], op)
    return op


def joined(tokens: Sequence[Any], before: Any) -> Any:
    """One token that comes after `tokens`, made in front of operation `before`, or at an insertion point."""
    if len(tokens) == 1:
        return tokens[0]
    ip = before if isinstance(before, ir.InsertionPoint) else ir.InsertionPoint(before)
    loc = ip.block.owner.location if isinstance(before, ir.InsertionPoint) else before.location
    return WaitAllOp(deps=list(tokens), token=True, loc=loc, ip=ip).token


def flat(tokens: Iterable[Any]) -> list[Any]:
    """`tokens` with plain joins replaced by what they join, without repetitions."""
    found: list[Any] = []
    for token in tokens:
        if isinstance(token, ir.OpResult) and is_join(token.owner):
            found += flat(token.owner.operands)
        else:
            found.append(token)
    return distinct(found)


def is_join(op: Any) -> bool:
    """Whether `op` only joins tokens into one: a `wait_all` with other attributes than its number marks a place."""
    return op.name == JOIN and len(op.results) == 1 and all(name == "id" for name, _ in op.attributes.items())


def drop_unused_joins(block: Any) -> None:
    """Erases the plain joins directly in `block` that nothing uses, and those that only they used."""
    for op in reversed([o.operation for o in block.operations]):
        if is_join(op) and next(iter(op.results[0].uses), None) is None:
            op.erase()
