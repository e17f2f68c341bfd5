"""Divides a sequence of runs into groups that each share a device, with the fewest configuration loads, and orders the runs for
this. A device may be copied into several groups.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)
Run = TypeVar("Run", bound=Hashable)


def loads(runs: Sequence[Item], group_of: Callable[[Item], object]) -> int:
    """How often a program that executes `runs` in order loads a group."""
    return sum(n == 0 or group_of(runs[n - 1]) != group_of(run) for n, run in enumerate(runs))


def segments(runs: Sequence[Item], fits: Callable[[list[Item]], bool]) -> list[tuple[Item, ...]]:
    """The group of each of `runs`: as many consecutive runs as fit form one group.

    No other division into groups that fit has fewer loads. A group that is a subset of another is replaced by it.
    """
    begins, members = list[int](), list[list[Item]]()
    for n, run in enumerate(runs):
        if members and (run in members[-1] or fits([*members[-1], run])):
            members[-1] += [] if run in members[-1] else [run]
        else:
            begins.append(n)
            members.append([run])
    groups = list[list[Item]]()
    for group in sorted(members, key=len, reverse=True):
        if not any(set(group) <= set(container) for container in groups):
            groups.append(group)
    pieces = list[tuple[Item, ...]]()
    for (begin, end), group in zip(pairwise([*begins, len(runs)]), members, strict=True):
        whole = next(container for container in groups if set(group) <= set(container))
        pieces += [tuple(whole)] * (end - begin)
    return pieces


def filled(
    runs: Sequence[Run],
    after: Mapping[Run, Sequence[Run]],
    device_of: Callable[[Run], Item],
    fits: Callable[[list[Item]], bool],
) -> list[Run]:
    """`runs` in an order with fewer segments: if the next run does not fit into the segment, later runs that fit and that
    need none of the runs in between are moved before it. `after` gives for each run those that it needs.
    """
    waiting, order, group = dict.fromkeys(runs), list[Run](), list[Item]()

    def goes(run: Run) -> bool:
        fit = device_of(run) in group or fits([*group, device_of(run)])
        return fit and not any(other in waiting for other in after[run])

    while waiting:
        run = next(filter(goes, waiting), None)
        if run is None:  # the first one needs none of the others
            run, group = next(iter(waiting)), []
        del waiting[run]
        order.append(run)
        group += [] if device_of(run) in group else [device_of(run)]
    return order
