"""The engine's findings as messages about the design: what happened, where, when, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from allo_air.codes import code_of
from allo_air.errors import Diagnostic
from allo_air.sim.hints import hints, left_over
from allo_air.sim.naming import DIRECTIONS, NOWHERE, Names, position_of
from allo_air.sim.report_types import Finding

if TYPE_CHECKING:
    from allo_air.sim._engine import Finding as EngineFinding


def finding_of(names: Names, found: EngineFinding, told: Sequence[str] = ()) -> Finding:
    """The finding of the engine in words, `told` among its notes; its place is that of the agent that did it."""
    agent = found.agent
    tile = (found.col, found.row) if found.col >= 0 else (agent.col, agent.row) if agent.col >= 0 else None
    file, line, column = _place(names, found)
    detail = left_over(names, found) if found.kind == "unconsumed-stream-data" else found.detail
    parts = [f"cycle {found.cycle}: {names.agent(agent)}: {detail}"]
    notes = []
    if found.buffer and found.kind != "out-of-buffer":
        parts.append(f"of buffer {found.buffer}")
    if found.other is not None and found.kind == "data-race":
        parts.append(f"(the other is {names.agent(found.other)})")
    if found.kind == "data-race" and found.same:
        parts[-1] += f": {_same(found)}"
    if found.lock >= 0 and tile is not None:
        notes.append(
            f"{names.lock(tile, found.lock)} holds {found.value}" if found.value >= 0 else names.lock(tile, found.lock)
        )
    if found.address >= 0 and tile is not None and found.kind in ("uninitialized-read", "out-of-buffer", "data-race"):
        notes.append(_memory(names, found, tile))
    if found.other is not None:
        notes.append(f"the other {found.other_access or 'access'} is by {names.agent(found.other)}")
    notes += told
    if found.count > 1:
        notes.append(f"seen {found.count} times")
    notes += hints(names, found)
    message = f"{found.kind}: " + " ".join(parts)
    channel = f"{DIRECTIONS[agent.direction]} {agent.channel}" if agent.unit == "dma" and agent.channel >= 0 else ""
    diagnostic = Diagnostic("error", file, line, column, message, tuple(Diagnostic("note", "", 0, 0, n) for n in notes))
    diagnostic = replace(diagnostic, code=code_of(found.kind, found.cause))
    return Finding(
        kind=found.kind,
        cycle=found.cycle,
        tile=tile,
        unit=agent.unit,
        channel=channel,
        lock=names.lock_name(tile, found.lock) if tile is not None else "",
        buffer=found.buffer,
        diagnostic=diagnostic,
        count=found.count,
    )


def _place(names: Names, found: EngineFinding) -> tuple[str, int, int]:
    """The place of the agent in the source, else that of the other agent, the lock or the buffer."""
    for candidate in (found.agent, found.other):
        if candidate is not None and (where := position_of(names.op(candidate)))[1]:
            return where
    tile = (found.col, found.row)
    if found.lock >= 0 and (lock := names.design.layout.lock_at(tile, found.lock)):
        return position_of(lock.op)
    if found.buffer:
        for buffer in names.design.layout.buffers.values():
            if buffer.tile == tile and buffer.name == found.buffer:
                return position_of(buffer.op)
    return NOWHERE


def _memory(names: Names, found: EngineFinding, tile: tuple[int, int]) -> str:
    """Which bytes of which buffer."""
    size = max(found.bytes, 1)
    buffer = names.design.layout.buffer_at(tile, found.address)
    span = f"bytes {found.address} to {found.address + size - 1} of {names.module(tile)}"
    if buffer is None:
        return f"{found.access or 'access'} of {span}, which belong to no buffer"
    inside = found.address - buffer.offset
    return f"{found.access or 'access'} of {span}: buffer {buffer.name} ({buffer.bytes} bytes) from its byte {inside} on"


def _same(found: EngineFinding) -> str:
    """That a racing write changes nothing, where it does not."""
    what = "both write the same value" if found.other_access == "write" else "the write leaves the value as it was"
    return what if not found.differs else f"{what} in {found.same} of {found.same + found.differs} words"


def limit_finding(cycles: int) -> Finding:
    """A run that was ended for its length."""
    message = (
        f"limit: the run was ended after {cycles} cycles; give a larger max_cycles if it is to take that long; drivers end"
        " such a run before"
    )
    return Finding("limit", cycles, None, "controller", "", "", "", Diagnostic("error", "", 0, 0, message))
