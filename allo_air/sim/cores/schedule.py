"""Cycles of straight code and of loops on a core that issues one instruction per unit and cycle.

An innermost loop is software-pipelined: its iterations start as far apart as its busiest unit, or a dependence from one
iteration to the next, demands. Other loops jump back; code around an inner loop overlaps with its first and last iterations
only.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

from allo_air.core.rewrite import walk_named
from allo_air.sim.cores.build import constant_of, trip_count
from allo_air.sim.cores.device_ops import SYNCHRONIZING
from allo_air.sim.cores.issue import Issue, issue_of
from allo_air.sim.cores.machine import Machine


@dataclass(frozen=True)
class Cost:
    """Figures of one execution; `bound` is what limits its (longest) innermost loop."""

    cycles: int = 0
    macs: int = 0
    loads: int = 0
    stores: int = 0
    vector: int = 0
    bound: str = "latency"

    def plus(self, other: Cost, times: int = 1) -> Cost:
        """This cost and `times` the other, one after the other."""
        bound = other.bound if other.cycles * times > self.cycles else self.bound
        return Cost(
            self.cycles + other.cycles * times, self.macs + other.macs * times, self.loads + other.loads * times,
            self.stores + other.stores * times, self.vector + other.vector * times, bound,
        )  # fmt: skip


@dataclass
class _Totals:
    load: int = 0
    store: int = 0
    vector: int = 0
    scalar: int = 0
    macs: int = 0

    def add(self, issue: Issue) -> None:
        self.load += issue.load
        self.store += issue.store
        self.vector += issue.vector
        self.scalar += issue.scalar
        self.macs += issue.macs

    def busiest(self, machine: Machine) -> tuple[int, str]:
        """Cycles that the busiest unit needs, and its name."""
        units = (
            (self.vector, "vector"),
            (ceil(self.load / machine.loads), "load"),
            (ceil(self.store / machine.stores), "store"),
            (self.scalar, "scalar"),
        )
        return max(units, key=lambda u: u[0])

    def cost(self, cycles: int, bound: str) -> Cost:
        return Cost(cycles, self.macs, self.load, self.store, self.vector, bound)


@dataclass(frozen=True)
class Pipelined:
    """An innermost loop: `interval` cycles between iterations, `depth` cycles of one, figures per iteration."""

    interval: int
    depth: int
    body: Cost
    slack: tuple[int, ...]
    """Cycles after the loop's start at which each of its carried values is needed first."""

    def cost(self, trips: int) -> Cost:
        """The whole loop."""
        if trips <= 0:
            return Cost()
        cycles = self.interval * (trips - 1) + max(self.depth, self.interval)
        b = self.body
        return Cost(cycles, b.macs * trips, b.loads * trips, b.stores * trips, b.vector * trips, b.bound)


def straight(ops: list[Any], machine: Machine) -> Cost:
    """Cycles of operations without loops: the longer of the critical path and the busiest unit."""
    totals = _Totals()
    finish: dict[Any, int] = {}
    path = 0
    for op in ops:
        path = max(path, _finish(op, issue := issue_of(op, machine), finish))
        totals.add(issue)
    busiest, unit = totals.busiest(machine)
    return totals.cost(max(path, busiest), unit if busiest >= path else "latency")


def _start(op: Any, issue: Issue, finish: dict[Any, int]) -> int:
    """When all operands are there; the accumulator may come later than the factors."""
    operands = list(op.operands)
    early = 0 if issue.forward is None else issue.latency - issue.forward
    ready = [
        finish.get(v, 0) - (early if issue.forward is not None and i == len(operands) - 1 else 0)
        for i, v in enumerate(operands)
    ]
    return max([0, *ready])


def _finish(op: Any, issue: Issue, finish: dict[Any, int]) -> int:
    done = _start(op, issue, finish) + issue.latency
    for result in op.results:
        finish[result] = done
    return done


def trips_of(loop: Any) -> int | None:
    """The trip count of an `scf.for` with constant bounds, else None."""
    bounds = [constant_of(v) for v in list(loop.operands)[:3]]
    if None in bounds:
        return None
    count = trip_count(*bounds)
    assert isinstance(count, int)
    return count


def body_of(loop: Any) -> list[Any]:
    """The operations of a loop's body, without the terminator."""
    return [o.operation for o in loop.regions[0].blocks[0].operations][:-1]


def is_innermost(loop: Any) -> bool:
    """Whether `loop` holds plain operations only, none of them a call or a synchronization."""
    return all(not o.regions or not list(o.regions) for o in body_of(loop)) and not walk_named(loop, *SYNCHRONIZING)


