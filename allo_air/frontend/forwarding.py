"""Forwards streams between cores that are not adjacent through the cores between them, if DMA channels do not suffice.

A link joins two adjacent cores, which exchange data through memory that both can access. It carries the blocks of all streams
that use it. Their order must be fixed when the cores are compiled. It is found by running the region once, on its puts and gets
alone. In this run a block moves along its whole path as soon as its receiver gets it. Each core on the path forwards the block
between the same two of its own puts and gets as in the run, so the cores cannot deadlock.

For example, core 0 puts to a stream that core 2 gets from, and core 1 lies between them. Core 0 puts to link 0-1, core 1 gets
the block from link 0-1 and puts it to link 1-2 at a fixed place of its program, and core 2 gets from link 1-2.
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
"""A put (True) or a get (False) of a core, and the stream."""


@dataclass
class TooFewChannels(Exception):
    """A core lacks DMA channels for its streams, and other cores cannot forward them."""

    core: int
    puts: bool
    """Whether the core puts to the streams; otherwise it gets from them."""
    streams: tuple[str, ...]
    tensors: int
    """Channels that bring or take tensors of the core."""
    loops: tuple[int, ...]
    """Cores that cannot forward, since their puts or gets are in loops or conditions of the run."""

    def message(self, names: Sequence[str]) -> str:
        """The error text; `names` are the cores' names."""
        accesses, moves = ("puts to", "sends") if self.puts else ("gets from", "receives")
        streams = ", ".join(self.streams[:4]) + ", ..." * (len(self.streams) > 4)
        tensors = f", {moves} tensors over {self.tensors} channels," * bool(self.tensors)
        advice = "use fewer streams, or pass data from neighbour to neighbour"
        if self.loops:
            advice = (
                "a core between two others can forward their blocks only if no loop or condition of the run contains its puts "
                f"and gets, as in {names[self.loops[0]]}: use allo.meta_for there, or fewer streams"
            )
        return (
            f"core {names[self.core]} {accesses} {len(self.streams)} streams of cores that are not adjacent ({streams})"
            f"{tensors} and has {PORTS} DMA channels for that; {advice}"
        )


@dataclass(frozen=True)
class Forwarding:
    """How streams are forwarded: the scripts of all cores, the forwarded streams, and the links that replace them."""

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
    """Chooses the streams to forward so that cores have enough DMA channels; raises TooFewChannels if that is impossible.

    `cells` are the positions of the cores in the array, and `kinds` the types of the streams. With `entirely`, if any stream
    must be forwarded, all are that can be: there are fewer links than streams, and so fewer locks.
    """
    owner = {i: core for core, numbers in enumerate(rounds.cores) for i in numbers}
    if rounds.grid:
        return Forwarding()
    ends = {e.stream: (owner[e.source], owner[e.target]) for e in graph.edges if owner[e.source] != owner[e.target]}
    events = [_events(graph, numbers, ends) for numbers in rounds.cores]
    can_forward = [event is not None for event in events]
    paths = _required_paths(ends, plan, cells, can_forward)
    if not paths:
        return Forwarding()
    used_hops = {hop for path in paths.values() for hop in pairwise(path)}
    if entirely:
        possible = {s: _path(u, v, cells, can_forward) for s, (u, v) in ends.items() if s not in paths}
        paths |= {s: path for s, path in possible.items() if path is not None}
    # Streams between two cores that a link joins use the link, too: the order of their blocks is then known.
    joined = {s: (u, v) for s, (u, v) in ends.items() if s not in paths and (u, v) in used_hops}
    paths |= {s: [u, v] for s, (u, v) in joined.items() if can_forward[u] and can_forward[v]}
    return _scripts([event or [] for event in events], paths, kinds)


def _events(graph: VirtualGraph, numbers: Sequence[int], ends: Mapping[str, object]) -> list[Event] | None:
    """The puts and gets of a core on streams to others; None if they are in loops or conditions."""
    events: list[Event] = []
    for number in numbers:
        of_instance = graph.instances[number].events
        if of_instance is None:
            return None
        events += [event for event in of_instance if event[1] in ends]
    return events


def _are_adjacent(a: Cell, b: Cell) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def _required_paths(
    ends: Mapping[str, tuple[int, int]], plan: Plan, cells: Sequence[Cell], can_forward: Sequence[bool]
) -> dict[str, list[int]]:
    """The cores on the path of each stream that must be forwarded, the shortest paths first.

    Raises TooFewChannels if a core has more streams and tensors than DMA channels even so.
    """
    far = [s for s, (u, v) in ends.items() if not _are_adjacent(cells[u], cells[v])]
    paths: dict[str, list[int]] = {}
    for end, wirings in ((1, [w.gets for w in plan.wiring]), (0, [w.puts for w in plan.wiring])):
        for core, wiring in enumerate(wirings):
            streams = [s for s in far if ends[s][end] == core and s not in paths]
            tensors = len({name for name, _ in wiring.values()})
            excess = tensors + len(streams) - PORTS
            if excess <= 0:
                continue
            possible = {s: path for s in streams if (path := _path(*ends[s], cells, can_forward)) is not None}
            chosen = sorted(possible, key=lambda s: len(possible[s]))[:excess]
            if len(chosen) < excess:
                loops = tuple(core for core, can in enumerate(can_forward) if not can)
                raise TooFewChannels(core, end == 0, tuple(streams), tensors, loops)
            paths |= {s: possible[s] for s in chosen}
    return paths


