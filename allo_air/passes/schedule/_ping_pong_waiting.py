"""Makes operations, and the operations inside them, wait for additional tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.loops import Loop
from allo_air.dialects.air_values import ASYNC, HIERARCHIES, is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.tokens import deps_of, distinct, joined, with_deps
from allo_air.passes.schedule._ping_pong_body import certain_deps


def join(tokens: Sequence[ir.Value], ip: ir.InsertionPoint, location: ir.Location) -> Any:
    """A token that waits for all of `tokens`. If there are several, a join is created at insertion point `ip`."""
    return joined(distinct(tokens), ip, location)


def add_waits(op: AnyOp, tokens: list[ir.Value], void: ir.Value) -> AnyOp:
    """Makes `op`, and everything in it, also wait for `tokens`. The token `void`, which has no meaning any more, is dropped.
    Returns the replacement of `op`.
    """
    if op.name in ASYNC:
        return _without_tokens(op, tokens, void)
    if not op.regions or op.name in HIERARCHIES:
        return op
    covered = _carried(op, tokens, void) if op.name == "scf.for" else set()
    for region in op.regions:
        for block in region.blocks:
            for inner in [o.operation for o in block.operations]:
                is_covered = any(d in covered for d in certain_deps(inner))
                new = add_waits(inner, [] if is_covered else tokens, void)
                covered.update(r for r in new.results if is_token(r))
            _yield_instead(list(block.operations)[-1].operation, tokens, void)
    return op


def _without_tokens(op: AnyOp, tokens: list[ir.Value], void: ir.Value) -> AnyOp:
    old = deps_of(op)
    new = distinct([*tokens, *(d for d in old if d != void)])
    return op if new == old else with_deps(op, new)


def _carried(loop: AnyOp, tokens: list[ir.Value], void: ir.Value) -> set[Any]:
    """Joins `tokens` into the initial tokens of `loop`. Returns the loop's arguments that wait for `tokens` in all
    iterations.
    """
    view, covered = Loop(loop), set()
    for i, (argument, yielded) in enumerate(zip(view.iter_args, view.yielded, strict=True), start=3):
        init = loop.operands[i]
        if not is_token(argument) or not (tokens or init == void):
            continue
        loop.operands[i] = join([*([] if init == void else [init]), *tokens], ir.InsertionPoint(loop), loop.location)
        if not isinstance(yielded, ir.OpResult) or yielded.owner.operation.block == argument.owner:
            covered.add(argument)
    return covered


def _yield_instead(terminator: ir.Operation, tokens: list[ir.Value], void: ir.Value) -> None:
    """Yields a join of `tokens` where `void` was yielded."""
    for i, value in enumerate(terminator.operands):
        if value == void and tokens:
            terminator.operands[i] = join(tokens, ir.InsertionPoint(terminator), terminator.location)
