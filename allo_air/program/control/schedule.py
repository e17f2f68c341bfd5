"""Orders the transfers of a control program: which must end before others begin, and which read data of others.

Program order is one legal order, so the contents of the host's memory follow it: a put sends the data of earlier gets. On
the device, transfers run concurrently unless they wait. `round` counts the waits of the controller. A put is in the round
after the gets whose data it reads; actions after an explicit wait are in the next round. Within a round, channels start in
a random order (by a seed). Tokens between transfers that share a channel, or share no host memory, change nothing visible,
and add no waits.
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
    """An `aie.shim_dma_allocation`: its channel, and for packets their header."""

    channel: Channel
    packet: tuple[int, int] | None = None


@dataclass(eq=False)
class Task:
    """Transfers that a channel performs as one task."""

    channel: Channel
    packet: tuple[int, int] | None
    round: int
    place: int
    """The number of earlier tasks of its channel in the same round."""
    moves: list[Move]


@dataclass
class Schedule:
    """Tasks in the order of their starts, starts of herds with their rounds, and the tasks that must have ended before each
    round."""

    tasks: list[Task] = field(default_factory=list)
    starts: list[tuple[int, Start]] = field(default_factory=list)
    needed: dict[int, set[Move]] = field(default_factory=lambda: defaultdict(set))


def elements(move: Move, size: int) -> Any:
    """The elements of a buffer of `size` that a transfer accesses, in order."""
    array: np.ndarray = np.full((), move.offset, np.int64)
    for count, stride in move.dims:
        array = array[..., None] + np.arange(count, dtype=np.int64) * stride
    array = array.reshape(-1)
    if array.size and (array.min() < 0 or array.max() >= size):
        raise OutOfBounds(move.op, f"reaches elements {array.min()} to {array.max()} of a buffer of {size}")
    return array


class Scheduler:
    """Adds the actions of a program, in program order, to a schedule."""

    def __init__(self, allocations: Mapping[str, Allocation], sizes: Mapping[int, int], seed: int = 0) -> None:
        self.allocations, self.sizes, self.seed = allocations, sizes, seed
        self.result = Schedule()
        self.rounds: dict[Move, int] = {}
        self.floor = 0
        self._channels: dict[Channel, list[Move]] = defaultdict(list)
        self._writers: dict[int, Any] = {}  # for each argument: the number of the last get of each element, counted from 1
        self._gets: list[Move] = []
        self._bits: dict[Move, int] = {}  # for each transfer: its bit, as in Move.past
        self._ended: set[Move] = set()
        self._started: dict[str, Start] = {}

    def schedule(self, actions: Sequence[Action]) -> Schedule:
        """The schedule of a whole program. Raises DiagnosticError if no order of transfers is right."""
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
        for rank, (channel, moves) in zip(order, self._channels.items(), strict=True):
            for number, task in enumerate(self._tasks(channel, moves)):
                blocks = number >= QUEUE_DEPTH  # it may wait for a place in the queue, so results (S2MM) start first
                keys[task] = (task.round, task.place, int(blocks), channel[1] if blocks else int(rank))
        self.result.tasks = sorted(keys, key=keys.__getitem__)
        return self.result

    def _move(self, move: Move) -> None:
        channel = self._channel(move)
        positions = elements(move, self.sizes[move.argument])
        writers = self._writers.setdefault(move.argument, np.zeros(self.sizes[move.argument], np.int64))
        line = self._channels[channel]
        round_ = max(self.floor, self.rounds[line[-1]] if line else 0)
        self._bits[move] = 1 << len(self._bits)
        if channel[1] == S2MM:
            gets = {self._gets[n - 1] for n in np.unique(writers[positions]) if n}
            self._check_waited(move, {o for o in gets if self._channel(o) != channel}, "writes")
            self._gets.append(move)
            writers[positions] = len(self._gets)
        else:
            sources = {self._gets[n - 1] for n in np.unique(writers[positions]) if n}
            self._check_waited(move, sources, "reads")
            round_ = max([round_, *(self.rounds[s] + 1 for s in sources)])
            self.result.needed[round_] |= sources
        self.rounds[move] = round_
        line.append(move)

    def _channel(self, move: Move) -> Channel:
        return self.allocations[move.allocation].channel

    def _check_waited(self, move: Move, sources: set[Move], verb: str) -> None:
        """Raises an error unless the program itself waits for another channel's transfer whose data it uses. Transfers of one
        channel are in order.
        """
        past = move.past
        lost = [s for s in sources if s not in self._ended and (past is None or not past & self._bits[s])]
        if lost:
            ordering = "wait" if past is None else "token or wait"
            lost_op = min(lost, key=self._bits.__getitem__).op
            raise Race(
                move.op,
                f"{verb} data that another transfer writes, without a {ordering} between them",
                (lost_op, "is the other"),
            )

    def _wait(self, moves: set[Move]) -> None:
        if moves:
            self.floor = max(self.floor, 1 + max(self.rounds[m] for m in moves))
            self.result.needed[self.floor] |= moves

    def _start(self, start: Start) -> None:
        """Writes runtime parameters once for each launch. For a later launch, all earlier transfers must have ended."""
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
        """The tasks of a channel in a round. Transfers form one task, except packets, up to a wait."""
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
