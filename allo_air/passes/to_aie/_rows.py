"""Joins consecutive transfers of an L2 buffer over one stream that one BD can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from allo_air.device import BDFormat
from allo_air.passes.to_aie._design import Transfer
from allo_air.passes.to_aie._periods import Loop, items
from allo_air.passes.to_aie._walks import Walk, is_one_bd


def in_rows(tree: tuple[object, ...], form: BDFormat, joins: Callable[[Transfer], bool]) -> tuple[Any, ...]:
    """`tree` with consecutive transfers joined, if no other access of their buffer or stream is in between. They move pieces
    of one shape at equal distances, and one BD of `form` can do all of them. Only transfers that `joins` accepts are joined.

    Before:
        put @a[] (%m[0] [8] [1]);  put @a[] (%m[16] [8] [1]);  put @a[] (%m[32] [8] [1])
    After:
        put @a[] (%m[0, 0] [3, 8] [16, 1])
    """
    while (result := _once(tree, form, joins)) != tree:
        tree = result
    return tree


def _once(tree: tuple[Any, ...], form: BDFormat, joins: Callable[[Transfer], bool]) -> tuple[Any, ...]:
    results: list[Any] = []
    finished: set[int] = set()
    for index, node in enumerate(tree):
        if index in finished:
            continue
        if isinstance(node, Loop):
            results.append(replace(node, body=_once(node.body, form, joins)))
            continue
        row, walk = _row(tree, index, form) if joins(node) else ([index], node.walk)
        finished.update(row)
        results.append(replace(node, walk=walk) if len(row) > 1 else node)
    return tuple(results)


def _row(tree: tuple[Transfer, ...], index: int, form: BDFormat) -> tuple[list[int], Walk]:
    """The positions in `tree` of the longest run of such transfers from `index` on, and the walk over all its pieces."""
    first: Transfer = tree[index]
    places, walk = [index], first.walk
    step = 0
    for number in range(index + 1, len(tree)):
        node = tree[number]
        if isinstance(node, Loop):
            if any(t.stream == first.stream or not _is_apart(first, t) for t in items((node,))):
                break
            continue
        if node.stream != first.stream and _is_apart(first, node):
            continue
        last = tree[places[-1]].walk.offset
        longer = follows(first, len(places), last, step, node, form)
        if longer is None:
            break
        places, walk, step = [*places, number], longer, node.walk.offset - last
    return places, walk


def follows(piece: Transfer, count: int, last: int, step: int, node: Transfer, form: BDFormat) -> Walk | None:
    """The walk over `count` pieces like `piece`, the last of them at `last`, and `node`; None if one BD cannot do that.

    `step` is the distance of the pieces; 0 if there is only one.
    """
    distance = node.walk.offset - last
    if not _is_alike(piece, node) or distance <= 0 or (step and distance != step):
        return None
    longer = replace(piece.walk, dims=((count + 1, distance), *piece.walk.dims))
    return longer if is_one_bd(longer, form) else None


def _is_apart(a: Transfer, b: Transfer) -> bool:
    """Whether both can be swapped."""
    return a.buffer != b.buffer or (a.put and b.put) or (a.put == b.put and not a.walk.overlaps(b.walk))


def _is_alike(a: Transfer, b: Transfer) -> bool:
    """Whether both move pieces of one shape of a buffer over one channel."""
    same = (a.key, a.put, a.buffer, a.lane) == (b.key, b.put, b.buffer, b.lane)
    return same and not a.walk.pads and replace(a.walk, offset=b.walk.offset) == b.walk
