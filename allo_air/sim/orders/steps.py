"""Steps of an agent in the search over orders: their kinds, and loops of them."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.sim.cores.rounds import Item

ACQUIRE, ACQUIRE_EQUAL, RELEASE, GET, PUT, READ, WRITE, LOOP, NEXT = range(9)
"""Steps, as `allo_air/sim/engine/orders.h` has them."""

ENDLESS = 1 << 24
"""A loop with this many iterations counts as endless."""


def without_positions(items: Sequence[Item]) -> list[Item]:
    """`items` without their positions in the source."""
    return [(LOOP, i[1], tuple(without_positions(i[2]))) if i[0] == LOOP else i[:3] for i in items]


def looped(items: list[Item], times: int) -> list[Item]:
    """`items` repeated `times` times; a single time if they only access memory."""
    if times == 1 or not any(i[0] not in (READ, WRITE) for i in items):
        return items
    return [(LOOP, -1 if times >= ENDLESS else times, tuple(items))] if items else []


def append_flat(items: Sequence[Item], values: list[tuple[int, int, int, int]]) -> None:
    """Appends `items` to `values` with loops as a pair of steps, LOOP and NEXT, that name each other's index."""
    for item in items:
        if item[0] != LOOP:
            values.append(item)
            continue
        start = len(values)
        values.append((LOOP, item[1], 0, -1))
        append_flat(item[2], values)
        values.append((NEXT, start, 0, -1))
        values[start] = (LOOP, item[1], len(values), -1)
