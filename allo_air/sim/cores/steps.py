"""The steps of a core's script, which the engine executes, and the loops around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

WORK, LOCK, GET, PUT, CASCADE_GET, CASCADE_PUT, EVENT, CALL, LOOP, NEXT = range(10)
"""The kinds of steps in the engine's script (engine/script.h)."""

Step = tuple[int, int, int, int]
Item = Any
"""A step, or (LOOP, iterations, items); a negative number of iterations is an endless loop."""


@dataclass
class Script:
    """`items`, in which locks are numbers of captures; `assumed` are the operations for which the longer branch was taken."""

    items: list[Item]
    assumed: list[Any] = field(default_factory=list)

    def steps(self, handles: Sequence[int]) -> list[Step]:
        """The engine's steps, with the handles of the captures."""
        steps: list[Step] = []
        _flatten(self.items, handles, steps)
        return steps


def _flatten(items: Sequence[Item], handles: Sequence[int], into: list[Step]) -> None:
    for item in items:
        if item[0] == LOOP:
            index = len(into)
            into.append((LOOP, item[1], 0, 0))
            _flatten(item[2], handles, into)
            into.append((NEXT, index, 0, 0))
            into[index] = (LOOP, item[1], len(into), 0)
        elif item[0] == LOCK:
            into.append((LOCK, handles[item[1]], item[2], item[3]))
        else:
            into.append(item)


def length(items: Sequence[Item]) -> int:
    """The number of work cycles in `items`, plus one for each other step."""
    return sum(item[1] * length(item[2]) if item[0] == LOOP else item[2] * item[3] if item[0] == WORK else 1 for item in items)
