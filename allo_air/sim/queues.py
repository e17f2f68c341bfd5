"""Finds channels with more started tasks than their queue certainly holds, for any form of the transfers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.sim.naming import DIRECTIONS, Names, place_text, position_of
from allo_air.sim.report_types import Finding, make_finding
from allo_air.sim.tasks import Channel, Queued, Wait, Walker

_HOLDS = QUEUE_DEPTH + 1
"""Number of tasks: one runs, the others wait."""


def overfull_queues(names: Names, walker: Walker, overflown: Sequence[Finding]) -> list[Finding]:
    """A warning for each channel that may have too many tasks at once, unless its queue has overflowed in the run.

    A wait ends the tasks of its own channel up to the one whose token it takes. Tasks of other channels may have ended by
    then, and are no longer counted.
    """
    lost = {(f.tile, f.channel) for f in overflown if f.code == "queue.overflow"}
    waiting: dict[Channel, list[Queued]] = defaultdict(list)
    worst: dict[Channel, list[Queued]] = {}
    for event in walker.events:
        if isinstance(event, Wait):
            waiting = defaultdict(list, {c: _unfinished(tasks) for c, tasks in waiting.items() if event.takes(c)})
            continue
        waiting[event.channel].append(event)
        if len(waiting[event.channel]) > max(_HOLDS, len(worst.get(event.channel, ()))):
            worst[event.channel] = list(waiting[event.channel])
    return [_finding(names, c, tasks) for c, tasks in worst.items() if (c[0], f"{DIRECTIONS[c[1]]} {c[2]}") not in lost]


def _unfinished(tasks: list[Queued]) -> list[Queued]:
    """The remaining tasks of a channel when a token of it has arrived."""
    ended = next((n for n, task in enumerate(tasks) if task.token), len(tasks) - 1)
    return tasks[ended + 1 :]


def _finding(names: Names, channel: Channel, tasks: list[Queued]) -> Finding:
    tile, direction, number = channel
    first, over = tasks[0], tasks[_HOLDS]
    who = names.transfers(channel)
    return make_finding(
        "queue.may-overflow",
        f"{len(tasks)} tasks are started on {who} without a wait in between; its queue holds {QUEUE_DEPTH} besides the"
        f" running one. In this run they ended in time",
        position_of(over.op),
        cure=f"let the sequence wait for a task of {who} before task {_HOLDS + 1}",
        story=[f"the first of them{place_text(position_of(first.op))}", "the hardware silently drops further tasks"],
        tile=tile,
        unit="dma",
        channel=f"{DIRECTIONS[direction]} {number}",
    )
