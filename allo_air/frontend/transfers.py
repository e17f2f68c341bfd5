"""How parts of tensors come to cores and go back: channels for them, and the boxes of tensors that stand in L2 for them.

Cores that read the same parts in the same order share a channel by broadcast. Channels whose parts move alike are a group: in
each step its parts lie in one buffer in L2, which one DMA fills or empties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from allo_air.frontend.cores import Wiring
from allo_air.frontend.instances import Instance, Part
from allo_air.frontend.rounds import Rounds, Shift, flat, hazardous, rounds_of, steps
from allo_air.frontend.virtual import VirtualGraph

WHOLE = 16
"""Channels from or to a tensor that stands in L2 as a whole, at most."""
PORTS = 2
"""Channels of a core's DMA in each direction."""
MEMTILE = 6
"""Channels of a memtile's DMA in each direction."""


@dataclass
class Channel:
    """A channel to `users` cores, or from one: its parts in the first round, in order, and how they move over the rounds."""

    name: str
    reads: bool
    parts: tuple[Part, ...]
    shift: Shift
    users: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    tile: tuple[int, int] | None = None
    """Parts that are matrices go in tiles of this many rows and columns."""

    @property
    def is_mixed(self) -> bool:
        """Whether it carries parts of several tensors."""
        return len({p.tensor for p in self.parts}) > 1


@dataclass(frozen=True)
class Group:
    """Channels whose parts are equally large, in equal numbers, and move alike: `step` from one part to the next."""

    channels: tuple[Channel, ...]
    count: int
    step: tuple[int, ...]

    @property
    def tensor(self) -> int:
        return self.channels[0].parts[0].tensor

    @property
    def reads(self) -> bool:
        return self.channels[0].reads

    @property
    def shift(self) -> Shift:
        return self.channels[0].shift


@dataclass(frozen=True)
class Plan:
    """All channels: of tensors that stand in L2 entirely (`whole`), in `groups`, and those with parts of several tensors."""

    channels: tuple[Channel, ...]
    wiring: tuple[Wiring, ...]
    whole: frozenset[int]
    groups: tuple[Group, ...]
    mixed: tuple[Channel, ...] = ()
    crowded: bool = False
    """Whether no box has more channels than a memtile, as `air-split-l2-memref` could not cut some of them."""


def plan_transfers(graph: VirtualGraph, most: int) -> tuple[Rounds, Plan]:
    """The rounds of a launch, and the channels of all cores; one round where parts in a round are in no equal steps.

    Memtiles have `most` channels to cores: where these do not suffice, all that a core reads comes over one.
    """
    rounds = rounds_of(graph)
    plan = _plan(graph.instances, rounds, PORTS)
    if rounds.grid and plan.whole:
        rounds = flat(graph)
        plan = _plan(graph.instances, rounds, PORTS)
    if not rounds.grid and sum(c.reads for c in plan.channels) > most:
        plan = _plan(graph.instances, rounds, 1)
    return rounds, plan


def _plan(instances: Sequence[Instance], rounds: Rounds, ports: int) -> Plan:
    wiring = tuple(Wiring() for _ in rounds.cores)
    channels: dict[object, Channel] = {}
    for core, numbers in enumerate(rounds.cores):
        for reads in (True, False):
            lanes = list(_lanes(instances, numbers, reads).values())
            if len(lanes) > ports and (len(numbers) > 1 or (reads and ports < PORTS)):
                lanes = [sorted(end for lane in lanes for end in lane)]
            for lane in lanes:
                _connect(channels, instances, rounds, core, lane, reads, wiring)
    made = tuple(channels.values())
    counts = Counter((c.parts[0].tensor, c.reads) for c in made)
    folded = rounds.grid != () or any(len(c.parts) > 1 for c in made) or max(counts.values(), default=0) > WHOLE
    crowded = any(_side_by_side([c for c in made if (c.parts[0].tensor, c.reads) == key]) for key in counts)
    if hazardous(instances) or (not folded and not crowded and not any(c.is_mixed for c in made)):
        return Plan(made, wiring, frozenset(p.tensor for c in made for p in c.parts), ())
    groups, whole = _groups([c for c in made if not c.is_mixed])
    return Plan(made, wiring, whole, groups, tuple(c for c in made if c.is_mixed), crowded)


def _lanes(instances: Sequence[Instance], numbers: Sequence[int], reads: bool) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """The core's ports that are read (or written), by kernel and port: places of instances, and the port."""
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for place, number in enumerate(numbers):
        instance = instances[number]
        for port, does in enumerate(instance.reads if reads else instance.writes):
            if does:
                found.setdefault((instance.kernel.name, port), []).append((place, port))
    return found


def _connect(
    channels: dict[object, Channel],
    instances: Sequence[Instance],
    rounds: Rounds,
    core: int,
    lane: list[tuple[int, int]],
    reads: bool,
    wiring: Sequence[Wiring],
) -> None:
    numbers = rounds.cores[core]
    parts = tuple(instances[numbers[place]].parts[port] for place, port in lane)
    if len(lane) > 1 and rounds.grid and len({p.tensor for p in parts}) > 1:
        for one in lane:
            _connect(channels, instances, rounds, core, [one], reads, wiring)
        return
    shifts = {rounds.shift(numbers[place], port, len(p.start)) for (place, port), p in zip(lane, parts, strict=True)}
    if len(shifts) > 1:
        for one in lane:
            _connect(channels, instances, rounds, core, [one], reads, wiring)
        return
    [shift] = shifts
    key: object = (parts, shift) if reads else (core, lane[0])
    if key not in channels:
        count = sum(c.reads == reads for c in channels.values())
        channels[key] = Channel(f"{'in' if reads else 'out'}_{count}", reads, parts, shift)
    channel = channels[key]
    turn = len(channel.users)
    channel.users.append((core, numbers))
    for place, port in lane:
        (wiring[core].gets if reads else wiring[core].puts)[place, port] = channel.name, turn


def _side_by_side(channels: Sequence[Channel]) -> bool:
    """Whether the parts are cut along other dimensions than the first, and are too many for a memtile.

    `air-split-l2-memref` cuts what stands in L2 as a whole along the first dimension.
    """
    starts = {c.parts[0].start for c in channels}
    return len(starts) > MEMTILE and len({s[:1] for s in starts}) == 1


def _groups(channels: Sequence[Channel]) -> tuple[tuple[Group, ...], frozenset[int]]:
    """Channels in groups; tensors whose parts are in no equal steps stand in L2 as a whole."""
    found: dict[object, list[Channel]] = {}
    whole: set[int] = set()
    for channel in channels:
        step = steps([p.start for p in channel.parts], (len(channel.parts),))
        if step is None or len({p.sizes for p in channel.parts}) > 1:
            whole.add(channel.parts[0].tensor)
            continue
        part = channel.parts[0]
        key = (part.tensor, channel.reads, part.sizes, len(channel.parts), step, channel.shift)
        found.setdefault(key, []).append(channel)
    groups = []
    for group in found.values():
        first = group[0]
        if first.parts[0].tensor not in whole:
            count = len(first.parts)
            [apart] = steps([p.start for p in first.parts], (count,)) or [()]
            groups.append(Group(tuple(group), count, apart))
    return tuple(groups), frozenset(whole)
