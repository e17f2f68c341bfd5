"""Finds waits that cannot end in a run that does: for a lock that nothing in the design releases or sets.

A DMA channel that acquired its lock once may be meant to run once; a core that waits for such a lock again is stuck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.errors import Diagnostic, placeless
from allo_air.sim.naming import DIRECTIONS, Names
from allo_air.sim.report_types import Finding
from allo_air.sim.waiting import Graph
from allo_air.target.npu_bd import LOCK_BASE, LOCK_STRIDE
from allo_air.target.npu_words import BLOCKWRITE, WRITE

if TYPE_CHECKING:
    from allo_air.sim._engine import Result


def starved(names: Names, result: Result) -> list[Finding]:
    """A finding for each such wait; none if control packets, or other sequences of the device, may write locks."""
    if any(d.port[2] == "TileControl" for r in names.design.routes for d in r.destinations):
        return []
    if sum(op.operation.name == "aie.runtime_sequence" for op in names.design.layout.op.block.operations) > 1:
        return []
    released = {(u.col, u.row, u.lock) for u in result.locks if u.releases} | _written_locks(names)
    acquired_locks = {(u.col, u.row, u.lock) for u in result.locks if u.acquires}
    waits = []
    for wait in result.waits:
        place = (wait.col, wait.row, wait.lock)
        if wait.kind == "lock" and place not in released and (place not in acquired_locks or wait.agent.unit == "core"):
            waits.append(wait)
    if not waits:  # most runs; possible releases are only computed for others
        return []
    graph, findings = Graph(names, result), []
    for wait in waits:
        if graph.providers(wait):
            continue
        file, line, column = graph.position(wait)
        lock = names.lock((wait.col, wait.row), wait.lock)
        notes = (placeless("note", f"nothing in the design releases {lock}: add the release, or correct its initial value"),)
        message = f"deadlock: cycle {result.cycles}: the sequence ends, but {graph.says(wait)}"
        agent = wait.agent
        channel = f"{DIRECTIONS[agent.direction]} {agent.channel}" if agent.unit == "dma" else ""
        diagnostic = Diagnostic("error", file, line, column, message, notes, "hang.starved")
        name = names.lock_name((wait.col, wait.row), wait.lock)
        findings.append(Finding("deadlock", result.cycles, (agent.col, agent.row), agent.unit, channel, name, "", diagnostic))
    return findings


def _written_locks(names: Names) -> set[tuple[int, int, int]]:
    """Locks (column, row, number) that the instruction words write."""
    device, words = names.design.layout.device, names.control.words
    results = set()
    for start in names.control.starts:
        if int(words[start]) & 0xFF not in (WRITE, BLOCKWRITE):
            continue
        column, row, offset = device.split(int(words[start + 2]))
        if device.holds(column, row) and (kind := device.kind(column, row)) in LOCK_BASE:
            results.add((column, row, (offset - LOCK_BASE[kind]) // LOCK_STRIDE))
    return results
