"""Finds waits of a sequence that precede the start of the transfer that would end them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.sim.naming import DIRECTIONS, place_text, position_of
from allo_air.sim.report_types import Finding, make_finding
from allo_air.sim.waiting import Graph, party_of

if TYPE_CHECKING:
    from allo_air.dialects._aiex_npu import NpuDmaMemcpyNdOp
    from allo_air.sim._engine import Wait

_STORY = 12
"""Maximum number of waits that a finding lists."""


def late_start(graph: Graph, start: Wait) -> Finding | None:
    """The finding for a wait of the sequence before it has started the transfer that would end the wait."""
    if start.agent.unit != "controller" or start.agent.site < 0:
        return None
    seen, todo, says = {party_of(start.agent)}, [start], []
    while todo:
        wait = todo.pop(0)
        for provider in graph.providers(wait):
            if provider.party in seen:
                continue
            seen.add(provider.party)
            if provider.party in graph.waits:
                todo.append(graph.waits[provider.party])
                says.append(graph.says(todo[-1]))
            elif provider.party[0] == "dma" and (later := _later(graph, provider.party[1:], start.agent.site)) is not None:
                return _waits_too_early(graph, start, provider.party[1:], later, says)
    return None


def _later(graph: Graph, channel: tuple[int, ...], site: int) -> Any:
    """The first operation after word `site` that starts a task on a channel."""
    column, row, direction, number = channel
    queued = graph.names.queued(((column, row), direction, number))
    return next((op for op, at_word in queued if at_word > site), None)


def _waits_too_early(graph: Graph, wait: Wait, channel: tuple[int, ...], later: NpuDmaMemcpyNdOp, says: list[str]) -> Finding:
    column, row, direction, number = channel
    names = graph.names
    channel_text = names.transfers(((wait.col, wait.row), wait.direction, wait.channel))
    started = names.transfers(((column, row), direction, number))
    return make_finding(
        "hang.wait-order",
        f"cycle {graph.result.cycles}: nothing can go on; the sequence waits here for {channel_text}, and starts {started} "
        f"only after this wait{place_text(position_of(later))}",
        graph.position(wait),
        cure=f"start {started} before the sequence waits for {channel_text}",
        story=[*says[:_STORY], f"{names.channel((column, row), direction, number)} would take it on: it has no task yet"],
        kind="deadlock",
        cycle=graph.result.cycles,
        tile=(wait.col, wait.row),
        unit="controller",
        channel=f"{DIRECTIONS[wait.direction]} {wait.channel}",
    )
