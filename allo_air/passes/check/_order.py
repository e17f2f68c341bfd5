"""Happens-before: the events of a program that end before other events begin.

Order comes from tokens, from program order between synchronous operations and within one core, from the order at each end of
a channel, and from transfers. A transfer ends at both ends at the same time, when its last byte arrives, and a get writes
nothing before the put of its first byte has begun.
"""

from __future__ import annotations

from allo_air.passes.check._events import Agent, Program
from allo_air.passes.check._schedule import Links


class Order:
    """Happens-before between the `tracked` events of a program that does not deadlock.

    `together=False` is for programs in which a put must end before its get can begin: both ends of a transfer are then
    separate events.
    """

    def __init__(self, program: Program, links: Links, tracked: list[int], *, together: bool) -> None:
        self._bit = {number: 1 << bit for bit, number in enumerate(tracked)}
        count = len(program.events)
        merged = _merge(program, links) if together else list(range(count))
        followers = _edges(program, links, merged)
        over = [0] * (2 * count)  # begins, then ends: which tracked events are over by then
        members: dict[int, int] = {}
        for number, bit in self._bit.items():
            members[count + merged[number]] = members.get(count + merged[number], 0) | bit
        for node in _in_order(followers):
            ancestors = members.get(node, 0)
            for successor in followers[node]:
                ancestors |= over[successor]
            over[node] = ancestors
        for get, puts in links.needs.items():
            over[get] |= over[puts[0]] if puts else 0
        self._before = over

    def is_ordered(self, a: int, b: int) -> bool:
        """Whether one of two tracked events ends before the other begins."""
        return bool(self._before[b] & self._bit[a] or self._before[a] & self._bit[b])


def _merge(program: Program, links: Links) -> list[int]:
    """The number of each event's group: events that end together, named by one of them. A group is a put, and the last get of
    its bytes at each receiver.
    """
    leader = list(range(len(program.events)))

    def find(n: int) -> int:
        while leader[n] != n:
            leader[n] = leader[leader[n]]
            n = leader[n]
        return n

    ends: dict[int, list[int]] = {}
    for get, puts in links.needs.items():
        for put_op in puts:
            ends.setdefault(put_op, []).append(get)
    for put_op, gets in ends.items():
        last: dict[object, int] = {}
        for get in gets:
            element = program.events[get].element
            last[element] = max(last.get(element, -1), get)
        for get in last.values():
            if links.needs[get][-1] == put_op:
                leader[find(get)] = find(put_op)
    return [find(n) for n in range(len(leader))]


def _edges(program: Program, links: Links, merged: list[int]) -> list[list[int]]:
    """For each begin, and for each end of a group, the begins and ends that precede it directly."""
    count = len(program.events)
    successors: list[list[int]] = [[] for _ in range(2 * count)]
    computed: dict[Agent, int] = {}
    for event in program.events:
        number = event.number
        first = [links.before[number]] if number in links.before else []
        if event.touches and not event.op.name.startswith("air."):
            first += [computed[event.agent]] if event.agent in computed else []
            computed[event.agent] = number
        successors[number] = [count + merged[n] for n in (*event.after, *first)]
        successors[count + merged[number]] += [number, *links.needs.get(number, ())]
    return successors


def _in_order(successors: list[list[int]]) -> list[int]:
    """The nodes in topological order, predecessors first; nodes that depend on a cycle are left out."""
    missing = [len(rest) for rest in successors]
    wakes: list[list[int]] = [[] for _ in successors]
    for node, rest in enumerate(successors):
        for successor in rest:
            wakes[successor].append(node)
    ready = [node for node, count in enumerate(missing) if not count]
    results = []
    while ready:
        node = ready.pop()
        results.append(node)
        for successor in wakes[node]:
            missing[successor] -= 1
            if not missing[successor]:
                ready.append(successor)
    return results
