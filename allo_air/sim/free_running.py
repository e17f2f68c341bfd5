"""Finds MM2S channels that send data which no core or DMA writes during a run. Unreceived data from them is not an error.

Such a channel repeats its BDs forever without a lock, or sends the initial values of buffers as often as a lock or a repeat
count allows.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import walk_named
from allo_air.dialects.aie import UseLockOp
from allo_air.sim.naming import Names
from allo_air.sim.programs import PROGRAMS
from allo_air.sim.waiting import party_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp
    from allo_air.mlir import ir
    from allo_air.sim._engine import Finding

Sender = tuple[int, int, int]
"""Column, row and number of an MM2S channel."""

_MM2S = 1
_RELEASE = 1


def sent_ahead(names: Names, result: object, raw: Any) -> bool:
    """Whether the unreceived data of a finding comes only from free-running channels, and earlier data from them was
    received.
    """
    agent = raw.agent
    if agent.unit != "dma" or not _taken_before(result, raw):
        return False
    senders = [(agent.col, agent.row, agent.channel)]
    if agent.direction != _MM2S:
        port = (agent.col, agent.row, "DMA", agent.channel)
        sources = [r.source for r in names.design.routes if any(d.port == port for d in r.destinations)]
        senders = [(column, row, channel) for column, row, bundle, channel in sources if bundle == "DMA"]
        if len(senders) < len(sources):
            return False
    free = free_running(names.design.layout.op)
    return bool(senders) and all(sender in free for sender in senders)


def _taken_before(result: Any, raw: Finding) -> bool:
    """Whether the receiver has received words and continued, or the lock that announces them was acquired."""
    if raw.agent.direction != _MM2S:
        return any(u.acquires for u in result.locks if (u.col, u.row, u.lock) == (raw.col, raw.row, raw.lock))
    receiver = raw.other
    if receiver is None or receiver.unit != "dma":
        return receiver is not None
    place = (receiver.col, receiver.row, receiver.direction, receiver.channel)
    if not any(c.words for c in result.channels if (c.col, c.row, c.direction, c.channel) == place):
        return False
    waits = [w for w in result.waits if w.kind == "lock" and party_of(w.agent) == ("dma", *place)]
    released = {(u.col, u.row, u.lock) for u in result.locks if u.releases}
    return all((w.col, w.row, w.lock) in released for w in waits)


def free_running(device_op: DeviceOp) -> set[Sender]:
    """The MM2S channels that repeat BDs without an acquire, or send buffers with initial values under locks that are never
    released.
    """
    senders = set()
    released = {o.operands[0] for o in walk_named(device_op, "aie.use_lock") if UseLockOp(o).action == _RELEASE}
    released |= {o.operands[0] for o in walk_named(device_op, "aiex.set_lock")}
    for program in device_op.block.operations:
        if program.operation.name not in PROGRAMS:
            continue
        tile = program.tile.owner.opview
        starts = [o for block in program.operation.regions[0].blocks for o in block.operations]
        for start in starts:
            if start.operation.name != "aie.dma_start" or start.channel_dir != _MM2S:
                continue
            if _endless(start.dest) or _supplies(start.dest, released):
                senders.add((tile.col, tile.row, start.channel_index))
    return senders


def _supplies(block: ir.Block, released: Set[ir.Value]) -> bool:
    """Whether the BDs from `block` send initial values, and acquire only locks that are not among `released`."""
    seen: list[Any] = []
    while not any(block == b for b in seen):
        seen.append(block)
        operations = list(block.operations)
        if any(o.operation.name == "aie.use_lock" and o.action != _RELEASE and o.lock in released for o in operations):
            return False
        buffers = [o.buffer.owner for o in operations if o.operation.name == "aie.dma_bd"]
        if any(b.name != "aie.buffer" or b.opview.initial_value is None for b in buffers):
            return False
        if operations[-1].operation.name != "aie.next_bd":
            return True
        block = operations[-1].operation.successors[0]
    return True


def _endless(block: ir.Block) -> bool:
    """Whether the chain of BDs from `block` never ends and never waits."""
    seen: list[Any] = []
    while not any(block == b for b in seen):
        seen.append(block)
        operations = list(block.operations)
        if any(o.operation.name == "aie.use_lock" and o.action != _RELEASE for o in operations):
            return False
        if operations[-1].operation.name != "aie.next_bd":
            return False
        block = operations[-1].operation.successors[0]
    return True
