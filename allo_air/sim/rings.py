"""Finds races of a core with a ring of buffers that a DMA fills or empties under one pair of locks.

Such locks count objects and do not identify them. If the core takes the buffers in another order than the ring, the counts
match and the data is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from allo_air.device import Coordinate
from allo_air.sim.naming import Names, place_text, position_of
from allo_air.sim.report_types import Finding
from allo_air.sim.waiting import party_of
from allo_air.target.bd_layout import LAYOUTS

if TYPE_CHECKING:
    from allo_air.sim._engine import Finding as EngineFinding
    from allo_air.sim._engine import Result

_S2MM = 0
_KINDS = ("data-race", "uninitialized-read")


def out_of_step(names: Names, result: Result, raw: EngineFinding, finding: Finding) -> Finding:
    """Returns `finding`, with another cause if a core and a ring are at different buffers."""
    agents = [agent for agent in (raw.agent, raw.other) if agent is not None]
    if raw.kind not in _KINDS or {agent.unit for agent in agents} != {"core", "dma"}:
        return finding
    dma = next(agent for agent in agents if agent.unit == "dma")
    ring = _ring(names, (dma.col, dma.row), dma.bd)
    if len(ring) < 2 or not _is_apart(names, result, raw, [name for name, _ in ring]):
        return finding
    listed = ", ".join(f"{name}{place_text(position_of(op))}" for name, op in ring)
    cure = (
        f"let the core use the buffers in the order of the ring, {' '.join(name for name, _ in ring)} and again, also across"
        f" iterations of its loops"
    )
    note = replace(finding.diagnostic, severity="note", file="", line=0, column=0, notes=(), message=f"the ring is {listed}")
    diagnostic = replace(finding.diagnostic, code="race.slot", cure=cure, notes=(note, *finding.diagnostic.notes))
    return replace(finding, diagnostic=diagnostic)


def _ring(names: Names, tile: Coordinate, bd: int) -> list[tuple[str, Any]]:
    """The buffers of the BDs that lead from `bd` back to it under the same locks, the one declared first at the front."""
    layout = LAYOUTS[names.design.layout.device.kind(*tile)]
    there = {d.number: d for d in names.design.descriptors if d.tile == tile}
    results: list[tuple[int, Any]] = []
    locks: set[tuple[int, int]] = set()
    while bd in there and bd not in [number for number, _ in results]:
        descriptor = there[bd]
        results.append((bd, descriptor))
        fields = {name: layout[name].of(descriptor.words) for name in ("use_next", "next_bd", "acq_id", "rel_id", "acq_enable")}
        if not fields["use_next"] or not fields["acq_enable"]:
            return []
        locks.add((fields["acq_id"], fields["rel_id"]))
        bd = fields["next_bd"]
    if not results or bd != results[0][0] or len(locks) > 1:
        return []
    first = min(range(len(results)), key=lambda n: results[n][0])
    rotated = [descriptor for _, descriptor in results[first:] + results[:first]]
    buffers = [names.design.layout.buffers[d.op.buffer] for d in rotated if d.op.buffer in names.design.layout.buffers]
    return [(b.name, d.op) for b, d in zip(buffers, rotated, strict=False)] if len({b.name for b in buffers}) > 1 else []


def _is_apart(names: Names, result: Result, raw: Any, ring: list[str]) -> bool:
    """Whether the locks admit no more objects than the ring has, and the core accesses another object than the one it
    acquired.

    The number of acquires is known if the run was stopped at this finding.
    """
    agents = {agent.unit: agent for agent in (raw.agent, raw.other)}
    dma, core = agents["dma"], party_of(agents["core"])
    tile = dma.col, dma.row
    words = next(d.words for d in names.design.descriptors if (d.tile, d.number) == (tile, dma.bd))
    fields = LAYOUTS[names.design.layout.device.kind(*tile)]
    acquired_id, released_id = (fields[name].of(words) for name in ("acq_id", "rel_id"))
    uses = {use.lock: use for use in result.locks if (use.col, use.row) == tile}
    free = acquired_id if dma.direction == _S2MM else released_id
    if released_id not in uses or free not in uses or not 0 < uses[free].initial <= len(ring) or raw.buffer not in ring:
        return False
    acquired = sum(n for agent, n in uses[released_id].acquires if party_of(agent) == core)
    return bool(acquired) and (result.status != "fault" or (acquired - 1) % len(ring) != ring.index(raw.buffer))
