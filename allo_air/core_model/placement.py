"""Schedules operations one by one, each in the first cycle in which its operands are available and its unit is free."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from allo_air.core_model.banks import Accesses, busiest_bank_cycles
from allo_air.core_model.figures import Issue
from allo_air.core_model.machine import Machine
from allo_air.core_model.nodes import Node
from allo_air.core_model.slots import Slots, busiest, issues_by_unit


@dataclass(frozen=True)
class Cost:
    """The cost of one execution; `bound` names the limit of its (longest) innermost loop."""

    cycles: int = 0
    macs: int = 0
    loads: int = 0
    stores: int = 0
    vector: int = 0
    bound: str = "latency"

    def plus(self, other: Cost, times: int = 1) -> Cost:
        """The cost of this and `times` the other, one after another."""
        bound = other.bound if other.cycles * times > self.cycles else self.bound
        return Cost(
            self.cycles + other.cycles * times, self.macs + other.macs * times, self.loads + other.loads * times,
            self.stores + other.stores * times, self.vector + other.vector * times, bound,
        )  # fmt: skip


def figures_of(issues: list[Issue], cycles: int, bound: str) -> Cost:
    totals = issues_by_unit(issues)
    macs = sum(i.macs for i in issues)
    return Cost(cycles, macs, totals["load"], totals["store"], totals["vector"], bound)


def most_of(nodes: list[Node], issues: list[Issue], machine: Machine) -> tuple[int, str]:
    """The cycles for which `nodes` occupy the busiest unit or memory bank, and its name.

    No order of the accesses takes fewer cycles; a compiler that does not know the banks may produce a longer one.
    """
    most, unit = busiest(issues_by_unit(issues), machine)
    cycles: dict[Any, float] = defaultdict(float)
    for node, issue in zip(nodes, issues, strict=True):
        if count := issue.load + issue.store:
            shares, each = node.traffic(machine)
            if shares:
                cycles[shares] += count * each
    banks = busiest_bank_cycles([Accesses(shares, count) for shares, count in cycles.items()])
    return (banks, "bank") if banks > most else (most, unit)


def _ready_cycle(node: Node, issue: Issue, finish: dict[int, int]) -> int:
    """The first cycle with all operands available; the accumulator may arrive later than the factors."""
    ready = [finish.get(v, 0) for v in node.operands]
    if issue.forward is not None and ready:
        ready[-1] -= issue.latency - issue.forward
    return max([0, *ready])


def place_operation(node: Node, issue: Issue, slots: Slots, finish: dict[int, int], earliest: int = 0) -> int:
    """Assigns slots to an operation; records and returns the cycle at which its results are available."""
    done = slots.place(issue, max(_ready_cycle(node, issue, finish), earliest)) + issue.latency
    finish |= dict.fromkeys(node.results, done)
    return done
