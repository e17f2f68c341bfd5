"""The result of a search over orders in the names of the file: holders, waiters, and remedies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air import codes
from allo_air.errors import counted
from allo_air.sim.naming import NOWHERE, Names, Position, place_text, position_of
from allo_air.sim.orders.extract import PUSH, SET, System
from allo_air.sim.orders.steps import READ, RELEASE
from allo_air.sim.report_types import Finding, Place, make_finding

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_LOCK, _ROOM, _DATA, _ARBITER, _TOKEN, _QUEUE, _ENDED, _UNROUTED = range(8)
_LINES = 8


@dataclass(frozen=True)
class HangReport:
    """A description of a hang: its headline and place, the holders of resources, and the waits."""

    head: str
    position: Position
    lines: Sequence[str]
    holders: Sequence[str] = ()
    cure: str = ""
    tile: Place | None = None


class StoryWriter:
    """Describes the agents, waits and hangs of a system with the names of a run."""

    def __init__(self, system: System, names: Names) -> None:
        self.model, self.names = system, names
        self._locks = {number: key for key, number in system.locks.items()}
        self._takers = system.system.takers()

    # Agents and resources.

    def agent(self, number: int) -> str:
        """An agent of the system in words."""
        if number == 0:
            return "the runtime sequence"
        number -= 1
        if number < len(self.model.cores):
            return f"the core of {self.names.module(self.model.cores[number])}"
        number -= len(self.model.cores)
        if number < len(self.model.channels):
            column, row, direction, channel = self.model.channels[number]
            return self.names.channel((column, row), direction, channel)
        return f"the packet at {self._link(number - len(self.model.channels))}"

    def _link(self, number: int) -> str:
        return self.model.streams.names.get(number, "a switch")

    def _arbiter(self, number: int) -> str:
        return self.model.streams.arbiter_names.get(number, "an arbiter")

    def place(self, agent: int, where: int) -> Position:
        """The place of an agent in the source."""
        if agent == 0:
            ops = self.model.order_ops
            return position_of(ops[where % len(ops)]) if ops else NOWHERE
        agent -= 1
        if agent < len(self.model.cores):
            return self._site(agent, where)
        if agent - len(self.model.cores) < len(self.model.channels) and 0 <= where < len(self.model.bds):
            op = self.model.bds[where][0]
            return position_of(op) if op is not None else NOWHERE
        return NOWHERE

    def _site(self, core: int, step: int) -> Position:
        steps = self.model.steps[core]
        site = steps[step][3] if 0 <= step < len(steps) else -1
        return position_of(self.model.sites[core][site]) if site >= 0 else NOWHERE

    def lock(self, number: int) -> str:
        """A lock in words."""
        tile, identity = self._locks[number]
        return self.names.lock(tile, identity)

    def lock_key(self, number: int) -> tuple[Any, int]:
        """The tile and the id of a lock."""
        return self._locks[number]

    def shared(self, lock: int) -> bool:
        """Whether several agents take from the lock."""
        return len(self._takers[lock]) > 1

    def _wait(self, wait: tuple[int, ...]) -> str:
        kind, agent, what, has, wants, where, _holder = wait
        who = self._who(agent, where)
        match kind:
            case 0:
                return f"{who} waits for {wants} of {self.lock(what)}, whose value is {has}"
            case 1:
                return f"{who} waits for room at {self._link(what)}"
            case 2:
                return f"{who} has {has} of {counted(wants, 'word')} and waits for more"
            case 3:
                return f"{who} waits for {self._arbiter(what)}"
            case 4:
                return f"{who} waits for a token of {self._channel(what)}"
            case 5:
                return f"{who} waits for room in the queue of {self._channel(what)}"
        return f"{who} is at its end" if kind == _ENDED else f"{who} has no flow"

    def _who(self, agent: int, where: int) -> str:
        """The name of an agent with its place; a packet has its id."""
        text = self.agent(agent)
        if text.startswith("the packet at ") and where >= 0:
            return text.replace("the packet", f"packet {where}", 1)
        return text + place_text(self.place(agent, where))

    def _channel(self, number: int) -> str:
        column, row, direction, channel = self.model.channels[number]
        return self.names.channel((column, row), direction, channel)

    def _tile(self, agent: int) -> Place | None:
        agent -= 1
        if 0 <= agent < len(self.model.cores):
            return self.model.cores[agent]
        agent -= len(self.model.cores)
        return self.model.channels[agent][:2] if 0 <= agent < len(self.model.channels) else None

    # Hangs.

    def of_hang(self, hang: Any) -> HangReport:
        """The description of a hang, with its cause first: a packet that holds an arbiter, or a lock that several agents take
        from.
        """
        waits = [w for w in hang["waits"] if w[0] != _ENDED]
        first = self._cause(waits)
        holders = []
        packets = 1 + len(self.model.cores) + len(self.model.channels)
        ids = {w[1] - packets: w[5] for w in waits if w[1] >= packets}
        for wait in waits:
            if wait[0] == _ARBITER and wait[6] >= 0:
                packet = f"packet {ids[wait[6]]}" if ids.get(wait[6], -1) >= 0 else "a packet"
                holders.append(f"{self._arbiter(wait[2])} is held by {packet}, which comes from {self._link(wait[6])}")
        holders += self._last_takers(hang)
        lines = [self._wait(w) for w in waits if w is not first][:_LINES]
        cure = ""
        if first[0] == _LOCK and self.shared(first[2]):
            crossed = list(dict.fromkeys(self.lock(w[2]) for w in waits if w[0] == _LOCK and self.shared(w[2])))
            if len(crossed) > 1 and self._is_mutex(first[2]):
                cure = f"take {' and '.join(crossed)} in one order everywhere"
            else:
                cure = f"give each agent that acquires {self.lock(first[2])} its own pair of locks, or chain them"
        where = self.place(first[1], first[5])
        if first[0] == _ARBITER:
            cure = codes.find("hang.arbiter").cure
            where = position_of(self.model.streams.arbiter_ops.get(first[2]))
        if not where[1] and holders:
            where = self.place(0, hang["sequence"])
        return HangReport(self._wait(first), where, lines, tuple(dict.fromkeys(holders)), cure, self._tile(first[1]))

    def _cause(self, waits: Sequence[tuple[int, ...]]) -> Any:
        cores = len(self.model.cores)
        channels = [w for w in waits if w[0] == _LOCK and 1 + cores <= w[1]]
        for kind in ([w for w in waits if w[0] == _QUEUE], [w for w in channels if self.shared(w[2])],
                     [w for w in waits if w[0] == _LOCK and self.shared(w[2])], [w for w in waits if w[0] == _ARBITER],
                     channels, [w for w in waits if w[0] == _LOCK], waits):  # fmt: skip
            if kind:
                return kind[0]
        raise AssertionError("a hang in which no agent waits")

    def _last_takers(self, hang: Any) -> Iterator[str]:
        """The agents that last acquired the locks which several acquire."""
        visited: dict[tuple[int, int], None] = {}
        for agent, where in reversed(hang["choices"]):
            if agent and agent <= len(self.model.cores) + len(self.model.channels):
                visited.setdefault((agent, where))
        for agent, where in [*visited][:2]:
            yield f"{self.agent(agent)}{place_text(self.place(agent, where))} acquired it before the others"

    def deepened(self, hang: Any) -> dict[str, list[int]]:
        """Resources that a hang waits for and that could be larger: a lock with one taker, or all locks of an
        objectFifo, by its name.
        """
        results: dict[str, list[int]] = {}
        for wait in hang["waits"]:
            number, inits = wait[2], self.model.lock_inits
            if wait[0] != _LOCK or self.shared(number) or not inits[number]:
                continue
            if fifo := self.names.fifo(*self._locks[number]):
                lock_numbers = [n for n, key in self._locks.items() if inits[n] and self.names.fifo(*key) == fifo]
                results[f"objectFifo @{fifo} (depth)"] = lock_numbers
            else:
                results[f"{self.lock(number)} and its ring"] = [number]
        return results

    def apart(self, hang: Any) -> list[tuple[int, int, str]]:
        """Hops at which a hang waits and that could have an arbiter of their own."""
        first = 1 + len(self.model.cores) + len(self.model.channels)
        return [
            (link, hop, f"give the packets at {self._link(link)} another arbiter than {self._arbiter(w[2])}")
            for w in hang["waits"]
            if w[0] == _ARBITER
            for link in (w[1] - first, w[6])
            for hop in self.model.streams.hops_with(link, w[2])
        ]

    def once(self, hang: Any) -> bool:
        """Whether a hang is caused by a core or a chain that is programmed to end."""
        return any(w[0] == _ENDED for w in hang["waits"])

    def ended(self, core: int, where: int) -> bool:
        return where >= len(self.model.steps[core])

    # Other findings.

    def is_read(self, buffer: int) -> bool:
        """Whether a core reads the buffer."""
        return any(step[0] == READ and step[1] == buffer for steps in self.model.steps for step in steps)

    def overwritten(self, event: Any, count: int) -> Finding:
        _, agent, bd, buffer, times = event
        name = self.model.buffers[buffer]
        where = self.place(agent, bd)
        head = f"{self.agent(agent)} fills {self.names.buffer(name)} again before its contents are read"
        reader = next(
            (self._site(core, i) for core, steps in enumerate(self.model.steps) for i, s in enumerate(steps)
             if s[0] == READ and s[1] == buffer), NOWHERE)  # fmt: skip
        lines = (
            [f"its reader is{place_text(reader)}: from then on it reads another block than the one that is due"]
            if reader[1]
            else []
        )
        lines.append(f"seen {counted(times, 'time')}" + (f", and in {count - 1} more BDs" if count > 1 else ""))
        return make_finding("race.overwritten", head, where, story=lines, tile=name.tile, buffer=name.name, unit="dma")

    def lock_overflow(self, event: Any) -> Finding:
        return make_finding(
            "lock.overflow", f"{self.agent(event[1])} releases {self.lock(event[2])} above 63", severity="warning"
        )

    def overflow(self, event: Any) -> Finding:
        where = self.place(0, event[2])
        return make_finding(
            "queue.may-overflow",
            f"this task may find the queue of {self._channel(event[3])} full, and is lost then",
            where,
            story=["four tasks wait, one runs, and no wait of the sequence makes sure that one of them has ended"],
            tile=self.model.channels[event[3]][:2],
        )

    def unrouted(self, pairs: Sequence[tuple[Any, Any]]) -> Finding:
        """Flows that must not share an arbiter."""
        named = [
            f"flows {a.packet[0]}{place_text(position_of(a.op))} and {b.packet[0]}{place_text(position_of(b.op))}"
            for a, b in pairs
        ]
        text = "; ".join(dict.fromkeys(named[:6])) + (f" and {counted(len(named) - 6, 'more pair')}" if len(named) > 6 else "")
        return make_finding("switch.arbiter", f"undecided without routes: nothing goes on if these share an arbiter: {text}",
                     position_of(pairs[0][0].op))  # fmt: skip

    def partial(self, channel: Any, bd: int, done: int) -> Finding:
        op, _, fields = self.model.bds[bd]
        where = position_of(op) if op is not None else NOWHERE
        text = (
            f"{self.names.channel(channel[:2], channel[2], channel[3])} has {done} of "
            f"{counted(fields['length'], 'word')} at the end"
        )
        return make_finding("object.part", f"{text}: the next run is out of step", where, tile=channel[:2], unit="dma")

    def one_shot(self, op: AnyOp) -> Finding:
        return make_finding(
            "state.one-shot",
            "this core or chain ends in the first run, and a second run does not start it again",
            position_of(op),
        )

    def supply(self, hang: Any) -> int | None:
        """The lock that a hang waits for, if it has an initial value but no agent releases it; otherwise None."""
        released = {back for _, back in self.model.bd_locks} | {what for kind, what, _ in self.model.orders if kind == SET}
        released |= {step[1] for steps in self.model.steps for step in steps if step[0] == RELEASE}
        waited = [wait[2] for wait in hang["waits"] if wait[0] == _LOCK]
        return next((lock for lock in waited if self.model.lock_inits[lock] and lock not in released), None)

    def spent(self, number: int) -> Finding:
        """A design that runs as often as the supply of a lock lasts."""
        lock = self.names.design.layout.lock_at(*self._locks[number])
        return make_finding(
            "state.one-shot",
            f"{self.lock(number)} begins at {self.model.lock_inits[number]}, and nothing releases it: after it reaches 0, a"
            f" further run hangs",
            position_of(lock.op) if lock else NOWHERE,
        )

    def second_run(self, hang: object, rest: Any, end: Any, run: int, ended: Any) -> Finding:
        """A hang of a later run; `ended` is the start of a chain of BDs that has ended, if there is one."""
        info = self.of_hang(hang)
        changed = [
            f"{self.lock(n)} is {a} before the first run and {b} after it"
            for n, (a, b) in enumerate(zip(rest["locks"], end["locks"], strict=True))
            if a != b
        ]
        lost = next((n for n, (a, b) in enumerate(zip(rest["locks"], end["locks"], strict=True)) if b < a), None)
        where = info.position
        if lost is not None and (lock := self.names.design.layout.lock_at(*self._locks[lost])):
            where = position_of(lock.op)
        head = changed[0] if changed else info.head
        if ended is not None:
            head, where = (
                "the chain of BDs that is started here has ended, and other agents wait for more data",
                position_of(ended),
            )
        which = {2: "second", 3: "third"}.get(run, "next")
        cure = "let the last BD of the chain lead back to the first" if ended is not None else ""
        story = [*changed[1:4], info.head, *info.lines[:4]]
        return make_finding(
            "hang.second-run",
            f"the {which} run of the sequence hangs on what the first has left: {head}",
            where,
            cure=cure,
            story=story,
            severity="warning",
            tile=info.tile,
        )

    def deciding(self) -> list[tuple[str, Position]]:
        """Arbiters and locks whose order of acquisition matters, with their places. Mutexes are omitted, since their order is
        arbitrary by intent.
        """
        disputed, streams = self.model.system.disputed(), self.model.streams
        results = [(name, position_of(streams.arbiter_ops[n])) for n, name in streams.arbiter_names.items() if disputed[n]]
        for number, takers in enumerate(self._takers):
            if len(takers) > 1 and not self._is_mutex(number):
                lock = self.names.design.layout.lock_at(*self._locks[number])
                results.append((self.lock(number), position_of(lock.op) if lock else NOWHERE))
        return results

    def _is_mutex(self, lock: int) -> bool:
        return all(self._gives_back(agent, lock) for agent in self._takers[lock])

    def _gives_back(self, agent: int, lock: int) -> bool:
        """Whether an agent, a core or any chain of a channel, releases a lock as often as it acquires it."""
        value, core = self.model, agent - 1
        if core < len(value.cores):
            uses = [(kind, amount) for kind, what, amount, _ in value.steps[core] if what == lock and kind <= RELEASE]
            return sum(-amount if kind == RELEASE else amount for kind, amount in uses) == 0
        channel = core - len(value.cores)
        tasks = [*value.begun, *((where, task) for kind, where, task in value.orders if kind == PUSH)]
        locks = [value.bd_locks[bd] for where, task in tasks if where == channel for bd in value.chains[task]]
        return sum(acquired == lock for acquired, _ in locks) == sum(back == lock for _, back in locks)

    def differs(self, count: int, deciding: Sequence[tuple[str, Position]], covered: str) -> Finding:
        """A finding for results that depend on the order of agents."""
        names = " and ".join(name for name, _ in deciding[:3])
        return make_finding(
            "race.order",
            f"{counted(count, 'different result')}, depending on which agent is first at {names}",
            deciding[0][1],
            story=[covered],
        )
