"""Uses of locks in a run, as notes: initial values, and agents that released and acquired them, with counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.errors import counted
from allo_air.sim.naming import Names
from allo_air.sim.waiting import party_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allo_air.sim._engine import Agent, Finding, LockUse, Result

_APART = "put a lock between the two: one releases it after its last access, the other acquires it before its first"
_LOCKS, _AGENTS = 3, 3
"""Largest number of locks, and of agents for each, in a finding about memory."""


def use_of(names: Names, use: LockUse) -> list[str]:
    """One lock: its counts, and a note for each agent that released or acquired it."""
    notes = [f"{_lock(names, use)}, was released {_times(use.releases)} and acquired {_times(use.acquires)}"]
    for verb, entries in (("released", use.releases), ("acquired", use.acquires)):
        for agent, times in entries:
            notes.append(f"{verb} {counted(times, 'time')} by {names.agent(agent)}")
    return notes


def separating_locks(names: Names, result: Result, raw: Finding) -> list[str]:
    """For a finding about memory: the locks that should have separated its agents, or made its reader wait."""
    parties = {party_of(agent) for agent in (raw.agent, raw.other) if agent is not None}
    uses = [(use, {party_of(agent) for agent, _ in (*use.acquires, *use.releases)}) for use in result.locks]
    shared = [use for use, who in uses if parties <= who]
    notes = []
    if len(parties) > 1 and not shared:
        notes += ["no lock was used by both of them before this", _APART]
        shared = [use for use, who in uses if parties & who]
    elif len(parties) > 1:
        notes.append(
            "these locks do not keep the two apart: an initial value, an amount, or an acquire or release before it is wrong"
        )
    elif raw.agent.unit == "dma":
        ahead = [use for use in shared if use.initial and party_of(raw.agent) in {party_of(agent) for agent, _ in use.acquires}]
        notes += [f"{_lock(names, use)}, so its reader need not wait" for use in ahead]
    for use in shared[:_LOCKS]:
        text = f"released {_times(use.releases)}{_by(names, use.releases)}"
        notes.append(f"{_lock(names, use)}, was {text} and acquired {_times(use.acquires)}{_by(names, use.acquires)}")
    return notes


def _lock(names: Names, use: LockUse) -> str:
    return f"{names.lock((use.col, use.row), use.lock)} began at {use.initial}"


def _times(entries: Any) -> str:
    return counted(sum(n for _, n in entries), "time")


def _by(names: Names, entries: Sequence[tuple[Agent | int, ...]]) -> str:
    agents = list(dict.fromkeys(names.agent(agent) for agent, _ in entries))
    more = f" and {counted(len(agents) - _AGENTS, 'other')}" if len(agents) > _AGENTS else ""
    return f" ({', '.join(agents[:_AGENTS])}{more})" if agents else ""
