"""Numbers in the attribute `id`, which distinguish tasks for the user and later passes."""

from __future__ import annotations

from allo_air.core.walking import walk_named, walk_post_order
from allo_air.dialects.air_values import HIERARCHIES, TRANSFERS
from allo_air.mlir import AnyOp, ir


def number_tasks(root: AnyOp) -> None:
    """Numbers executes, joins, DMA copies, puts and gets, and hierarchies, each kind from 1 in program order, hierarchies
    inside out.
    """
    for names in (("air.execute",), ("air.wait_all",), TRANSFERS[:1], TRANSFERS[1:]):
        _number(walk_named(root, *names))
    _number([op for op in walk_post_order(root) if op.name in HIERARCHIES])


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
