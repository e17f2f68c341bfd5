"""Forwards streams between cores that are not adjacent over the cores between them, if DMA channels do not suffice.

A link joins two adjacent cores, which exchange data through memory that both reach; it carries the blocks of all streams that
use it. The order of the blocks is that of one run of the region in which a block goes all its way at once when its receiver
asks for it. Every core does its part at the position that this run has in its program, so that no core waits for one that
waits for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from allo_air.frontend.placement import PORTS, Cell
from allo_air.frontend.rounds import Rounds
from allo_air.frontend.scripts import Act, Script
from allo_air.frontend.transfers import Plan
from allo_air.frontend.types import StreamType, TensorType
from allo_air.frontend.virtual import VirtualGraph

Event = tuple[bool, str]
"""A put (or get) of a core, and its stream."""


@dataclass
class TooFewChannels(Exception):
    """A core lacks DMA channels for `streams` (that it puts to, or gets from), and other cores cannot forward them."""

    core: int
    puts: bool
    streams: tuple[str, ...]
    tensors: int
    loops: tuple[int, ...]
    """Cores whose loops or conditions decide about puts and gets."""

    def message(self, names: Sequence[str]) -> str:
        """The error text; `names` are the cores' names."""
        gets, receives = ("puts to", "sends") if self.puts else ("gets from", "receives")
        shown = ", ".join(self.streams[:4]) + ", ..." * (len(self.streams) > 4)
        tensors = f", {receives} tensors over {self.tensors} channels," * bool(self.tensors)
        why = "use fewer streams, or hand data on from neighbour to neighbour"
        if self.loops:
            why = (
                "other cores hand on what is put and got outside of loops and conditions of the run, which "
                f"{names[self.loops[0]]} has: use allo.meta_for there, or fewer streams"
            )
        return (
            f"core {names[self.core]} {gets} {len(self.streams)} streams of cores that are no neighbours ({shown}){tensors} "
            f"and has {PORTS} DMA channels for that; {why}"
        )


@dataclass(frozen=True)
class Forwarding:
    """The scripts of all cores, the forwarded streams, and the links that replace them."""

    scripts: tuple[Script, ...] = ()
    streams: frozenset[str] = frozenset()
    links: tuple[str, ...] = ()

    def script(self, core: int) -> Script | None:
        return self.scripts[core] if self.scripts else None


def forward(
    graph: VirtualGraph,
    rounds: Rounds,
    plan: Plan,
    cells: Sequence[Cell],
    kinds: Mapping[str, StreamType],
    *,
    entirely: bool = False,
) -> Forwarding:
    """The streams to forward so that cores have enough DMA channels; raises TooFewChannels if that is impossible.

    With `entirely`, these are all streams that can be forwarded, if any must be: links are fewer than streams, and so are
    their locks.
    """
    owner = {i: core for core, numbers in enumerate(rounds.cores) for i in numbers}
    if rounds.grid:
        return Forwarding()
    ends = {e.stream: (owner[e.source], owner[e.target]) for e in graph.edges if owner[e.source] != owner[e.target]}
    events = [_events(graph, numbers, ends) for numbers in rounds.cores]
    able = [event is not None for event in events]
    paths = _routed(ends, plan, cells, able)
    if not paths:
        return Forwarding()
    used_hops = {hop for path in paths.values() for hop in pairwise(path)}
    if entirely:
        ways = {s: _path(u, v, cells, able) for s, (u, v) in ends.items() if s not in paths}
        paths |= {s: path for s, path in ways.items() if path is not None}
    paths |= {s: [u, v] for s, (u, v) in ends.items() if s not in paths and (u, v) in used_hops and able[u] and able[v]}
    return _scripts([event or [] for event in events], paths, kinds)


def _events(graph: VirtualGraph, numbers: Sequence[int], ends: Mapping[str, object]) -> list[Event] | None:
    """The puts and gets of a core on streams to others; None if they are in loops or conditions."""
    events: list[Event] = []
    for number in numbers:
        mine = graph.instances[number].events
        if mine is None:
            return None
        events += [event for event in mine if event[1] in ends]
    return events


