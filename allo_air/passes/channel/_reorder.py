"""Orders the host's transfers on two channels like those of the cores."""

from __future__ import annotations

from itertools import pairwise

from allo_air.core.cloning import unroll
from allo_air.core.loops import Loop
from allo_air.dialects.air import LaunchOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.channel._alternation import End, members, sequence

_MOST = 64
"""Largest number of puts for which loops are unrolled."""


def write_out(ends: list[End]) -> bool:
    """Unrolls the launch's loops around puts if the cores get them in another order; returns whether it unrolled any."""
    puts, gets = [*ends[0][0], *ends[0][1]], ends[1]
    if not all((*ends[0], *gets)) or len(members(ends[0])) != 1 or len(members(gets)) != 1:
        return False
    loops = list(dict.fromkeys(p.parent.operation for p in puts if p.parent.operation.name == "scf.for"))
    blocks = {loop.block for loop in loops} | {p.block for p in puts if p.parent.operation not in loops}
    order = sequence(gets)
    if not loops or len(blocks) > 1 or order is None or len(order) > _MOST or not _alternates(order):
        return False
    if next(iter(blocks)).owner.name != LaunchOp.OPERATION_NAME or any(len(o.regions) for p in loops for o in Loop(p).body):
        return False
    dims = [Loop(loop).dims() for loop in loops]
    if any(dim is None for dim in dims):
        return False
    constants = Indices()
    for loop, item in zip(loops, dims, strict=True):
        with ir.InsertionPoint(loop), loop.location:
            unroll(item[0], lambda number, loop=loop: constants.constant(number, loop))  # type: ignore[index, misc]
    return True


def put_in_order(ends: list[End]) -> bool:
    """Moves the host's puts on two channels into the order of the cores' gets; returns whether they have that order now.

    The puts must be in one block of a launch, and operations between them must not wait for them. The host may then issue them
    in any order, since each is on its own channel.
    """
    (first, second), gets = ends
    puts = [*first, *second]
    if len(members(ends[0])) != 1 or len(members(gets)) != 1 or not all((first, second, *gets)):
        return False
    block = puts[0].block
    wanted_order = sequence(gets)
    if (
        any(p.block != block for p in puts)
        or block.owner.name != LaunchOp.OPERATION_NAME
        or wanted_order is None
        or not _alternates(wanted_order)
    ):
        return False
    if [wanted_order.count(0), wanted_order.count(1)] != [len(first), len(second)]:
        return False
    order = [o.operation for o in block.operations]
    queues = [iter(sorted(item, key=order.index)) for item in (first, second)]
    sorted_ = [next(queues[number]) for number in wanted_order]
    last = max(map(order.index, puts))
    if not all(_is_free(op, sorted_[:n], puts, order[: last + 1]) for n, op in enumerate(sorted_)):
        return False
    for op in sorted_:
        op.move_before(order[last + 1])
    return True


def _alternates(order: list[int]) -> bool:
    """Whether transfers of both channels alternate. Otherwise, all of one channel precede those of the other, and tokens can
    enforce that.
    """
    return sum(a != b for a, b in pairwise(order)) > 1


def _is_free(op: AnyOp, before: list[AnyOp], puts: list[AnyOp], until: list[AnyOp]) -> bool:
    """Whether `op` waits for none of `puts` except those in `before`, and of the operations `until` only puts wait for it."""
    waits = [d.owner.operation for d in deps_of(op) if d.owner in puts or getattr(d.owner, "operation", None) in puts]
    used = [use.owner.operation for result in op.results for use in result.uses]
    return all(w in before for w in waits) and not any(u in until and u not in puts for u in used)
