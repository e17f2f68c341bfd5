"""The events of an AIR program: its transfers and computations, one for each core and iteration, with the events that each
waits for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.access.footprint import Footprint

Agent = tuple[Any, ...]
"""The agent of an event: ids of the surrounding herd, segment and parallel iterations, outermost first. The events of one agent
are in order.
"""

Element = tuple[str, tuple[int, ...]]
"""A channel of a bundle: the bundle's name and the indices."""


@dataclass(frozen=True)
class PartAccess:
    """A part of a buffer: `root` identifies the buffer's instance; `footprint` is None if the part is unknown."""

    root: Any
    buffer: Any  # the value that makes the buffer, for messages
    footprint: Footprint | None
    writes: bool


@dataclass
class Event:
    """One execution of `op` by `agent`. It starts when all of `after` are over. `bytes` of a transfer is None if unknown.

    It represents `times` executions, since equal iterations of a launch are unrolled once.
    """

    number: int
    op: Any
    agent: Agent
    after: frozenset[int]
    times: int = 1
    element: Element | None = None
    is_put: bool = False
    bytes: int | None = None
    touches: list[PartAccess] = field(default_factory=list)

    @property
    def is_transfer(self) -> bool:
        return self.element is not None


@dataclass
class Program:
    """The events of one function, in an order that is possible for a sequential program.

    `open` has the operations that were not unrolled, with reasons; `outside` has transfers with indices outside of their
    bundle.
    """

    function: Any
    events: list[Event]
    open: list[tuple[Any, str]]
    outside: list[tuple[Any, Any, list[int]]]

    @property
    def is_whole(self) -> bool:
        """Whether all operations were unrolled."""
        return not self.open


def agent_text(agent: Agent) -> str:
    """An agent as messages call it: `@herd_0 (1, 2)`, the innermost hierarchy or parallel iteration it is in."""
    if not agent:
        return "the function's body"
    name, ids = agent[-1]
    return f"{name} ({', '.join(ids)})" if ids else str(name)
