"""Converts the events that a call of a C++ kernel recorded to operations: its loops, and the operations of each iteration
with their operands.

The kernel records events in order (allo_air/aie_api/include/aie_api/detail/record.hpp). An event names the value that the
following instructions compute, or one that they read. Here, these become operations whose operands are numbered within the
iteration, so that equal iterations are equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

NONE, LOAD, STORE, EITHER, MAC, SUM, ALU, MOVE, BEGINS, TURNS, ENDS, HINT, MAKES, READS = range(14)
"""The units of events, numbered like `Unit` in record.hpp."""


class Event(NamedTuple):
    """`times` instructions of a unit; a product's accumulator and its bits. `value` is the number of a value."""

    unit: int
    times: int
    value: int = 0
    bits: int = 0


class Operand(NamedTuple):
    """The value of operation `number` of the same iteration, or of the previous one if `is_carried`; `adds` marks an
    accumulator.

    If `inner` is not negative, `number` is a loop, and operation `inner` of its last iteration computes the value.
    """

    number: int
    is_carried: bool = False
    adds: bool = False
    inner: int = -1


@dataclass(frozen=True)
class Operation:
    """Instructions that compute one value; each kind of instruction waits for the previous kind. It has none if it only
    renames lanes.
    """

    events: tuple[Event, ...]
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class Iteration:
    """The operations and loops of an iteration of a loop, or of a function's body, in order."""

    items: tuple[Operation | Loop, ...]

    @cached_property
    def sums(self) -> frozenset[tuple[int, int]]:
        """The accumulators that products add to, with their bits."""
        own = {(e.value, e.bits) for i in self.items if isinstance(i, Operation) for e in i.events if e.value}
        return frozenset(own.union(*(turn.sums for i in self.items if isinstance(i, Loop) for turn in i.rounds)))

    @cached_property
    def operations(self) -> tuple[tuple[int, Operation], ...]:
        """Its own operations with their numbers."""
        return tuple((number, item) for number, item in enumerate(self.items) if isinstance(item, Operation))

    @cached_property
    def loops(self) -> bool:
        """Whether it contains loops."""
        return len(self.operations) < len(self.items)


@dataclass(frozen=True)
class Loop:
    """A loop."""

    rounds: tuple[Iteration, ...]
    hinted: bool
    open: bool = False
    """Whether the number of iterations is unknown to the compiler."""
    head: int = 0
    """A number of its head and function in the source."""

    @cached_property
    def loops(self) -> bool:
        """Whether its iterations contain loops."""
        return any(turn.loops for turn in self.rounds)

    @cached_property
    def instructions(self) -> int:
        """The number of instructions of all its iterations, without those of inner loops."""
        return sum(event.times for turn in self.rounds for _, operation in turn.operations for event in operation.events)


class _Body:
    """An iteration while its events are read: its items, the value of each operation, and the operations of the previous
    iteration.
    """

    def __init__(self, before: dict[int, int] | None = None):
        self._items: list[int | Loop] = []
        self._events: dict[int, list[Event]] = {}
        self._before = before or {}
        self._inner: dict[int, tuple[int, int]] = {}

    def add(self, value: int, event: Event | None) -> None:
        """Adds an instruction of the operation that computes `value`; `event` is None at the start of the operation."""
        if value not in self._events:
            self._events[value] = []
            self._items.append(value)
        if event is not None:
            self._events[value].append(event)

    def add_loop(self, loop: Loop, last: dict[int, int]) -> None:
        """Adds a loop; `last` maps the values of its last iteration to the numbers of their operations."""
        self._inner |= {value: (len(self._items), number) for value, number in last.items()}
        self._items.append(loop)

    @property
    def numbers(self) -> dict[int, int]:
        """Maps values to the numbers of the operations that compute them."""
        return {item: number for number, item in enumerate(self._items) if isinstance(item, int)}

    def turn(self, reads: dict[int, dict[int, bool]]) -> Iteration:
        """The completed iteration. `reads` has the operands of each value, and which of them is the accumulator."""
        self._sort(reads)
        own = self.numbers
        items: list[Operation | Loop] = []
        for item in self._items:
            if isinstance(item, Loop):
                items.append(item)
                continue
            operands = list[Operand]()
            for value, adds in reads.get(item, {}).items():
                if value in own:
                    operands.append(Operand(own[value], adds=adds))
                elif value in self._inner:
                    loop, number = self._inner[value]
                    operands.append(Operand(loop, adds=adds, inner=number))
                elif value in self._before:
                    operands.append(Operand(self._before[value], is_carried=True, adds=adds))
            events, taken = self._events[item], bool(reads.get(item))
            items.append(Operation(tuple(e._replace(unit=STORE if taken else LOAD) if e.unit == EITHER else e for e in events),
                                   tuple(operands)))  # fmt: skip
        return Iteration(tuple(items))

    def _sort(self, reads: dict[int, dict[int, bool]]) -> None:
        """Moves operations after those that compute their operands. A product may convert an operand after it has begun."""
        items, sorted_values = list[int | Loop](), set[int]()
        for item in self._items:
            if isinstance(item, Loop):
                items.append(item)
                continue
            pending = [item]
            while pending:
                last = pending[-1]
                missing = [v for v in reads.get(last, {}) if v in self._events and v not in sorted_values and v not in pending]
                pending += reversed(missing)
                if not missing:
                    pending.pop()
                    if last not in sorted_values:
                        items.append(last)
                    sorted_values.add(last)
        self._items = items


class _Loop:
    """A loop while its events are read."""

    def __init__(self, hinted: bool, begins: Event):
        self.hinted, self._open, self._head = hinted, begins.times > 1, begins.value
        self._turns: list[Iteration] = []
        self.body: _Body | None = None

    def turns(self, reads: dict[int, dict[int, bool]]) -> None:
        """Starts the next iteration."""
        before = None
        if self.body is not None:
            self._turns.append(self.body.turn(reads))
            before = self.body.numbers
        self.body = _Body(before)

    def ends(self, reads: dict[int, dict[int, bool]]) -> Loop:
        """The completed loop."""
        if self.body is not None:
            self._turns.append(self.body.turn(reads))
        return Loop(tuple(self._turns), self.hinted, self._open, self._head)


def read(events: Iterable[Event]) -> Iteration:
    """The loops and operations of a call."""
    whole, loops = _Body(), list[_Loop]()
    reads: dict[int, dict[int, bool]] = {}
    before, pending, current = NONE, False, 0
    for event in events:
        if event.unit == HINT:
            if before == TURNS:
                loops[-1].hinted = True
            pending = True
            continue  # a hint after a head is heard at each turn; one before a head is heard last before it
        body = loops[-1].body if loops and loops[-1].body is not None else whole
        if event.unit == BEGINS:
            loops.append(_Loop(pending, event))
        elif event.unit == TURNS:
            loops[-1].turns(reads)
        elif event.unit == ENDS:
            _end(loops, whole, reads)
        elif event.unit == MAKES:
            current = event.value
        elif event.unit == READS:
            body.add(current, None)
            operands = reads.setdefault(current, {})
            operands[event.value] = operands.get(event.value, False) or event.times == 2
        else:
            body.add(current, event)
        before, pending = event.unit, False
    while loops:  # cut off
        _end(loops, whole, reads)
    return whole.turn(reads)


def _end(loops: list[_Loop], whole: _Body, reads: dict[int, dict[int, bool]]) -> None:
    ended = loops.pop()
    around = next((loop.body for loop in reversed(loops) if loop.body is not None), whole)
    around.add_loop(ended.ends(reads), ended.body.numbers if ended.body is not None else {})
