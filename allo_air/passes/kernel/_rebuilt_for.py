"""Rebuilds scf.for with other carried values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.mlir import ir, scf


def rebuilt_for(
    loop: ir.Operation,
    inits: list[ir.Value],
    enter: Callable[[list[Any]], list[Any]],
    leave: Callable[[list[Any], list[Any]], list[Any]],
) -> ir.Operation:
    """A loop before `loop` that takes over its body and attributes and carries `inits`; `loop` is left without a body.

    At the start of the body, `enter` computes the replacements of the old iteration arguments from the new ones. At its end,
    `leave` computes the new yielded values from the new arguments and the old yielded values. The caller replaces the results
    and erases `loop`.
    """
    location = loop.location
    with ir.InsertionPoint(loop), location:
        new = scf.ForOp(*list(loop.operands)[:3], inits).operation
    for name, attribute in loop.attributes.items():
        new.attributes[name] = attribute
    block, old = new.regions[0].blocks[0], loop.regions[0].blocks[0]
    iv, *arguments = block.arguments
    with ir.InsertionPoint(block), location:
        value = enter(arguments)
    for before, after in zip(old.arguments, [iv, *value], strict=True):
        before.replace_all_uses_with(after)
    *body, end = [o.operation for o in old.operations]
    with ir.InsertionPoint(block), location:
        marker = scf.YieldOp([])
    for op in body:
        op.move_before(marker)
    yielded = list(end.operands)
    marker.erase()
    with ir.InsertionPoint(block), location:
        scf.YieldOp(leave(arguments, yielded))
    return new
