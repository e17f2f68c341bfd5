"""Cycles of an innermost loop, software-pipelined or as it is compiled (`schedule` tells which is when)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.sim.cores.access import access_of
from allo_air.sim.cores.device_ops import SYNCHRONIZING
from allo_air.sim.cores.figures import Issue
from allo_air.sim.cores.issue import issue_of
from allo_air.sim.cores.machine import Machine
from allo_air.sim.cores.placement import Cost, figures_of, most_of, place
from allo_air.sim.cores.slots import Slots

UNROLLED = 64
"""Instructions of all iterations of a loop that LLVM unrolls whole, without those of addresses (assumed; its threshold is 150
with them). A loop over 8 words is: docs/sources.md#timing, add_one."""


@dataclass(frozen=True)
class Pipelined:
    """An innermost loop: `interval` cycles between iterations, `depth` cycles of one, figures per iteration."""

    interval: int
    depth: int
    body: Cost
    slack: tuple[int, ...]
    """Cycles after the loop's start at which each of its carried values is needed first."""

    ready: tuple[int, ...]
    """Cycles after the last iteration's start at which each of the loop's results is there."""

    whole: int | None = None
    """Cycles of all iterations, where they are unrolled."""

    def cost(self, trips: int) -> Cost:
        """The whole loop."""
        if trips <= 0:
            return Cost()
        cycles = self.whole or self.interval * (trips - 1) + max(self.depth, self.interval)
        b = self.body
        return Cost(cycles, b.macs * trips, b.loads * trips, b.stores * trips, b.vector * trips, b.bound)


def body_of(loop: ir.Operation) -> list[Any]:
    """The operations of a loop's body, without the terminator."""
    return [o.operation for o in loop.regions[0].blocks[0].operations][:-1]


def is_innermost(loop: ir.Operation) -> bool:
    """Whether `loop` holds plain operations only, none of them a call or a synchronization."""
    return all(not o.regions or not list(o.regions) for o in body_of(loop)) and not walk_named(loop, *SYNCHRONIZING)


def pipelined(loop: ir.Operation, machine: Machine) -> Pipelined:
    """The software-pipelined form of an innermost loop."""
    if machine.loops is None:
        return _pipelined(loop, machine)
    key = hash(loop.regions[0].blocks[0].arguments[0])
    if key not in machine.loops:
        machine.loops[key] = _pipelined(loop, machine)
    found: Pipelined = machine.loops[key]
    return found


def _pipelined(loop: ir.Operation, machine: Machine) -> Pipelined:
    ops = body_of(loop)
    block = loop.regions[0].blocks[0]
    issues = [issue_of(op, machine) for op in ops]
    most, unit = most_of(ops, issues, machine)
    recurrence = max(_carried(loop, ops, issues), _through_memory(loop, ops, machine))
    interval = max(most, recurrence, 1)
    slots, finish = Slots(machine, None if machine.compiled else interval), dict[Any, int]()
    carried = list(block.arguments)[1:]
    needed: dict[Any, int] = {}
    depth = length = 0
    stored: dict[Any, int] = {}
    for op, issue in zip(ops, issues, strict=True):
        done = place(op, issue, slots, finish, _in_order(op, stored) if machine.compiled else 0)
        if machine.compiled and issue.store and (access := access_of(op)) is not None:
            stored[access.memref] = done
        depth, length = max(depth, done), max(length, done - issue.last + 1 if issue.last is not None else 0)
        for i, value in enumerate(op.operands):
            if value in carried:
                is_last = issue.forward is not None and i == len(op.operands) - 1
                late = done - (issue.forward or 0) if is_last else done - issue.latency
                needed[value] = min(needed.get(value, late), late)
    yielded = list(list(block.operations)[-1].operands)
    slack, ready = tuple(needed.get(v, 0) for v in carried), tuple(finish.get(v, 0) for v in yielded)
    whole = None
    if machine.compiled:
        waits = [done - first for done, first in zip(ready, slack, strict=True)]
        interval = max([interval, slots.length, length, machine.jump, *waits])
        whole = _unrolled(loop, ops, issues, machine)
    limit = "latency" if max(recurrence, interval) > most else unit
    return Pipelined(interval, depth, figures_of(issues, interval, limit), slack, ready, whole)


def _unrolled(loop: Any, ops: list[Any], issues: list[Issue], machine: Machine) -> int | None:
    """Cycles of all iterations of a loop that is unrolled whole, None where it stays one."""
    trips = Loop(loop).trips()
    work = sum(count for issue in issues for _, count in issue.units)
    if not trips or trips * work > UNROLLED:
        return None
    block = loop.regions[0].blocks[0]
    carried, yielded = list(block.arguments)[1:], list(list(block.operations)[-1].operands)
    slots, finish, last = Slots(machine), dict[Any, int](), 0
    for _ in range(trips):
        for op, issue in zip(ops, issues, strict=True):
            last = max(last, place(op, issue, slots, finish))
        finish |= {argument: finish.get(value, 0) for argument, value in zip(carried, yielded, strict=True)}
    most, _ = most_of(ops, issues, machine)
    return max(last, most * trips)


def _in_order(op: ir.Operation, stored: dict[Any, int]) -> int:
    """The cycle from which `op` may access its buffer: what an iteration has stored there before is there then."""
    access = access_of(op)
    return 0 if access is None else stored.get(access.memref, 0)


def _carried(loop: Any, ops: list[Any], issues: list[Issue]) -> int:
    """The longest chain from a carried value to the value that the next iteration gets for it."""
    block = loop.regions[0].blocks[0]
    arguments = list(block.arguments)[1:]
    if not arguments:
        return 0
    yielded = list(list(block.operations)[-1].operands)
    steps = [(list(op.operands), list(op.results), issue) for op, issue in zip(ops, issues, strict=True)]
    longest = 0
    for argument, result in zip(arguments, yielded, strict=True):
        reached = {argument: 0}
        for operands, results, issue in steps:
            lengths = [
                reached[v] + (issue.forward if issue.forward is not None and i == len(operands) - 1 else issue.latency)
                for i, v in enumerate(operands)
                if v in reached
            ]
            if lengths:
                reached |= dict.fromkeys(results, max(lengths))
        longest = max(longest, reached.get(result, 0))
    return longest


def _through_memory(loop: ir.Operation, ops: list[Any], machine: Machine) -> int:
    """The chain through an element that each iteration loads and stores: nothing may be loaded before it is stored."""
    inside = {r for op in ops for r in op.results} | set(loop.regions[0].blocks[0].arguments)
    loads = [op for op in ops if op.name == "memref.load" and not any(v in inside for v in op.operands)]
    stores = [op for op in ops if op.name == "memref.store"]
    longest = 0
    for load in loads:
        for store in stores:
            if list(store.operands)[1:] == list(load.operands):
                slots, finish = Slots(machine), dict[Any, int]()
                for op in ops:
                    place(op, issue_of(op, machine), slots, finish)
                longest = max(longest, finish.get(store.operands[0], 0) + machine.store)
    return longest