def pipelined(loop: Any, machine: Machine) -> Pipelined:
    """The software-pipelined form of an innermost loop."""
    ops = body_of(loop)
    block = loop.regions[0].blocks[0]
    totals = _Totals()
    finish: dict[Any, int] = {}
    carried = list(block.arguments)[1:]
    needed: dict[Any, int] = {}
    depth = 0
    for op in ops:
        issue = issue_of(op, machine)
        totals.add(issue)
        start = _start(op, issue, finish)
        for i, value in enumerate(op.operands):
            if value in carried:
                is_last = issue.forward is not None and i == len(op.operands) - 1
                late = start + (issue.latency - (issue.forward or 0) if is_last else 0)
                needed[value] = min(needed.get(value, late), late)
        depth = max(depth, _finish(op, issue, finish))
    busiest, unit = totals.busiest(machine)
    recurrence = max(_carried(loop, ops, machine), _through_memory(loop, ops, machine))
    interval = max(busiest, recurrence, 1)
    body = totals.cost(interval, unit if busiest >= recurrence else "latency")
    return Pipelined(interval, depth, body, tuple(needed.get(v, 0) for v in carried))


def _carried(loop: Any, ops: list[Any], machine: Machine) -> int:
    """The longest chain from a carried value to the value that the next iteration gets for it."""
    block = loop.regions[0].blocks[0]
    yielded = list(list(block.operations)[-1].operands)
    longest = 0
    for argument, result in zip(list(block.arguments)[1:], yielded, strict=True):
        reached = {argument: 0}
        for op in ops:
            issue = issue_of(op, machine)
            operands = list(op.operands)
            lengths = [
                reached[v] + (issue.forward if issue.forward is not None and i == len(operands) - 1 else issue.latency)
                for i, v in enumerate(operands)
                if v in reached
            ]
            if lengths:
                reached |= dict.fromkeys(op.results, max(lengths))
        longest = max(longest, reached.get(result, 0))
    return longest


def _through_memory(loop: Any, ops: list[Any], machine: Machine) -> int:
    """The chain through an element that each iteration loads and stores: nothing may be loaded before it is stored."""
    inside = {r for op in ops for r in op.results} | set(loop.regions[0].blocks[0].arguments)
    loads = [op for op in ops if op.name == "memref.load" and not any(v in inside for v in op.operands)]
    stores = [op for op in ops if op.name == "memref.store"]
    longest = 0
    for load in loads:
        for store in stores:
            if list(store.operands)[1:] == list(load.operands):
                finish: dict[Any, int] = {}
                between = [issue_of(o, machine) for o in ops]
                for op, issue in zip(ops, between, strict=True):
                    _finish(op, issue, finish)
                longest = max(longest, finish.get(store.operands[0], 0) + machine.store)
    return longest


def nest(loop: Any, machine: Machine) -> Cost | None:
    """Cycles of a loop nest whose trip counts are all constants and that holds no other control flow, else None."""
    trips = trips_of(loop)
    if trips is None:
        return None
    if is_innermost(loop):
        return pipelined(loop, machine).cost(trips)
    body = _around(body_of(loop), machine)
    if body is None:
        return None
    each = Cost(body.cycles + machine.jump, body.macs, body.loads, body.stores, body.vector, body.bound)
    return Cost().plus(each, trips)


def _around(ops: list[Any], machine: Machine) -> Cost | None:
    """Cycles of a body that holds loops: they run one after the other, the code around them overlaps where its data allows."""
    totals = _Totals()
    finish: dict[Any, int] = {}
    loops = Cost()
    path = last = 0
    for op in ops:
        if op.name == "scf.for":
            inner = nest(op, machine)
            if inner is None:
                return None
            slack = pipelined(op, machine).slack if is_innermost(op) else (0,) * len(op.results)
            inits = [finish.get(v, 0) - s for v, s in zip(list(op.operands)[3:], slack, strict=True)]
            last = max([last, *inits]) + inner.cycles
            finish |= dict.fromkeys(op.results, last)
            loops = loops.plus(inner)
            path = max(path, last)
        elif (op.regions and list(op.regions)) or op.name in SYNCHRONIZING:
            return None
        else:
            issue = issue_of(op, machine)
            path = max(path, _finish(op, issue, finish))
            totals.add(issue)
    busiest, _ = totals.busiest(machine)
    own = totals.cost(max(path, loops.cycles + busiest) - loops.cycles, loops.bound)
    return loops.plus(own)
