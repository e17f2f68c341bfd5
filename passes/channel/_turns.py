"""Transfers of two channels that already take turns, in one order at both ends."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import is_token
from allo_air.passes._analysis.channel_ends import GET, PUT, site_of
from allo_air.passes._ir.tokens import add_deps

End = tuple[list[Any], list[Any]]
"""The transfers of each of the two channels at one end."""


def take_turns(ends: list[End]) -> bool:
    """Whether the channels take turns at each end, in one order, in the rounds of a loop: A B A B there, or A B, as here.

    A loop that has been unrolled whole at one end is the block that it was in.
    """
    orders = [[number for number, _ in _turns(end)] for end in ends]
    looped = any(site_of(op).parent.name == "scf.for" for end in ends for transfers in end for op in transfers)
    return looped and all(orders) and len({tuple(_period(order)) for order in orders}) == 1


def chain(end: End) -> None:
    """Makes the transfers of each turn wait for those of the turn before it."""
    block = site_of(end[0][0]).block
    names = {op.attributes["chan_name"].value for transfers in end for op in transfers}
    turns = [places for _, places in _turns(end)]
    for before, after in pairwise(turns):
        ops = [o.operation for o in block.operations]
        tokens = [r for place in before for r in ops[place].results if is_token(r)]
        for op in [t for place in after for t in walk_named(ops[place], PUT, GET)]:
            if op.attributes["chan_name"].value in names:
                add_deps(op, tokens)


def _turns(end: End) -> list[tuple[int, list[int]]]:
    """Whose turn it is, and the places of its transfers in the one block that has all; empty where there is none."""
    sites = {site_of(op): number for number, transfers in enumerate(end) for op in transfers}
    blocks = {site.block for site in sites}
    if len(blocks) != 1:
        return []
    order = [o.operation for o in next(iter(blocks)).operations]
    placed = sorted((order.index(site), number) for site, number in sites.items())
    return [(number, [place for place, _ in group]) for number, group in groupby(placed, key=lambda item: item[1])]


def _period(order: list[int]) -> list[int]:
    """The shortest list of which `order` is a repetition."""
    lengths = [n for n in range(1, len(order) + 1) if len(order) % n == 0]
    return next(order[:n] for n in lengths if order[:n] * (len(order) // n) == order)
