"""Outlines groups of operations to functions. Equal functions become one."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.functions import call_function
from allo_air.mlir import ir
from allo_air.passes._ir.new_kernel import KernelNames
from allo_air.passes.partition._body import arguments, kernel
from allo_air.passes.partition._graph import Graph, Group
from allo_air.passes.partition._grouping import CALL
from allo_air.passes.partition._roles import Role, inputs, role

NOTE = "allo.partition"
"""Attribute of a kernel: why its operations are one kernel."""


class Outline:
    """Makes kernels of the groups of functions of `module`. `limits` ends the reason that each kernel has."""

    def __init__(self, module: ir.Operation, limits: str = "") -> None:
        self.names, self.limits = KernelNames(module), limits

    def run(self, function: ir.Operation, graph: Graph) -> None:
        """Replaces the operations of `function` by calls of kernels; constants and views stay."""
        mapping: dict[Any, Any] = {}
        for group in graph.groups:
            self._call(function, graph, group, mapping)
        for n, value in enumerate(graph.end.operands):
            graph.end.operands[n] = value_outside(value, mapping, graph.end)
        for op in reversed(graph.ops):
            op.erase()

    def _call(self, function: ir.Operation, graph: Graph, group: Group, mapping: dict[ir.Value, ir.Value]) -> None:
        if group.shape == CALL:
            [call] = group.ops
            for value in call.operands:
                value_outside(value, mapping, graph.end)
            clone(call, mapping, ir.InsertionPoint(graph.end))
            return
        outputs, argument = graph.outputs(group.ops), arguments(group.ops)
        with group.ops[-1].location:
            result = kernel(graph, group.ops, argument, outputs, function)
            name = self._named(result, function, group)
            operands = [value_outside(v, mapping, graph.end) for v in argument]
        with ir.Location.fused([op.location for op in reversed(group.ops)]):  # reports use this location
            call = call_function(name, [v.type for v in outputs], operands, ir.InsertionPoint(graph.end))
        mapping.update(zip(outputs, call.results, strict=True))

    def _named(self, op: ir.Operation, function: ir.Operation, group: Group) -> str:
        """The name of the kernel `op`; if there is an equal kernel, `op` is erased."""
        name, new = self.names.of(op, f"{function.attributes['sym_name'].value}_{group.shape}")
        if new:
            op.attributes[NOTE] = ir.StringAttr.get(group.note + self.limits)
        return name


def value_outside(value: ir.Value, mapping: dict[ir.Value, ir.Value], end: ir.Operation) -> Any:
    """`value` in the function that calls the kernels: an argument, the result of a call, a constant, or a view before `end`."""
    if isinstance(value, ir.BlockArgument):
        return value
    if value not in mapping:
        op = value.owner.operation
        assert role(op) is not Role.WORK, f"{op.name} is in no group"
        for operand in inputs(op):
            value_outside(operand, mapping, end)
        clone(op, mapping, ir.InsertionPoint(end))
    return mapping[value]
