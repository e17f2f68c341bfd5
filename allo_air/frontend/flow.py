"""Checks that the boxes of a plan can be filled and drained in the order in which cores wait for each other's streams.

A box is a buffer in L2 that a group of channels shares. All channels of a box advance together: its next contents wait until
each core has taken (or put) its part of the current ones. If other cores wait for a core that needs more parts than a box has
buffers, that core must not share the box with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from allo_air.frontend.boxes import Boxes
from allo_air.frontend.rounds import Rounds
from allo_air.frontend.transfers import Plan
from allo_air.frontend.virtual import VirtualGraph, cycle, topological

BUFFERS = 2
"""Fewest buffers of a box in L2, and of a core for the blocks that it receives."""


@dataclass
class _Core:
    """The instances of a core, with the boxes, channels and steps of the parts that each gets and puts."""

    numbers: tuple[int, ...]
    takes: list[list[tuple[int, str, int]]]
    puts: list[list[tuple[int, str, int]]]
    begun: int = 0
    ended: int = 0


@dataclass
class _Box:
    """The progress of each core at a box. No core may be `ahead` of another by more parts."""

    ahead: int
    finished_steps: dict[tuple[int, str], int] = field(default_factory=dict)

    def is_open(self, step: int) -> bool:
        """Whether a buffer is free for the parts of step `step`."""
        return step - min(self.finished_steps.values()) < self.ahead


def flows(graph: VirtualGraph, rounds: Rounds, plan: Plan, boxes: Boxes) -> bool:
    """Whether all cores finish, if each gets its parts in order and then waits for the cores that put to it."""
    long = [box for group, box in boxes.grouped if group.count > BUFFERS and len(box.channels) > 1]
    shared = [c for c in plan.channels if len(c.users) > 1 and len(c.parts) > BUFFERS]
    bundles = [*(box.channels for box in long), *((c,) for c in shared)]
    if not bundles:
        return True
    number: dict[str, list[int]] = {}
    for n, channels in enumerate(bundles):
        for c in channels:
            number.setdefault(c.name, []).append(n)
    # A core uses the last part from a channel in place, but it has copied parts from a box.
    states = [_Box(BUFFERS if n < len(long) else BUFFERS - 1) for n in range(len(bundles))]
    cores = [_core(plan, core_number, numbers, number, states) for core_number, numbers in enumerate(rounds.cores)]
    sources: dict[int, set[int]] = {}
    for edge in graph.edges:
        sources.setdefault(edge.target, set()).add(edge.source)
    ended: set[int] = set()
    begun: set[int] = set()
    before = begun if graph.cycle is not None else ended
    moves = True
    while moves:
        moves = False
        for core_position, core in enumerate(cores):
            while _advance_core(core, core_position, states, sources, begun, ended, before):
                moves = True
    return all(core.ended == len(core.numbers) for core in cores)


def _core(plan: Plan, core_number: int, numbers: tuple[int, ...], boxes_of: dict[str, list[int]], states: list[_Box]) -> _Core:
    core = _Core(numbers, [[] for _ in numbers], [[] for _ in numbers])
    wiring = plan.wiring[core_number]
    for ends, item in ((wiring.gets, core.takes), (wiring.puts, core.puts)):
        count: dict[str, int] = {}
        for (place, _), (name, _turn) in sorted(ends.items()):
            step = count[name] = count.get(name, -1) + 1
            for box in boxes_of.get(name, ()):
                item[place].append((box, name, step))
                states[box].finished_steps[core_number, name] = 0
    return core


def _advance_core(
    core: _Core,
    core_number: int,
    states: list[_Box],
    sources: dict[int, set[int]],
    begun: set[int],
    ended: set[int],
    before: set[int],
) -> bool:
    """Begins or ends the next instance of a core; False if it waits."""
    if core.ended == len(core.numbers):
        return False
    beginning = core.begun == core.ended
    number = core.numbers[core.ended]
    needs = (core.takes if beginning else core.puts)[core.ended]
    if not beginning and not sources.get(number, set()) - {number} <= before:
        return False
    if not all(states[box].is_open(step) for box, _, step in needs):
        return False
    for box, name, _ in needs:
        states[box].finished_steps[core_number, name] += 1
    if beginning:
        core.begun += 1
        begun.add(number)
    else:
        core.ended += 1
        ended.add(number)
    return True


def levels(graph: VirtualGraph, rounds: Rounds) -> list[int]:
    """For each core, the length of the longest chain of cores that it waits for; all 0 if there is a cycle."""
    following = graph.edges_between(graph.nodes.values())
    if cycle(following) is not None:
        return [0] * len(rounds.cores)
    result = dict.fromkeys(following, 0)
    for name in topological(following):
        for follower in following[name]:
            result[follower] = max(result[follower], result[name] + 1)
    return [result[name] for name in rounds.names]
