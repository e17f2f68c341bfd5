"""Cycles of operations placed one by one, each at the first cycle in which its operands are there and its unit is free."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir
from allo_air.sim.cores.banks import SCALAR_SHARE, Accesses, busy
from allo_air.sim.cores.figures import Issue
from allo_air.sim.cores.issue import is_vector_access
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


def figures_of(issues: list[Issue], cycles: int, bound: str) -> Cost:
    totals = issues_by_unit(issues)
    macs = sum(i.macs for i in issues)
    return Cost(cycles, macs, totals["load"], totals["store"], totals["vector"], bound)


def most_of(ops: list[ir.Operation], issues: list[Issue], machine: Machine) -> tuple[int, str]:
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


def _start(op: ir.Operation, issue: Issue, finish: dict[Any, int]) -> int:
    """When all operands are there; the accumulator may come later than the factors."""
    operands = list(op.operands)
    early = 0 if issue.forward is None else issue.latency - issue.forward
    ready = [
        finish.get(v, 0) - (early if issue.forward is not None and i == len(operands) - 1 else 0)
        for i, v in enumerate(operands)
    ]
    return max([0, *ready])


def place(op: ir.Operation, issue: Issue, slots: Slots, finish: dict[Any, int], earliest: int = 0) -> int:
    """Gives `op` its slots, notes when its results are there, and returns that cycle."""
    done = slots.place(issue, max(_start(op, issue, finish), earliest)) + issue.latency
    finish |= dict.fromkeys(op.results, done)
    return done
