"""Chooses the channels by which parts of tensors move between external memory and cores.

Cores that read the same parts in the same order share a channel by broadcast. Channels whose parts advance by equal steps form
a group: in each step the parts of all channels are in one buffer in L2, which one DMA fills or drains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from allo_air.device import MEM_TILE
from allo_air.frontend.cores import Wiring
from allo_air.frontend.instances import Instance, Part
from allo_air.frontend.placement import PORTS
from allo_air.frontend.rounds import Rounds, Shift, hazardous, steps

WHOLE = 16
"""Largest number of channels from or to a tensor that is in L2 as a whole."""
MEMTILE = MEM_TILE.channels[0]
"""Number of channels of a memtile's DMA in each direction."""

Lane = list[tuple[int, int]]
"""The parts that one channel of a core carries, in order. Each is given by the instance's position on the core, and its
port.
"""


@dataclass(frozen=True)
class ChannelLimits:
    """How many of a core's DMA channels its tensors may use."""

    reads: int = PORTS
    """Largest number of channels for tensors that it reads."""
    writes: int = PORTS
    """Largest number of channels for tensors that it writes."""
    streams: bool = False
    """Whether streams get their channels first."""

    def max_channels(self, reads: bool, streams: int) -> int:
        """The largest number of channels in one direction for the tensors of a core that has `streams` streams in that
        direction.
        """
        most = self.reads if reads else self.writes
        return max(1, min(most, PORTS - streams)) if self.streams else most


@dataclass
class Channel:
    """A channel from L2 to one or more cores, or from one core to L2."""

    name: str
    reads: bool
    """Whether cores read the parts; otherwise a core writes them."""
    parts: tuple[Part, ...]
    """The parts that it carries in the first round, in order."""
    shifts: tuple[Shift, ...]
    """The distance that each part moves from round to round."""
    users: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """The cores, each with the numbers of its kernel instances."""
    tile: tuple[int, int] | None = None
    """Rows and columns of the tiles in which matrices are laid out; None for row-major order."""

    @property
    def is_mixed(self) -> bool:
        """Whether it carries parts of several tensors, or parts with different steps."""
        return len({p.tensor for p in self.parts}) > 1 or len(set(self.shifts)) > 1

    def single(self, index: int) -> Channel:
        """The channel restricted to the part at this position in its order."""
        return replace(self, parts=(self.parts[index],), shifts=(self.shifts[index],))


@dataclass(frozen=True)
class Group:
    """Channels of one tensor whose parts have equal sizes and equal steps."""

    channels: tuple[Channel, ...]
    count: int
    """Parts of each channel."""
    step: tuple[int, ...]
    """Elements from one part of a channel to the next, in each dimension of the tensor."""

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
    """The channels of all cores."""

    channels: tuple[Channel, ...]
    wiring: tuple[Wiring, ...]
    """The channels of each core's ports."""
    whole_tensors: frozenset[int]
    """Numbers of the tensors that are in L2 as a whole."""
    groups: tuple[Group, ...]
    """The channels of other tensors, by group."""
    mixed: tuple[Channel, ...] = ()
    """The channels that belong to no group, since their parts are of several tensors or have different steps."""
    crowded: bool = False
    """Whether each buffer in L2 may have no more channels than a memtile, since `air-split-l2-memref` cannot cut it."""


