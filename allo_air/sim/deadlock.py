"""Explains why nothing can go on: the cycle of waits or the missing provider, and the counts that differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from allo_air.codes import of_wait
from allo_air.errors import Diagnostic, counted, placeless
from allo_air.sim import wait_order
from allo_air.sim.locks import use_of
from allo_air.sim.naming import DIRECTIONS, Names, place_text, position_of
from allo_air.sim.report_types import Finding
from allo_air.sim.waiting import Graph, Party, Provider, party_of

if TYPE_CHECKING:
    from allo_air.sim._engine import Finding as EngineFinding
    from allo_air.sim._engine import Result, Wait
    from allo_air.sim._engine import Result as EngineResult
    from allo_air.sim._engine import Wait as EngineWait

_LISTED = 12
"""Waits outside of the chain that a message names."""


def explain(names: Names, result: Result) -> Finding:
    """The finding for a deadlock. Its place is that of the decisive wait (`_decisive_wait`) in the chain of waits.

    The chain ends in a cycle, at a wait without a provider, or at a provider that does not wait.
    """
    graph = Graph(names, result)
    start = graph.waits.get(("controller",)) or next(iter(graph.waits.values()), None)
    if start is None:
        diagnostic = Diagnostic("error", "", 0, 0, f"deadlock: nothing moves after cycle {result.cycles}, and no agent waits")
        return Finding("deadlock", result.cycles, None, "", "", "", "", diagnostic)
    if (late := wait_order.late_start(graph, start)) is not None:
        return late
    chain, ending = _follow(graph, start)
    last = _decisive_wait(graph, chain, ending)
    blocked = _blocked_by(graph, chain, ending, last)
    holders = [f"{graph.describe(party_of(last.agent))} keeps others waiting: {graph.says(blocked)}"] if blocked else []
    ends = _ending_text(graph, chain, ending)
    story = [graph.says(w) for w in chain if w is not last]
    notes = [*holders, *ends, *story] if blocked else [*story, *ends]
    notes += _words_moved(graph, chain, last)
    notes += _counts(graph, last)
    notes += _packets(graph)
    info = {party_of(w.agent) for w in chain}
    waits = [w for w in result.waits if party_of(w.agent) not in info]
    notes += [f"also: {graph.says(w)}" for w in waits[:_LISTED]]
    if len(waits) > _LISTED:
        notes.append(f"and {len(waits) - _LISTED} others wait")
    file, line, column = graph.position(last)
    never = next((f for f in result.findings if f.kind == "sync-without-end"), None)
    kind = never.kind if never is not None else "deadlock"
    if never is not None and never.detail not in notes:
        notes.insert(0, never.detail)
    message = f"{kind}: cycle {result.cycles}: nothing can go on; {graph.says(last)}"
    unbalanced = any(graph.takes_more(p.party) for p in graph.providers(last))  # then no depth helps
    code = of_wait(last.kind, cycle=ending is not None and ending.party in graph.waits and not unbalanced)
    cure = _needed_objects(graph, last, blocked) if blocked and code == "hang.lock-cycle" else ""
    diagnostic = Diagnostic("error", file, line, column, message, tuple(placeless("note", n) for n in notes), code, cure)
    agent = last.agent
    tile = (agent.col, agent.row) if agent.col >= 0 else (last.col, last.row) if last.col >= 0 else None
    channel = f"{DIRECTIONS[agent.direction]} {agent.channel}" if agent.unit == "dma" else ""
    lock = names.lock_name((last.col, last.row), last.lock) if last.kind == "lock" else ""
    return Finding(kind, result.cycles, tile, agent.unit, channel, lock, "", diagnostic, holders=tuple(holders))


def _blocked_by(graph: Graph, chain: list[Wait], ending: Provider | None, last: Wait) -> Any:
    """The wait for a lock in the cycle that the agent of `last` would release, or None."""
    if ending is None or last.kind != "lock" or ending.party not in [party_of(w.agent) for w in chain]:
        return None
    own_party = party_of(last.agent)
    waits = [w for w in chain if w is not last and w.kind == "lock" and party_of(w.agent) != own_party]
    return next((w for w in reversed(waits) if any(p.party == own_party for p in graph.providers(w))), None)


def _needed_objects(graph: Graph, last: Wait, blocked: Wait) -> str:
    """The buffers that need one more object, or another change that breaks the cycle."""
    names = graph.names
    who = graph.describe(party_of(last.agent))
    place, last_place = (blocked.col, blocked.row), (last.col, last.row)
    fifo, other_fifo = names.fifo(place, blocked.lock), names.fifo(last_place, last.lock)
    there = (
        f"objectFifo @{fifo} more objects (depth)" if fifo else f"{names.lock(place, blocked.lock)} one more buffer to count"
    )
    here = f"@{other_fifo}" if other_fifo else names.lock(last_place, last.lock)
    first = f"@{fifo}" if fifo else names.lock(place, blocked.lock)
    return f"give {there}, or let {who} serve {first} before it waits for {here}"


def trace_back(names: Names, result: EngineResult, raw: EngineFinding, finding: Finding) -> Finding:
    """Adds to a finding of unreceived data the wait that keeps its receiver from receiving it, if there is one."""
    graph = Graph(names, result)
    start = graph.waits.get(party_of(raw.other)) if raw.other is not None else None
    if start is None or start.kind == "stream-empty":
        return finding
    chain, ending = _follow(graph, start)
    last = _decisive_wait(graph, chain, ending)
    reasons = [f"it is not taken because {graph.says(w)}" for w in chain] + _ending_text(graph, chain, ending)
    file, line, column = graph.position(last)
    notes = (*(placeless("note", n) for n in reasons), *finding.diagnostic.notes)
    diagnostic = replace(finding.diagnostic, file=file, line=line, column=column, notes=notes)
    return replace(finding, tile=(last.agent.col, last.agent.row), unit=last.agent.unit, diagnostic=diagnostic)


def _follow(graph: Graph, start: Wait) -> tuple[list[Any], Provider | None]:
    """Follows the providers of a wait to a wait without a provider, or back to an earlier wait.

    The second result is a provider of the last wait: one that does not wait, or one in `chain`, which closes the cycle; None if
    there is no provider.
    """
    best: tuple[list[Any], Provider | None] | None = None
    stack: list[list[Any]] = [[start]]
    visited: set[Party] = {party_of(start.agent)}
    while stack:
        chain = stack.pop()
        providers = graph.providers(chain[-1])
        waiting = [p for p in providers if p.party in graph.waits]
        if not providers:
            return chain, None
        idle = [p for p in providers if p.party not in graph.waits]
        if not waiting or (chain[-1].kind == "stream-empty" and idle):
            return chain, idle[0]
        fresh = []
        for provider in waiting:
            if provider.party not in visited:
                visited.add(provider.party)
                fresh.append([*chain, graph.waits[provider.party]])
            elif best is None and provider.party in [party_of(w.agent) for w in chain]:
                best = chain, provider
        stack += reversed(fresh)
    return best if best is not None else ([start], None)


def _decisive_wait(graph: Graph, chain: list[Wait], ending: Provider | None) -> Any:
    """The wait of a chain that the message names.

    In a cycle, it is the wait for an agent that takes locks more often than it releases them, otherwise a wait of a core. If
    the chain ends at a sender without data, it is the last wait inside a BD: a BD that has not begun may only be ready for
    more data.
    """
    last = chain[-1]
    if ending is None:
        return last
    parties = [party_of(w.agent) for w in chain]
    if ending.party in parties:
        members = chain[parties.index(ending.party) :]
        for wait in members:
            if any(graph.takes_more(p.party) for p in graph.providers(wait)) and wait.kind == "lock":
                return wait
        return next((w for w in members if w.agent.unit == "core"), last)
    if last.kind == "stream-empty" and last.words <= 0:
        return next((w for w in reversed(chain) if 0 < w.words < w.wanted), last)
    return last


def _ending_text(graph: Graph, chain: list[Wait], ending: Provider | None) -> list[str]:
    last = chain[-1]
    if ending is None:
        return [_without_provider(graph, last)]
    if ending.party not in graph.waits:
        return [graph.idle(ending), *_mismatch(graph, last, ending), *_tokens(graph, last)]
    parties = [party_of(w.agent) for w in chain]
    again = parties.index(ending.party) if ending.party in parties else 0
    members = [graph.describe(p) for p in parties[again:]]
    if len(members) == 1:
        return [f"only {members[0]} itself could end this wait{place_text(position_of(ending.op))}"]
    return [f"this is a cycle: {' waits for '.join([*members, members[0]])}{place_text(position_of(ending.op))}"]


def _without_provider(graph: Graph, wait: Wait) -> str:
    match wait.kind:
        case "lock":
            lock = graph.names.lock((wait.col, wait.row), wait.lock)
            return f"nothing in the design releases {lock}: add the release, or correct its initial value"
        case "stream-empty":
            return "no flow ends there: add an aie.flow or aie.packet_flow to it, or correct the tile, port or channel of one"
        case "stream-full" | "arbiter":
            return (
                "no flow starts there: add an aie.flow or aie.packet_flow from it, or correct the tile, port or channel of one"
            )
        case "cascade-empty" | "cascade-full":
            return "the core has no cascade link on that side: add an aie.cascade_flow, or aie.configure_cascade on both cores"
    return "no agent can end this wait"


def _mismatch(graph: Graph, wait: Wait, ending: Provider) -> list[str]:
    """The difference between the numbers of words of sender and receiver."""
    if wait.kind not in ("stream-empty", "stream-full") or ending.party[0] != "dma" or wait.agent.unit != "dma":
        return []
    channel_state = graph.channels.get((wait.agent.col, wait.agent.row, wait.agent.direction, wait.agent.channel))
    channel = graph.channels.get(ending.party[1:])
    have = channel_state.words if channel_state is not None else 0
    gave = channel.words if channel is not None else 0
    if wait.words <= 0 < have:
        note_text = f"that may be intended: {gave} words were sent and {have} received, in whole BDs"
        return [note_text, *_runs(graph, wait)]
    missing_words = wait.wanted - wait.words
    if wait.kind == "stream-empty":
        return [
            f"the counts differ: {gave} words were sent and {have} received, and the receiver's BD expects {missing_words} more"
        ]
    return [f"the counts differ: {have} words were sent and {gave} received, and the sender's BD has {missing_words} more"]


def _runs(graph: Graph, wait: EngineWait) -> list[str]:
    """The repeat count of a channel's last task, if it is repeated."""
    agent = wait.agent
    pushes = graph.names.pushes.get(((agent.col, agent.row), agent.direction, agent.channel), [])
    return [
        f"its task{place_text(position_of(op))} is to run {counted(push.repeat + 1, 'time')}: see its repeat count"
        for op, push in pushes[-1:]
        if push.repeat
    ]


