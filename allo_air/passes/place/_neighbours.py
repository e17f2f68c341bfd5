"""Determines which blocks must be adjacent, and on which side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import prod
from typing import Any

from allo_air.dialects.air import L1
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.place._blocks import Block, Neighbours, Side
from allo_air.passes.place._cascades import cascades, channel_ends_of

_AROUND: frozenset[Side] = frozenset(("west", "east", "south", "north"))


_CHAIN = 3
"""Smallest number of blocks of a cascade chain that runs from north to south if possible, as in mlir-air."""


def neighbours(root: ir.Operation, blocks: list[Block]) -> list[list[Neighbours]]:
    """The adjacency constraints of cascades and shared L1 buffers; first those to try first.

    A cascade connects a core to the one in the east or in the south. A core reaches the memory of the cores around it.
    """
    links, shares = list(_by_cascades(root, blocks)), list(_by_memory(blocks))
    stacked = _stacked(links)
    return [[*stacked, *shares], [*links, *shares]] if stacked != links else [[*links, *shares]]


def _stacked(links: list[Neighbours]) -> list[Neighbours]:
    """The links of cascades, those of long chains from north to south only."""
    chains = {id(link.first): {id(link.first)} for link in links} | {id(link.second): {id(link.second)} for link in links}
    for link in links:
        joined = chains[id(link.first)] | chains[id(link.second)]
        chains |= dict.fromkeys(joined, joined)
    south: frozenset[Side] = frozenset({"south"})
    runs = [link for link in links if "south" in link.sides and len(chains[id(link.first)]) >= _CHAIN]
    return [replace(link, sides=south) if link in runs else link for link in links]


def _by_cascades(root: ir.Operation, blocks: list[Block]) -> Iterator[Neighbours]:
    channels = cascades(root)
    used = [(block, {end for herd in block.herds for end in channel_ends_of(herd, channels)}) for block in blocks]
    for source, put_ends in used:
        for target, got in used:
            for name in sorted({end[0] for end in put_ends} & {end[0] for end in got}):
                links = _links(channels[name], put_ends, got)
                if source is not target and links:
                    yield _cascade(source, target, channels[name], links)


def _links(channel: ir.OpView, put_ends: set[Any], got: set[Any]) -> int:
    """The number of members of the channel's bundle from one block to the other; all, if the indices are not constant."""
    sent = {indices for name, end, indices in put_ends if name == channel.sym_name and end == "put"}
    received = {indices for name, end, indices in got if name == channel.sym_name and end == "get"}
    if not sent or not received:
        return 0
    return prod(channel.size) if None in sent | received else len(sent & received)


def _cascade(source: Block, target: Block, channel: ir.OpView, links: int) -> Neighbours:
    """If there are as many links as rows, they connect rows, from west to east; if there are as many as columns, they connect
    columns, from north to south.
    """
    linked: set[Side] = set()
    if source.height == target.height == links:
        linked.add("east")
    if source.width == target.width == links:
        linked.add("south")
    sides: frozenset[Side] = frozenset(linked or ("east", "south"))
    return Neighbours(source, target, sides, frozenset(linked), f"cascade @{channel.sym_name} runs to the east or the south")


def _by_memory(blocks: list[Block]) -> Iterator[Neighbours]:
    shared = [{root_of(v) for herd in block.herds for v in herd.args if is_in(v.type, L1)} for block in blocks]
    for a, b in combinations(range(len(blocks)), 2):
        if not shared[a] & shared[b]:
            continue
        first, second = blocks[a], blocks[b]
        aligned: set[Side] = set()
        if first.height == second.height:
            aligned |= {"west", "east"}
        if first.width == second.width:
            aligned |= {"south", "north"}
        yield Neighbours(first, second, _AROUND, frozenset(aligned), "they share an L1 buffer")