def plan_channels(
    instances: Sequence[Instance],
    rounds: Rounds,
    limits: ChannelLimits,
    streams: Sequence[tuple[int, int]],
    by_part: bool = False,
    levels: Sequence[int] = (),
) -> Plan:
    """Chooses the channels of all cores.

    `streams` are the numbers of incoming and outgoing streams of each core, which need channels, too. With `by_part`, a tensor
    is in L2 as a whole only if it must be. With `levels` (one number for each core), cores of different levels share no
    channel and no buffer in L2.
    """
    wiring = tuple(Wiring() for _ in rounds.cores)
    channels: dict[object, Channel] = {}
    for reads in (True, False):
        lanes = [_lanes(instances, numbers, reads) for numbers in rounds.cores]
        readers = Counter(
            _parts(instances, numbers, lane) for numbers, of_core in zip(rounds.cores, lanes, strict=True) for lane in of_core
        )
        for core, (numbers, of_core) in enumerate(zip(rounds.cores, lanes, strict=True)):
            most = limits.max_channels(reads, streams[core][not reads])
            if len(of_core) > most:  # the lanes with the most readers have separate channels; the others share one
                separate = 0 if len(numbers) > 1 else most - 1
                of_core.sort(key=lambda lane: -readers[_parts(instances, numbers, lane)])
                of_core = [*of_core[:separate], sorted(port for lane in of_core[separate:] for port in lane)]
            for lane in of_core:
                _connect(channels, instances, rounds, core, lane, reads, wiring, levels[core] if levels else 0)
    values = tuple(channels.values())
    counts = Counter((c.parts[0].tensor, c.reads) for c in values)
    folded = rounds.grid != () or any(len(c.parts) > 1 for c in values) or max(counts.values(), default=0) > WHOLE
    crowded = any(_side_by_side([c for c in values if (c.parts[0].tensor, c.reads) == key]) for key in counts)
    in_parts = by_part or folded or crowded or any(c.is_mixed for c in values)
    if hazardous(instances) or not in_parts:
        return Plan(values, wiring, frozenset(p.tensor for c in values for p in c.parts), ())
    groups, whole = _groups([c for c in values if not c.is_mixed], levels)
    return Plan(values, wiring, whole, groups, tuple(c for c in values if c.is_mixed), crowded)


def _parts(instances: Sequence[Instance], numbers: Sequence[int], lane: Lane) -> tuple[Part, ...]:
    """The parts of tensors in a lane of the core that runs the instances `numbers`."""
    return tuple(instances[numbers[place]].parts[port] for place, port in lane)


def _lanes(instances: Sequence[Instance], numbers: Sequence[int], reads: bool) -> list[Lane]:
    """The lanes of a core that are read (or written): one for each port of each of its kernels."""
    lanes: dict[tuple[str, int], Lane] = {}
    for place, number in enumerate(numbers):
        instance = instances[number]
        for port, is_used in enumerate(instance.reads if reads else instance.writes):
            if is_used:
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
    """Connects a lane of a core to a channel with the same parts, or to a new one."""
    numbers = rounds.cores[core]
    parts = _parts(instances, numbers, lane)
    shifts = tuple(rounds.shift(numbers[place], port, len(p.start)) for (place, port), p in zip(lane, parts, strict=True))
    key: object = (parts, shifts, level) if reads else (core, lane[0])
    if key not in channels:
        count = sum(c.reads == reads for c in channels.values())
        channels[key] = Channel(f"{'in' if reads else 'out'}_{count}", reads, parts, shifts)
    channel = channels[key]
    end = len(channel.users)
    channel.users.append((core, numbers))
    for place, port in lane:
        (wiring[core].gets if reads else wiring[core].puts)[place, port] = channel.name, end


def _side_by_side(channels: Sequence[Channel]) -> bool:
    """Whether the parts divide dimensions other than the first, and are too many for a memtile.

    `air-split-l2-memref` divides a tensor in L2 along the first dimension.
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
        part_steps = steps([p.start for p in channel.parts], (len(channel.parts),))
        if part_steps is None or len({p.sizes for p in channel.parts}) > 1:
            whole.add(channel.parts[0].tensor)
            continue
        part = channel.parts[0]
        level = frozenset(levels[core] for core, _ in channel.users) if levels else None
        key = (part.tensor, channel.reads, part.sizes, len(channel.parts), part_steps, channel.shifts[0], level)
        results.setdefault(key, []).append(channel)
    groups = []
    for group in results.values():
        first = group[0]
        if first.parts[0].tensor not in whole:
            count = len(first.parts)
            [step] = steps([p.start for p in first.parts], (count,)) or [()]
            groups.append(Group(tuple(group), count, step))
    return tuple(groups), frozenset(whole)
