"""Adds a loop-carried token to a loop of asynchronous operations."""

from __future__ import annotations

from typing import Any

from allo_air.core.loops import Loop, for_around
from allo_air.core.walking import is_defined_in, is_unused
from allo_air.dialects.air_values import ASYNC, is_token
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._ir.tokens import add_deps, deps_of, joined, token_of


def with_token(loop: AnyOp) -> Any:
    """`loop`, an scf.for; if it carries no token, it is replaced by one whose iterations wait for the previous ones.

    Before:

        scf.for %i = %c0 to %c4 step %c1 {
          %1 = air.channel.get async [%0] @c[] (%a[] [] []) : (memref<8xi32, 2>)
        }

    After:

        %2 = air.wait_all async
        %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %2) -> (!air.async.token) {
          %1 = air.channel.get async [%0, %t] @c[] (%a[] [] []) : (memref<8xi32, 2>)
          scf.yield %1 : !air.async.token
        }
    """
    ops = [o.operation for o in loop.regions[0].blocks[0].operations]
    if any(is_token(v) for v in Loop(loop).inits) or not any(token_of(op) is not None for op in ops[:-1]):
        return loop
    block, operands = loop.regions[0].blocks[0], list(loop.operands)
    with ir.InsertionPoint(loop), loop.location:
        start = joined([], ir.InsertionPoint(loop))
        new = for_around(block, operands[:3], [*operands[3:], start], dict(loop.attributes.items()))
    carried = block.add_argument(start.type, loop.location)
    for op in ops[:-1]:
        if op.name in ASYNC and token_of(op) is not None and not any(is_defined_in(d, new) for d in deps_of(op)):
            add_deps(op, [carried])
    [*body, end] = [o.operation for o in block.operations]
    open_ = [t for op in body if (t := token_of(op)) is not None and is_unused(t)]
    with loop.location:
        done = joined(open_, ir.InsertionPoint(end))
        scf.YieldOp([*end.operands, done], ip=ir.InsertionPoint(end))
    end.erase()
    for before, after in zip(loop.results, new.results, strict=False):
        before.replace_all_uses_with(after)
    loop.erase()
    return new
