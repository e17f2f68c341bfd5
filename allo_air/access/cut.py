"""Cuts the stream of elements of a transfer into pieces, in the same way at both ends of a channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from allo_air.access.linear import ZERO, Linear


@dataclass(frozen=True)
class Run:
    """One dimension of an access list: `size` steps of `stride` elements, from `offset` such steps on."""

    offset: Linear
    size: int
    stride: int


@dataclass(frozen=True)
class Cut:
    """The division of a stream into pieces: piece j gets the j-th `group * inner` elements of every `count * group * inner`."""

    inner: int
    group: int
    count: int


def walk_of_piece(runs: Sequence[Run], cut: Cut, number: int) -> list[Run] | None:
    """The part of the walk `runs` that moves piece `number` of the stream; None if a cut divides a run unevenly.

    Before, cut with inner = 256, group = 64, count = 4, piece 1:
        [%i, %k] [256, 256] [1024, 1]
    After:
        [%i + 64, %k] [64, 256] [1024, 1]
    """
    results: list[Run] = []
    inner = 1
    low, high = cut.inner * cut.group, cut.inner * cut.group * cut.count
    if prod(run.size for run in runs) % high:
        return None
    for run in reversed(runs):
        parts = _split(run, inner, (low, high))
        inner *= run.size
        if parts is None:
            return None
        results = [*parts, *results]
    return _fixed(results, low, high, number)


def _split(run: Run, inner: int, marks: Sequence[int]) -> list[Run] | None:
    """`run` divided, outermost part first, so that each mark, in elements of the stream, is a border of two parts."""
    parts: list[Run] = []
    rest = run
    for mark in sorted(m for m in set(marks) if inner < m < inner * run.size):
        here = inner * prod(p.size for p in parts)
        if mark % here or rest.size % (mark // here):
            return None
        size = mark // here
        parts.insert(0, replace(rest, size=size))
        rest = Run(ZERO, rest.size // size, rest.stride * size)
    return [rest, *parts]


def _fixed(runs: Sequence[Run], low: int, high: int, number: int) -> list[Run]:
    """Keeps of the runs between the stream positions `low` and `high` only their index for `number`."""
    results: list[Run] = []
    inner, remaining = 1, number
    for run in reversed(runs):
        if inner < low or inner >= high or run.size == 1:
            results.insert(0, run)
        else:
            index, remaining = remaining % run.size, remaining // run.size
            moved = run.offset + Linear(index)
            shared = next((n for n, r in enumerate(results) if r.stride and run.stride % r.stride == 0), None)
            if shared is None:
                results.insert(0, Run(moved, 1, run.stride))
            else:
                results[shared] = replace(
                    results[shared], offset=results[shared].offset + moved.scaled(run.stride // results[shared].stride)
                )
        inner *= run.size
    return results
