"""Finds redundant dependences of asynchronous operations, in C++; most modules have none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allo_air.core import walking

Waiting = tuple[tuple[str, ...], tuple[str, ...], str, int, int]
"""Names and limits for a search: asynchronous operations, those whose operands are all tokens, and the one that only joins
tokens; the largest number of tokens that a search visits; and that of entries which folding a join may create.
"""
Moved = tuple[str, int, int]
"""An operation that moves data, and the number of segments before its source and before its destination; -1 without one."""
Touching = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[Moved, ...], int, int]
"""Names and limits for accesses: attributes that do not affect order, views, hierarchies, operations that move data; the
longest lists of operations, and of uses, that are searched.
"""


_SEARCHES = 32
"""Largest number of searches of one sequence for redundant dependences, which keeps the work linear."""


class OpSequence:
    """A sequence of operations in program order, which can be searched again after some of them were replaced."""

    def __init__(self, ops: Iterable[Any], names: Waiting) -> None:
        self._ops: list[Any] = [op.operation._CAPIPtr for op in ops]
        self._names = names
        self._searches = 0

    def replace(self, index: int, op: Any) -> None:
        """Replaces operation number `index` by `op`; removes it if `op` is None."""
        self._ops[index : index + 1] = [] if op is None else [op.operation._CAPIPtr]

    def first_indirect(self, start: int = 0) -> int | None:
        """The number of the first operation, from `start` on, with a dependence that its other dependences imply or may imply;
        None if there is none. After `_SEARCHES` calls, or if the C++ part is not built, `start`.
        """
        self._searches += 1
        if walking._native is None or self._searches > _SEARCHES:
            return start if start < len(self._ops) else None
        return _or_none(walking._native.first_indirect(self._ops, self._names, start))

    def first_false(self, touching: Touching) -> int | None:
        """The number of the first operation with a dependence that orders no accesses; None if there is none. 0 if the C++ part
        is not built.
        """
        if walking._native is None:
            return 0 if self._ops else None
        return _or_none(walking._native.first_false(self._ops, self._names, touching))


def _or_none(number: int) -> int | None:
    return None if number < 0 else number
