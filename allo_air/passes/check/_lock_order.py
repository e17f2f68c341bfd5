"""Finds locks that agents acquire in different orders, so that each may hold one lock and wait forever for another.

Only mutexes count: locks that the acquiring agent also releases. Locks that one agent acquires and another releases (a
buffer's `free` and `full`) count data; a search over orders decides whether these deadlock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.dialects.aie import LockOp
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._lock_uses import Agent, agents
from allo_air.passes.check._tiles import DeviceUse

_LONGEST = 4
"""Largest number of agents in a cycle that the search finds."""
_MOST = 50_000
"""Largest number of steps of the search for cycles."""


@dataclass(frozen=True)
class _Step:
    """At `op`, `agent` acquires `wanted_lock` while it holds `held_lock`. `all_held` are all locks that it holds then, with
    amounts.
    """

    agent: Agent
    held_lock: ir.Value
    acquire: Any
    wanted_lock: ir.Value
    amount: int
    op: Any
    all_held: tuple[tuple[ir.Value, int], ...]

    def holds(self, lock: ir.Value) -> int:
        return dict(self.all_held).get(lock, 0)


def check_lock_order(use: DeviceUse, findings: Findings) -> None:
    """Reports cycles in the order in which agents acquire locks."""
    all_agents = agents(use)
    mutexes = _mutexes(all_agents)
    steps: dict[ir.Value, list[_Step]] = defaultdict(list)
    for agent in all_agents:
        for step in _steps(agent, mutexes):
            steps[step.held_lock].append(step)
    info: set[frozenset[Any]] = set()
    budget = [_MOST]
    for first in [step for step_list in steps.values() for step in step_list]:
        cycle = _cycle([first], steps, budget)
        if budget[0] < 0:
            findings.undecided(first.op, f"whether its locks are taken in one order: more than {_MOST} ways to go on")
            return
        locks = frozenset(step.held_lock for step in cycle or ())
        if cycle and locks not in info:
            info.add(locks)
            _report(cycle, findings)


def _mutexes(all_agents: Sequence[Agent]) -> set[Any]:
    """Locks that each of their agents releases as often as it acquires them."""
    balance: dict[Any, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for number, agent in enumerate(all_agents):
        for used in agent.uses:
            balance[used.lock][number] += used.amount
    inexact = {used.lock for agent in all_agents if not agent.exact for used in agent.uses}
    return {lock for lock, by in balance.items() if lock not in inexact and not any(by.values())}


def _steps(agent: Agent, mutexes: set[object]) -> list[_Step]:
    """The locks that an agent acquires while it holds another lock."""
    steps: list[_Step] = []
    acquired: dict[Any, tuple[int, Any]] = {}
    for used in agent.uses:
        if used.lock not in mutexes:
            continue
        if used.amount < 0:
            balance = acquired.get(used.lock, (0, None))[0] + used.amount
            if balance > 0:
                acquired[used.lock] = balance, acquired[used.lock][1]
            else:
                acquired.pop(used.lock, None)
            continue
        amounts = tuple((lock, amount) for lock, (amount, _) in acquired.items())
        for lock, (_, op_of_lock) in acquired.items():
            if lock != used.lock:
                steps.append(_Step(agent, lock, op_of_lock, used.lock, used.amount, used.op, amounts))
        acquired[used.lock] = acquired.get(used.lock, (0, None))[0] + used.amount, used.op
    return steps


def _cycle(path: list[_Step], steps: dict[ir.Value, list[_Step]], budget: list[int]) -> list[_Step] | None:
    """`path` extended to a cycle in which each step has another agent; None if there is none, or if the budget of steps is
    used up.
    """
    for step in steps.get(path[-1].wanted_lock, ()):
        budget[0] -= 1
        if budget[0] < 0:
            return None
        if any(step.agent is previous.agent for previous in path) or not _is_possible(path, step):
            continue
        longer = [*path, step]
        if step.wanted_lock == path[0].held_lock:
            if _stops(longer):
                return longer
            continue
        if len(longer) < _LONGEST and (result := _cycle(longer, steps, budget)):
            return result
    return None


def _is_possible(path: list[_Step], step: _Step) -> bool:
    """Whether `step` is possible during the steps of `path`: no lock is held more often than its initial value allows."""
    for lock, amount in step.all_held:
        if amount + sum(previous.holds(lock) for previous in path) > (LockOp(lock.owner).init or 0):
            return False
    return True


def _stops(cycle: list[_Step]) -> bool:
    """Whether all agents of the cycle wait: no lock has the amount that an agent acquires."""
    for step in cycle:
        available = (LockOp(step.wanted_lock.owner).init or 0) - sum(blocked.holds(step.wanted_lock) for blocked in cycle)
        if available >= step.amount:
            return False
    return True


def _report(cycle: list[_Step], findings: Findings) -> None:
    first, *rest = cycle
    names = " and ".join(_name(step.held_lock) for step in cycle)
    notes = []
    for step in (*rest, first):
        notes.append((step.acquire, f"{step.agent.name} takes {_name(step.held_lock)} here"))
        notes.append((step.op, f"and waits for {_name(step.wanted_lock)} here, while it holds {_name(step.held_lock)}"))
    findings.warning(
        first.op,
        f"may hang: {names} are taken in different orders by {' and '.join(step.agent.name for step in cycle)}; take them in"
        " one order everywhere",
        *notes,
        code="race.lock-order",
    )


def _name(lock: ir.Value) -> str:
    named = LockOp(lock.owner).sym_name
    return f"lock {named}" if named else f"lock {LockOp(lock.owner).lockID}"
