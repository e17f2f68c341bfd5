"""Runs a program's events abstractly to find those that cannot finish if channels hold a given number of transfers.

Transfers at one end of a channel run in program order. A get ends when all puts of its bytes have begun. A put ends when the
gets of its bytes have begun, except for as many gets as the channel holds transfers. Nothing else is assumed about time. So
an event that finishes here finishes in every order that the tokens allow, and an event that is stuck here is stuck in every
order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from allo_air.passes.check._channels import Bundle
from allo_air.passes.check._events import Event, Program

UNBOUNDED = 1 << 60


@dataclass
class Stream:
    """One channel of a bundle, from the view of its gets: its puts and gets in order."""

    puts: list[Event] = field(default_factory=list)
    gets: list[Event] = field(default_factory=list)

    def ends(self) -> tuple[list[int], list[int]]:
        sums = []
        for side in (self.puts, self.gets):
            total, result = 0, []
            for event in side:
                total += event.bytes or 0
                result.append(total)
            sums.append(result)
        return sums[0], sums[1]


@dataclass
class Links:
    """Dependences between transfers, by event number.

    `needs[get]` are the puts of its bytes. `takers[put]` are, for each receiver, the gets up to the one of the put's last
    byte. `before` is the previous transfer at the same end, which must end first. `unclear` has the operations that were not
    matched, with reasons.
    """

    before: dict[int, int] = field(default_factory=dict)
    needs: dict[int, list[int]] = field(default_factory=dict)
    takers: dict[int, list[list[int]]] = field(default_factory=dict)
    unclear: list[tuple[Any, str]] = field(default_factory=list)
    short: set[int] = field(default_factory=set)  # gets without enough put data, puts without enough gets


def link(program: Program, channels: dict[str, Bundle]) -> Links:
    """Matches the puts and gets of `program`, by bytes."""
    links = Links()
    for name, stream in _streams(program, channels, links).items():
        if _is_clear(name, stream, links):
            _match(stream, links)
    return links


def _streams(program: Program, channels: dict[str, Bundle], links: Links) -> dict[Any, Stream]:
    streams: dict[Any, Stream] = {}
    last: dict[Any, int] = {}
    for event in program.events:
        if event.element is None:
            continue
        name, indices = event.element
        ends = (event.element, event.is_put)
        if ends in last:
            links.before[event.number] = last[ends]
        last[ends] = event.number
        if not event.is_put:
            streams.setdefault(event.element, Stream()).gets.append(event)
            continue
        for served in channels[name].served_by(indices):
            streams.setdefault((name, served), Stream()).puts.append(event)
    return streams


def _is_clear(name: str, stream: Stream, links: Links) -> bool:
    """Whether puts and gets can be matched: each end has one agent, and sizes are known. Otherwise, `links.unclear` gets the
    reason.
    """
    for side in (stream.puts, stream.gets):
        agents = {e.agent for e in side}
        if len(agents) > 1:
            links.unclear.append((side[-1].op, f"the order in which several agents use one end of @{name[0]}{list(name[1])}"))
    events = [*stream.puts, *stream.gets]
    unknown = [e for e in events if e.bytes is None]
    if unknown:
        links.unclear.append((unknown[0].op, f"how many bytes it moves over @{name[0]}{list(name[1])}"))
    if len({e.times for e in events}) > 1:
        links.unclear.append((events[0].op, f"how the runs of both ends of @{name[0]}{list(name[1])} come together"))
    return not links.unclear


def _match(stream: Stream, links: Links) -> None:
    put_ends, get_ends = stream.ends()
    index = 0
    for get, end in zip(stream.gets, get_ends, strict=True):
        begin = end - (get.bytes or 0)
        while index < len(put_ends) and put_ends[index] <= begin:
            index += 1
        until = index
        while until < len(put_ends) and put_ends[until] - (stream.puts[until].bytes or 0) < end:
            until += 1
        links.needs.setdefault(get.number, []).extend(p.number for p in stream.puts[index:until])
        if not put_ends or put_ends[-1] < end:
            links.short.add(get.number)
    taken_count = 0
    for put_op, end in zip(stream.puts, put_ends, strict=True):
        while taken_count < len(get_ends) and get_ends[taken_count] < end:
            taken_count += 1
        upto = min(len(get_ends), taken_count + 1)
        links.takers.setdefault(put_op.number, []).append([g.number for g in stream.gets[:upto]])
        if not get_ends or get_ends[-1] < end:
            links.short.add(put_op.number)


@dataclass
class Outcome:
    """The events that began and those that ended, by number."""

    begun: list[bool]
    over: list[bool]

    @property
    def stuck(self) -> list[int]:
        return [n for n, done in enumerate(self.over) if not done]


def run(program: Program, links: Links, capacity: int) -> Outcome:
    """Runs `program` as far as possible, if each channel holds `capacity` transfers whose gets have not begun."""
    events = program.events
    outcome = Outcome([False] * len(events), [False] * len(events))
    wakes: dict[int, list[int]] = {}
    for event in events:
        related = [*event.after, *links.needs.get(event.number, ())]
        related += [links.before[event.number]] if event.number in links.before else []
        for group in links.takers.get(event.number, ()):
            related += group[-min(len(group), capacity + 1) :]
        for related_number in related:
            wakes.setdefault(related_number, []).append(event.number)
    todo = deque(range(len(events)))
    queued = [True] * len(events)
    while todo:
        number = todo.popleft()
        queued[number] = False
        if _advance(events[number], links, capacity, outcome):
            for related_number in wakes.get(number, ()):
                if not queued[related_number]:
                    queued[related_number] = True
                    todo.append(related_number)
    return outcome


def _advance(event: Event, links: Links, capacity: int, outcome: Outcome) -> bool:
    """Begins and ends `event` if possible; returns whether anything changed."""
    number, changed = event.number, False
    if outcome.over[number]:
        return False
    if not outcome.begun[number]:
        first = links.before.get(number)
        if not all(outcome.over[n] for n in event.after) or (first is not None and not outcome.over[first]):
            return False
        outcome.begun[number] = changed = True
    if number in links.short and not event.is_put:
        return changed
    if all(outcome.begun[n] for n in links.needs.get(number, ())) and not waiting(number, links, capacity, outcome):
        outcome.over[number] = changed = True
    return changed


def waiting(number: int, links: Links, capacity: int, outcome: Outcome) -> list[int]:
    """The gets for which put `number` waits. Of the gets up to it, more have not begun than the channel holds; the first of
    these, for each receiver.
    """
    results: list[int] = []
    for group in links.takers.get(number, ()):
        tail = group[-min(len(group), capacity + 1) :] if capacity < UNBOUNDED else []
        idle = [g for g in tail if not outcome.begun[g]]
        if len(idle) > capacity:
            results.append(idle[0])
    return results
