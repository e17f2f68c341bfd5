"""Two channels whose transfers alternate: recognizes the order of their transfers at both ends, and enforces it by tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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
"""Largest number of transfers of a sequence that is compared."""

End = tuple[list[Any], list[Any]]
"""The transfers of each of the two channels at one end."""


def take_turns(ends: list[End]) -> bool:
    """Whether the transfers of the two channels alternate at each end, in the same order and equally often.

    The loops may differ: A B A B at one end is equal to a loop around A B at the other one, also if a channel has several
    transfers in each iteration, or if one loop follows another. Each member of a bundle is compared by itself.
    """
    all_members = members_of(ends)
    if not all(first and second for first, second in all_members):
        return False
    orders = [[number for number, _ in _turns_of(member)] for member in all_members]
    if not all(orders):
        return _same_sequence(all_members)
    looped = any(common([*first, *second]).owner.name == "scf.for" for first, second in all_members if first and second)
    repeats = any(len(order) > len(_period(order)) for order in orders)
    if looped and _same_sequence(all_members):
        return True
    if not (looped or repeats) or len({tuple(_period(order)) for order in orders}) > 1:
        return False
    rounds = [rounds_of(common([*first, *second])) for first, second in all_members]
    return len({len(order) * n for order, n in zip(orders, rounds, strict=True) if n is not None}) <= 1


def _same_sequence(all_members: list[End]) -> bool:
    """Whether all ends make the same transfers in the same order, regardless of their loops."""
    sequences = [sequence(member) for member in all_members]
    return None not in sequences and len({tuple(s) for s in sequences if s is not None}) == 1


def sequence(end: End) -> list[int] | None:
    """The channel (0 or 1) of each transfer that an end executes, in order; None if it is unknown."""
    block = common([*end[0], *end[1]])
    times, numbers = rounds_of(block), {op.operation: number for number, transfers in enumerate(end) for op in transfers}
    around = {o.operation for op in numbers for o in parents(op) if o.name != "builtin.module"}
    results = _executed(block, numbers, around)
    return results * times if times is not None and results is not None and len(results) * times <= _MOST else None


def _executed(block: ir.Block, numbers: Mapping[ir.Operation, int], around: Collection[ir.Operation]) -> list[int] | None:
    """The numbers of the transfers that `block` executes, in order; `around` are the operations that contain transfers."""
    results: list[int] = []
    for op in [o.operation for o in block.operations]:
        if op in numbers:
            results.append(numbers[op])
        elif op in around:
            trips = 1 if op.name in _HELD else Loop(op).trips() if op.name in FOR else None
            inner = None if trips is None else _executed(op.regions[0].blocks[0], numbers, around)
            if trips is None or inner is None or len(inner) * trips > _MOST:
                return None
            results += inner * trips
    return results


def are_in_order(ends: list[End]) -> bool:
    """Whether at each end all asynchronous transfers of one channel precede those of the other, in one block that runs
    equally often at both ends."""
    all_members = members_of(ends)
    if not all(first and second for first, second in all_members):
        return False
    blocks = [{op.block for op in (*first, *second)} for first, second in all_members]
    if any(len(block) > 1 for block in blocks) or not all(
        len(op.results) for pair in all_members for ops in pair for op in ops
    ):
        return False
    if any([number for number, _ in _turns_of(member)] != [0, 1] for member in all_members):
        return False
    return len({rounds_of(block) for [block] in blocks} - {None}) <= 1


def chain(end: End) -> None:
    """Makes each transfer wait for the preceding transfers of the other channel."""
    for member in members(end):
        _chain(member)


def _chain(end: End) -> None:
    block = common([*end[0], *end[1]])
    keys_of = [{_key(op) for op in transfers} for transfers in end]
    keys = set().union(*keys_of)
    turns_of_end = [places for _, places in _turns_of(end)]
    if not turns_of_end:  # a loop with both channels, which other loops or transfers precede or follow
        turns_of_end = [[place] for place in sorted({place for place, _ in _places(end, block)})]
        order = [o.operation for o in block.operations]
        for top in [order[place] for [place] in turns_of_end]:
            first, second = ([t for t in walk_named(top, PUT, GET) if _key(t) in own] for own in keys_of)
            if first and second:
                _chain((first, second))
    for before, after in pairwise(turns_of_end):
        ops = [o.operation for o in block.operations]
        tokens = [r for place in before for r in ops[place].results if is_token(r)]
        for op in [t for place in after for t in walk_named(ops[place], PUT, GET)]:
            if _key(op) in keys:
                add_deps(op, tokens)


def _key(op: ir.Operation) -> tuple[str, tuple[int | None, ...]]:
    """The channel of a transfer: the name and indices of its bundle, with None for an index that is not constant."""
    return channel_of(op), tuple(constant_of(i) for i in op.opview.indices)


def members(end: End) -> list[End]:
    """The transfers of each member of the bundles if all indices are constant; otherwise one entry with all transfers.

    Transfers of different members need no order: for example the gets of a broadcast in two herds, at [0, 0] and [0, 1].
    """
    indices = {_key(op)[1] for transfers in end for op in transfers}
    if any(None in index for index in indices):
        return [end]
    return [
        ([op for op in end[0] if _key(op)[1] == index], [op for op in end[1] if _key(op)[1] == index])
        for index in sorted(indices)
    ]


def members_of(ends: list[End]) -> list[End]:
    """The members of the bundles at each of `ends`."""
    return [member for end in ends for member in members(end)]


def _turns_of(end: End) -> list[tuple[int, list[int]]]:
    """The runs of consecutive transfers of one channel, in the innermost block that contains all transfers of the end.

    Each run has the number of the channel, and the positions in that block of its transfers or of the loops around them. The
    list is empty if a channel has no transfer, or if one loop has transfers of both channels.
    """
    if not all(end):
        return []
    block = common([*end[0], *end[1]])
    placed = sorted(_places(end, block))
    if len({place for place, _ in placed}) < len(placed):
        return []
    return [(number, [place for place, _ in group]) for number, group in groupby(placed, key=lambda item: item[1])]


def _places(end: End, block: ir.Block) -> set[tuple[int, int]]:
    """The positions in `block` of the transfers or of the loops around them, each with the number of the channel."""
    order = [o.operation for o in block.operations]
    return {(order.index(ancestor_in(op, block)), number) for number, transfers in enumerate(end) for op in transfers}


def common(ops: list[ir.Operation]) -> Any:
    """The innermost block around all of `ops`."""
    ancestors = [[o.block for o in (op, *parents(op)) if o.name != "builtin.module"] for op in ops]
    return next(b for b in ancestors[0] if all(b in blocks for blocks in ancestors))


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
