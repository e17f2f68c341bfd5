"""Numbers operations in attribute `id`, which identifies tasks for the user and for later passes."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.core.walking import walk_named, walk_post_order
from allo_air.dialects.air_values import HIERARCHIES, TRANSFERS
from allo_air.mlir import AnyOp, ir


def number_tasks(root: AnyOp) -> None:
    """Numbers executes, joins, DMA copies, puts and gets, and hierarchies, each kind from 1 in program order; hierarchies, and
    the joins of loops and branches, inside out.
    """
    for names in (("air.execute",), TRANSFERS[:1], TRANSFERS[1:]):
        _number(walk_named(root, *names))
    joins = dict.fromkeys(op for outer in walk_post_order(root) if outer.name in _OPENED for op in _joins(outer))
    _number([*joins, *(op for op in walk_named(root, "air.wait_all") if op not in joins)])
    _number([op for op in walk_post_order(root) if op.name in HIERARCHIES])


_OPENED = ("scf.for", "affine.for", "scf.parallel", "scf.if", "scf.index_switch", "affine.if", "air.affine_if")


def _joins(outer: ir.Operation) -> Iterator[ir.Operation]:
    """The joins of loop or branch `outer`: those that it waits for, and those that end its blocks."""
    before = [o.operation for o in outer.block.operations]
    position = before.index(outer)
    if len(outer.results) and position and before[position - 1].name == "air.wait_all":
        yield before[position - 1]
    for region in outer.regions:
        for block in region.blocks:
            last = list(block.operations)[-1].operation
            yield from (
                v.owner.operation for v in last.operands if isinstance(v, ir.OpResult) and v.owner.name == "air.wait_all"
            )


def renumber_tasks(root: AnyOp) -> None:
    """Numbers hierarchies, outside in, and transfers, each from 1 in program order; joins and executes lose their numbers."""
    _number(walk_named(root, *HIERARCHIES))
    _number(walk_named(root, *TRANSFERS))
    for op in walk_named(root, "air.execute", "air.wait_all"):
        if "id" in op.attributes:
            del op.attributes["id"]


def _number(ops: list[ir.Operation]) -> None:
    i32 = ir.IntegerType.get_signless(32)
    for number, op in enumerate(ops, start=1):
        op.attributes["id"] = ir.IntegerAttr.get(i32, number)
