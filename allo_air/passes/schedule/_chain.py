"""Builds chains of affine.if on ids or indices."""

from collections.abc import Callable
from typing import Any

from allo_air.dialects.air import IfOp, YieldOp
from allo_air.mlir import ir

Choice = tuple[Any, Callable[[Any], Any]]
"""An integer set in symbols, and a function that emits the operation for the points in the set."""


def chain(op: ir.Operation, args: list[ir.Value], choices: list[Choice], ip: ir.InsertionPoint) -> list[Any]:
    """Builds the operation of each choice, all except the last under a condition on `args`; returns the results of the chain.

    The operations have the results of `op`: its token, or none.
    """
    [(set_, make), *rest] = choices
    if not rest:
        return list(make(ip).results)
    types = [r.type for r in op.results]
    branch = IfOp(args=args, values=types, condition=set_, dims=0, loc=op.location, ip=ip)
    then, otherwise = (ir.InsertionPoint(region.blocks.append()) for region in branch.operation.regions)
    YieldOp(values=list(make(then).results), loc=op.location, ip=then)
    YieldOp(values=chain(op, args, rest, otherwise), loc=op.location, ip=otherwise)
    return list(branch.values)


def replace_by_chain(op: ir.Operation, args: list[ir.Value], choices: list[Choice]) -> None:
    """Replaces `op` by the chain."""
    new = chain(op, args, choices, ir.InsertionPoint(op))
    for old, value in zip(op.results, new, strict=True):
        old.replace_all_uses_with(value)
    op.erase()
