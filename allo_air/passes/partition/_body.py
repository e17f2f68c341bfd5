"""Builds the function of a kernel: the arguments are the operands of a group, and the results are the values that other
operations use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.diagnostics import error_at
from allo_air.mlir import func, ir
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes._ir.new_kernel import new_kernel
from allo_air.passes.partition._generic import copy_of, with_results
from allo_air.passes.partition._graph import Graph
from allo_air.passes.partition._outputs import passes_through
from allo_air.passes.partition._roles import Role, base, inputs, role


def arguments(ops: Sequence[ir.Operation]) -> list[Any]:
    """The arguments of a kernel of `ops`: the tensors that they read and do not compute, without those that the kernel
    recomputes.
    """
    new_values = {r for o in ops for r in o.results}
    results: dict[Any, None] = {}
    for op in ops:
        for value in inputs(op):
            _add(op, value, new_values, results)
    return list(results)


def _add(op: ir.Operation, value: ir.Value, items: set[Any], values: dict[ir.Value, None]) -> None:
    if value in items:
        return
    if not isinstance(value.type, ir.RankedTensorType):
        if isinstance(value, ir.BlockArgument) or role(value.owner.operation) is not Role.SETUP:
            raise error_at(
                op,
                f"takes the scalar {value.type} that another kernel computes; kernels exchange "
                "tensors only, so compute it here or pass a tensor",
            )
        return
    if isinstance(value, ir.BlockArgument) or not _is_inside(value, items):
        values[value] = None


def _is_inside(value: ir.Value, items: set[object]) -> bool:
    """Whether `value` is recomputed in the kernel, or is a view of a value in `items`."""
    below = base(value)
    return below in items or (not isinstance(below, ir.BlockArgument) and role(below.owner.operation) is Role.SETUP)


def kernel(
    graph: Graph, ops: Sequence[ir.Operation], values: Sequence[ir.Value], outputs: Sequence[ir.Value], before: ir.Operation
) -> ir.Operation:
    """A private function of `ops` without a name, on arguments `values`, that returns `outputs`."""
    through = {v: passes_through(graph, ops, v) for v in outputs if v.owner.operation != ops[-1]}
    types = [v.type for v in outputs]
    function, block, mapping = new_kernel(values, types, before)
    with ir.InsertionPoint(block):
        for op in ops:
            for value in inputs(op):
                _copy_into_kernel(value, mapping)
            clone(op, mapping)
        more = [(mapping[v], loops) for v, loops in through.items() if loops is not None]
        if more and len(more) == len(through):
            last = with_results(mapping[ops[-1].results[0]].owner.operation, more)
            results = list(last.results)
            mapping.update(zip([*ops[-1].results, *through], results, strict=True))
        returned = [_own_copy(mapping[v]) for v in outputs]
        func.ReturnOp(returned)
    return function


def _own_copy(value: ir.Value) -> Any:
    """`value` if an operation with loops computes it, otherwise a copy of it."""
    return value if is_structured(value.owner.operation) else copy_of(value)


def _copy_into_kernel(value: ir.Value, mapping: dict[ir.Value, ir.Value]) -> None:
    """Copies the operations that compute `value`, or view it, into a kernel."""
    if value in mapping or isinstance(value, ir.BlockArgument):
        return
    op = value.owner.operation
    if role(op) not in (Role.SETUP, Role.VIEW):
        return
    for operand in inputs(op):
        _copy_into_kernel(operand, mapping)
    clone(op, mapping)
