"""Transfers of parts of tensors between external memory and cores: their channels, and the boxes of tensors in L2.

Cores that read the same parts in the same order share a channel by broadcast. Channels whose parts move alike form a group: in
each step its parts are in one buffer in L2, which one DMA fills or drains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from allo_air.frontend.cores import Wiring
from allo_air.frontend.instances import Instance, Part
from allo_air.frontend.rounds import Rounds, Shift, hazardous, steps

WHOLE = 16
"""Largest number of channels from or to a tensor that is in L2 as a whole."""
PORTS = 2
"""Channels of a core's DMA in each direction."""
MEMTILE = 6
"""Channels of a memtile's DMA in each direction."""

Lane = list[tuple[int, int]]
"""The parts that one channel of a core carries, in order: the instance's position on the core, and the port."""


@dataclass(frozen=True)
class Thrift:
    """The maximum number of channels of a core's tensors in each direction; with `streams`, its streams take theirs first."""

    reads: int = PORTS
    writes: int = PORTS
    streams: bool = False

    def room(self, reads: bool, streams: int) -> int:
        """The channels for the tensors of a core with the given number of streams in this direction."""
        most = self.reads if reads else self.writes
        return max(1, min(most, PORTS - streams)) if self.streams else most


@dataclass
class Channel:
    """A channel to `users` cores, or from one: its parts in the first round, in order, and the step of each over the
    rounds.
    """

    name: str
    reads: bool
    parts: tuple[Part, ...]
    shifts: tuple[Shift, ...]
    users: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    tile: tuple[int, int] | None = None
    """Parts that are matrices go in tiles of this many rows and columns."""

    @property
    def is_mixed(self) -> bool:
        """Whether it carries parts of several tensors, or parts with different steps."""
        return len({p.tensor for p in self.parts}) > 1 or len(set(self.shifts)) > 1

    def single(self, at: int) -> Channel:
        """The channel restricted to the part at this position in its order."""
        return replace(self, parts=(self.parts[at],), shifts=(self.shifts[at],))


@dataclass(frozen=True)
class Group:
    """Channels with the same number of parts, of equal size and with equal steps: `step` from one part to the next."""

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
    """All channels: of tensors that are in L2 as a whole (`whole`), in `groups`, and `mixed` ones."""

    channels: tuple[Channel, ...]
    wiring: tuple[Wiring, ...]
    whole: frozenset[int]
    groups: tuple[Group, ...]
    mixed: tuple[Channel, ...] = ()
    crowded: bool = False
    """Whether no box has more channels than a memtile, as `air-split-l2-memref` could not cut some of them."""


def plan_channels(
    instances: Sequence[Instance],
    rounds: Rounds,
    thrift: Thrift,
    streams: Sequence[tuple[int, int]],
    by_part: bool = False,
    levels: Sequence[int] = (),
) -> Plan:
    """The channels of all cores, each of which also has `streams`, in and out.

    `by_part`: no tensor is in L2 as a whole unless it must be. With `levels`, cores of different levels share no box
    and no channel.
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
                own_count = 0 if len(numbers) > 1 else room - 1
                own.sort(key=lambda lane: -shared[_parts(instances, numbers, lane)])
                own = [*own[:own_count], sorted(end for lane in own[own_count:] for end in lane)]
            for lane in own:
                _connect(channels, instances, rounds, core, lane, reads, wiring, levels[core] if levels else 0)
    values = tuple(channels.values())
    counts = Counter((c.parts[0].tensor, c.reads) for c in values)
    folded = rounds.grid != () or any(len(c.parts) > 1 for c in values) or max(counts.values(), default=0) > WHOLE
    crowded = any(_side_by_side([c for c in values if (c.parts[0].tensor, c.reads) == key]) for key in counts)
    apart = by_part or folded or crowded or any(c.is_mixed for c in values)
    if hazardous(instances) or not apart:
        return Plan(values, wiring, frozenset(p.tensor for c in values for p in c.parts), ())
    groups, whole = _groups([c for c in values if not c.is_mixed], levels)
    return Plan(values, wiring, whole, groups, tuple(c for c in values if c.is_mixed), crowded)


def _parts(instances: Sequence[Instance], numbers: Sequence[int], lane: Lane) -> tuple[Part, ...]:
    return tuple(instances[numbers[place]].parts[port] for place, port in lane)


def _lanes(instances: Sequence[Instance], numbers: Sequence[int], reads: bool) -> list[Lane]:
    """The core's ports that are read (or written), grouped by the kernel's port."""
    lanes: dict[tuple[str, int], Lane] = {}
    for place, number in enumerate(numbers):
        instance = instances[number]
        for port, does in enumerate(instance.reads if reads else instance.writes):
            if does:
                lanes.setdefault((instance.kernel.name, port), []).append((place, port))
    return list(lanes.values())


def _connect(
    channels: dict[object, Channel],
    instances: Sequence[Instance],
    rounds: Rounds,
    core: int,
    lane: Lane,
    reads: bool,
    wiring: Sequence[Wiring],
    level: int,
) -> None:
    numbers = rounds.cores[core]
    parts = _parts(instances, numbers, lane)
    shifts = tuple(rounds.shift(numbers[place], port, len(p.start)) for (place, port), p in zip(lane, parts, strict=True))
    key: object = (parts, shifts, level) if reads else (core, lane[0])
    if key not in channels:
        count = sum(c.reads == reads for c in channels.values())
        channels[key] = Channel(f"{'in' if reads else 'out'}_{count}", reads, parts, shifts)
    channel = channels[key]
    turn = len(channel.users)
    channel.users.append((core, numbers))
    for place, port in lane:
        (wiring[core].gets if reads else wiring[core].puts)[place, port] = channel.name, turn


def _side_by_side(channels: Sequence[Channel]) -> bool:
    """Whether the parts are cut along dimensions other than the first, and are too many for a memtile.

    `air-split-l2-memref` cuts a tensor in L2 along the first dimension.
    """
    starts = {c.parts[0].start for c in channels}
    return len(starts) > MEMTILE and len({s[:1] for s in starts}) == 1


def _groups(channels: Sequence[Channel], levels: Sequence[int]) -> tuple[tuple[Group, ...], frozenset[int]]:
    """Groups the channels, each group within one level if there are `levels`; tensors whose parts have no equal steps stay in
    L2 as a whole.
    """
    results: dict[object, list[Channel]] = {}
    whole: set[int] = set()
    for channel in channels:
        step = steps([p.start for p in channel.parts], (len(channel.parts),))
        if step is None or len({p.sizes for p in channel.parts}) > 1:
            whole.add(channel.parts[0].tensor)
            continue
        part = channel.parts[0]
        level = frozenset(levels[core] for core, _ in channel.users) if levels else None
        key = (part.tensor, channel.reads, part.sizes, len(channel.parts), step, channel.shifts[0], level)
        results.setdefault(key, []).append(channel)
    groups = []
    for group in results.values():
        first = group[0]
        if first.parts[0].tensor not in whole:
            count = len(first.parts)
            [apart] = steps([p.start for p in first.parts], (count,)) or [()]
            groups.append(Group(tuple(group), count, apart))
    return tuple(groups), frozenset(whole)
