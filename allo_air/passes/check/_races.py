"""Finds pairs of unordered events that access the same element of a buffer, if at least one of them writes."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from allo_air.access.footprint import Footprint
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.check._channels import Bundle
from allo_air.passes.check._events import Event, PartAccess, Program, agent_text
from allo_air.passes.check._order import Order
from allo_air.passes.check._schedule import UNBOUNDED, link, run
from allo_air.passes.check._touches import is_sure

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_MOST_ELEMENTS = 1 << 22
"""Largest number of elements of a footprint that are listed to decide exactly whether two accesses share one."""


def check_races(program: Program, channels: dict[str, Bundle], findings: Findings) -> None:
    """Reports races between the events of `program`."""
    for op, why in program.open:
        findings.undecided(op, why)
    links = link(program, channels)
    for op, why in links.unclear:
        findings.undecided(op, why)
    if program.open or links.unclear or program.outside or any(e.element is None for e in program.events if _is_channel(e)):
        return
    links.short.clear()
    if run(program, links, UNBOUNDED).stuck:
        findings.undecided(program.function, "races: it deadlocks (air-check-deadlock)")
        return
    touched: dict[Any, list[tuple[Event, PartAccess]]] = {}
    for event in program.events:
        for touch in event.touches:
            touched.setdefault(touch.root, []).append((event, touch))
    shared = {root: list_ for root, list_ in touched.items() if len(list_) > 1 and any(t.writes for _, t in list_)}
    tracked = sorted({e.number for list_ in shared.values() for e, _ in list_})
    together = not run(program, links, 0).stuck
    order = Order(program, links, tracked, together=together)
    visited: set[tuple[Any, Any]] = set()
    for list_ in shared.values():
        _check_buffer(list_, order, visited, findings, sure=together)


def _is_channel(event: Event) -> bool:
    return event.op.name.startswith("air.channel.")


def _check_buffer(
    list_: list[tuple[Event, PartAccess]], order: Order, seen: set[tuple[AnyOp, AnyOp]], findings: Findings, *, sure: bool
) -> None:
    """Reports each pair of racing operations once, at their first racing instances."""
    indices = IndexValues()
    for (a, first), (b, second) in combinations(list_, 2):
        if not (first.writes or second.writes) or a is b or (a.op, b.op) in seen or order.is_ordered(a.number, b.number):
            continue
        if not is_sure(first.buffer) or first.footprint is None or second.footprint is None:
            seen.add((a.op, b.op))
            if is_sure(first.buffer):
                findings.undecided(b.op, f"whether it meets {_verb(a, first)} in {_name(first)}", (a.op, "the other access"))
            continue
        if not first.footprint.meets(second.footprint, indices):
            continue
        index = _common(first.footprint, second.footprint)
        if index == -1:
            continue
        seen.add((a.op, b.op))
        place = f"element {index}" if index is not None else "an element"
        verbs = f"{'writes' if second.writes else 'reads'} {place} of {_name(first)}, which {_verb(a, first)} at the same time"
        report = findings.error if sure and index is not None else findings.warning
        report(
            b.op,
            f"races: {_agent(b)} {verbs}; make one wait for the other's token, or use separate parts of the buffer",
            (a.op, f"the other access, by {agent_text(a.agent)}"),
        )


def _common(a: Footprint, b: Footprint) -> int | None:
    """The lowest element in both footprints, -1 if there is none; None if they are too large to list."""
    import numpy as np

    lists: list[Any] = []
    for footprint in (a, b):
        walked = np.full(1, footprint.first.constant, dtype=np.int64)
        for count, stride in footprint.steps:
            if walked.size * count > _MOST_ELEMENTS:
                return None
            walked = (walked[:, None] + np.arange(count) * stride).reshape(-1)
        lists.append(walked)
    shared = np.intersect1d(lists[0], lists[1])
    return int(shared[0]) if shared.size else -1


def _verb(event: Event, touch: PartAccess) -> str:
    return f"{_agent(event)} {'writes' if touch.writes else 'reads'}"


def _agent(event: Event) -> str:
    return f"{event.op.name} of {agent_text(event.agent)}"


def _name(touch: PartAccess) -> str:
    kind = touch.buffer.type
    return f"argument {touch.buffer.arg_number} ({kind})" if isinstance(touch.buffer, ir.BlockArgument) else str(kind)
