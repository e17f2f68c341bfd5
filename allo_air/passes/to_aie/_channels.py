"""Assigns the DMA channel of each stream of a tile."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, count

from allo_air.arch.limits import NEIGHBOUR_CHANNELS
from allo_air.device import Tile
from allo_air.passes.to_aie._bundles import Key

Stream = tuple[Key, bool]


@dataclass(frozen=True)
class Preferences:
    """The required or the least channel number of a stream, if its `air.channel` has one, and the streams that are assigned
    first."""

    numbers: Mapping[Stream, int] = field(default_factory=dict)
    least: Mapping[Stream, int] = field(default_factory=dict)
    first: Collection[Stream] = ()


NO_PREFERENCES = Preferences()


def number(
    bds: Mapping[Stream, int], tile: Tile, far: frozenset[Stream] = frozenset(), preferences: Preferences = NO_PREFERENCES
) -> dict[Stream, int]:
    """A channel for each stream of `bds`, which has the streams' numbers of BDs: in order of appearance, by their preferences.

    Those that come first get the lowest. A memtile's even channels use one half of its BDs, its odd channels the other. If the
    order exceeds a half, streams change sides. The streams `far`, which access an adjacent memtile, come first, since not
    all channels reach it. If no choice fits, the numbers are those of the order.
    """
    order = sorted(bds, key=lambda s: (s not in far, s not in preferences.first))
    in_order = _in_order(order, preferences)
    if tile.kind != "mem" or _fits(in_order, bds, tile):
        return in_order
    gets, puts = ([s for s in order if s[1] is is_put] for is_put in (False, True))
    if len(gets) > tile.channels[0] or len(puts) > tile.channels[1]:
        return in_order
    tried = ({**a, **b} for a in _choices(gets, tile.channels[0]) for b in _choices(puts, tile.channels[1]))
    return next(
        (
            c
            for c in tried
            if _fits(c, bds, tile)
            and all(c[s] < NEIGHBOUR_CHANNELS for s in far)
            and all(c[s] >= n for s, n in preferences.least.items() if s in c)
        ),
        in_order,
    )


def _in_order(order: list[Stream], preferences: Preferences) -> dict[Stream, int]:
    """The lowest allowed free channel for each stream; streams with a preference come first."""
    results: dict[Stream, int] = {s: n for s, n in preferences.numbers.items() if s in order}
    for stream in sorted((s for s in order if s not in results), key=lambda s: s not in preferences.least):
        numbers = {n for s, n in results.items() if s[1] is stream[1]}
        results[stream] = next(n for n in count(preferences.least.get(stream, 0)) if n not in numbers)
    return {stream: results[stream] for stream in order}


def _fits(channels: Mapping[Stream, int], bds: Mapping[Stream, int], tile: Tile) -> bool:
    halves = [sum(bds[s] for s, c in channels.items() if c % 2 == parity) for parity in (0, 1)]
    return max(halves) <= tile.bds // 2


def _choices(streams: list[Stream], count: int) -> Iterator[dict[Stream, int]]:
    """The ways to divide `streams` between the even and the odd ones of `count` channels."""
    even, odd = range(0, count, 2), range(1, count, 2)
    for some in range(max(0, len(streams) - len(odd)), min(len(streams), len(even)) + 1):
        for chosen in combinations(streams, some):
            rest = [s for s in streams if s not in chosen]
            yield {**dict(zip(chosen, even, strict=False)), **dict(zip(rest, odd, strict=False))}
