"""The host's transfers of two channels, in the order in which cores make theirs."""

from __future__ import annotations

from typing import Any

from allo_air.dialects.air import LaunchOp
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.channel._turns import End, members, sequence


def put_in_order(ends: list[End]) -> bool:
    """Moves the host's puts of two channels so that they come as the cores get; whether they now do.

    The puts stand in one block of a launch, one after the other, and nothing but what is behind them all waits for them: the
    host may make them in any order, as each is on a channel of its own.
    """
    (one, other), gets = ends
    puts = [*one, *other]
    if len(members(ends[0])) != 1 or len(members(gets)) != 1 or not all((one, other, *gets)):
        return False
    block = puts[0].block
    wanted = sequence(gets)
    if any(p.block != block for p in puts) or block.owner.name != LaunchOp.OPERATION_NAME or wanted is None:
        return False
    if [wanted.count(0), wanted.count(1)] != [len(one), len(other)]:
        return False
    order = [o.operation for o in block.operations]
    queues = [iter(sorted(found, key=order.index)) for found in (one, other)]
    sorted_ = [next(queues[number]) for number in wanted]
    last = max(map(order.index, puts))
    if not all(_is_free(op, sorted_[:n], puts, order[: last + 1]) for n, op in enumerate(sorted_)):
        return False
    for op in sorted_:
        op.move_before(order[last + 1])
    return True


def _is_free(op: Any, before: list[Any], puts: list[Any], until: list[Any]) -> bool:
    """Whether `op` waits for none of `puts` but those `before` it, and nothing in `until` but these waits for it."""
    waits = [d.owner.operation for d in deps_of(op) if d.owner in puts or getattr(d.owner, "operation", None) in puts]
    used = [use.owner.operation for result in op.results for use in result.uses]
    return all(w in before for w in waits) and not any(u in until and u not in puts for u in used)
