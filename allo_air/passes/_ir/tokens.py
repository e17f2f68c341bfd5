"""Async tokens: their users, joins, and the dependences of operations and loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from allo_air.core.walking import is_unused, walk_named
from allo_air.dialects.air import WaitAllOp
from allo_air.dialects.air_values import ASYNC, dep_count, is_join, is_token
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._ir.operands import with_operands


def token_of(op: AnyOp) -> Any:
    """The async token of `op`; None if it has none."""
    if op.name in ASYNC:
        return op.results[0] if len(op.results) else None
    return next((r for r in op.results if is_token(r)), None)


def deps_of(op: AnyOp) -> list[Any]:
    """The tokens that asynchronous `op`, or the first iteration of a loop, waits for."""
    if op.name in ASYNC:
        return list(op.operands)[: dep_count(op)]
    return [v for v in op.operands if is_token(v)]


def add_deps(op: AnyOp, tokens: Iterable[ir.Value]) -> Any:
    """Makes asynchronous `op`, or a loop, also wait for `tokens`; returns the operation that replaces it."""
    missing = [t for t in distinct(tokens) if t not in deps_of(op)]
    if not missing:
        return op
    if op.name in ASYNC:
        return with_deps(op, [*deps_of(op), *missing])
    for n, value in enumerate(op.operands):
        if is_token(value):
            op.operands[n] = joined([value, *missing], op)
    return op


def joined(tokens: Sequence[ir.Value], before: Any, location: ir.Location | None = None) -> Any:
    """One token that follows all of `tokens`, before operation `before`, or at an insertion point."""
    if len(tokens) == 1:
        return tokens[0]
    at_point = isinstance(before, ir.InsertionPoint)
    ip = before if at_point else ir.InsertionPoint(before)
    loc = location or (ip.block.owner.location if at_point else before.location)
    return WaitAllOp(deps=list(tokens), token=True, loc=loc, ip=ip).token


def combine_joined(region: ir.Region, token: ir.Value) -> None:
    """Fills the region of an scf.reduce with the join of the tokens of two iterations; `token` is that of one."""
    location = region.owner.location
    block = region.blocks.append(token.type, token.type, arg_locs=[location] * 2)
    with ir.InsertionPoint(block), location:
        both = WaitAllOp(deps=list(block.arguments), token=True).token
        scf.ReduceReturnOp(both)


def without_joins(tokens: Iterable[ir.Value]) -> list[Any]:
    """`tokens` with plain joins replaced by their operands, without duplicates."""
    values: dict[ir.Value, None] = {}
    joins: set[ir.Value] = set()

    def visit(tokens: Iterable[ir.Value]) -> None:
        for token in tokens:
            if token in values or token in joins:
                continue
            if isinstance(token, ir.OpResult) and is_join(token.owner):
                joins.add(token)  # nested joins often share operands
                visit(token.owner.operands)
            else:
                values[token] = None

    visit(tokens)
    return list(values)


def drop_unused_joins(block: ir.Block) -> None:
    """Erases the unused plain joins directly in `block`, and those that only they used."""
    for op in reversed([o.operation for o in block.operations]):
        if is_join(op) and is_unused(op.results[0]):
            op.erase()


def with_deps(op: AnyOp, deps: list[ir.Value]) -> Any:
    """Replaces asynchronous `op` by the same operation that waits for `deps`."""
    return with_operands(op, {"deps": deps})


def waits(use: ir.OpOperand) -> bool:
    """Whether `use` of a token is an asynchronous operation that waits for it."""
    return use.owner.name in ASYNC and use.operand_number < dep_count(use.owner)


def distinct(tokens: Iterable[object]) -> list[Any]:
    """`tokens` without duplicates, in order."""
    return list(dict.fromkeys(tokens))


def drop_all_unused_joins(root: AnyOp) -> None:
    """Erases asynchronous joins in `root` that nothing waits for."""
    for op in reversed(walk_named(root, "air.wait_all")):
        if len(op.results) and is_unused(op.results[0]):
            op.erase()
