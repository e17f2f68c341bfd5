"""Moves operations within a block."""

from __future__ import annotations

from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir


def move_before(top: AnyOp, before: AnyOp) -> None:
    """Moves `top` and the operations that it depends on before `before`, if `top` follows it."""
    if top.is_before_in_block(before):
        return
    order = [o.operation for o in before.block.operations]
    moved = [top]
    for moved_op in moved:
        needed = [v.owner.operation for op in walk_pre_order(moved_op) for v in op.operands if isinstance(v, ir.OpResult)]
        moved += [op for op in needed if op in order and order.index(op) > order.index(before) and op not in moved]
    for moved_op in sorted(moved, key=order.index):
        moved_op.move_before(before)
