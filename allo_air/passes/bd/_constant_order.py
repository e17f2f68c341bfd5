"""Orders the constants of a launch as mlir-air's greedy rewriting does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.walking import is_unused, walk_named
from allo_air.mlir import AnyOp, ir

_CONSTANT = "arith.constant"


def sort_constants(launch: AnyOp, source: Sequence[ir.Attribute], *, looped: bool) -> None:
    """Moves one copy of each constant of `launch` to its start, and drops unused ones; `source` are the constants of the
    original text.

    If the launch is `looped`, the bounds of its loops, 0 and 1, are last, after the constants from the loops, the last one
    first.
    """
    block = launch.operation.regions[0].blocks[0]
    results: dict[ir.Attribute, list[Any]] = {}
    for op in walk_named(launch, _CONSTANT):
        if _isolated(op) == launch.operation:
            results.setdefault(op.attributes["value"], []).append(op)
    index = ir.IndexType.get(launch.operation.context)
    bounds = [ir.IntegerAttr.get(index, n) for n in (0, 1)] if looped else []
    rest = [v for v in dict.fromkeys((*source, *results)) if v not in bounds]
    order = [*reversed(rest), *bounds] if looped else rest
    for value in reversed([v for v in order if v in results]):
        first, *remaining = results[value]
        for duplicate in remaining:
            duplicate.results[0].replace_all_uses_with(first.results[0])
            duplicate.erase()
        start = block.operations[0].operation
        if is_unused(first.results[0]):
            first.erase()
        elif first != start:
            first.move_before(start)


def drop_unused_constants(root: AnyOp) -> None:
    """Erases the constants in `root` that no operation uses."""
    for op in walk_named(root, _CONSTANT):
        if is_unused(op.results[0]):
            op.erase()


def _isolated(op: AnyOp) -> Any:
    """The hierarchy or function around `op`."""
    parent = op.parent.operation
    while not parent.name.startswith(("air.launch", "air.segment", "air.herd", "air.rank", "func.")):
        parent = parent.parent.operation
    return parent
