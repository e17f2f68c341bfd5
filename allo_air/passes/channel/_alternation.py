"""Orders transfers of two channels that alternate, alike at both ends."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.loops import FOR, Loop
from allo_air.core.names import channel_of
from allo_air.core.walking import ancestor_in, parents, walk_named
from allo_air.dialects.air_values import is_token
from allo_air.passes._analysis.channel_ends import GET, PUT
from allo_air.passes._ir.tokens import add_deps

if TYPE_CHECKING:
    from allo_air.mlir import ir

_HELD = ("air.execute",)
_MOST = 1 << 16
"""Transfers that are written out to be compared."""

End = tuple[list[Any], list[Any]]
"""The transfers of each of the two channels at one end."""


def take_turns(ends: list[End]) -> bool:
    """Whether the channels take turns at each end, in one order and as often: A B A B there, or A B in a loop, as here.

    A loop that has been unrolled whole at an end is the block that it was in, also where a channel has several transfers in
    each of its iterations. Members of a bundle take turns each for itself.
    """
    alone = members_of(ends)
    orders = [[number for number, _ in _turns_of(member)] for member in alone]
    if not all(orders):
        return False
    looped = any(common([*one, *other]).owner.name == "scf.for" for one, other in alone if one and other)
    again = any(len(order) > len(_period(order)) for order in orders)
    if looped and _same_sequence(alone):
        return True
    if not (looped or again) or len({tuple(_period(order)) for order in orders}) > 1:
        return False
    rounds = [rounds_of(common([*one, *other])) for one, other in alone]
    return len({len(order) * n for order, n in zip(orders, rounds, strict=True) if n is not None}) <= 1


def _same_sequence(alone: list[End]) -> bool:
    """Whether all ends make the same transfers in the same order, regardless of their loops."""
    sequences = [sequence(member) for member in alone]
    return None not in sequences and len({tuple(s) for s in sequences if s is not None}) == 1


def sequence(end: End) -> list[int] | None:
    """Which of the two channels each transfer of an end is on, as often as it runs; None where that is not known."""
    block = common([*end[0], *end[1]])
    times, order = rounds_of(block), [o.operation for o in block.operations]
    results: list[int] = []
    for number, places in _turns_of(end):
        for place in places:
            inside = [op for op in end[number] if ancestor_in(op, block) == order[place]]
            runs = [rounds_of(op.block) for op in inside]
            plain = {name for op in inside for name in _between(op, block)} <= {*FOR, *_HELD}
            if times is None or None in runs or len(set(runs)) > 1 or not plain:
                return None
            results += [number] * (len(inside) * (runs[0] or 0) // times)
    return results * times if times is not None and len(results) * times <= _MOST else None


def _between(op: ir.Operation, block: object) -> list[str]:
    """The names of the operations around `op` in `block`."""
    results: list[str] = []
    while op.block != block:
        op = op.parent.operation
        results.append(op.name)
    return results


def stand_in_order(ends: list[End]) -> bool:
    """Whether at each end all asynchronous transfers of one channel precede those of the other, in one block that runs
    equally often at both ends."""
    alone = members_of(ends)
    if not all(one and other for one, other in alone):
        return False
    blocks = [{op.block for op in (*one, *other)} for one, other in alone]
    if any(len(block) > 1 for block in blocks) or not all(len(op.results) for pair in alone for ops in pair for op in ops):
        return False
    if any([number for number, _ in _turns_of(member)] != [0, 1] for member in alone):
        return False
    return len({rounds_of(block) for [block] in blocks} - {None}) <= 1


def chain(end: End) -> None:
    """Makes the transfers of each turn wait for those of the turn before it."""
    for member in members(end):
        _chain(member)


def _chain(end: End) -> None:
    block = common([*end[0], *end[1]])
    keys = {_key(op) for transfers in end for op in transfers}
    turns_of_end = [places for _, places in _turns_of(end)]
    for before, after in pairwise(turns_of_end):
        ops = [o.operation for o in block.operations]
        tokens = [r for place in before for r in ops[place].results if is_token(r)]
        for op in [t for place in after for t in walk_named(ops[place], PUT, GET)]:
            if _key(op) in keys:
                add_deps(op, tokens)


def _key(op: ir.Operation) -> tuple[str, tuple[int | None, ...]]:
    """Which channel of which bundle a transfer is on; None where an index is not constant."""
    return channel_of(op), tuple(constant_of(i) for i in op.opview.indices)


def members(end: End) -> list[End]:
    """The transfers of each member of a bundle, where all say by constants which one they are on; else all together.

    So the gets of a broadcast, in two herds at [0, 0] and [0, 1], need no order between the herds.
    """
    indices = {_key(op)[1] for transfers in end for op in transfers}
    if any(None in at for at in indices):
        return [end]
    return [([op for op in end[0] if _key(op)[1] == at], [op for op in end[1] if _key(op)[1] == at]) for at in sorted(indices)]


def members_of(ends: list[End]) -> list[End]:
    """The members of a bundle at all ends."""
    return [member for end in ends for member in members(end)]


def _turns_of(end: End) -> list[tuple[int, list[int]]]:
    """The channels that alternate, and the positions of their transfers (or of loops around them) in the innermost block with
    all of them.

    Empty if a channel has no transfer, or if a loop there has transfers of both.
    """
    if not all(end):
        return []
    block = common([*end[0], *end[1]])
    order = [o.operation for o in block.operations]
    results = {(order.index(ancestor_in(op, block)), number) for number, transfers in enumerate(end) for op in transfers}
    placed = sorted(results)
    if len({place for place, _ in placed}) < len(placed):
        return []
    return [(number, [place for place, _ in group]) for number, group in groupby(placed, key=lambda item: item[1])]


def common(ops: list[ir.Operation]) -> Any:
    """The innermost block around all of `ops`."""
    around = [[o.block for o in (op, *parents(op)) if o.name != "builtin.module"] for op in ops]
    return next(b for b in around[0] if all(b in blocks for blocks in around))


def rounds_of(block: ir.Block) -> int | None:
    """The number of times that a launch runs `block`; None if it is unknown."""
    rounds = 1
    for op in (block.owner.operation, *parents(block.owner)):
        if op.name == "air.launch":
            break
        if op.name in FOR:
            trips = Loop(op).trips()
            if trips is None:
                return None
            rounds *= trips
    return rounds


def _period(order: list[int]) -> list[int]:
    """The shortest list of which `order` is a repetition."""
    lengths = [n for n in range(1, len(order) + 1) if len(order) % n == 0]
    return next(order[:n] for n in lengths if order[:n] * (len(order) // n) == order)
