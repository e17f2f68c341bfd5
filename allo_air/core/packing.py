"""Vector bin packing: items and bins have several sizes each, for instance memory and channels in two directions."""

from __future__ import annotations

from collections.abc import Sequence

TRIES = 50_000
"""Maximum number of placements that the search tries before it stops without a result."""


def pack(
    items: Sequence[Sequence[int]],
    bins: Sequence[Sequence[int]],
    order: Sequence[Sequence[int]] | None = None,
    tries: int = TRIES,
) -> list[int] | None:
    """Assigns items to bins; returns the bin of each item, or None if the search finds no assignment.

    The largest items are placed first, each in the bins in order, or in its own `order`. Of several bins with equal free
    space, only one is tried.
    """
    if not bins:
        return None if items else []
    most = [max(b[axis] for b in bins) for axis in range(len(bins[0]))]
    remaining = [list(b) for b in bins]
    share = [max((n / m if m else float(n > 0) for n, m in zip(item, most, strict=True)), default=0.0) for item in items]
    largest = sorted(range(len(items)), key=lambda i: -share[i])
    result = [-1] * len(items)
    budget = [tries]

    def put(position: int) -> bool:
        if position == len(largest):
            return True
        item = items[largest[position]]
        visited = set()
        for number in range(len(remaining)) if order is None else order[largest[position]]:
            room = remaining[number]
            key = tuple(room)
            if key in visited or any(n > r for n, r in zip(item, room, strict=True)):
                continue
            visited.add(key)
            budget[0] -= 1
            if budget[0] < 0:
                return False
            remaining[number] = [r - n for n, r in zip(item, room, strict=True)]
            result[largest[position]] = number
            if put(position + 1):
                return True
            remaining[number] = room
        return False

    return result if put(0) else None
