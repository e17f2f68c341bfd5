"""Splits transfers of an L2 buffer into parts with one partner each. If several channels fill parts of a buffer that one
channel drains (or the reverse), the single channel would wait for all of them. Split into the same parts, it waits for one
partner at a time, and each part starts as soon as its partner is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from allo_air.device import BDFormat
from allo_air.passes.to_aie._channels import Stream
from allo_air.passes.to_aie._design import Transfer
from allo_air.passes.to_aie._periods import Loop, items
from allo_air.passes.to_aie._program import sequences_of_buffers
from allo_air.passes.to_aie._walks import Walk, is_one_bd

MOST = 2
"""Largest number of parts of a transfer for each partner: each part costs a BD, and the time to start it."""


MANY = 4
"""With this many partners, a chain in which each waits for all of the previous one is too slow: thin products would take half
as long again."""


def cut(tree: tuple[Transfer | Loop, ...], most_bds: int, form: BDFormat) -> tuple[tuple[Any, ...], frozenset[int]]:
    """`tree` with split transfers, if they need at most `most_bds` BDs; and the buffers without a split. A transfer with
    several partners is split into parts with one partner each. If that is impossible, each partner is split into a first
    part, after which the next partner may start, and the rest. If there are too few BDs for that, and MANY partners, all
    buffers of these partners are left unsplit.
    """
    groups: dict[frozenset[Stream], list[tuple[int, dict[Any, tuple[Walk, ...]]]]] = {}
    full: set[frozenset[Stream]] = set()
    parts: dict[Any, tuple[Walk, ...]] = {}
    bds = len({t.bd_key for t in items(tree)})
    walks_by_transfer = {t.bd_key: (t, steps) for steps in sequences_of_buffers(tree).values() for t in steps}
    # Drains first: often several channels fill one buffer that is drained, and many buffers are filled for several channels.
    for transfer, steps in sorted(walks_by_transfer.values(), key=lambda pair: not pair[0].put):
        partners = [t for t in steps if t.put != transfer.put and t.stream != transfer.stream]
        meeting = frozenset(t.stream for t in partners if t.walk.overlaps(transfer.walk))
        if len(meeting) < 2:
            continue
        results = {transfer.bd_key: _parts(transfer, partners, form)} if _is_alone(transfer, steps) else {}
        if not any(results.values()):
            results = {t.bd_key: _start_and_rest(t, form) for t in _before_the_last(transfer, partners, steps)}
        new = {what: walks for what, walks in results.items() if walks and what not in parts}
        more = sum(len(walks) - 1 for walks in new.values())
        groups.setdefault(meeting, []).append((transfer.buffer, new))
        if bds + more <= most_bds:
            parts |= new
            bds += more
        elif len(meeting) >= MANY:
            full.add(meeting)
    rest_pairs = [pair for meeting in full for pair in groups[meeting]]
    for what in (what for _, new in rest_pairs for what in new):
        parts.pop(what, None)
    return (_replaced(tree, parts) if parts else tree), frozenset(buffer for buffer, _ in rest_pairs)


def _before_the_last(transfer: Transfer, partners: list[Transfer], steps: tuple[Transfer, ...]) -> list[Transfer]:
    """The `partners` without those of the channel that starts last after `transfer`, on which no other waits."""
    position = steps.index(next(t for t in steps if t.bd_key == transfer.bd_key))
    streams = list(dict.fromkeys(t.stream for t in (*steps[position:], *steps[:position]) if t in partners))
    return [t for t in partners if t.stream != streams[-1]]


def _is_alone(transfer: Transfer, steps: tuple[Transfer, ...]) -> bool:
    """Whether `transfer` occurs once, without a repeating BD."""
    return not any(a.bd_key == b.bd_key == transfer.bd_key for a, b in pairwise((*steps, steps[0])))


def _parts(transfer: Transfer, partners: list[Transfer], form: BDFormat) -> tuple[Walk, ...]:
    """The parts of `transfer` with one of `partners` each; empty if there is no such split."""
    size = transfer.walk.plain.dims[0][0]
    for count in range(2, min(size, MOST * len({t.stream for t in partners})) + 1):
        parts = _cut(transfer.walk, [size // count] * count, form) if size % count == 0 else ()
        if parts and all(len({t.stream for t in partners if t.walk.overlaps(part)}) == 1 for part in parts):
            return parts
    return ()


def _start_and_rest(transfer: Transfer, form: BDFormat) -> tuple[Walk, ...]:
    """A split after the first index of the outermost dimension, or after the fewest that are whole words; empty if
    impossible."""
    size = transfer.walk.plain.dims[0][0]
    return next(
        (result for first in (1, 2, 4) if first < size and (result := _cut(transfer.walk, [first, size - first], form))), ()
    )


def _cut(walk: Walk, sizes: list[int], form: BDFormat) -> tuple[Walk, ...]:
    """`walk` split along its outermost dimension; empty if it pads, or if a BD of `form` cannot do a part."""
    plain = walk.plain
    (_, stride), *inner = plain.dims
    starts = accumulate(sizes, initial=0)
    results = tuple(
        replace(plain, offset=plain.offset + start * stride, dims=((size, stride), *inner))
        for start, size in zip(starts, sizes, strict=False)
    )
    return results if not walk.pads and all(is_one_bd(part, form) for part in results) else ()


def _replaced(tree: tuple[Transfer | Loop, ...], parts: Mapping[Any, tuple[Walk, ...]]) -> tuple[Any, ...]:
    nodes: list[Any] = []
    for node in tree:
        if isinstance(node, Loop):
            nodes.append(replace(node, body=_replaced(node.body, parts)))
        else:
            nodes += [replace(node, walk=walk) for walk in parts[node.bd_key]] if node.bd_key in parts else [node]
    return tuple(nodes)
