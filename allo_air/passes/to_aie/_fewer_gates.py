"""Merges the locks with which one agent passes a buffer to another. Both agents perform their accesses in order. One counting
lock, released and acquired once for each access, therefore allows the same accesses as one lock for each, if acquires and
releases are in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.passes.to_aie._sync import Access, Gate

_ROUNDS = 3
"""The number of rounds of accesses to compare: after the first, locks with an initial token have none left."""


def fewer(gates: Sequence[Gate], accesses: Sequence[Access]) -> list[Gate]:
    """The locks in groups that can be one lock."""
    groups: list[list[Gate]] = []
    for gate in gates:
        group = next((g for g in groups if _is_one_queue([*g, gate], accesses)), None)
        if group is None:
            groups.append([gate])
        else:
            group.append(gate)
    return [group[0] if len(group) == 1 else _one(group) for group in groups]


def _one(gates: list[Gate]) -> Gate:
    sources = sorted(source for gate in gates for source in gate.sources)
    dests = sorted(dest for gate in gates for dest in gate.dests)
    return Gate(tuple(sources), tuple(dests), sum(gate.init for gate in gates))


def _is_one_queue(gates: list[Gate], accesses: Sequence[Access]) -> bool:
    """Whether one agent releases all of the locks, another acquires them, and each acquire gets the next released token."""
    gives, takes = _slots([g.sources for g in gates], accesses), _slots([g.dests for g in gates], accesses)
    if gives is None or takes is None:
        return False
    first = [index for index, gate in enumerate(gates) for _ in range(gate.init)]
    start, rest = (takes * _ROUNDS)[: len(first)], (takes * _ROUNDS)[len(first) :]
    return sorted(start) == first and rest == (gives * _ROUNDS)[: len(rest)]


def _slots(ends: list[tuple[tuple[int, int], ...]], accesses: Sequence[Access]) -> list[int] | None:
    """The numbers of the locks in the order of the accesses at this end; None unless one agent does these accesses, each once
    and for one token."""
    if any(len(end) != 1 or end[0][1] != 1 or accesses[end[0][0]].count != 1 for end in ends):
        return None
    if len({accesses[end[0][0]].agent for end in ends}) > 1:
        return None
    return [index for _, index in sorted((end[0][0], index) for index, end in enumerate(ends))]
