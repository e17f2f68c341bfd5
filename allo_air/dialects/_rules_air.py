"""Rules of AIR's hierarchies, of `air.execute` and of universes."""

from __future__ import annotations

from math import prod

from allo_air.core.constants import constant_of
from allo_air.dialects._rules import Report, enclosing, operations, rule
from allo_air.dialects.air import ExecuteOp, HierarchyOp, IfOp
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.errors import counted
from allo_air.mlir import ir

_INSIDE_OF = {
    "air.rank": ("air.segment", "air.herd", "air.rank"),
    "air.launch": ("air.segment", "air.herd"),
    "air.segment": ("air.herd",),
}

MAX_INSTANCES = 1 << 20
"""Largest number of instances of a hierarchy; passes enumerate them, and a launch's instruction words repeat for each."""


@rule(*HIERARCHIES)
def hierarchy_arguments(op: HierarchyOp, report: Report) -> None:
    """The body has one id and one size for each dimension, then one argument for each captured value, of its type."""
    rank, captured = len(op.sizes), op.args
    arguments = list(op.block.arguments)
    if len(arguments) != 2 * rank + len(captured):
        report.error(
            op,
            f"expects {counted(2 * rank + len(captured), 'body argument')} ({counted(rank, 'id')}, "
            f"{counted(rank, 'size')}, {counted(len(captured), 'captured value')}), "
            f"found {len(arguments)}",
        )
        return
    index = ir.IndexType.get(op.context)
    for i, argument in enumerate(arguments[: 2 * rank]):
        if argument.type != index:
            report.error(op, f"expects body argument #{i} ({'id' if i < rank else 'size'}) to be index, found {argument.type}")
            return
    for i, (value, argument) in enumerate(zip(captured, arguments[2 * rank :], strict=True)):
        if value.type != argument.type:
            report.error(op, f"captured value #{i} is {value.type}, but its body argument is {argument.type}")
            return


@rule("air.rank", "air.launch", "air.segment")
def hierarchy_nesting(op: HierarchyOp, report: Report) -> None:
    """Hierarchies nest as rank, launch, segment, herd; only the rank's place is an error in the real tool."""
    outer = enclosing(op, *_INSIDE_OF[op.OPERATION_NAME])
    if outer is None:
        return
    if op.OPERATION_NAME == "air.rank":
        report.error(op, f"cannot be nested inside {outer.name}", (outer, "outer operation"))
    else:
        report.warning(op, f"is nested inside '{outer.name}'; the hierarchy is launch, segment, herd from the outside in")


@rule("air.herd")
def herd_rank(op: HierarchyOp, report: Report) -> None:
    """The array has two dimensions."""
    if len(op.sizes) > 2:
        report.warning(
            op, f"has {counted(len(op.sizes), 'dimension')}; the array has two, so collapse the herd before it is placed"
        )


@rule(*HIERARCHIES)
def hierarchy_sizes(op: HierarchyOp, report: Report) -> None:
    """A constant size is at least 1, and there are at most MAX_INSTANCES instances."""
    values = [constant_of(size) for size in op.sizes]
    for i, value in enumerate(values):
        if value is not None and value < 1:
            report.warning(op, f"size #{i} is {value}, so the body never runs")
    count = prod(value for value in values if value is not None)
    if count > MAX_INSTANCES:
        report.error(op, f"has {count:,} instances; expected at most {MAX_INSTANCES:,}; make tiles larger, or loop inside")


@rule("air.execute")
def execute_results(op: ExecuteOp, report: Report) -> None:
    """The terminator yields what the operation returns."""
    body = operations(op.regions[0].blocks[0])
    if not body or body[-1].name != "air.execute_terminator":
        return
    returned = [value.type for value in op.values]
    yielded = [value.type for value in body[-1].operands]
    if returned != yielded:
        report.error(
            op,
            f"returns ({', '.join(map(str, returned))}), but its terminator yields ({', '.join(map(str, yielded))})",
            (body[-1], "terminator"),
        )


@rule("air.affine_if")
def branch_results(op: IfOp, report: Report) -> None:
    """Each branch yields what the operation returns."""
    returned = [value.type for value in op.results]
    for name, region in zip(("then", "else"), op.regions, strict=False):
        body = operations(region.blocks[0]) if len(region.blocks) else []
        yielded = [value.type for value in body[-1].operands] if body and body[-1].name == "air.affine_yield" else []
        if returned != yielded:
            report.error(
                op, f"returns ({', '.join(map(str, returned))}), but its '{name}' yields ({', '.join(map(str, yielded))})"
            )


@rule("air.affine_if")
def condition_is_a_set(op: IfOp, report: Report) -> None:
    """The condition is an integer set with one argument for each dimension and symbol."""
    condition = op.condition
    if not isinstance(condition, ir.IntegerSetAttr):
        report.error(op, f"expects an integer set as condition, found {condition}")
