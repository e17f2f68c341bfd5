"""Cycles of a call of a C++ kernel, from the operations that it issued, by loops and their iterations.

An iteration is scheduled as Peano compiles code from MLIR: in program order, each operation in the first cycle in which its
operands are available and its unit is free. The next iteration begins after the last instruction has issued, or when the
values that it takes from this one are available. A loop of few operations in all is unrolled if the compiler knows how many
iterations it has: these and the surrounding code are one block. If the source gives a least number of iterations, they also
overlap, as in LLVM's pipeliner: in at most three stages, and as far as the values that one takes from the previous one allow.

Products with more accumulators than registers load and store them. Scalar code is not recorded: an iteration without other
operations takes a scalar load and a jump.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil

from allo_air.core_model.figures import Issue
from allo_air.core_model.machine import Machine
from allo_air.core_model.slots import Slots, busiest, issues_by_unit
from allo_air.sim.cores.cpp_events import ALU, LOAD, MAC, MOVE, STORE, SUM, Event, Iteration, Loop, Operand, Operation, read

UNROLLED = 150
"""LLVM's default for the operations of all iterations of a loop that is unrolled completely."""
STAGES = 3
"""LLVM's default for the number of iterations of a pipelined loop that overlap."""
SEARCHED = 10
"""Intervals above the least that LLVM's pipeliner tries (-pipeliner-ii-search-range); if none fits, the loop stays as it is."""


def cycles(events: Iterable[Event], machine: Machine) -> int:
    """Cycles of a call that has issued `events`."""
    return ceil(Pricing(machine).turn(read(events), False))


_Ends = dict[int, dict[int, int]]
"""For loops of an iteration and operations of their last iterations: the cycles at which their values are available."""


@dataclass(frozen=True)
class _Placed:
    """The schedule of one iteration: cycles until its last instruction has issued, and cycles of its busiest unit."""

    length: int
    most: int
    ready: dict[int, int]
    """For each operation, the cycle at which its value is available."""
    needed: dict[int, int] = field(default_factory=dict)
    """For each value from the previous iteration: the cycle at which it is needed."""

    @property
    def late(self) -> dict[int, int]:
        """Cycles from its last instruction until the values of all its operations are available."""
        return {number: cycle - self.length for number, cycle in self.ready.items() if cycle > self.length}

    def wait(self, before: _Placed) -> int:
        """The minimal cycles between the starts of two iterations, given by loop-carried values."""
        return max([0, *(before.ready.get(number, 0) - cycle for number, cycle in self.needed.items())])


