"""Cycles of an innermost loop, software-pipelined or as compiled (see `schedule`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.walking import walk_named
from allo_air.core_model.figures import Issue
from allo_air.core_model.forwarding import Forwarded, forwarded
from allo_air.core_model.machine import Machine
from allo_air.core_model.nodes import SYNCHRONIZING, Node, identity, node_of, nodes_of
from allo_air.core_model.placement import Cost, figures_of, most_of, place_operation
from allo_air.core_model.slots import Slots
from allo_air.mlir import AnyOp, ir

UNROLLED = 64
"""Largest number of instructions in all iterations of a loop that LLVM unrolls completely, without those for addresses (an
assumption; LLVM's threshold is 150 with them). It unrolls a loop over 8 words (docs/sources.md#timing, add_one).
"""


@dataclass(frozen=True)
class Pipelined:
    """An innermost loop: `interval` cycles between iterations, `depth` cycles of one, figures per iteration."""

    interval: int
    depth: int
    body: Cost
    slack: tuple[int, ...]
    """For each carried value, the cycle after the loop's start at which it is first needed."""

    ready: tuple[int, ...]
    """For each result, the cycle after the last iteration's start at which it is available."""

    unrolled_cycles: int | None = None
    """Cycles of all iterations if they are unrolled."""

    def cost(self, trips: int) -> Cost:
        """The cost of the loop with all its iterations."""
        if trips <= 0:
            return Cost()
        cycles = self.unrolled_cycles or self.interval * (trips - 1) + max(self.depth, self.interval)
        b = self.body
        return Cost(cycles, b.macs * trips, b.loads * trips, b.stores * trips, b.vector * trips, b.bound)


def body_of(loop: ir.Operation) -> list[Any]:
    """The operations of a loop's body, without the terminator."""
    return [o.operation for o in loop.regions[0].blocks[0].operations][:-1]


def is_innermost(loop: ir.Operation) -> bool:
    """Whether `loop` contains only operations without regions, and no calls or synchronizations."""
    return all(not len(o.regions) for o in body_of(loop)) and not walk_named(loop, *SYNCHRONIZING)


def pipelined(loop: ir.Operation, machine: Machine) -> Pipelined:
    """The software-pipelined form of an innermost loop."""
    if machine.loops is None:
        return _pipelined(loop, machine)
    key = identity(loop)
    if key not in machine.loops:
        machine.loops[key] = _pipelined(loop, machine)
    result: Pipelined = machine.loops[key]
    return result


@dataclass(frozen=True)
class _Body:
    """An innermost loop: its operations, the values that it carries, as numbers (`Node`), and the values that it yields for
    them.
    """

    nodes: list[Node]
    issues: list[Issue]
    carried: list[int]
    yielded: list[int]


def _pipelined(loop: ir.Operation, machine: Machine) -> Pipelined:
    block = loop.regions[0].blocks[0]
    [*ops, end] = [o.operation for o in block.operations]
    nodes = nodes_of(ops, machine)
    arguments = list(map(hash, block.arguments))
    forwarding = forwarded(nodes, {*arguments}) if machine.compiled else Forwarded(nodes)
    nodes, carried, yielded = (
        forwarding.nodes,
        arguments[1:] + forwarding.carried,
        [*node_of(end, machine).operands, *forwarding.yielded],
    )
    body = _Body(nodes, [node.issue(machine) for node in nodes], carried, yielded)
    most, unit = most_of(nodes, body.issues, machine)
    memory = _through_memory(body, {*arguments}, machine)
    recurrence = max(_carried(body), memory)
    interval = max(most, recurrence, 1)
    placed = _placed(body, machine, None if machine.compiled else interval)
    trips = Loop(loop).trips() or 0
    if not machine.compiled and trips and placed.depth > interval:  # few iterations may be faster one after another
        alone = _placed(body, machine, None)
        apart = max(interval, alone.apart)
        if apart * (trips - 1) + max(alone.depth, apart) < interval * (trips - 1) + placed.depth:
            interval, placed = apart, alone
    whole = _unrolled(loop, body, machine)
    if machine.compiled:
        interval = max(interval, placed.apart, machine.jump)
    elif memory:
        whole = None
    elif whole is not None:
        whole = min(whole, interval * (trips - 1) + max(placed.depth, interval))
    limit = "latency" if max(recurrence, interval) > most else unit
    own, figures = len(arguments) - 1, figures_of(body.issues, interval, limit)
    return Pipelined(interval, placed.depth, figures, placed.slack[:own], placed.ready[:own], whole)


@dataclass(frozen=True)
class _Placed:
    """An iteration's schedule: `depth` cycles until all results are available, and `apart` cycles until an iteration that
    overlaps with no instruction of it can begin. `slack` and `ready` as of `Pipelined`.
    """

    depth: int
    apart: int
    slack: tuple[int, ...]
    ready: tuple[int, ...]


def _placed(body: _Body, machine: Machine, interval: int | None) -> _Placed:
    """Schedules an iteration; with `interval`, its slots are shared with iterations that start so many cycles apart."""
    slots, finish = Slots(machine, interval), dict[int, int]()
    needed: dict[int, int] = {}
    depth = length = 0
    stored: dict[int | None, int] = {}
    for node, issue in zip(body.nodes, body.issues, strict=True):
        touched = node.memref if machine.compiled else None
        done = place_operation(node, issue, slots, finish, 0 if touched is None else stored.get(touched, 0))
        if machine.compiled and issue.store and touched is not None:
            stored[touched] = done  # accesses of a buffer stay in order
        depth, length = max(depth, done), max(length, done - issue.last + 1 if issue.last is not None else 0)
        for i, value in enumerate(node.operands):
            if value in body.carried:
                is_last = issue.forward is not None and i == len(node.operands) - 1
                late = done - (issue.forward or 0) if is_last else done - issue.latency
                needed[value] = min(needed.get(value, late), late)
    slack, ready = tuple(needed.get(v, 0) for v in body.carried), tuple(finish.get(v, 0) for v in body.yielded)
    waits = [done - first for done, first in zip(ready, slack, strict=True)]
    return _Placed(depth, max([slots.length, length, *waits]), slack, ready)


def _unrolled(loop: AnyOp, body: _Body, machine: Machine) -> int | None:
    """Cycles of all iterations of a loop that is completely unrolled; None if it is not."""
    trips = Loop(loop).trips()
    work = sum(count for issue in body.issues for _, count in issue.units)
    if not trips or trips * max(work, 1) > UNROLLED:
        return None
    slots, finish, last = Slots(machine), dict[int, int](), 0
    for _ in range(trips):
        for node, issue in zip(body.nodes, body.issues, strict=True):
            last = max(last, place_operation(node, issue, slots, finish))
        finish |= {argument: finish.get(value, 0) for argument, value in zip(body.carried, body.yielded, strict=True)}
    most, _ = most_of(body.nodes, body.issues, machine)
    return max(last, most * trips)


def _carried(body: _Body) -> int:
    """The longest chain from a carried value to the value that is yielded for it."""
    longest = 0
    for argument, result in zip(body.carried, body.yielded, strict=True):
        reached = {argument: 0}
        for node, issue in zip(body.nodes, body.issues, strict=True):
            operands = node.operands
            lengths = [
                reached[v] + (issue.forward if issue.forward is not None and i == len(operands) - 1 else issue.latency)
                for i, v in enumerate(operands)
                if v in reached
            ]
            if lengths:
                reached |= dict.fromkeys(node.results, max(lengths))
        longest = max(longest, reached.get(result, 0))
    return longest


def _through_memory(body: _Body, arguments: set[int], machine: Machine) -> int:
    """The length of the chain through an element that each iteration loads and stores: the next load waits for the store."""
    inside = arguments.union(*(node.results for node in body.nodes))
    loads = [node for node in body.nodes if node.name == "memref.load" and inside.isdisjoint(node.operands)]
    stores = [node for node in body.nodes if node.name == "memref.store"]
    longest = 0
    for load in loads:
        for store in stores:
            if store.operands[1:] == load.operands:
                slots, finish = Slots(machine), dict[int, int]()
                for node, issue in zip(body.nodes, body.issues, strict=True):
                    place_operation(node, issue, slots, finish)
                longest = max(longest, finish.get(store.operands[0], 0) + machine.store)
    return longest
