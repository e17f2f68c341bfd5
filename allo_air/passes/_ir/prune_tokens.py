"""Simplifies dependence lists: folds joins by `air.wait_all` into their users, and drops duplicates."""

from __future__ import annotations

from typing import Any

from allo_air.core.waiting import OpSequence
from allo_air.core.walking import is_unused
from allo_air.dialects.air_values import ASYNC, JOIN, ONLY_DEPS, is_wait
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.dependences import REACH, Waits
from allo_air.passes._ir.tokens import deps_of, distinct, waits, with_deps

_COPIES = 16
"""A join stays if folding it into the lists of all its users would create more entries than this."""
WAITING = (tuple(ASYNC), ONLY_DEPS, JOIN, REACH, _COPIES)
"""For the C++ implementation: which operations wait for which."""


def prune_tokens(ops: list[Any]) -> bool:
    """Simplifies the dependences of `ops`, the asynchronous operations of a module in order; erased ones become None.

    Loop-carried tokens are not followed: a dependence of a loop's result says nothing about its argument.

    Before:

        %0 = air.wait_all async
        %1 = air.wait_all async [%a, %0]
        %2 = air.channel.put async [%1, %a, %b] @c[] (%m[] [] []) : (memref<64xf32>)      // %b waits for %a
        %3 = scf.for ... iter_args(%t = %1) -> (!air.async.token) { ... }
        air.wait_all [%0]

    After:

        %2 = air.channel.put async [%b] @c[] (%m[] [] []) : (memref<64xf32>)
        %3 = scf.for ... iter_args(%t = %a) -> (!air.async.token) { ... }
    """
    changed = _drop_unused_joins(ops)
    places = [i for i, op in enumerate(ops) if op is not None]
    line, waits, placed, start = OpSequence([ops[i] for i in places], WAITING), Waits(), 0, 0
    while (position := line.first_indirect(start)) is not None:
        for i in places[placed:position]:
            if len(ops[i].results):
                waits.place(ops[i].results[0], i)
        op = ops[places[position]]
        simple = _simplified(op, waits)
        if simple is not op:
            ops[places[position]] = simple
            line.replace(position, simple)
            changed = True
        if simple is None:
            del places[position]
        placed, start = position, position if simple is None else position + 1
    return _drop_unused_joins(ops) or changed


def _simplified(op: ir.Operation, graph: Waits) -> AnyOp | None:
    """The operation that replaces `op`: itself, a rebuilt one, or None."""
    is_plain_wait = is_wait(op)
    old = deps_of(op)
    if not old and not is_plain_wait:
        return op
    new = graph.without_indirect(_without_joins(old))
    if is_plain_wait and not op.results:
        return _sync_join(op, old, new)
    if is_plain_wait and len(new) == 1:
        graph.forget(op)
        op.results[0].replace_all_uses_with(new[0])
        op.erase()
        return None
    if new == old or (is_plain_wait and all(map(waits, op.results[0].uses))):
        return op  # users of a join copy its dependences; the join is then unused
    graph.forget(op)
    return with_deps(op, new)


def _sync_join(op: ir.Operation, old: list[ir.Value], new: list[ir.Value]) -> Any:
    if not new and "air.launch_end" not in op.attributes:
        op.erase()
        return None
    return op if new == old else with_deps(op, new)


def _without_joins(tokens: list[ir.Value]) -> list[Any]:
    """`tokens` with joins replaced by their operands, without duplicates."""
    flat: list[ir.Value] = []
    visited: set[ir.Value] = set()
    todo = tokens[::-1]
    while todo:
        token = todo.pop()
        if token in visited:
            continue
        visited.add(token)
        joined = _joined(token)
        if joined is None:
            flat.append(token)
        else:
            todo += joined[::-1]
    return distinct(flat)


def _joined(token: ir.Value) -> list[ir.Value] | None:
    """The operands of the join that defines `token`; None if it is not a join or has to stay."""
    if not isinstance(token, ir.OpResult):
        return None
    owner = token.owner
    if not is_wait(owner):
        return None
    joined = list(owner.operands)
    uses = sum(1 for _ in token.uses) if len(joined) > 1 else 1
    return joined if uses == 1 or uses * len(joined) <= _COPIES else None


def _drop_unused_joins(ops: list[ir.Operation | None]) -> bool:
    """Erases asynchronous joins without users."""
    changed = False
    for i in range(len(ops) - 1, -1, -1):
        op = ops[i]
        if op is not None and is_wait(op) and op.results and is_unused(op.results[0]):
            op.erase()
            ops[i] = None
            changed = True
    return changed
