"""Finds operations that wait for an operation without need, in C++; most modules have none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allo_air.core import walking

Waiting = tuple[tuple[str, ...], tuple[str, ...], str, int, int]
"""Names and limits for the search: the operations that wait, those whose operands are all tokens, and the one that only joins
tokens; the tokens that one search visits; and the entries that folding a join may create.
"""
Moved = tuple[str, int, int]
"""An operation that moves data, and the number of segments before its source and before its destination; -1 without one."""
Touching = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[Moved, ...], int, int]
"""Names and limits for accesses: attributes that do not affect order, views, hierarchies, operations that move data; longer
lists of operations or uses are not searched.
"""


_ASKED = 32
"""The number of times that one line is searched for excessive waits, which keeps the work linear."""


class Line:
    """A sequence of operations in program order, which can be searched again after some of them were replaced."""

    def __init__(self, ops: Iterable[Any], names: Waiting) -> None:
        self._ops: list[Any] = [op.operation._CAPIPtr for op in ops]
        self._names = names
        self._asked = 0

    def replace(self, index: int, op: Any) -> None:
        """Replaces the operation with a number by another, or by none."""
        self._ops[index : index + 1] = [] if op is None else [op.operation._CAPIPtr]

    def first_indirect(self, start: int = 0) -> int | None:
        """The number of the first operation, from `start` on, that waits or may wait for operations that others imply; after
        many calls, `start`.
        """
        self._asked += 1
        if walking._native is None or self._asked > _ASKED:
            return start if start < len(self._ops) else None
        return _or_none(walking._native.first_indirect(self._ops, self._names, start))

    def first_false(self, touching: Touching) -> int | None:
        """The number of the first with a dependence that orders nothing; 0 where C++ is not built."""
        if walking._native is None:
            return 0 if self._ops else None
        return _or_none(walking._native.first_false(self._ops, self._names, touching))


def _or_none(number: int) -> int | None:
    return None if number < 0 else number
