"""Happens-before: the events that precede an agent's current event, as bit sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Clock:
    """The happened-before state of an agent: `past` has a bit for each earlier event; `now` is the agent's current event.

    An event is a part of an agent's run between two forks. Sets of events are Python integers: joining two is one `|`, and a
    run of ten thousand events costs about a kilobyte for each clock.
    """

    __slots__ = ("now", "past")

    def __init__(self, past: int = 0) -> None:
        self.past, self.now = past, 0

    def fork(self) -> int:
        """The past of an agent that starts here; afterwards this agent is in a new event."""
        if self.now:
            self.past |= 1 << self.now
            self.now = 0
        return self.past

    def join(self, past: int) -> None:
        """Records that the agent has waited for an event that `past` precedes."""
        if past & ~self.past:
            self.fork()
            self.past |= past

    def knows(self, event: int) -> bool:
        """Whether `event` is over, as far as this agent can know."""
        return event == self.now or bool(self.past >> event & 1)


class History:
    """Gives out events, and stamps for the accesses of an operation in an event."""

    def __init__(self) -> None:
        self._events = 0
        self.stamps: list[tuple[int, Any]] = [(0, None)]
        self._known: dict[tuple[int, int], int] = {}

    def stamp(self, clock: Clock, step: Any | None) -> int:
        """The stamp of an access by `step` now."""
        if not clock.now:
            self._events += 1
            clock.now = self._events
        key = clock.now, id(step)
        result = self._known.get(key)
        if result is None:
            self.stamps.append((clock.now, step))
            result = self._known[key] = len(self.stamps) - 1
        return result

    def unordered(self, clock: Clock, stamps: frozenset[int] | Sequence[int]) -> Any:
        """The step of the first of `stamps` that is not known to be over; None if all are."""
        for stamp in stamps:
            event, step = self.stamps[stamp]
            if event and not clock.knows(event):
                return step
        return None
