"""Describes the engine's findings in terms of the design: the event, its place and time, and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from allo_air.codes import code_of
from allo_air.errors import Diagnostic, counted
from allo_air.sim.hints import hints, left_over
from allo_air.sim.naming import DIRECTIONS, NOWHERE, Names, position_of
from allo_air.sim.report_types import Finding

if TYPE_CHECKING:
    from allo_air.sim._engine import Finding as EngineFinding


def finding_of(names: Names, engine_finding: EngineFinding, info: Sequence[str] = ()) -> Finding:
    """The text of an engine's finding, with `info` among its notes. Its place is that of the agent that caused it."""
    agent = engine_finding.agent
    tile = (
        (engine_finding.col, engine_finding.row)
        if engine_finding.col >= 0
        else (agent.col, agent.row)
        if agent.col >= 0
        else None
    )
    file, line, column = _place_of(names, engine_finding)
    detail = left_over(names, engine_finding) if engine_finding.kind == "unconsumed-stream-data" else engine_finding.detail
    parts = [f"cycle {engine_finding.cycle}: {names.agent(agent)}: {detail}"]
    notes = []
    if engine_finding.buffer and engine_finding.kind != "out-of-buffer":
        parts.append(f"of buffer {engine_finding.buffer}")
    if engine_finding.other is not None and engine_finding.kind == "data-race":
        parts.append(f"(the other is {names.agent(engine_finding.other)})")
    if engine_finding.kind == "data-race" and engine_finding.same:
        parts[-1] += f": {_harmless_write(engine_finding)}"
    if engine_finding.lock >= 0 and tile is not None:
        notes.append(
            f"{names.lock(tile, engine_finding.lock)} holds {engine_finding.value}"
            if engine_finding.value >= 0
            else names.lock(tile, engine_finding.lock)
        )
    if (
        engine_finding.address >= 0
        and tile is not None
        and engine_finding.kind in ("uninitialized-read", "out-of-buffer", "data-race")
    ):
        notes.append(_memory(names, engine_finding, tile))
    if engine_finding.other is not None:
        notes.append(f"the other {engine_finding.other_access or 'access'} is by {names.agent(engine_finding.other)}")
    notes += info
    if engine_finding.count > 1:
        notes.append(f"seen {counted(engine_finding.count, 'time')}")
    notes += hints(names, engine_finding)
    message = f"{engine_finding.kind}: " + " ".join(parts)
    channel = f"{DIRECTIONS[agent.direction]} {agent.channel}" if agent.unit == "dma" and agent.channel >= 0 else ""
    diagnostic = Diagnostic("error", file, line, column, message, tuple(Diagnostic("note", "", 0, 0, n) for n in notes))
    diagnostic = replace(diagnostic, code=code_of(engine_finding.kind, engine_finding.cause))
    return Finding(
        kind=engine_finding.kind,
        cycle=engine_finding.cycle,
        tile=tile,
        unit=agent.unit,
        channel=channel,
        lock=names.lock_name(tile, engine_finding.lock) if tile is not None else "",
        buffer=engine_finding.buffer,
        diagnostic=diagnostic,
        count=engine_finding.count,
    )


def _place_of(names: Names, engine_finding: EngineFinding) -> tuple[str, int, int]:
    """The place of the agent in the source; if unknown, that of the other agent, the lock or the buffer."""
    for candidate in (engine_finding.agent, engine_finding.other):
        if candidate is not None and (where := position_of(names.op(candidate)))[1]:
            return where
    tile = (engine_finding.col, engine_finding.row)
    if engine_finding.lock >= 0 and (lock := names.design.layout.lock_at(tile, engine_finding.lock)):
        return position_of(lock.op)
    if engine_finding.buffer:
        for buffer in names.design.layout.buffers.values():
            if buffer.tile == tile and buffer.name == engine_finding.buffer:
                return position_of(buffer.op)
    return NOWHERE


def _memory(names: Names, engine_finding: EngineFinding, tile: tuple[int, int]) -> str:
    """The bytes and the buffer of an access, as text."""
    size = max(engine_finding.bytes, 1)
    buffer = names.design.layout.buffer_at(tile, engine_finding.address)
    span = f"bytes {engine_finding.address} to {engine_finding.address + size - 1} of {names.module(tile)}"
    if buffer is None:
        return f"{engine_finding.access or 'access'} of {span}, which belong to no buffer"
    inside = engine_finding.address - buffer.offset
    return (
        f"{engine_finding.access or 'access'} of {span}: buffer {buffer.name} ("
        f"{counted(buffer.bytes, 'byte')}) from its byte {inside} on"
    )


def _harmless_write(engine_finding: EngineFinding) -> str:
    """A note for a racing write that writes the same value; otherwise empty."""
    what = "both write the same value" if engine_finding.other_access == "write" else "the write leaves the value as it was"
    return (
        what
        if not engine_finding.differs
        else f"{what} in {engine_finding.same} of {counted(engine_finding.same + engine_finding.differs, 'word')}"
    )


def limit_finding(cycles: int) -> Finding:
    """A run that was ended for its length."""
    message = (
        f"limit: the run was ended after "
        f"{counted(cycles, 'cycle')}; set a larger max_cycles if that is expected; a driver would end"
        f" such a run earlier"
    )
    return Finding("limit", cycles, None, "controller", "", "", "", Diagnostic("error", "", 0, 0, message))
