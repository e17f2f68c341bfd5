"""Numbers operations in attribute `id`, which identifies tasks for the user and for later passes."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.core.walking import walk_named, walk_post_order
from allo_air.dialects.air_values import HIERARCHIES, TRANSFERS
from allo_air.mlir import AnyOp, ir


def number_tasks(root: AnyOp) -> None:
    """Numbers `air.execute`, `air.wait_all`, DMA copies, puts and gets, and hierarchies, each kind from 1 in program order.
    Hierarchies, and the waits of loops and branches, are numbered inside out.
    """
    for names in (("air.execute",), TRANSFERS[:1], TRANSFERS[1:]):
        _number(walk_named(root, *names))
    waits = dict.fromkeys(op for outer in walk_post_order(root) if outer.name in _OPENED for op in _waits_of(outer))
    _number([*waits, *(op for op in walk_named(root, "air.wait_all") if op not in waits)])
    _number([op for op in walk_post_order(root) if op.name in HIERARCHIES])


_OPENED = ("scf.for", "affine.for", "scf.parallel", "scf.if", "scf.index_switch", "affine.if", "air.affine_if")


def _waits_of(outer: ir.Operation) -> Iterator[ir.Operation]:
    """The `air.wait_all` of loop or branch `outer`: the one before it, and those whose tokens its blocks yield."""
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
    """Numbers hierarchies, outside in, and transfers, each from 1 in program order; removes the numbers of `air.wait_all` and
    `air.execute`.
    """
    _number(walk_named(root, *HIERARCHIES))
    _number(walk_named(root, *TRANSFERS))
    for op in walk_named(root, "air.execute", "air.wait_all"):
        if "id" in op.attributes:
            del op.attributes["id"]


def _number(ops: list[ir.Operation]) -> None:
    i32 = ir.IntegerType.get_signless(32)
    for number, op in enumerate(ops, start=1):
        op.attributes["id"] = ir.IntegerAttr.get(i32, number)
