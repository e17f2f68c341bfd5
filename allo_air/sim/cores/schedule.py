"""Cycles of straight code and of loops on a core that issues one instruction per unit and cycle.

Operations are placed in program order, each at the first cycle in which its operands are there and its unit is free. An
innermost loop is software-pipelined: its iterations start as far apart as its busiest unit, its busiest memory bank, or a
dependence from one iteration to the next, demands. Other loops jump back; code around an inner loop
overlaps with its first and last iterations only. That is what a kernel scheduled by hand, or by AMD's Chess compiler, reaches.

Of code that is compiled from MLIR (`Machine.compiled`) an iteration is scheduled likewise, but the next one begins when its
last instruction has issued, and nothing overlaps with what is around the loop: Peano pipelines loops whose source tells it to,
and MLIR's do not. A loop of few instructions in all is unrolled whole, as LLVM does. Elementwise kernels of mlir-air that are
compiled so take as long on npu2 at 1.8 GHz: an addition of bf16 18.6 cycles for 16 lanes, which is a load, a conversion, an
addition, a conversion and a store one after the other, a gelu 65; and a scalar loop of mlir-aie on npu1 takes 12 an element, a
load, a product and a store (docs/sources.md#timing).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.sim.cores.access import access_of
from allo_air.sim.cores.banks import SCALAR_SHARE, Accesses, busy
from allo_air.sim.cores.device_ops import SYNCHRONIZING
from allo_air.sim.cores.figures import Issue
from allo_air.sim.cores.issue import is_vector_access, issue_of
from allo_air.sim.cores.machine import Machine
from allo_air.sim.cores.slots import Slots, busiest, issues_by_unit


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


def _figures(issues: list[Issue], cycles: int, bound: str) -> Cost:
    totals = issues_by_unit(issues)
    macs = sum(i.macs for i in issues)
    return Cost(cycles, macs, totals["load"], totals["store"], totals["vector"], bound)


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


def _most(ops: list[ir.Operation], issues: list[Issue], machine: Machine) -> tuple[int, str]:
    """Cycles that the busiest unit or memory bank needs for `ops`, and its name.

    No order of the accesses takes fewer; a compiler that does not know the banks may find one that takes more.
    """
    most, unit = busiest(issues_by_unit(issues), machine)
    cycles: dict[Any, float] = defaultdict(float)
    for op, issue in zip(ops, issues, strict=True):
        if (count := issue.load + issue.store) and (shares := machine.banks_of(op)):
            cycles[shares] += count * (1.0 if is_vector_access(op) else SCALAR_SHARE)
    banks = busy([Accesses(shares, count) for shares, count in cycles.items()])
    return (banks, "bank") if banks > most else (most, unit)


def straight(ops: list[ir.Operation], machine: Machine) -> Cost:
    """Cycles of operations without loops, placed in order."""
    slots, finish = Slots(machine), dict[Any, int]()
    issues = [issue_of(op, machine) for op in ops]
    path = max([0, *(_place(op, issue, slots, finish) for op, issue in zip(ops, issues, strict=True))])
    most, unit = _most(ops, issues, machine)
    return _figures(issues, max(path, most), unit if most >= path else "latency")


def _start(op: ir.Operation, issue: Issue, finish: dict[Any, int]) -> int:
    """When all operands are there; the accumulator may come later than the factors."""
    operands = list(op.operands)
    early = 0 if issue.forward is None else issue.latency - issue.forward
    ready = [
        finish.get(v, 0) - (early if issue.forward is not None and i == len(operands) - 1 else 0)
        for i, v in enumerate(operands)
    ]
    return max([0, *ready])


def _place(op: ir.Operation, issue: Issue, slots: Slots, finish: dict[Any, int], earliest: int = 0) -> int:
    """Gives `op` its slots, notes when its results are there, and returns that cycle."""
    done = slots.place(issue, max(_start(op, issue, finish), earliest)) + issue.latency
    finish |= dict.fromkeys(op.results, done)
    return done


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
    most, unit = _most(ops, issues, machine)
    recurrence = max(_carried(loop, ops, issues), _through_memory(loop, ops, machine))
    interval = max(most, recurrence, 1)
    slots, finish = Slots(machine, None if machine.compiled else interval), dict[Any, int]()
    carried = list(block.arguments)[1:]
    needed: dict[Any, int] = {}
    depth = length = 0
    stored: dict[Any, int] = {}
    for op, issue in zip(ops, issues, strict=True):
        done = _place(op, issue, slots, finish, _in_order(op, stored) if machine.compiled else 0)
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
    return Pipelined(interval, depth, _figures(issues, interval, limit), slack, ready, whole)


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
            last = max(last, _place(op, issue, slots, finish))
        finish |= {argument: finish.get(value, 0) for argument, value in zip(carried, yielded, strict=True)}
    most, _ = _most(ops, issues, machine)
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
                    _place(op, issue_of(op, machine), slots, finish)
                longest = max(longest, finish.get(store.operands[0], 0) + machine.store)
    return longest


def nest(loop: ir.Operation, machine: Machine) -> Cost | None:
    """Cycles of a loop nest whose trip counts are all constants and that holds no other control flow, else None."""
    trips = Loop(loop).trips()
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
    """Cycles of a body that holds loops: they run one after the other, the code around them overlaps where its data allows.

    Code before a loop may still run in its first iteration, until its data is needed; code after it starts with the last
    iteration's operations.
    """
    slots, finish = Slots(machine), dict[Any, int]()
    issues: list[Issue] = []
    loops = Cost()
    path = free = floor = 0
    ahead: int | None = None
    for op in ops:
        if op.name == "scf.for":
            inner = nest(op, machine)
            if inner is None:
                return None
            form = pipelined(op, machine) if is_innermost(op) else None
            start = max(path, free) if machine.compiled else max(free, _loop_start(op, form, finish, floor))
            end = start + inner.cycles
            if ahead is None:
                ahead = _ahead(op, form, finish) if form is not None and not machine.compiled else 0
            last = start
            if form is None:
                finish |= dict.fromkeys(op.results, end)
            elif machine.compiled:
                last = end - form.interval
                finish |= dict.fromkeys(op.results, end)
            else:
                last = start + form.interval * max((Loop(op).trips() or 0) - 1, 0)
                finish |= {r: last + ready for r, ready in zip(op.results, form.ready, strict=True)}
            free = end if form is None else last + form.interval
            floor = end if form is None or machine.compiled else last
            loops = loops.plus(inner)
            path = max(path, end)
        elif (op.regions and list(op.regions)) or op.name in SYNCHRONIZING:
            return None
        else:
            issue = issue_of(op, machine)
            issues.append(issue)
            path = max(path, _place(op, issue, slots, finish, floor))
    most, _ = busiest(issues_by_unit(issues), machine)
    early = min(ahead or 0, path - free)
    own = _figures(issues, max(path - early, loops.cycles, most) - loops.cycles, loops.bound)
    return loops.plus(own)


def _ahead(loop: ir.Operation, form: Pipelined, finish: dict[Any, int]) -> int:
    """Cycles by which a loop could start before the code around it, if its carried values were all that it waits for.

    Its first operands are then loaded and converted while the results of the turn before are stored. Accumulators are not, as
    blocks fill their registers. (With this the kernels of the GEMM study that convert to bfp16 take 17 cycles beside 12 a step;
    without it, 33: docs/sources.md#timing.)
    """
    inits = list(loop.operands)[3:]
    inside = any(v in finish for op in body_of(loop) for v in op.operands if not isinstance(v.type, ir.IndexType))
    if inside or not inits:
        return 0
    return max(0, min(slack - finish.get(v, 0) for v, slack in zip(inits, form.slack, strict=True)))


def _loop_start(loop: ir.Operation, form: Pipelined | None, finish: dict[Any, int], floor: int) -> int:
    """When an inner loop can start: with what it uses, its carried values as late as its first iteration needs them."""
    slack = (0,) * len(loop.results) if form is None else form.slack
    inits = [finish.get(v, 0) - s for v, s in zip(list(loop.operands)[3:], slack, strict=True)]
    inside = [finish[v] for op in body_of(loop) for v in op.operands if v in finish]
    return max([floor, *inits, *inside])
