"""Cycles of a call of a kernel in C++, from what it has issued: its loops, and what each turn of them does, in order.

A turn is priced as Peano compiles it. Its loads begin it, two a cycle; what computes follows, each kind of operation when the
one before has its results (those of one kind that stand together are taken to be independent, and issue one a cycle); the next
turn begins when the last instruction has issued. A loop of few operations in all is unrolled: its turns overlap, limited by
the units that they occupy. The turns of a loop with a pipelining hint in the source overlap, too, in at most three stages, as
LLVM's pipeliner does it. Products with more accumulators than registers load and store them. Scalar code is not seen: a turn of
nothing else takes a scalar load and a jump.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NamedTuple

from allo_air.sim.cores.machine import Machine

NONE, LOAD, STORE, EITHER, MAC, SUM, ALU, MOVE, BEGINS, TURNS, ENDS, HINT = range(12)
"""What events are, as `Unit` in allo_air/aie_api/include/aie_api/detail/types.hpp numbers them."""

UNROLLED = 150
"""Operations of all turns of a loop that LLVM unrolls whole: its threshold."""
STAGES = 3
"""Turns that overlap in a loop that LLVM pipelines, at most: its default."""


class Event(NamedTuple):
    """`times` instructions of a unit; a product's accumulator and its bits. An event that waits for loads has bits only."""

    unit: int
    times: int
    at: int = 0
    bits: int = 0


@dataclass(frozen=True)
class Turn:
    """The events of an iteration of a loop, or of a function's body, in order."""

    items: tuple[Event | Turns, ...]

    @cached_property
    def sums(self) -> frozenset[tuple[int, int]]:
        """The accumulators that products add to, with their bits."""
        own = {(i.at, i.bits) for i in self.items if isinstance(i, Event) and i.at}
        return frozenset(own.union(*(turn.sums for i in self.items if isinstance(i, Turns) for turn in i.rounds)))

    @cached_property
    def loops(self) -> bool:
        """Whether it holds loops."""
        return any(isinstance(i, Turns) for i in self.items)


@dataclass(frozen=True)
class Turns:
    """A loop."""

    rounds: tuple[Turn, ...]
    hinted: bool


def cycles(events: Iterable[Event], machine: Machine) -> int:
    """Cycles of a call that has issued `events`."""
    return ceil(_Pricing(machine).turn(_read(events), False))


def _read(events: Iterable[Event]) -> Turn:
    """The loops of a call."""
    turn_lists: list[list[Turn]] = []
    items: list[list[Event | Turns]] = [[]]
    hints: list[bool] = []
    before, pending = NONE, False
    for event in events:
        if event.unit == HINT:
            if before == TURNS:
                hints[-1] = True
            pending = True
            continue  # a hint behind a head is heard at each turn; one before a head is heard last before it
        if event.unit == BEGINS:
            turn_lists.append([])
            hints.append(pending)
        elif event.unit == TURNS:
            if len(items) > len(turn_lists):
                turn_lists[-1].append(Turn(tuple(items.pop())))
            items.append([])
        elif event.unit == ENDS:
            if len(items) > len(turn_lists):
                turn_lists[-1].append(Turn(tuple(items.pop())))
            items[-1].append(Turns(tuple(turn_lists.pop()), hints.pop()))
        else:
            items[-1].append(event)
        before, pending = event.unit, False
    while turn_lists:  # cut off
        if len(items) > len(turn_lists):
            turn_lists[-1].append(Turn(tuple(items.pop())))
        items[-1].append(Turns(tuple(turn_lists.pop()), hints.pop()))
    return Turn(tuple(items[0]))


