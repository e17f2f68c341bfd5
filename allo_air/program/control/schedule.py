"""Orders what a control program does: which transfers must have ended before which may begin, and who reads what from whom.

The text of the program is one legal order, so the contents of the host's memory follow it: a put sends what the gets before it
have left. On the device all that does not wait runs at once. `round` numbers the times at which the controller waits: a put
goes into the round after that of the gets that it reads from, and what comes after an explicit wait into the round after it.
Within a round the channels start in an order that a seed decides. Tokens between transfers that share no memory of the host,
or share a channel, order nothing that could be seen, and add no waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.interp.errors import OutOfBounds, Race
from allo_air.program.control.actions import Action, Move, Start, Wait

Channel = tuple[int, int, int]
"""Column, direction (0 S2MM, 1 MM2S) and number of a shim DMA channel."""

S2MM = 0


@dataclass(frozen=True)
class Allocation:
    """An `aie.shim_dma_allocation`: its channel, and the packet header of what it sends, if it does so in packets."""

    channel: Channel
    packet: tuple[int, int] | None = None


@dataclass(eq=False)
class Task:
    """Transfers that one channel does in one go."""

    channel: Channel
    packet: tuple[int, int] | None
    round: int
    place: int
    """How many tasks its channel has before in the same round."""
    moves: list[Move]


@dataclass
class Schedule:
    """Tasks in the order in which they start, herds' starts with their rounds, and what must have ended before a round."""

    tasks: list[Task] = field(default_factory=list)
    starts: list[tuple[int, Start]] = field(default_factory=list)
    needed: dict[int, set[Move]] = field(default_factory=lambda: defaultdict(set))


def elements(move: Move, size: int) -> Any:
    """The elements of a buffer of `size` that a transfer visits, in its order."""
    array: np.ndarray = np.full((), move.offset, np.int64)
    for count, stride in move.dims:
        array = array[..., None] + np.arange(count, dtype=np.int64) * stride
    array = array.reshape(-1)
    if array.size and (array.min() < 0 or array.max() >= size):
        raise OutOfBounds(move.op, f"reaches elements {array.min()} to {array.max()} of a buffer of {size}")
    return array


class Scheduler:
    """Takes actions in the order of the program."""

    def __init__(self, allocations: Mapping[str, Allocation], sizes: Mapping[int, int], seed: int = 0) -> None:
        self.allocations, self.sizes, self.seed = allocations, sizes, seed
        self.result = Schedule()
        self.rounds: dict[Move, int] = {}
        self.floor = 0
        self._channels: dict[Channel, list[Move]] = defaultdict(list)
        self._writers: dict[int, Any] = {}  # by argument: the last get of each element, counted from 1
        self._gets: list[Move] = []
        self._bits: dict[Move, int] = {}  # as in Move.past
        self._ended: set[Move] = set()
        self._started: dict[str, Start] = {}

    def schedule(self, actions: Sequence[Action]) -> Schedule:
        """The schedule of a whole program; DiagnosticError for what no order makes right."""
        for action in actions:
            match action:
                case Move():
                    self._move(action)
                case Wait():
                    self._ended |= action.moves
                    if not action.launch_end:
                        self._wait(set(action.moves))
                case Start():
                    self._start(action)
        order = np.random.default_rng(self.seed).permutation(len(self._channels))
        keys: dict[Task, tuple[int, ...]] = {}
        for turn, (channel, moves) in zip(order, self._channels.items(), strict=True):
            for number, task in enumerate(self._tasks(channel, moves)):
                blocks = number >= QUEUE_DEPTH  # it may wait for a place in the queue: what takes data away goes first
                keys[task] = (task.round, task.place, int(blocks), channel[1] if blocks else int(turn))
        self.result.tasks = sorted(keys, key=keys.__getitem__)
        return self.result

    def _move(self, move: Move) -> None:
        channel = self._channel(move)
        where = elements(move, self.sizes[move.argument])
        writers = self._writers.setdefault(move.argument, np.zeros(self.sizes[move.argument], np.int64))
        line = self._channels[channel]
        turn = max(self.floor, self.rounds[line[-1]] if line else 0)
        self._bits[move] = 1 << len(self._bits)
        if channel[1] == S2MM:
            gets = {self._gets[n - 1] for n in np.unique(writers[where]) if n}
            self._check_waited(move, {o for o in gets if self._channel(o) != channel}, "writes")
            self._gets.append(move)
            writers[where] = len(self._gets)
        else:
            sources = {self._gets[n - 1] for n in np.unique(writers[where]) if n}
            self._check_waited(move, sources, "reads")
            turn = max([turn, *(self.rounds[s] + 1 for s in sources)])
            self.result.needed[turn] |= sources
        self.rounds[move] = turn
        line.append(move)

    def _channel(self, move: Move) -> Channel:
        return self.allocations[move.allocation].channel

    def _check_waited(self, move: Move, sources: set[Move], does: str) -> None:
        """A program waits by itself for what another transfer writes; those of one channel follow each other."""
        past = move.past
        lost = [s for s in sources if s not in self._ended and (past is None or not past & self._bits[s])]
        if lost:
            what = "wait" if past is None else "token or wait"
            other = min(lost, key=self._bits.__getitem__).op
            raise Race(move.op, f"{does} what another transfer writes, and no {what} is between them", (other, "is the other"))

    def _wait(self, moves: set[Move]) -> None:
        if moves:
            self.floor = max(self.floor, 1 + max(self.rounds[m] for m in moves))
            self.result.needed[self.floor] |= moves

    def _start(self, start: Start) -> None:
        """Parameters are written once for a launch; for another launch when all before has ended."""
        earlier = self._started.get(start.herd)
        if earlier is not None and start.launch is not None and earlier.launch == start.launch:
            if earlier.values != start.values:
                raise Race(start.op, f"passes {start.values} where it passed {earlier.values} in the same launch")
            return
        if earlier is not None:
            self._wait(set(self.rounds))
        self._started[start.herd] = start
        self.result.starts.append((self.floor, start))

    def _tasks(self, channel: Channel, moves: list[Move]) -> list[Task]:
        """Transfers of one round go together, except packets, and up to what is waited for."""
        waited = set().union(*self.result.needed.values())
        tasks: list[Task] = []
        for move in moves:
            packet, last = move.packet or self.allocations[move.allocation].packet, tasks[-1] if tasks else None
            same = last is not None and last.round == self.rounds[move] and packet is None and last.packet is None
            if last is not None and same and last.moves[-1] not in waited:
                last.moves.append(move)
                continue
            place = last.place + 1 if last is not None and last.round == self.rounds[move] else 0
            tasks.append(Task(channel, packet, self.rounds[move], place, [move]))
        return tasks
