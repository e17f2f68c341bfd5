"""Splits an asynchronous `scf.for` into one loop for each group of dependent operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.access.footprint import Footprint
from allo_air.core.walking import is_unused, outer_of, walk_named
from allo_air.dialects.air_values import HIERARCHIES, is_join, is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.dependence import Dependence, Effect, Summary
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._ir.tokens import deps_of, drop_unused_joins, joined, token_of, without_joins


def isolate(loop: ir.Operation, puts_first: bool = False, apart: bool = False) -> list[Any]:
    """Replaces `scf.for` `loop` by a loop for each independent part of its body; returns the new loops.

    Two operations belong to one part if both access a buffer that one of them writes, use the same end of a channel, use each
    other's values, or are ordered by a token, unless one of the two is a herd that shares nothing else with the other. A body
    with a synchronous operation stays whole, since program order determines its execution. With `puts_first`, parts without
    gets come first: the host runs them one after another, and a wait for data must not precede the transfers that send some.
    With `apart`, a get that waits for a put only by its token is independent of it, since each of them becomes one transfer.
    """
    body = [o.operation for o in loop.regions[0].blocks[0].operations][:-1]
    parts = _parts(body, loop, apart)
    if len(parts) < 2:
        return [loop]
    if puts_first:
        parts.sort(key=lambda part: any(len(list(walk_named(body[n], "air.channel.get"))) for n in part))
    clones = [_loop_of_part(loop, part) for part in parts]
    for n, result in enumerate(loop.results):
        result.replace_all_uses_with(joined([clone.results[n] for clone in clones], loop))
    loop.erase()
    return clones


def _is_glue(op: ir.Operation) -> bool:
    return is_pure(op) or is_join(op)


def _parts(body: list[ir.Operation], loop: ir.Operation, apart: bool) -> list[list[int]]:
    """The positions in `body` of each group of dependent operations, ordered by their first ones."""
    nodes = [n for n, op in enumerate(body) if not _is_glue(op)]
    carried = all(is_token(r) for r in loop.results)
    if len(nodes) < 2 or not carried or any(token_of(body[n]) is None for n in nodes):
        return []
    group_of = {n: n for n in nodes}

    def find(n: int) -> int:
        while group_of[n] != n:
            n = group_of[n]
        return n

    dependence = Dependence(from_outside=True)
    summaries = {n: dependence.summary(body[n]) for n in nodes}
    block = loop.regions[0].blocks[0]
    effects = {n: list(_over_iterations(summaries[n], block, dependence)) for n in nodes}
    for n in nodes:
        sources = list(_sources(body[n], body))
        for m in nodes:
            if m >= n or find(m) == find(n):
                continue
            if _conflict(effects[m], effects[n], dependence) or _linked(body[m], body[n], sources, apart):
                group_of[max(find(m), find(n))] = min(find(m), find(n))
    results: dict[int, list[int]] = {}
    for n in nodes:
        results.setdefault(find(n), []).append(n)
    return list(results.values())


def _over_iterations(summary: Summary, block: ir.Block, dependence: Dependence) -> Iterator[Effect]:
    """The effects of an operation of `block` in any iteration."""
    for effect in summary.effects:
        elements = effect.elements
        if isinstance(elements, Footprint):
            elements = elements.over(block, dependence.indices)
        yield Effect(effect.root, elements, effect.writes)


def _conflict(a: list[Effect], b: list[Effect], dependence: Dependence) -> bool:
    return any(dependence.meet(x, y) for x in a for y in b)


def _linked(first: ir.Operation, second: ir.Operation, sources: list[tuple[ir.Operation, bool]], apart: bool) -> bool:
    """Whether `second`, of these `_sources`, uses a value of `first`, or waits for it."""
    only_order = first.name in HIERARCHIES or second.name in HIERARCHIES
    only_order |= apart and (first.name, second.name) == ("air.channel.put", "air.channel.get")
    return any(first == owner and not (only_order and token) for owner, token in sources)


def _sources(op: ir.Operation, body: list[ir.Operation]) -> Iterator[tuple[ir.Operation, bool]]:
    """The operations of the loop's body that define values used in `op`, and whether the value is a token.

    Pure operations and joins are followed.
    """
    for value in _used_values(op):
        if isinstance(value, ir.BlockArgument):
            continue
        owner = value.owner.operation
        if owner.block != body[0].block or owner == op:
            continue
        if _is_glue(owner):
            yield from _sources(owner, body)
        else:
            yield owner, is_token(value)


def _used_values(op: ir.Operation) -> Iterator[ir.Value]:
    """The values that `op` and the operations in it use; values defined inside may be missing."""
    outer = outer_of(op)
    if outer is not None:
        yield from outer
        return
    yield from op.operands
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from _used_values(inner.operation)


def _loop_of_part(loop: ir.Operation, part: list[int]) -> AnyOp:
    """A copy of `loop`, before it, with `part` of its body; its first carried token orders the iterations."""
    clone = loop.clone(ip=ir.InsertionPoint(loop))
    block = clone.regions[0].blocks[0]
    ops = [o.operation for o in block.operations]
    body, last = ops[:-1], ops[-1]
    part_ops = [body[n] for n in part]
    for n in range(len(body) - 1, -1, -1):
        op = body[n]
        if _is_glue(op):
            if all(map(is_unused, op.results)):
                op.erase()
        elif n not in part:
            _leave_out(op)
    if len(clone.results):
        _chain(part_ops, last)
    return clone


def _leave_out(op: ir.Operation) -> None:
    """Erases `op`. Users of its token wait for the dependences of `op` instead."""
    inits = deps_of(op)
    for n, result in enumerate(r for r in op.results if is_token(r)):
        if is_unused(result):
            continue
        own = [inits[n]] if op.name in ("scf.for", "scf.parallel") and n < len(inits) else inits
        result.replace_all_uses_with(joined(own, op))
    op.erase()


def _chain(ops: list[ir.Operation], last: ir.Operation) -> None:
    """Makes the first token that a loop carries follow all of `ops` that nothing in the body waits for."""
    ends = [token for op in ops if (token := token_of(op)) is not None and is_unused(token)]
    ends = [t for t in ends if t.owner.name not in HIERARCHIES]
    for n, yielded in enumerate(last.operands):
        tokens = without_joins([yielded, *(ends if n == 0 else [])])
        results = [t for t in tokens if isinstance(t, ir.OpResult)]
        implied = {d for t in results for d in without_joins(deps_of(t.owner.operation))}
        last.operands[n] = joined([t for t in tokens if t not in implied], last)
    drop_unused_joins(last.block)
