"""Transfers of an L2 buffer cut into parts, so that each has one partner.

Where several channels fill parts of a buffer that one channel drains (or one fills what several drain), the one waits for all.
Cut into the same parts, it waits for one in each, and goes on part by part, as soon as its partner is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from allo_air.device import BDFormat
from allo_air.passes.to_aie._channels import Stream
from allo_air.passes.to_aie._design import Transfer
from allo_air.passes.to_aie._program import words_of_buffers
from allo_air.passes.to_aie._walks import UnwalkableError, Walk, fit
from allo_air.passes.to_aie._words import Loop, items

MOST = 2
"""Parts that a transfer is cut into at most, for each of its partners: each costs a BD, and the time to start it."""


MANY = 4
"""Partners that are too many to wait in a row for all that each does: thin products would take half as long again."""


def cut(tree: tuple[Transfer | Loop, ...], most_bds: int, form: BDFormat) -> tuple[tuple[Any, ...], frozenset[int]]:
    """`tree` with transfers cut as the locks want them, where BDs are then at most `most_bds`; and buffers left as they are.

    A transfer with several partners is cut into parts that have one each. Where it cannot be, its partners are cut into what
    they do first, which then lets the next of them start, and the rest. Where there are no BDs for that, and MANY partners, all
    buffers of these partners are left as they are.
    """
    groups: dict[frozenset[Stream], list[tuple[int, dict[Any, tuple[Walk, ...]]]]] = {}
    full: set[frozenset[Stream]] = set()
    parts: dict[Any, tuple[Walk, ...]] = {}
    bds = len({t.what for t in items(tree)})
    walks_by_transfer = {t.what: (t, steps) for steps in words_of_buffers(tree).values() for t in steps}
    # What is drained first: often it is one buffer that several fill, where many are filled for several.
    for transfer, steps in sorted(walks_by_transfer.values(), key=lambda pair: not pair[0].put):
        partners = [t for t in steps if t.put != transfer.put and t.stream != transfer.stream]
        meeting = frozenset(t.stream for t in partners if t.walk.overlaps(transfer.walk))
        if len(meeting) < 2:
            continue
        results = {transfer.what: _parts(transfer, partners, form)} if _is_alone(transfer, steps) else {}
        if not any(results.values()):
            results = {t.what: _start_and_rest(t, form) for t in _before_the_last(transfer, partners, steps)}
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
    """The `partners` without those of the channel that starts last after `transfer`, which releases no other."""
    position = steps.index(next(t for t in steps if t.what == transfer.what))
    streams = list(dict.fromkeys(t.stream for t in (*steps[position:], *steps[:position]) if t in partners))
    return [t for t in partners if t.stream != streams[-1]]


def _is_alone(transfer: Transfer, steps: tuple[Transfer, ...]) -> bool:
    """Whether no BD repeats `transfer`."""
    return not any(a.what == b.what == transfer.what for a, b in pairwise((*steps, steps[0])))


def _parts(transfer: Transfer, partners: list[Transfer], form: BDFormat) -> tuple[Walk, ...]:
    """The parts of `transfer` that have one of `partners` each; none where no cut is so."""
    size = transfer.walk.plain.dims[0][0]
    for count in range(2, min(size, MOST * len({t.stream for t in partners})) + 1):
        parts = _cut(transfer.walk, [size // count] * count, form) if size % count == 0 else ()
        if parts and all(len({t.stream for t in partners if t.walk.overlaps(part)}) == 1 for part in parts):
            return parts
    return ()


def _start_and_rest(transfer: Transfer, form: BDFormat) -> tuple[Walk, ...]:
    """The first index of the outermost dimension, or as many as are whole words, and the others; none where that cannot be."""
    size = transfer.walk.plain.dims[0][0]
    return next(
        (result for first in (1, 2, 4) if first < size and (result := _cut(transfer.walk, [first, size - first], form))), ()
    )


def _cut(walk: Walk, sizes: list[int], form: BDFormat) -> tuple[Walk, ...]:
    """`walk` cut along its outermost dimension; nothing where it pads, or a BD of `form` cannot do a part."""
    plain = walk.plain
    (_, stride), *inner = plain.dims
    starts = accumulate(sizes, initial=0)
    results = tuple(
        replace(plain, offset=plain.offset + start * stride, dims=((size, stride), *inner))
        for start, size in zip(starts, sizes, strict=False)
    )
    return results if not walk.pads and all(_is_one_bd(part, form) for part in results) else ()


def _is_one_bd(walk: Walk, form: BDFormat) -> bool:
    try:
        return walk.bytes > 0 and len(fit(walk, form)) == 1
    except UnwalkableError:
        return False


def _replaced(tree: tuple[Transfer | Loop, ...], parts: Mapping[Any, tuple[Walk, ...]]) -> tuple[Any, ...]:
    nodes: list[Any] = []
    for node in tree:
        if isinstance(node, Loop):
            nodes.append(replace(node, body=_replaced(node.body, parts)))
        else:
            nodes += [replace(node, walk=walk) for walk in parts[node.what]] if node.what in parts else [node]
    return tuple(nodes)