class Schedule:
    """Schedules operations, each in the first cycle in which its operands are available and its unit is free."""

    def __init__(self, machine: Machine, spilled: bool):
        self._machine, self._spilled = machine, spilled
        self.slots = Slots(machine)
        self._issues: list[Issue] = []

    def turn(
        self,
        items: Iterable[tuple[int, Operation]],
        before: dict[int, int],
        ready: dict[int, int] | None = None,
        inner: _Ends | None = None,
    ) -> tuple[dict[int, int], dict[int, int]]:
        """Schedules the operations of an iteration.

        `before` has, for the previous iteration, when its values are available and when they are needed. `ready` has when
        values of this iteration are available, and receives those of `items`; `inner` has those of its loops.
        """
        ready = {} if ready is None else ready
        needed: dict[int, int] = {}
        for number, operation in items:
            start, ready[number] = self._place(operation, before, ready, inner or {})
            for operand in operation.operands:
                if operand.is_carried:
                    cycle = start + (self._machine.mac - self._machine.accumulate if operand.adds else 0)
                    needed[operand.number] = min(needed.get(operand.number, cycle), cycle)
        return ready, needed

    def unrolled(self, loop: Loop) -> dict[int, int]:
        """Schedules all iterations of a loop; returns when the values of the last one are available."""
        ready: dict[int, int] = {}
        for turn in loop.rounds:
            ready, _ = self.turn(turn.operations, ready)
        return ready

    @property
    def length(self) -> int:
        return max(self.slots.length, self.most)

    @property
    def most(self) -> int:
        """Cycles that the busiest unit needs."""
        return busiest(issues_by_unit(self._issues), self._machine)[0]

    def _place(self, operation: Operation, before: dict[int, int], ready: dict[int, int], inner: _Ends) -> tuple[int, int]:
        def when(o: Operand) -> int:
            if o.inner >= 0:
                return inner.get(o.number, {}).get(o.inner, 0)
            return (before if o.is_carried else ready).get(o.number, 0)

        def there(adds: bool) -> int:
            return max([0, *(when(o) for o in operation.operands if o.adds == adds)])

        machine = self._machine
        start, sums = there(False), there(True)
        first: int | None = None
        last: int | None = None
        done = 0 if operation.events else max(start, sums)
        for event in operation.events:
            if last is not None and event.unit != last:
                start = done
            accesses = ceil(event.bits / 8 / machine.store_bytes) if self._spilled and event.value else 0
            if accesses:
                start = max(start, self._issue(Issue(load=accesses, latency=machine.vector_load, unit_a=True), 0))
            if event.value:
                start = max(start, sums - (machine.mac - machine.accumulate))
            ends = self._issue(_issue_of(event, machine), start)
            if accesses:
                self._issue(Issue(store=accesses, latency=machine.store), ends)
            done, last = max(done, ends), event.unit
            first = start if first is None else first
        return (start if first is None else first), done

    def _issue(self, issue: Issue, start: int) -> int:
        self._issues.append(issue)
        return self.slots.place(issue, start) + issue.latency


