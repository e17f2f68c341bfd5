"""Assigns instructions to the issue slots of a core, cycle by cycle."""

from __future__ import annotations

from collections import defaultdict
from math import ceil

from allo_air.core_model.figures import UNITS, Issue
from allo_air.core_model.machine import Machine


def capacity(unit: str, machine: Machine) -> int:
    """Instructions of `unit` that issue per cycle."""
    return {"load": machine.loads, "store": machine.stores}.get(unit, 1)


class Slots:
    """The occupied slots. With `interval`, those of a loop whose iterations start that many cycles apart."""

    def __init__(self, machine: Machine, interval: int | None = None):
        self._interval = interval
        self._widths = {unit: capacity(unit, machine) for unit in UNITS}
        self._unit_a_loads = machine.unit_a_loads
        self._used: dict[str, dict[int, int]] = {unit: {} for unit in (*UNITS, "unit_a")}

    @property
    def length(self) -> int:
        """Cycles until the last instruction has issued."""
        return max((cycle for slots in self._used.values() for cycle in slots), default=-1) + 1

    def instructions(self) -> list[dict[str, int]]:
        """For each cycle, the number of instructions of each unit that begin."""
        return [{u: count for u in UNITS if (count := self._used[u].get(cycle, 0))} for cycle in range(self.length)]

    def place(self, issue: Issue, ready: int) -> int:
        """Occupies slots for `issue`, from cycle `ready` on; returns the cycle in which the result of a single instruction is
        available.

        The instructions of one operation are issued one after another in free slots. The latency counts from the first one
        and grows by each cycle of waiting for slots.
        """
        delay = 0
        for unit, count in issue.units:
            width = self._unit_a_loads if issue.unit_a else self._widths[unit]
            last = ready
            for number in range(count):
                last = self._take(unit, issue.unit_a, ready + number // width)
            delay = max(delay, last - ready - (count - 1) // width)
        return ready + delay

    def _take(self, unit: str, unit_a: bool, cycle: int) -> int:
        used, width, interval = self._used[unit], self._widths[unit], self._interval
        of_a = self._used["unit_a"]
        cycle = max(cycle, 0)
        while True:
            slot = cycle % interval if interval else cycle
            count = used.get(slot, 0)
            if count < width and not (unit_a and of_a.get(slot, 0) >= self._unit_a_loads):
                break
            cycle += 1
        used[slot] = count + 1
        if unit_a:
            of_a[slot] = of_a.get(slot, 0) + 1
        return cycle


def busiest(totals: dict[str, int], machine: Machine) -> tuple[int, str]:
    """The cycles for which the busiest unit is occupied by `totals` instructions by unit, and its name."""
    units = [(ceil(totals.get(u, 0) / capacity(u, machine)), u) for u in UNITS]
    units.append((ceil(totals.get("unit_a", 0) / machine.unit_a_loads), "load"))
    return max(units, key=lambda u: u[0])


def issues_by_unit(issues: list[Issue]) -> dict[str, int]:
    """Instructions of all `issues` by unit; `unit_a` counts the loads that only one of the two load units can do."""
    totals: dict[str, int] = defaultdict(int)
    for issue in issues:
        for unit, count in issue.units:
            totals[unit] += count
        totals["unit_a"] += issue.load if issue.unit_a else 0
    return totals
