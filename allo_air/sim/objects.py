"""Finds transfers of the sequence that end inside an object of the other end, whose BD then continues with other data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from allo_air.dialects.declarations import fifo_of
from allo_air.errors import Severity, counted
from allo_air.sim.naming import DIRECTIONS, Names, place_text, position_of
from allo_air.sim.programs import Start
from allo_air.sim.report_types import Finding, make_finding
from allo_air.sim.tasks import Channel, Queued, Walker

_MOST = 1 << 20
"""Maximum number of BDs that are followed to the end of the sent data."""


def parts(names: Names, walker: Walker, *, stopped: bool) -> list[Finding]:
    """Returns a finding for each circuit-switched flow on which the sequence moves a part of an object.

    It is an error if the run has `stopped` or left data unreceived, otherwise a warning: the next run begins inside that
    object.
    """
    moved: dict[Channel, list[Queued]] = defaultdict(list)
    for event in walker.events:
        if isinstance(event, Queued):
            moved[event.channel].append(event)
    started: dict[Channel, list[Start]] = defaultdict(list)
    for start in names.design.starts:
        started[start.tile, start.direction, start.channel].append(start)
    if not moved:
        return []
    sources: dict[Channel, int] = defaultdict(int)
    pairs = list(_circuits(names))
    for _, receiver in pairs:
        sources[receiver] += 1
    findings = []
    for sender, receiver in pairs:
        for end, partner in ((sender, receiver), (receiver, sender)):
            tasks = moved.get(end, [])
            if not tasks or end in started or partner in moved or len(started.get(partner, [])) != 1 or sources[receiver] > 1:
                continue
            total = sum(task.words or 0 for task in tasks)
            if all(task.words is not None for task in tasks) and (cut := _cut(walker, started[partner][0], total)) is not None:
                findings.append(_finding(names, (end, partner), tasks, cut, "error" if stopped else "warning"))
    return findings


def _circuits(names: Names) -> Iterator[tuple[Channel, Channel]]:
    for route in names.design.routes:
        if route.packet is None and route.source[2] == "DMA":
            column, row, _, number = route.source
            for end in route.destinations:
                if end.port[2] == "DMA":
                    yield ((column, row), 1, number), (end.port[:2], 0, end.port[3])


def _cut(walker: Walker, start: Start, total: int) -> tuple[int, int, int] | None:
    """(whole objects, words of the next one, its length) if `total` words end inside an object."""
    lengths, again = walker.chain(start.tile, start.bd)
    if not lengths or not all(lengths):
        return None
    whole, place, rounds = 0, 0, start.repeat
    while total >= lengths[place]:
        total -= lengths[place]
        whole, place = whole + 1, place + 1
        if place == len(lengths):
            if again is None and not rounds:
                return None
            place, rounds = (again, rounds) if again is not None else (0, rounds - 1)
        if whole > _MOST:
            return None
    return (whole, total, lengths[place]) if total else None


def _finding(
    names: Names, ends: tuple[Channel, Channel], tasks: list[Queued], cut: tuple[int, int, int], severity: Severity
) -> Finding:
    (own_end, partner), (whole, rest, length) = ends, cut
    total = sum(task.words or 0 for task in tasks)
    verb, gets = ("sends", "gets") if own_end[1] == 1 else ("takes", "gives")
    op = names.start_op(*partner)
    fifo = fifo_of(op) if op is not None else ""
    whom = f"objectFifo @{fifo}" if fifo else names.channel(*partner)
    return make_finding(
        "object.part",
        f"the sequence {verb} {total:,} words over {names.transfers(own_end)}, {counted(whole, 'object')} of {whom} and a part:"
        f" object {whole + 1} {gets} {rest:,} of {length:,} words",
        position_of(tasks[-1].op),
        severity=severity,
        cure=f"let the transfers be {f'{total - rest:,} or ' if whole else ''}{total - rest + length:,} words in all",
        story=[f"{names.channel(*partner)} stops inside a BD{place_text(position_of(op))}, and the next run begins there"],
        tile=partner[0],
        unit="dma",
        channel=f"{DIRECTIONS[partner[1]]} {partner[2]}",
    )