class _Pricing:
    def __init__(self, machine: Machine):
        self._machine = machine
        self._known: dict[tuple[Turn, bool], float] = {}

    def turn(self, turn: Turn, spilled: bool) -> float:
        """Cycles of an iteration without its surroundings; code before a pipelined loop overlaps with its start."""
        key = turn, spilled
        if key not in self._known:
            self._known[key] = self._of(turn, spilled)
        return self._known[key]

    def _of(self, turn: Turn, spilled: bool) -> float:
        if not turn.loops:
            return self._length(turn.items, spilled)
        total, straight = 0.0, list[Event]()
        for item in turn.items:
            if isinstance(item, Event):
                straight.append(item)
                continue
            loop, start = self.loop(item, spilled)
            total += max(self._length(straight, spilled), start) + loop - start
            straight = []
        return total + self._length(straight, spilled)

    def loop(self, loop: Turns, spilled: bool) -> tuple[float, float]:
        """Cycles of a loop, and of them those of its first turn that may overlap with what is before the loop."""
        spilled = spilled or self._spills(loop)
        if any(turn.loops for turn in loop.rounds):
            return sum(self.turn(t, spilled) + self._machine.jump for t in loop.rounds), 0
        if not loop.rounds:
            return 0, 0
        operations = sum(e.times for t in loop.rounds for e in t.items if isinstance(e, Event))
        if not operations:
            return len(loop.rounds) * (self._machine.scalar_load + self._machine.jump), 0
        if not spilled and (operations <= UNROLLED or loop.hinted):
            first = self._length(loop.rounds[0].items, spilled)
            least = 1.0 if operations <= UNROLLED else ceil(first / STAGES)
            return first + sum(max(least, self._most(t.items, spilled)) for t in loop.rounds[1:]), first
        return sum(max(self.turn(t, spilled), self._machine.jump) for t in loop.rounds), 0

    def _spills(self, loop: Turns) -> bool:
        """Whether the accumulators that more than one turn adds to are more than the registers hold."""
        if len(loop.rounds) < 2:
            return False
        carried = loop.rounds[0].sums & loop.rounds[1].sums
        return sum(bits for _, bits in carried) > self._machine.accumulator_bits

    def _most(self, items: Iterable[Event | Turns], spilled: bool) -> float:
        """Cycles that the busiest unit needs."""
        total = dict.fromkeys(range(12), 0.0)
        for event in _own(items):
            total[event.unit] += event.times
            if spilled and event.at:
                total[LOAD] += 2 * self._accesses(event)  # one of the load units has them
                total[STORE] += self._accesses(event)
        machine = self._machine
        loads = ceil((total[LOAD] + total[EITHER]) / machine.loads)
        return max(loads, total[STORE] / machine.stores, total[MAC] + total[SUM] + total[ALU], total[MOVE])

    def _accesses(self, event: Event) -> int:
        """Loads, or stores, of a product's accumulator."""
        return ceil(event.bits / 8 / self._machine.store_bytes)

    def _length(self, items: Iterable[Event | Turns], spilled: bool) -> float:
        """Cycles of straight code until its last instruction has issued."""
        machine, events = self._machine, _stores(list(_own(items)))
        latency = {MAC: machine.mac, SUM: machine.mac, ALU: machine.alu, MOVE: machine.shuffle}
        loads = sum(e.times for e in events if e.unit == LOAD)
        at = ceil(loads / machine.loads) + machine.vector_load - 1 if loads else 0
        spills = sum(self._accesses(e) for e in events if e.at) if spilled else 0
        at += spills
        last = 0
        for event in sorted(events, key=lambda e: (0, e.unit != MOVE) if e.bits and not e.at else (1, False)):
            if event.unit not in latency:
                continue
            if last and event.unit != last:
                at += latency[last] - 1
            at, last = at + event.times, event.unit
        stores = sum(e.times for e in events if e.unit == STORE) + spills
        if stores:
            at += stores + (latency[last] - 1 if last else 0)
        return max(float(at), self._most(events, spilled))


def _own(items: Iterable[Event | Turns]) -> Iterable[Event]:
    return (i for i in items if isinstance(i, Event))


def _stores(events: list[Event]) -> list[Event]:
    """`events`, where an access through an iterator is a store if it is the last one of a turn that computes, else a load."""
    touches = [n for n, e in enumerate(events) if e.unit in (LOAD, STORE, EITHER)]
    computes = any(e.unit in (MAC, SUM, ALU, MOVE) for e in events)
    last = touches[-1] if touches and computes and all(events[n].unit != STORE for n in touches) else None
    return [e._replace(unit=STORE if n == last else LOAD) if e.unit == EITHER else e for n, e in enumerate(events)]