def _path(start: int, end: int, cells: Sequence[Cell], can_forward: Sequence[bool]) -> list[int] | None:
    """The shortest path from core to core over adjacent cores that can forward (breadth-first); None if there is none."""
    if not can_forward[start] or not can_forward[end]:
        return None
    previous: dict[int, int] = {start: start}
    queue = deque([start])
    while queue:
        core = queue.popleft()
        if core == end:
            path = [end]
            while path[-1] != start:
                path.append(previous[path[-1]])
            return path[::-1]
        for neighbour, cell in enumerate(cells):
            if neighbour not in previous and can_forward[neighbour] and _are_adjacent(cells[core], cell):
                previous[neighbour] = core
                queue.append(neighbour)
    return None


@dataclass
class _Run:
    """One run of the region on the puts and gets of its cores; it writes the scripts of the cores.

    Cores are numbers. `positions` has the position of each core in its events.
    """

    events: Sequence[Sequence[Event]]
    paths: Mapping[str, Sequence[int]]
    kinds: Mapping[str, StreamType]
    positions: list[int]
    scripts: list[Script]
    stored: dict[str, deque[int]] = field(default_factory=dict)
    """For each forwarded stream, the tokens of blocks that its sender stores until the receiver gets them."""
    sent: dict[str, int] = field(default_factory=dict)
    """For each other stream, the blocks that were put and not yet gotten."""
    links: dict[tuple[int, int, str], str] = field(default_factory=dict)
    """Channels by their two cores and the type of their elements."""
    tokens: int = 0

    def link(self, u: int, v: int, stream: str) -> str:
        """The channel from core `u` to the adjacent core `v` for blocks with elements of the stream's type, of any shape."""
        kind = self.kinds[stream].element
        key = u, v, str(kind.element if isinstance(kind, TensorType) else kind)
        return self.links.setdefault(key, f"link_{len(self.links)}")

    def head(self, core: int) -> Event | None:
        """The next event of a core; None at its end."""
        return self.events[core][self.positions[core]] if self.positions[core] < len(self.events[core]) else None

    def step(self, core: int, room: int = 1) -> bool:
        """Executes the next event of a core; returns whether it could.

        A put to a forwarded stream waits for its get. Other streams hold `room` blocks; one block always fits between two
        cores.
        """
        event = self.head(core)
        if event is None:
            return False
        is_put, stream = event
        if stream in self.paths:
            return not is_put and self.deliver(stream)
        blocks = self.sent.get(stream, 0)
        if blocks >= room if is_put else not blocks:
            return False
        self.sent[stream] = blocks + (1 if is_put else -1)
        self.positions[core] += 1
        return True

    def deliver(self, stream: str) -> bool:
        """Moves a block from its sender to its waiting receiver; returns whether there was a block."""
        path = self.paths[stream]
        source, target = path[0], path[-1]
        hops = [self.link(u, v, stream) for u, v in pairwise(path)]
        if self.stored.get(stream):
            act = Act(stream, hops[0], token=self.stored[stream].popleft())
            self.scripts[source].acts.setdefault(self.positions[source], []).append(act)
        elif self.head(source) == (True, stream):
            self.scripts[source].puts[self.positions[source]] = hops[0]
            self.positions[source] += 1
        else:
            return False
        for core, into, onward in zip(path[1:-1], hops, hops[1:], strict=False):
            self.scripts[core].acts.setdefault(self.positions[core], []).append(Act(stream, onward, source=into))
        self.scripts[target].gets[self.positions[target]] = hops[-1]
        self.positions[target] += 1
        return True

    def store_block(self) -> bool:
        """Makes one core store the block of its waiting put and continue; returns whether there was one."""
        for core in range(len(self.events)):
            event = self.head(core)
            if event is not None and event[0] and event[1] in self.paths:
                self.stored.setdefault(event[1], deque()).append(self.tokens)
                self.scripts[core].tokens[self.positions[core]] = self.tokens
                self.tokens += 1
                self.positions[core] += 1
                return True
        return False


def _scripts(
    events: Sequence[Sequence[Event]], paths: Mapping[str, Sequence[int]], kinds: Mapping[str, StreamType]
) -> Forwarding:
    """Runs the region to its end; no forwarding if it gets stuck.

    A core stores a block only if nothing else can go on: stored blocks take memory.
    """
    run = _Run(events, paths, kinds, [0] * len(events), [Script() for _ in events])
    progress = True
    while progress:
        progress = False
        for core in range(len(events)):
            while run.step(core):
                progress = True
        progress = progress or run.store_block() or any(run.step(core, 2) for core in range(len(events)))
    if any(run.head(core) is not None for core in range(len(events))):
        return Forwarding()
    return Forwarding(tuple(run.scripts), frozenset(paths), tuple(run.links.values()))
