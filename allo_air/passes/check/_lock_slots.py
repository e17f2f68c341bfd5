"""Finds locks that admit more objects than their ring of BDs has buffers.

If a ring of BDs fills buffers under one pair of locks, one for free and one for filled buffers, it has room for one object in
each BD. A BD that iterates has room for one object in each of its parts. If the sum of the locks' initial values is greater,
a buffer may be overwritten before it is read, depending on timing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from allo_air.dialects._places import numbers, size_stride_pairs
from allo_air.dialects.aie import DMABDOp, DMAStartOp, LockOp, UseLockOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._lock_uses import Agent, Use, agents
from allo_air.passes.check._tiles import DeviceUse, is_endless

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_S2MM = 0
_EQUAL = 0


def check_lock_slots(use: DeviceUse, findings: Findings) -> None:
    """Reports lock pairs whose initial values exceed the number of objects for which their ring has room."""
    all_agents = agents(use)
    by_lock: dict[ir.Value, list[tuple[Agent, Use]]] = {}
    for agent in all_agents:
        for used in agent.uses:
            by_lock.setdefault(used.lock, []).append((agent, used))
    for agent in all_agents:
        if agent.start is not None and _fills_ring(agent.start) and (pair := _pair(agent)):
            _check([use for lock in pair for use in by_lock[lock]], agent, *pair, findings)


def _fills_ring(start: AnyOp) -> bool:
    """Whether a channel fills buffers in an endless ring. The agent that empties them may send each buffer several times."""
    return start.name == "aie.dma_start" and DMAStartOp(start).channel_dir == _S2MM and is_endless(start)


def _pair(agent: Agent) -> tuple[ir.Value, ir.Value] | None:
    """The lock that every BD acquires and the one it releases; None if these differ, or if BDs share a buffer."""
    acquired = {u.lock for u in agent.uses if u.amount > 0}
    locks = {u.lock for u in agent.uses if u.amount < 0}
    places = {(bd.operands[0], DMABDOp(bd).offset or 0) for bd in agent.bds}
    is_complete = len(places) == len(agent.bds) and len(agent.uses) == 2 * len(agent.bds)
    if len(acquired) != 1 or len(locks) != 1 or acquired == locks or not is_complete:
        return None
    return acquired.pop(), locks.pop()


def _check(uses: list[tuple[Agent, Use]], agent: Agent, free: ir.Value, full: ir.Value, findings: Findings) -> None:
    """Checks the ring of `agent`. `uses` are all uses of its locks `free` and `full`."""
    bds = agent.bds
    fillers = {id(user_id) for user_id, u in uses if (u.lock == free) == (u.amount > 0)}
    takers = {id(user_id) for user_id, u in uses} - fillers
    exact = all(user.exact and UseLockOp(u.op).action != _EQUAL for user, u in uses)
    if len(fillers) != 1 or len(takers) != 1 or id(agent) not in fillers or not exact:
        return
    amount = sum(u.amount for u in agent.uses if u.amount > 0)
    rounds = _rounds(bds)
    begins = [LockOp(lock.owner).init or 0 for lock in (free, full)]
    if (
        rounds is None
        or sum(begins) <= (room := amount * rounds)
        or amount != -sum(u.amount for u in agent.uses if u.amount < 0)
    ):
        return
    findings.warning(
        free.owner,
        f"begins at {begins[0]}, and the ring of {agent.name} has room for {room}: a buffer may be written again before it is"
        f" read; let it begin at {max(room - begins[1], 0)}",
        (bds[0], "the ring begins here"),
        code="race.overwritten",
    )


def _rounds(bds: Sequence[AnyOp]) -> int | None:
    """The number of rounds after which a ring fills the same elements again: 1 without iterations; None if parts overlap."""
    views = [DMABDOp(bd) for bd in bds]
    if all(view.iteration is None for view in views):
        return 1
    import numpy as np  # few designs need it

    parts: dict[ir.Value, list[NDArray[np.int64]]] = {}
    rounds = []
    for view in views:
        size, stride, _ = numbers(view.iteration) if view.iteration is not None else (1, 0, 0)
        rounds.append(size if stride else 1)
        parts.setdefault(view.buffer, []).append(np.add.outer(stride * np.arange(rounds[-1]), _elements(view)).ravel())
    arrays = [np.concatenate(elements) for elements in parts.values()]
    return min(rounds) if all(len(np.unique(elements)) == len(elements) for elements in arrays) else None


def _elements(bd: DMABDOp) -> NDArray[np.int64]:
    """The elements of its buffer that a BD moves in its first iteration."""
    import numpy as np

    offset = bd.offset or 0
    if bd.dimensions is None:
        length = bd.len if bd.len is not None else prod(ir.MemRefType(bd.buffer.type).shape)
        return offset + np.arange(length)
    results = np.array([offset])
    for size, stride in size_stride_pairs(bd.dimensions):
        results = np.add.outer(results, stride * np.arange(size)).ravel()
    return results
