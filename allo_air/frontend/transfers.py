"""How parts of tensors come to cores and go back: channels for them, and the boxes of tensors that stand in L2 for them.

Cores that read the same parts in the same order share a channel by broadcast. Channels whose parts move alike are a group: in
each step its parts lie in one buffer in L2, which one DMA fills or empties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from allo_air.frontend.cores import Wiring
from allo_air.frontend.instances import Instance, Part
from allo_air.frontend.rounds import Rounds, Shift, hazardous, steps

WHOLE = 16
"""Channels from or to a tensor that stands in L2 as a whole, at most."""
PORTS = 2
"""Channels of a core's DMA in each direction."""
MEMTILE = 6
"""Channels of a memtile's DMA in each direction."""

Lane = list[tuple[int, int]]
"""What one channel of a core carries: the place of an instance on the core and the port, in order."""


@dataclass(frozen=True)
class Thrift:
    """How many channels a core's tensors have at most in each direction; with `streams`, its streams take theirs first."""

    reads: int = PORTS
    writes: int = PORTS
    streams: bool = False

    def room(self, reads: bool, streams: int) -> int:
        """The channels that a core with so many streams in this direction has for its tensors."""
        most = self.reads if reads else self.writes
        return max(1, min(most, PORTS - streams)) if self.streams else most


@dataclass
class Channel:
    """A channel to `users` cores, or from one: its parts in the first round, in order, and how each moves over the rounds."""

    name: str
    reads: bool
    parts: tuple[Part, ...]
    shifts: tuple[Shift, ...]
    users: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    tile: tuple[int, int] | None = None
    """Parts that are matrices go in tiles of this many rows and columns."""

    @property
    def is_mixed(self) -> bool:
        """Whether it carries parts of several tensors, or such as move differently."""
        return len({p.tensor for p in self.parts}) > 1 or len(set(self.shifts)) > 1

    def single(self, at: int) -> Channel:
        """The channel as if it carried nothing but the part that is `at` this place in its order."""
        return replace(self, parts=(self.parts[at],), shifts=(self.shifts[at],))


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
        return self.channels[0].shifts[0]


@dataclass(frozen=True)
class Plan:
    """All channels: of tensors that stand in L2 entirely (`whole`), in `groups`, and those that are `mixed`."""

    channels: tuple[Channel, ...]
    wiring: tuple[Wiring, ...]
    whole: frozenset[int]
    groups: tuple[Group, ...]
    mixed: tuple[Channel, ...] = ()
    crowded: bool = False
    """Whether no box has more channels than a memtile, as `air-split-l2-memref` could not cut some of them."""


def plan_channels(
    instances: Sequence[Instance], rounds: Rounds, thrift: Thrift, streams: Sequence[tuple[int, int]], by_part: bool = False
) -> Plan:
    """The channels of all cores, of which each has `streams` beside them, in and out.

    `by_part`: nothing stands in L2 as a whole that need not.
    """
    wiring = tuple(Wiring() for _ in rounds.cores)
    channels: dict[object, Channel] = {}
    for reads in (True, False):
        lanes = [_lanes(instances, numbers, reads) for numbers in rounds.cores]
        shared = Counter(
            _parts(instances, numbers, lane) for numbers, own in zip(rounds.cores, lanes, strict=True) for lane in own
        )
        for core, (numbers, own) in enumerate(zip(rounds.cores, lanes, strict=True)):
            room = thrift.room(reads, streams[core][not reads])
            if len(own) > room:
                kept = 0 if len(numbers) > 1 else room - 1
                own.sort(key=lambda lane: -shared[_parts(instances, numbers, lane)])
                own = [*own[:kept], sorted(end for lane in own[kept:] for end in lane)]
            for lane in own:
                _connect(channels, instances, rounds, core, lane, reads, wiring)
    made = tuple(channels.values())
    counts = Counter((c.parts[0].tensor, c.reads) for c in made)
    folded = rounds.grid != () or any(len(c.parts) > 1 for c in made) or max(counts.values(), default=0) > WHOLE
    crowded = any(_side_by_side([c for c in made if (c.parts[0].tensor, c.reads) == key]) for key in counts)
    apart = by_part or folded or crowded or any(c.is_mixed for c in made)
    if hazardous(instances) or not apart:
        return Plan(made, wiring, frozenset(p.tensor for c in made for p in c.parts), ())
    groups, whole = _groups([c for c in made if not c.is_mixed])
    return Plan(made, wiring, whole, groups, tuple(c for c in made if c.is_mixed), crowded)


def _parts(instances: Sequence[Instance], numbers: Sequence[int], lane: Lane) -> tuple[Part, ...]:
    return tuple(instances[numbers[place]].parts[port] for place, port in lane)


def _lanes(instances: Sequence[Instance], numbers: Sequence[int], reads: bool) -> list[Lane]:
    """The core's ports that are read (or written), those of a kernel's port together."""
    found: dict[tuple[str, int], Lane] = {}
    for place, number in enumerate(numbers):
        instance = instances[number]
        for port, does in enumerate(instance.reads if reads else instance.writes):
            if does:
                found.setdefault((instance.kernel.name, port), []).append((place, port))
    return list(found.values())


def _connect(
    channels: dict[object, Channel],
    instances: Sequence[Instance],
    rounds: Rounds,
    core: int,
    lane: Lane,
    reads: bool,
    wiring: Sequence[Wiring],
) -> None:
    numbers = rounds.cores[core]
    parts = _parts(instances, numbers, lane)
    shifts = tuple(rounds.shift(numbers[place], port, len(p.start)) for (place, port), p in zip(lane, parts, strict=True))
    key: object = (parts, shifts) if reads else (core, lane[0])
    if key not in channels:
        count = sum(c.reads == reads for c in channels.values())
        channels[key] = Channel(f"{'in' if reads else 'out'}_{count}", reads, parts, shifts)
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
        key = (part.tensor, channel.reads, part.sizes, len(channel.parts), step, channel.shifts[0])
        found.setdefault(key, []).append(channel)
    groups = []
    for group in found.values():
        first = group[0]
        if first.parts[0].tensor not in whole:
            count = len(first.parts)
            [apart] = steps([p.start for p in first.parts], (count,)) or [()]
            groups.append(Group(tuple(group), count, apart))
    return tuple(groups), frozenset(whole)