def _words_moved(graph: Graph, chain: list[Wait], last: Wait) -> list[str]:
    """The words that each channel of the chain has moved, if the decisive wait is inside a BD."""
    if last is chain[-1] or last.agent.unit != "dma":
        return []
    moved = []
    for wait in reversed(chain):
        agent = wait.agent
        counters = graph.channels.get((agent.col, agent.row, agent.direction, agent.channel))
        if agent.unit == "dma" and counters is not None:
            moved.append(f"{graph.names.channel((agent.col, agent.row), agent.direction, agent.channel)} {counters.words}")
    return [f"the counts differ along the chain: {', '.join(moved)}; the last one expects {last.wanted - last.words} more"]


def _tokens(graph: Graph, wait: Wait) -> list[str]:
    """The number of tokens that the sequence requested from a channel, if it waits for a missing one."""
    if wait.kind != "token":
        return []
    pushes = graph.names.pushes.get(((wait.col, wait.row), wait.direction, wait.channel), [])
    with_token = sum(push.token for _, push in pushes)
    return [
        f"the counts differ: {counted(len(pushes), 'task')} queued there, {with_token} with a token (issue_token); "
        "let a task issue one (issue_token = true) for each wait, or drop the wait"
    ]


def _packets(graph: Graph) -> list[str]:
    """Packet flows that delivered no packet although their source sends: the BD may have the id of another flow."""
    packets = []
    for route in graph.names.design.routes:
        ends = [d.port for d in route.destinations if d.port[2] == "DMA"]
        counters = [graph.channels.get((c, r, 0, n)) for c, r, _, n in ends]
        column, row, bundle, number = route.source
        sender = graph.channels.get((column, row, 1, number))
        if route.packet is None or bundle != "DMA" or sender is None or not sender.words or not ends:
            continue
        if any(c is not None and c.words for c in counters):
            continue
        to = ", ".join(graph.names.channel((c, r), 0, n) for c, r, _, n in ends)
        where, source = place_text(position_of(route.op)), graph.names.channel((column, row), 1, number)
        packets.append(
            f"{source} has sent no packet with id {route.packet[0]}, which goes to {to}{where}: see the ids of its BDs"
        )
    return packets


def _counts(graph: Graph, wait: Wait) -> list[str]:
    """The uses of the lock of a wait: agents and counts."""
    if wait.kind != "lock":
        return []
    for use in graph.result.locks:
        if (use.col, use.row, use.lock) == (wait.col, wait.row, wait.lock):
            return use_of(graph.names, use)
    return []
