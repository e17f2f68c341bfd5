"""Orders the tasks of all shim channels, and adds the waits that keep queues and BDs within their limits.

Tasks start in the order of time. A channel holds four tasks that have not been waited for, with four descriptors; before
another starts, the controller waits for the first. This cannot hang if the device consumes all inputs at the same pace: the
awaited task only needs data that all channels move until then, and these tasks have been queued. Four descriptors on each of
the four channels of a shim tile are its sixteen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.passes.runtime._program import Act, Transfer
from allo_air.passes.runtime._shim_limits import Descriptor

S2MM = 0


@dataclass(eq=False)
class Task:
    """A BD on a channel, or a chain of BDs; `number` is its position in the program, for an order among equals."""

    allocation: str
    channel: tuple[int, int, int]  # column, direction, number: allocations may share one
    argument: int
    descriptor: Descriptor
    sources: tuple[Transfer, ...]
    start: Fraction
    number: int
    following: tuple[tuple[int, Descriptor], ...] = ()
    """The descriptors after the first one in its chain, which the queue repeats as a whole: their arguments and descriptors."""
    token: bool = field(default=False)

    def __post_init__(self) -> None:
        self.token = self.is_output  # outputs are always waited for

    @property
    def is_output(self) -> bool:
        """Whether the task writes to the host's memory."""
        return self.channel[1] == S2MM

    @property
    def bds(self) -> int:
        """The number of its BDs."""
        return 1 + len(self.following)


@dataclass(frozen=True, eq=False)
class Start:
    """Configures and queues a task."""

    task: Task


@dataclass(frozen=True, eq=False)
class Await:
    """Waits for a task's token."""

    task: Task


@dataclass(frozen=True, eq=False)
class FreeTask:
    """Frees the BD of a task without a token that is known to have ended."""

    task: Task


Step = Start | Await | FreeTask | Act


class Schedule:
    """The steps of one runtime sequence, built in order."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.running: dict[tuple[int, int, int], deque[Task]] = {}  # by channel, in queue order

    def add(self, tasks: Sequence[Task]) -> None:
        """Starts `tasks`: all tasks between two waits of the program."""
        for task in sorted(tasks, key=lambda t: (t.start, t.is_output, t.number)):
            queue = self.running.setdefault(task.channel, deque())
            while sum(t.bds for t in queue) + task.bds > QUEUE_DEPTH:
                self._wait(queue.popleft())
            queue.append(task)
            self.steps.append(Start(task))

    def wait(self, transfers: frozenset[Transfer]) -> None:
        """Waits until `transfers`, and earlier transfers on their channels, have ended."""
        for queue in self.running.values():
            ended = [i for i, task in enumerate(queue) if not transfers.isdisjoint(task.sources)]
            if ended:
                self._end([queue.popleft() for _ in range(ended[-1] + 1)])

    def barrier(self, *, final: bool) -> None:
        """Waits for all tasks; at the end of the program only for outputs, if there are any."""
        queues = sorted((q for q in self.running.values() if q), key=lambda q: not q[0].is_output)
        reads = any(q[0].is_output for q in queues)
        for queue in queues:
            if final and reads and not queue[0].is_output:
                self.steps += [FreeTask(task) for task in queue]
            else:
                self._end(list(queue))
            queue.clear()

    def _end(self, tasks: list[Task]) -> None:
        """Waits for `tasks`, the oldest of a channel: when the last of them ends, the BDs of the others are free, too."""
        tasks[-1].token = True
        for task in tasks:
            if task.token:
                self.steps.append(Await(task))
        self.steps += [FreeTask(task) for task in tasks if not task.token]

    def _wait(self, task: Task) -> None:
        task.token = True
        self.steps.append(Await(task))