def _near(a: Cell, b: Cell) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def _routed(
    ends: Mapping[str, tuple[int, int]], plan: Plan, cells: Sequence[Cell], able: Sequence[bool]
) -> dict[str, list[int]]:
    """The streams to forward, each with the cores on its path; TooFewChannels if cores would lack channels."""
    far = [s for s, (u, v) in ends.items() if not _near(cells[u], cells[v])]
    paths: dict[str, list[int]] = {}
    for way, wired in ((1, [w.gets for w in plan.wiring]), (0, [w.puts for w in plan.wiring])):
        for core, channels in enumerate(wired):
            mine = [s for s in far if ends[s][way] == core and s not in paths]
            excess = len({name for name, _ in channels.values()}) + len(mine) - PORTS
            if excess <= 0:
                continue
            ways = {s: path for s in mine if (path := _path(*ends[s], cells, able)) is not None}
            chosen = sorted(ways, key=lambda s: len(ways[s]))[:excess]
            if len(chosen) < excess:
                loops = tuple(c for c, straight in enumerate(able) if not straight)
                raise TooFewChannels(core, not way, tuple(mine), len({name for name, _ in channels.values()}), loops)
            paths |= {s: ways[s] for s in chosen}
    return paths


def _path(start: int, end: int, cells: Sequence[Cell], able: Sequence[bool]) -> list[int] | None:
    """The shortest path from core to core over adjacent cores."""
    if not able[start] or not able[end]:
        return None
    before: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here == end:
            path = [end]
            while path[-1] != start:
                path.append(before[path[-1]])
            return path[::-1]
        for other, cell in enumerate(cells):
            if other not in before and able[other] and _near(cells[here], cell):
                before[other] = here
                waiting.append(other)
    return None


@dataclass
class _Run:
    """One run of the region on the events of its cores; it writes the scripts."""

    events: Sequence[Sequence[Event]]
    paths: Mapping[str, Sequence[int]]
    kinds: Mapping[str, StreamType]
    at: list[int]
    scripts: list[Script]
    waiting: dict[str, deque[int]] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    links: dict[tuple[int, int, str], str] = field(default_factory=dict)
    tokens: int = 0

    def link(self, u: int, v: int, stream: str) -> str:
        """The channel between two adjacent cores for blocks of the stream's elements, whatever their shape."""
        kind = self.kinds[stream].element
        key = u, v, str(kind.element if isinstance(kind, TensorType) else kind)
        return self.links.setdefault(key, f"link_{len(self.links)}")

    def head(self, core: int) -> Event | None:
        """The next event of a core."""
        return self.events[core][self.at[core]] if self.at[core] < len(self.events[core]) else None

    def step(self, core: int, room: int = 1) -> bool:
        """Executes the next event of a core if possible; a put to a forwarded stream waits for its get.

        Other streams hold `room` blocks: only one certainly fits between two cores.
        """
        event = self.head(core)
        if event is None:
            return False
        is_put, stream = event
        if stream in self.paths:
            return not is_put and self.deliver(stream)
        waiting = self.sent.get(stream, 0)
        if waiting >= room if is_put else not waiting:
            return False
        self.sent[stream] = self.sent.get(stream, 0) + (1 if is_put else -1)
        self.at[core] += 1
        return True

    def deliver(self, stream: str) -> bool:
        """Moves a block from its sender to its waiting receiver; returns whether there was a block."""
        path = self.paths[stream]
        source, target = path[0], path[-1]
        hops = [self.link(u, v, stream) for u, v in pairwise(path)]
        if self.waiting.get(stream):
            act = Act(stream, hops[0], token=self.waiting[stream].popleft())
            self.scripts[source].acts.setdefault(self.at[source], []).append(act)
        elif self.head(source) == (True, stream):
            self.scripts[source].puts[self.at[source]] = hops[0]
            self.at[source] += 1
        else:
            return False
        for core, into, onward in zip(path[1:-1], hops, hops[1:], strict=False):
            self.scripts[core].acts.setdefault(self.at[core], []).append(Act(stream, onward, source=into))
        self.scripts[target].gets[self.at[target]] = hops[-1]
        self.at[target] += 1
        return True

    def keep(self) -> bool:
        """Lets one core with a waiting put continue; returns whether there was one."""
        for core in range(len(self.events)):
            event = self.head(core)
            if event is not None and event[0] and event[1] in self.paths:
                self.waiting.setdefault(event[1], deque()).append(self.tokens)
                self.scripts[core].tokens[self.at[core]] = self.tokens
                self.tokens += 1
                self.at[core] += 1
                return True
        return False


def _scripts(
    events: Sequence[Sequence[Event]], paths: Mapping[str, Sequence[int]], kinds: Mapping[str, StreamType]
) -> Forwarding:
    run = _Run(events, paths, kinds, [0] * len(events), [Script() for _ in events])
    going = True
    while going:
        going = False
        for core in range(len(events)):
            while run.step(core):
                going = True
        going = going or run.keep() or any(run.step(core, 2) for core in range(len(events)))
    if any(run.head(core) is not None for core in range(len(events))):
        return Forwarding()
    return Forwarding(tuple(run.scripts), frozenset(paths), tuple(run.links.values()))
