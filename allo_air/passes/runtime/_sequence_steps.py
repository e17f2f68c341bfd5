"""The steps of a runtime sequence that keeps the order of its control program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.passes.runtime._barriers import MARKS, PACED
from allo_air.passes.runtime._schedule import S2MM
from allo_air.passes.runtime._sequence_bds import TaskBd

COALESCED = "air.coalesced_shim_feed"
"""Marks an input that was merged from several paced inputs."""
Channel = tuple[Any, int, int]
"""Tile, direction and number."""


@dataclass(eq=False)
class Task:
    """A descriptor on the channel of an allocation; attributes of the transfer are its `marks`.

    Outputs issue a token, and the host waits for them. A paced input has at most two tasks in its queue. An input that awaits
    appends starts when the earlier outputs marked as appends have arrived. A hoisted input starts first. The host waits
    once for a coalesced input.
    """

    op: Any
    allocation: str
    channel: Channel
    buffer: Any
    bd: TaskBd
    token: bool = field(default=False)
    marks: frozenset[str] = field(default=frozenset())

    def __post_init__(self) -> None:
        self.marks = frozenset(m for m in (*MARKS, COALESCED) if m in self.op.attributes)
        self.token = self.is_output or self.is_paced or COALESCED in self.marks

    @property
    def is_output(self) -> bool:
        return self.channel[1] == S2MM

    @property
    def is_paced(self) -> bool:
        return not self.is_output and PACED in self.marks and COALESCED not in self.marks


@dataclass(frozen=True, eq=False)
class Configure:
    """Writes the descriptor of a task."""

    task: Task


@dataclass(frozen=True, eq=False)
class Start:
    """Puts a task into the queue of its channel."""

    task: Task


@dataclass(frozen=True, eq=False)
class Await:
    """Waits for the token of a task."""

    task: Task


@dataclass(frozen=True, eq=False)
class FreeTask:
    """Frees the descriptor of a task without a token."""

    task: Task


@dataclass(frozen=True, eq=False)
class Wait:
    """The control program waits for `tasks`; with `final`, for all tasks of a launch."""

    tasks: tuple[Task, ...]
    final: bool = False


@dataclass(frozen=True, eq=False)
class Load:
    """Loads the configuration of a device by its name."""

    device: str


@dataclass(frozen=True, eq=False)
class Pass:
    """Writes value `index` of a core's parameters."""

    op: Any
    buffer: str
    index: int
    value: Any


@dataclass(frozen=True, eq=False)
class ReleaseHerdLock:
    """Sets the lock that a core waits for, so that it runs `rounds` iterations."""

    op: Any
    lock: Any
    rounds: int = 1


@dataclass(frozen=True, eq=False)
class Nested:
    """A loop or branch, with the steps of each of its blocks."""

    op: Any
    blocks: tuple[Any, ...]


Step = Configure | Start | Await | FreeTask | Wait | Load | Pass | ReleaseHerdLock | Nested
