"""Moves transfers that are independent of a loop's ping-pong buffers out of the loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.loops import Loop
from allo_air.core.walking import body_of, walk_post_order
from allo_air.dialects.air import WaitAllOp
from allo_air.dialects.air_values import ASYNC, TRANSFERS, is_token
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.dependence import Dependence
from allo_air.passes._analysis.effects import Access, accesses, is_pure
from allo_air.passes._ir.tokens import deps_of, with_deps
from allo_air.passes.schedule._ping_pong_buffers import UNROLL, Buffer
from allo_air.passes.schedule._ping_pong_waiting import join


def isolate(loop: ir.Operation, buffers: Sequence[Buffer]) -> None:
    """Moves transfers that share no token, channel end or memory with users of the buffers into a loop of their own before it.

    Before:

        %0 = scf.for ... iter_args(%t = %s) { %a = execute{alloc}; %1 = get [%a, %t] @x (%buf); ...; %9 = put [%t] @y (%m[%i]) }

    After:

        %y = scf.for ... iter_args(%t = %s) { %9 = put [%t] @y (%m[%i]) }
        %0 = scf.for ... iter_args(%t = %s) { %a = execute{alloc}; %1 = get [%a, %t] @x (%buf); ... }
    """
    if not all(is_token(r) for r in loop.results):
        return
    ops = body_of(loop)[:-1]
    unrelated = _unrelated(ops, buffers)
    if not unrelated:
        return
    new = _loop_of(loop, ops, unrelated)
    argument = next(a for a in Loop(loop).block.arguments if is_token(a))
    for i in sorted(unrelated, reverse=True):
        for result in ops[i].results:
            result.replace_all_uses_with(argument)
        ops[i].erase()
    for result in loop.results:
        after = WaitAllOp(deps=[result, new], token=True, ip=ir.InsertionPoint.after(loop), loc=loop.location)
        result.replace_all_uses_except(after.token, [after.operation])


def _unrelated(ops: Sequence[ir.Operation], buffers: Sequence[Buffer]) -> set[int]:
    """The positions of the groups of transfers that do not conflict with the buffers' groups."""
    values = {b.value for b in buffers}
    done = [list(accesses(op)) for op in ops]
    group = list(range(len(ops)))

    def unite(a: int, b: int) -> None:
        old, new = group[a], group[b]
        group[:] = [new if g == old else g for g in group]

    # value -> the operations on which it depends, also through `air.wait_all` and pure operations
    sources: dict[ir.Value, list[int]] = {}
    for i, op in enumerate(ops):
        used = [k for inner in walk_post_order(op) for v in inner.operands for k in sources.get(v, [])]
        is_thin = is_pure(op) or op.name == "air.wait_all"
        for result in op.results:
            sources[result] = used if is_thin else [i]
        if not is_thin:
            for k in used:
                unite(k, i)
            for k in range(i):
                if any(_conflict(a, b) for a in done[i] for b in done[k]):
                    unite(k, i)
    work = [i for i, op in enumerate(ops) if not (is_pure(op) or op.name == "air.wait_all")]
    bound = {group[i] for i in work if not _only_transfers(ops[i])}
    bound |= {group[i] for i in work if any(r in values for r in ops[i].results)}
    return {i for i in work if group[i] not in bound}


def _conflict(a: Access, b: Access) -> bool:
    if a.end is not None and a.end == b.end:
        return True
    return (a.kind != "read" or b.kind != "read") and Dependence().may_alias(a.root, b.root)


def _only_transfers(op: ir.Operation) -> bool:
    if op.name in ASYNC:
        return op.name in TRANSFERS
    inner = [o.operation for region in op.regions for block in region.blocks for o in block.operations]
    return bool(inner) and all(
        _only_transfers(o) or is_pure(o) or o.name == "air.wait_all" or o.name.endswith("yield") for o in inner
    )


def _loop_of(loop: AnyOp, ops: Sequence[AnyOp], unrelated: set[int]) -> Any:
    """A copy of `loop` before it, with the operations `unrelated` and the values they use; returns its token."""
    ip = ir.InsertionPoint(loop)
    inits = [v for v in Loop(loop).inits if is_token(v)]
    result = scf.ForOp(*list(loop.operands)[:3], [join(inits, ip, loop.location)], ip=ip, loc=loop.location)
    for name, attribute in loop.attributes.items():
        if name != UNROLL:
            result.operation.attributes[name] = attribute
    block = result.regions[0].blocks[0]
    end = ir.InsertionPoint(block)
    iv, token = block.arguments
    old_iv, *old = Loop(loop).block.arguments
    values = {old_iv: iv, **{a: token for a in old if is_token(a)}}
    inside = {r for i, op in enumerate(ops) if i not in unrelated and not is_pure(op) for r in op.results}
    last = []
    for i, op in enumerate(ops):
        if i not in unrelated and not is_pure(op) and op.name != "air.wait_all":
            continue
        new = clone(op, values, end)
        if op.name == "air.wait_all":
            new = with_deps(new, [values.get(d, d) for d in deps_of(op) if d in values or d not in inside])
            values.update(zip(op.results, new.results, strict=True))
        if i in unrelated:
            last += [r for r in new.results if is_token(r)]
    scf.YieldOp([join(last, end, loop.location)], ip=end, loc=loop.location)
    return result.results[0]
