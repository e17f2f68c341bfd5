"""Chooses the locks that keep the accesses to one buffer in order. The accesses are the period of an endless program. Two
accesses conflict if different agents (DMA channels, the core) perform them, one of them writes, and they touch a common
element. An access waits for the earlier ones that it conflicts with, except those that are implied by other waits. A BD can
acquire one lock and release one lock, so waits that share a source or a destination become one counting lock: a gate. A gate
with several sources and several destinations could admit a destination before the last source is done; then one destination
is the first, and the others wait for it.

Channels that acquire the same lock do not take each other's share: a DMA channel requests the lock of its next BD when it has
finished one, so all of them already wait when the lock is released, and none returns before the buffer has changed
(`is_in_turn` of `_sequences.py` checks for which orders of buffers this is true). If each of them reads the buffer several
times in between, none gets a whole round ahead of the others if their readers advance in step, like cores that share another
operand; the same is true if each fills a part of it and also brings other data to such cores. These arguments depend on
timing. With `one_taker`, only one agent acquires each lock, so no agent can take another's share in any order: agents that
could are chained instead. If all locks of a program are of this kind, it has the same result in every order, and it ends in
all orders or in none.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable
from dataclasses import dataclass
from itertools import pairwise

from allo_air.passes.to_aie._walks import Walk

CORE = "core"
"""The core as an agent; the other agents are DMA channels."""


@dataclass(frozen=True)
class Access:
    """`count` accesses in a row by `agent` to `walk` of the buffer (None: anywhere in it)."""

    agent: Hashable
    writes: bool
    walk: Walk | None
    count: int = 1
    core: bool = False
    """Whether a core performs it: a core can acquire and release any number of locks, a BD one each."""


@dataclass(frozen=True)
class Gate:
    """A lock: the amounts that sources release after each of their accesses, and that destinations acquire before each of
    theirs."""

    sources: tuple[tuple[int, int], ...]  # (index of the access, amount)
    dests: tuple[tuple[int, int], ...]
    init: int


@dataclass(frozen=True)
class _Edge:
    source: int
    dest: int
    late: int  # repetitions between source and destination


class InexpressibleAccesses(ValueError):
    """Raised for repeated accesses that a lock's amounts cannot express; the caller then passes them one by one."""


def gates(
    accesses: list[Access],
    aligned: Callable[[Hashable, Hashable], bool],
    *,
    in_step: bool = False,
    one_taker: bool = False,
) -> list[Gate]:
    """The locks for `accesses`; `aligned` says whether two agents visit the same buffers in the same order.

    Destinations that are not aligned could take each other's share of a lock, so they do not share one. Destinations with
    several consecutive accesses share one only if they advance `in_step`. With `one_taker`, none share.
    """
    if one_taker:
        return _gates_of_one_taker(accesses)
    firsts: set[int] = set()

    def with_first(i: int, j: int) -> bool:
        return i in firsts or j in firsts

    while True:
        edges = _edges(accesses, with_first)
        groups = _groups(edges)
        unfit = next((g for g in groups if not _is_star(g, accesses, aligned, in_step)), None)
        if unfit is None:
            return [_gate(g, accesses) for g in groups]
        new = min(d for d in {e.dest for e in unfit} if d not in firsts) if {e.dest for e in unfit} - firsts else None
        if new is None:
            raise InexpressibleAccesses("accesses that cannot be ordered")
        firsts.add(new)


def _gates_of_one_taker(accesses: list[Access]) -> list[Gate]:
    """Locks that are each acquired by one access; accesses that would acquire one in any order are chained."""
    cores = {index for index, access in enumerate(accesses) if access.core}
    row: set[frozenset[int]] = set()

    def in_row(i: int, j: int) -> bool:
        return frozenset((i, j)) in row

    while True:
        edges = _edges(accesses, in_row)
        groups = _groups(edges, cores)
        unfit = next((g for g in groups if not _has_one_taker(g, accesses)), None)
        if unfit is None:
            return _paired([_gate(g, accesses) for g in groups], accesses)
        dests, sources = {e.dest for e in unfit}, {e.source for e in unfit}
        size, first = len(accesses), min(sources)
        order = sorted(dests, key=lambda d: (d - first) % size) if len(dests) > 1 else sorted(sources)
        new = {frozenset(pair) for pair in pairwise(order)} - row
        if not new:
            raise InexpressibleAccesses("accesses that cannot be put in a row")
        row |= new


