"""The wait-for graph at the end of a run, from the engine's waits and the design's providers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import walk_named
from allo_air.dialects.declarations import place_of
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.sim.naming import Names, Position, place_text, position_of
from allo_air.sim.programs import PROGRAMS

if TYPE_CHECKING:
    from allo_air.sim._engine import Agent, Wait

Party = tuple[Any, ...]
"""`("core", column, row)`, `("dma", column, row, direction, channel)` or `("controller",)`."""


def party_of(agent: Agent) -> Party:
    """The identity of an engine's agent, independent of its BD or site."""
    if agent.unit == "core":
        return "core", agent.col, agent.row
    if agent.unit == "dma":
        return "dma", agent.col, agent.row, agent.direction, agent.channel
    return (agent.unit,)


@dataclass(frozen=True)
class Provider:
    """An agent that could end a wait, and the operation that would end it."""

    party: Party
    op: Any


class Graph:
    """The waits of a run by party, and the providers of each."""

    def __init__(self, names: Names, result: Any) -> None:
        self.names, self.result = names, result
        self.waits = {party_of(w.agent): w for w in result.waits}
        self.channels = {(c.col, c.row, c.direction, c.channel): c for c in result.channels}
        self.cores = {(c.col, c.row): c for c in result.cores}
        self._releases: dict[tuple[tuple[int, int], int], list[Provider]] = defaultdict(list)
        self._gather_releases()

    def _gather_releases(self) -> None:
        """Collects the operations that release or set a lock, and the locks that each party acquires."""
        layout = self.names.design.layout
        self._balance: dict[Party, int] = defaultdict(int)  # acquires in a party's program, less its releases
        self._taken: dict[Party, set[Any]] = defaultdict(set)
        for op, party in self._lock_uses():
            lock = layout.locks.get(op.lock)
            if op.operation.name == "aie.use_lock":
                self._balance[party] += -1 if op.action == 1 else 1
                if lock is not None and op.action != 1:
                    self._taken[party].add((lock.tile, lock.id))
            if lock is not None and (op.operation.name != "aie.use_lock" or op.action == 1):
                self._releases[lock.tile, lock.id].append(Provider(party, op))

    def _lock_uses(self) -> Iterator[tuple[Any, Party]]:
        design = self.names.design
        for tile, core in design.core_ops.items():
            yield from ((op, ("core", *tile)) for op in _nested(core, ("aie.use_lock",)))
        for program in design.layout.op.block.operations:
            if program.operation.name in PROGRAMS:
                yield from self._program_uses(program)
        for task in walk_named(design.layout.op, "aiex.dma_configure_task"):
            tile = place_of(task, task.opview.tile)
            party = ("dma", *tile, task.opview.direction, task.opview.channel)
            yield from ((op, party) for op in _nested(task, ("aie.use_lock",)))
        for op in self.names.control.ops:
            if op is not None and op.operation.name == "aiex.set_lock":
                yield op, ("controller",)

    def _program_uses(self, program: Any) -> Iterator[tuple[Any, Party]]:
        """Lock operations of a DMA program, each with the channel of its chain."""
        for start in _nested(program, ("aie.dma_start", "aie.dma")):
            owner = program.tile.owner.opview
            party = ("dma", owner.col, owner.row, start.channel_dir, start.channel_index)
            if start.operation.name == "aie.dma":
                yield from ((op, party) for op in _nested(start, ("aie.use_lock",)))
                continue
            seen: list[Any] = []
            block = start.dest
            while block is not None and not any(block == b for b in seen):
                seen.append(block)
                yield from ((op, party) for op in block.operations if op.operation.name == "aie.use_lock")
                last = block.operations[-1].operation
                block = last.successors[0] if last.name == "aie.next_bd" else None

    def takes_more(self, party: Party) -> bool:
        """Whether a party's program has more acquires than releases."""
        return self._balance[party] > 0

    def releasers_of(self, party: Party) -> list[Provider]:
        """The other parties that release the locks which a party acquires."""
        return [p for lock in self._taken[party] for p in self._releases.get(lock, ()) if p.party != party]

    def providers(self, wait: Wait) -> list[Provider]:
        """The parties that could end a wait."""
        match wait.kind:
            case "lock":
                own = party_of(wait.agent)
                providers = self._releases.get(((wait.col, wait.row), wait.lock), [])
                return sorted(providers, key=lambda p: p.party == own)
            case "stream-empty" | "stream-full" | "arbiter":
                return [self._at_port(port, sending=wait.kind != "stream-full") for port in self._ports(wait)]
            case "cascade-empty" | "cascade-full":
                tile = (wait.agent.col, wait.agent.row)
                own_end = 1 if wait.kind == "cascade-empty" else 0
                rest = [link[1 - own_end] for link in self.names.design.cascades if link[own_end] == tile]
                return [Provider(("core", *t), self.names.design.core_ops.get(t)) for t in rest]
            case "token":
                party = ("dma", wait.col, wait.row, wait.direction, wait.channel)
                return [Provider(party, self.names.start_op((wait.col, wait.row), wait.direction, wait.channel))]
        return []

    def _ports(self, wait: Any) -> list[tuple[int, int, str, int]]:
        if wait.ports:
            return [tuple(p) for p in wait.ports]
        tile = (wait.agent.col, wait.agent.row)
        bundle = "DMA" if wait.agent.unit == "dma" else "Core"
        own = (*tile, bundle, wait.agent.channel if wait.agent.unit == "dma" else max(wait.channel, 0))
        ports = []
        for route in self.names.design.routes:
            ends = [d.port for d in route.destinations]
            if wait.kind == "stream-empty" and own in ends:
                ports.append(route.source)
            elif wait.kind != "stream-empty" and route.source == own:
                ports += ends
        return ports

    def _at_port(self, port: tuple[int, int, str, int], *, sending: bool) -> Provider:
        column, row, bundle, channel = port
        if bundle == "DMA":
            direction = 1 if sending else 0
            return Provider(("dma", column, row, direction, channel), self.names.start_op((column, row), direction, channel))
        if bundle == "Core":
            return Provider(("core", column, row), self.names.design.core_ops.get((column, row)))
        return Provider(("port", *port), None)

    def position(self, wait: Wait) -> Position:
        """The place of the waiting agent in the source: the lock operation, if there is one."""
        op = self.names.op(wait.agent)
        if wait.kind == "lock" and wait.agent.unit == "dma" and op is not None:
            for use in op.operation.block.operations:
                if use.operation.name == "aie.use_lock" and use.action != 1:
                    return position_of(use)
        return position_of(op)

    def says(self, wait: Wait) -> str:
        """A wait as a sentence."""
        who = f"{self.names.agent(wait.agent)}, since cycle {wait.since}, "
        match wait.kind:
            case "lock":
                lock = self.names.lock((wait.col, wait.row), wait.lock)
                if (objects := self.names.objects((wait.col, wait.row), wait.lock, wait.wanted)) is not None:
                    return f"{who}waits for {objects}: {lock} is {wait.value}"
                condition = f"at least {wait.wanted}" if wait.action == 2 else f"exactly {wait.wanted}"
                return f"{who}waits for {lock} to be {condition}; it is {wait.value}"
            case "stream-empty":
                return f"{who}waits for stream data{_progress(wait, 'received')}"
            case "stream-full":
                return f"{who}waits for room in its stream{_progress(wait, 'sent')}"
            case "arbiter":
                holders = ", ".join(self.describe(self._at_port(port, sending=True).party) for port in self._ports(wait))
                to = self.names.module((wait.col, wait.row))
                return f"{who}waits for the end (TLAST) of a packet from {holders} to {to}{_progress(wait, 'sent')}"
            case "cascade-empty":
                return f"{who}waits for a value on its cascade input"
            case "cascade-full":
                return f"{who}waits for its cascade output to be taken"
            case "token":
                channel = self.names.channel((wait.col, wait.row), wait.direction, wait.channel)
                return f"{who}waits for the token of a task of {channel}"
        return f"{who}waits ({wait.kind})"

    def describe(self, party: Party) -> str:
        """A party in words."""
        match party:
            case ("core", column, row):
                return f"the core of {self.names.module((column, row))}"
            case ("dma", column, row, direction, channel):
                return self.names.channel((column, row), direction, channel)
            case ("port", column, row, bundle, channel):
                return f"{bundle} {channel} of {self.names.module((column, row))}"
        return "the runtime sequence"

    def idle(self, provider: Provider) -> str:
        """The reason why a party that does not wait provides nothing."""
        where = place_text(position_of(provider.op))
        match provider.party:
            case ("core", column, row):
                counters = self.cores.get((column, row))
                if counters is None:
                    return f"{self.names.module((column, row))} has no core program"
                done = "has come to its end" if counters.finished else "does not get there"
                return f"{self.describe(provider.party)} {done}{where}"
            case ("dma", column, row, direction, channel):
                counters = self.channels.get((column, row, direction, channel))
                text = self.describe(provider.party)
                if provider.op is None and (counters is None or not (counters.words or counters.bds)):
                    return f"{text} is never started: no DMA program and no task of the runtime sequence does"
                if counters is None or not (counters.words or counters.bds or counters.tasks):
                    return f"{text} has not moved anything{where}"
                done = (
                    f"{text} has done all its tasks ({counted(counters.words, 'word')}, {counted(counters.bds, 'BD')}, "
                    f"{counted(counters.tasks, 'task')}){where}"
                )
                fixed = provider.op is not None and provider.op.operation.name in ("aie.dma_start", "aie.use_lock")
                return done + (": its chain of BDs ends, and does not lead back (aie.next_bd) to go on" if fixed else "")
        return f"{self.describe(provider.party)} never sends in this simulation"


def _progress(wait: Wait, verb: str) -> str:
    if wait.wanted <= 0:
        return ""
    return f": {verb} {max(wait.words, 0)} of the {counted(wait.wanted, 'word')} of its BD"


def _nested(op: ir.Operation, names: tuple[str, ...]) -> list[Any]:
    """Operations of `names` anywhere in `op`."""
    results = []
    work = [op.operation]
    while work:
        current = work.pop()
        for region in current.regions:
            for block in region:
                for inner in block:
                    if inner.operation.name in names:
                        results.append(inner.operation.opview)
                    work.append(inner.operation)
    return sorted(results, key=lambda o: position_of(o)[1:])
