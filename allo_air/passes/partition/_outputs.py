"""Splits kernels so that one operation's loops can compute all results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import walk_post_order
from allo_air.mlir import ir
from allo_air.passes.partition._domain import loops_of_last
from allo_air.passes.partition._graph import Graph
from allo_air.passes.partition._roles import is_elementwise


def is_one_kernel(graph: Graph, ops: Sequence[ir.Operation]) -> bool:
    """Whether the loops of the last operation can compute all results that leave."""
    return all(v.owner.operation == ops[-1] or passes_through(graph, ops, v) is not None for v in graph.outputs(ops))


def passes_through(graph: Graph, ops: Sequence[ir.Operation], value: ir.Value) -> tuple[int, ...] | None:
    """The loops of the last of `ops` that `value`, a result of another operation, would have as an additional result; None if
    it cannot.
    """
    if not is_elementwise(ops[-1]) or ops[-1].name != "linalg.generic":
        return None
    return loops_of_last(ops, [graph.access(o) for o in ops], value)


def operations_with_outputs(graph: Graph, ops: Sequence[ir.Operation]) -> set[Any]:
    """The operations of `ops` whose results leave the kernel."""
    return {v.owner.operation for v in graph.outputs(ops)}


def divide(graph: Graph, ops: Sequence[ir.Operation]) -> list[list[Any]]:
    """`ops` split into parts, so that one operation computes the results of each part. Operations that several parts need are
    copied, unless their results leave.
    """
    last_ones = operations_with_outputs(graph, ops)
    needed = [_needed(graph, ops, last, last_ones) for last in ops if last in last_ones]
    used: set[int] = set()
    parts = []
    for places in needed:
        mapping: dict[Any, Any] = {}
        part = []
        for place in places:
            op = ops[place]
            if place in used:
                part.append(clone(op, mapping, ir.InsertionPoint.after(op)))
                continue
            used.add(place)
            part.append(op)
            _replace(op, mapping)
        parts.append(part)
    return parts


def _needed(graph: Graph, ops: Sequence[ir.Operation], last: ir.Operation, rest: set[ir.Operation]) -> list[int]:
    """The positions in `ops` of `last` and of its producers, without operations whose results leave, and without producers of
    only these.
    """
    inside, needs, stack = set(ops), {last}, [last]
    while stack:
        makers = {e.maker for e in graph.edges[stack.pop()]} & inside
        new = makers - needs - rest
        needs |= new
        stack += new
    return [n for n, o in enumerate(ops) if o in needs]


def _replace(op: ir.Operation, mapping: dict[ir.Value, ir.Value]) -> None:
    for inner in walk_post_order(op):
        for n, value in enumerate(inner.operands):
            if value in mapping:
                inner.operands[n] = mapping[value]