def _issue_of(event: Event, machine: Machine) -> Issue:
    """The instructions of an event and their latency."""
    last = event.times - 1
    if event.unit == LOAD:
        return Issue(load=event.times, latency=machine.vector_load + last // machine.loads)
    if event.unit == STORE:
        return Issue(store=event.times, latency=machine.store + last)
    if event.unit == MOVE:
        return Issue(move=event.times, latency=machine.shuffle + last)
    return Issue(vector=event.times, latency={MAC: machine.mac, SUM: machine.mac, ALU: machine.alu}[event.unit] + last)


def _further(ends: dict[int, int], steps: dict[int, dict[int, int]]) -> dict[int, int]:
    """The longest chains that continue from `ends` through one more iteration."""
    reached: dict[int, int] = {}
    for middle, cycle in ends.items():
        for end, more in steps[middle].items():
            reached[end] = max(reached.get(end, 0), cycle + more)
    return reached


@dataclass(frozen=True)
class _LoopResult:
    """The result of a loop: its cycles, the cycles of its first iteration that may overlap with earlier code, and the delay
    of the values of its last iteration.
    """

    cycles: float
    start: float = 0
    late: dict[int, int] = field(default_factory=dict)


class Pricing:
    """The cycles of iterations and loops on `machine`."""

    def __init__(self, machine: Machine):
        self._machine = machine
        self._lengths: dict[tuple[Iteration, bool], float] = {}
        self._placed: dict[tuple[Iteration, bool], _Placed] = {}
        self._chains: dict[Iteration, float] = {}

    def turn(self, turn: Iteration, spilled: bool) -> float:
        """Cycles of an iteration without surrounding code. Code before a pipelined loop overlaps with its start."""
        if not turn.loops:
            return self._place(turn, spilled).length
        key = turn, spilled
        if key not in self._lengths:
            self._lengths[key] = self._around(turn, spilled)
        return self._lengths[key]

    def _around(self, turn: Iteration, spilled: bool) -> float:
        """Cycles of an iteration with inner loops. Unrolled loops form one block with the code around them."""
        total, schedule, ready, inner = 0.0, Schedule(self._machine, spilled), dict[int, int](), _Ends()
        for number, item in enumerate(turn.items):
            if isinstance(item, Operation):
                schedule.turn([(number, item)], {}, ready, inner)
            elif self.is_unrolled(item, spilled):
                inner[number] = schedule.unrolled(item)
            else:
                loop = self.loop(item, spilled)
                total += max(schedule.length, loop.start) + loop.cycles - loop.start
                schedule, ready = Schedule(self._machine, spilled), {}
                inner = {number: loop.late}
        return total + schedule.length

    def is_unrolled(self, loop: Loop, spilled: bool) -> bool:
        """Whether LLVM unrolls the loop completely and its accumulators stay in registers."""
        if spilled or loop.loops or loop.open:
            return False
        return 0 < loop.instructions <= UNROLLED and not self.spills(loop)

    def _place(self, turn: Iteration, spilled: bool) -> _Placed:
        key = turn, spilled
        if key not in self._placed:
            schedule = Schedule(self._machine, spilled)
            ready, needed = schedule.turn(turn.operations, {})
            self._placed[key] = _Placed(schedule.length, schedule.most, ready, needed)
        return self._placed[key]

    def _chain(self, turn: Iteration) -> float:
        """Cycles of an iteration because of its longest chain through carried values, without waits for units.

        A chain may take several iterations to return to its value, for example if two values are swapped.
        """
        if turn not in self._chains:
            self._chains[turn] = self._longest(turn, set(self._place(turn, False).needed))
        return self._chains[turn]

    def _longest(self, turn: Iteration, carried: set[int]) -> float:
        steps: dict[int, dict[int, int]] = {}
        for number in carried:
            reached: dict[int, int] = {}
            for own, operation in turn.operations:
                taken = [
                    (o, 0 if o.is_carried else reached[o.number])
                    for o in operation.operands
                    if (o.number == number if o.is_carried else o.number in reached)
                ]
                if taken:
                    reached[own] = max(cycle + self._latency(operation, o) for o, cycle in taken)
            steps[number] = {end: cycle for end, cycle in reached.items() if end in carried}
        longest, walks = 0.0, steps
        for turns in range(1, len(carried) + 1):
            longest = max([longest, *(ends[number] / turns for number, ends in walks.items() if number in ends)])
            walks = {number: _further(ends, steps) for number, ends in walks.items()}
        return longest

    def _latency(self, operation: Operation, operand: Operand) -> int:
        """Cycles from an operand to the value."""
        total, last, slowest = 0, None, 0
        for event in operation.events:
            latency = _issue_of(event, self._machine).latency
            if operand.adds and event.value:
                latency += self._machine.accumulate - self._machine.mac
            if event.unit != last:
                total, slowest = total + slowest, 0
            slowest, last = max(slowest, latency), event.unit
        return total + slowest

    def loop(self, loop: Loop, spilled: bool) -> _LoopResult:
        """The time of a loop that is not unrolled."""
        spilled = spilled or self.spills(loop)
        if loop.loops:
            return _LoopResult(sum(self.turn(t, spilled) + self._machine.jump for t in loop.rounds))
        if not loop.instructions:
            return _LoopResult(len(loop.rounds) * (self._machine.scalar_load + self._machine.jump))
        placed = [self._place(t, spilled) for t in loop.rounds]
        first, late = placed[0].length, placed[-1].late
        if not spilled and loop.hinted:
            by_stages = ceil(first / STAGES)
            least = [max(p.most, self._chain(t)) for p, t in zip(placed[1:], loop.rounds[1:], strict=True)]
            if by_stages <= max([0, *least]) + SEARCHED:
                return _LoopResult(first + sum(max(by_stages, cycles) for cycles in least), first, late)
        waits = [after.wait(before) for before, after in pairwise(placed)]
        turns = zip(placed, [*waits, 0], strict=True)
        return _LoopResult(sum(max(t.length, self._machine.jump, wait) for t, wait in turns), 0, late)

    def spills(self, loop: Loop) -> bool:
        """Whether the accumulators that several iterations add to need more registers than there are."""
        if len(loop.rounds) < 2:
            return False
        carried = loop.rounds[0].sums & loop.rounds[1].sums
        return sum(bits for _, bits in carried) > self._machine.accumulator_bits
