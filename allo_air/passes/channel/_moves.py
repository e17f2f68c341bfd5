"""Moves transfers of channels, and loops of them, in their block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import ancestor_in, walk_post_order
from allo_air.dialects.air_values import is_join
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._ir.tokens import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

_HANDED = ("scf.yield", "scf.reduce", "scf.reduce.return")


def advance(transfers: Sequence[AnyOp], nest: AnyOp) -> bool:
    """Moves those of `transfers`, or the loops around them, that follow `nest` before it; returns whether that is
    possible.
    """
    moved = moved_before(transfers, nest)
    for op in moved:
        op.move_before(nest)
    return bool(moved)


def moved_before(transfers: Sequence[AnyOp], nest: AnyOp) -> list[Any]:
    """The operations that `advance` moves, in order; none if that is impossible.

    Their operands must be defined before `nest`, except indices and joins of tokens, which are moved, too.
    """
    order = [o.operation for o in nest.block.operations]
    place = order.index(nest)
    moved: list[Any] = distinct(top for m in transfers if order.index(top := ancestor_in(m, nest.block)) > place)
    if not moved or not all(_is_asynchronous(top, transfers) for top in moved):
        return []
    for moved_op in moved:
        operands = [v for op in walk_post_order(moved_op) for v in op.operands if isinstance(v, ir.OpResult)]
        needed = distinct(v.owner.operation for v in operands if v.owner.operation.block == nest.block)
        computations = [op for op in needed if order.index(op) >= place and op not in moved]
        if not all(is_pure(op) or is_join(op) for op in computations):
            return []
        moved += computations
    return sorted(moved, key=order.index)


def move_after(op: AnyOp, top: AnyOp, transfers: Sequence[AnyOp], last: AnyOp) -> None:
    """Moves `op`, or the loop `top` around it, to after `last` in its block, together with each `air.wait_all` on its token."""
    moved = moved_after(top, transfers, last)
    if not moved:
        raise error_at(
            op,
            "cannot move to the transfer of the channel that it shares, since an operation in between waits for it; put the"
            " transfers of each channel next to each other, in the same order at both ends",
        )
    for moved_op in reversed(moved):
        moved_op.move_after(last)


def moved_after(top: AnyOp, transfers: Sequence[AnyOp], last: AnyOp) -> list[Any]:
    """The operations that `move_after` moves, in order; none if that is impossible.

    A loop must contain no transfers of other channels, and other users of its token must already follow `last`.
    """
    order = [o.operation for o in top.block.operations]
    moved = [top]
    for moved_op in moved:
        users = [ancestor_in(use.owner, top.block) for r in moved_op.results for use in r.uses]
        moved += distinct(u for u in users if u not in moved and is_join(u) and order.index(u) <= order.index(last))
    users = [ancestor_in(use.owner, top.block) for one in moved for r in one.results for use in r.uses]
    if not _is_asynchronous(top, transfers) or any(u not in moved and order.index(u) <= order.index(last) for u in users):
        return []
    return sorted(moved, key=order.index)


def _is_asynchronous(top: AnyOp, transfers: Sequence[AnyOp]) -> bool:
    """Whether `top` is an asynchronous transfer on the channel of `transfers`, or a loop that contains nothing else."""
    inner_ops = [op for op in walk_post_order(top) if op != top or not len(top.regions)]
    moved = [
        op
        for op in inner_ops
        if op.name == transfers[0].name and op.attributes["chan_name"] == transfers[0].attributes["chan_name"]
    ]
    rest = [op for op in inner_ops if op not in moved and not is_pure(op) and not is_join(op) and op.name not in _HANDED]
    return not rest and all(len(op.results) for op in (top, *moved))