def _paired(gates: list[Gate], accesses: list[Access]) -> list[Gate]:
    """The gates, changed so that each BD that releases a lock also acquires one, as mlir-aie requires: the lock of its
    channel's previous BD, whose amount is doubled."""
    takers, source_accesses = {d for g in gates for d, _ in g.dests}, {s for g in gates for s, _ in g.sources}
    for index in sorted(source_accesses - takers):
        last = next((n for n in range(index - 1, -1, -1) if accesses[n].agent == accesses[index].agent), None)
        if accesses[index].core or last is None or accesses[last].count != accesses[index].count:
            continue
        for n, gate in enumerate(gates):
            if len(gate.sources) == 1 and gate.dests == ((last, 1),):
                [(source, value)] = gate.sources
                gates[n] = Gate(((source, 2 * value),), ((last, 1), (index, 1)), 2 * gate.init)
    return gates


def _conflict(a: Access, b: Access) -> bool:
    if a.agent == b.agent or not (a.writes or b.writes):
        return False
    return a.walk is None or b.walk is None or a.walk.overlaps(b.walk)


def _edges(accesses: list[Access], ordered: Callable[[int, int], bool]) -> list[_Edge]:
    """The direct dependences of each access of a later repetition: on accesses that it conflicts with, and on those that it
    is `ordered` with."""
    size = len(accesses)
    conflicts = [
        [_conflict(a, b) or (a.agent != b.agent and ordered(i, j)) for j, b in enumerate(accesses)]
        for i, a in enumerate(accesses)
    ]
    before: list[int] = []  # bit sets of the accesses that have ended when this one starts
    edges: list[_Edge] = []
    for step in range(3 * size):
        y, over, own = step % size, 0, False
        for earlier in range(step - 1, max(-1, step - size - 1), -1):
            x = earlier % size
            if over >> earlier & 1:
                continue
            if accesses[x].agent == accesses[y].agent:
                if not own:
                    own, over = True, over | before[earlier] | 1 << earlier
            elif conflicts[x][y]:
                over |= before[earlier] | 1 << earlier
                if step >= 2 * size:
                    edges.append(_Edge(x, y, step // size - earlier // size))
        before.append(over)
    return edges


def _groups(edges: list[_Edge], apart: Container[int] = ()) -> list[list[_Edge]]:
    """The edges in groups that share a destination or a source; the sources `apart` have a lock for each edge."""
    groups: list[list[_Edge]] = []
    for edge in edges:
        near = [g for g in groups if any(e.dest == edge.dest or (e.source == edge.source and e.source not in apart) for e in g)]
        groups = [g for g in groups if g not in near] + [[e for g in near for e in g] + [edge]]
    return groups


def _has_one_taker(group: list[_Edge], accesses: list[Access]) -> bool:
    """Whether one access acquires the lock of a group, in amounts that the lock can count."""
    [dest, *rest] = {e.dest for e in group}
    if rest:
        return False
    counts, count = {accesses[e.source].count for e in group}, accesses[dest].count
    if len(group) > 1:
        return count == 1
    if count > 1 and counts not in ({1}, {count}):
        raise InexpressibleAccesses("repeated accesses after others, repeated another number of times")
    return True


def _is_star(group: list[_Edge], accesses: list[Access], aligned: Callable[[Hashable, Hashable], bool], in_step: bool) -> bool:
    sources, dests = {e.source for e in group}, sorted({e.dest for e in group})
    if len(sources) > 1 and any(accesses[d].count > 1 for d in dests):
        raise InexpressibleAccesses("repeated accesses after several others")
    if any(accesses[s].count > 1 for s in sources) and any(accesses[d].count > 1 for d in dests):
        raise InexpressibleAccesses("repeated accesses after repeated ones")
    if len(dests) == 1:
        return True
    if len(sources) > 1 or len({e.late for e in group}) > 1:
        return False
    counts = {accesses[d].count for d in dests}
    if counts != {1} and (not in_step or len(counts) > 1):
        raise InexpressibleAccesses("repeated accesses beside others")
    return all(aligned(accesses[dests[0]].agent, accesses[d].agent) for d in dests[1:])


def _gate(group: list[_Edge], accesses: list[Access]) -> Gate:
    sources = sorted({e.source for e in group})
    dests = sorted({e.dest for e in group})
    if len(dests) == 1:
        [dest] = dests
        count = accesses[dest].count
        if count > 1 and len(sources) == 1 and accesses[sources[0]].count == count:  # one for one
            return Gate(((sources[0], 1),), ((dest, 1),), group[0].late * count)
        acquired = sum(accesses[s].count for s in sources) if count == 1 else 1
        value = count if count > 1 else 1
        lag = sum(e.late * (accesses[e.source].count if value == 1 else value) for e in group)
        return Gate(tuple((s, value) for s in sources), ((dest, acquired),), lag)
    value = sum(accesses[d].count for d in dests)
    acquired = accesses[sources[0]].count
    return Gate(((sources[0], value),), tuple((d, acquired) for d in dests), sum(e.late for e in group) * acquired)
