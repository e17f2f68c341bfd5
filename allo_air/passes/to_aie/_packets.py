"""Assigns packet ids to packet-switched channels, and decides which of them share a DMA channel of a tile."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.diagnostics import error_at
from allo_air.device import Tile
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._channels import Preferences, Stream
from allo_air.passes.to_aie._design import Transfer
from allo_air.passes.to_aie._periods import Loop

TILE_CHANNEL, MEMTILE_LEAST = "air.tile_dma_channel", "air.memtile_dma_channel_min"


@dataclass
class PacketIds:
    """The packet ids of a module: first requested ids, then ascending ids for flows that end at a shim. Flows inside a device
    get the lowest free ids of the device. If the module has no id left, a device reuses ids of other devices, which are
    loaded at other times; if there are none, cores of different columns share ids.
    """

    bundles: Mapping[str, Bundle]
    taken: set[int] = field(default_factory=set)
    """The ids of flows that end at shims, for all devices."""
    fixed: frozenset[int] = frozenset()
    """The ids that the current device uses already."""

    def at_shims(self, columns_of: Mapping[Key, Collection[int]]) -> dict[Key, tuple[int, ...]]:
        """Assigns ids to channels between the host and a device whose cores are in these columns."""
        here: dict[int, set[int]] = {}
        results: dict[Key, tuple[int, ...]] = {}
        for key, columns in columns_of.items():
            results[key] = self.bundles[key[0]].packet_ids or (self.next(key, here, columns),)
            for number in results[key]:
                here.setdefault(number, set()).update(columns or _EVERYWHERE)
        return results

    def inside(self, keys: Iterable[Key], at_shims: Iterable[int]) -> dict[Key, tuple[int, ...]]:
        """Assigns ids to channels inside a device, different from `at_shims`."""
        own = PacketIds(self.bundles, fixed=frozenset(at_shims))
        return own.at_shims(dict.fromkeys(keys, ()))

    def next(self, key: Key, here: Mapping[int, set[int]] | None = None, columns: Collection[int] = ()) -> int:
        """The lowest id that no packet flow has or requests.

        `here` has, for each id of this device, the columns in which it is used. If no id is free, the result is the lowest
        id that only other devices use. If there is none, it is an id that is not used in `columns`: flows in other columns
        share no wire with this one. Of several such ids, it is the one that is used in the fewest columns.
        """
        pinned_ids = {number for bundle in self.bundles.values() for number in bundle.packet_ids}
        free = [n for n in range(MAX_PACKET_ID + 1) if n not in pinned_ids and n not in self.fixed]
        used = here or {}
        result = next((n for n in free if n not in self.taken and n not in used), None)
        if result is None and here is not None:
            result = next((n for n in free if n not in used), None)
        if result is None and columns:
            free_in_columns = [n for n in free if not used[n] & {*columns, *_EVERYWHERE}]
            result = min(free_in_columns, key=lambda n: len(used[n]), default=None)
        if result is None:
            raise error_at(
                self.bundles[key[0]].op,
                f"needs one more packet id, for '@{key[0]}'{list(key[1])}: there are {MAX_PACKET_ID + 1}; let fewer channels be"
                " npu_dma_packet: let them broadcast, or move data through L2 buffers",
            )
        self.taken.add(result)
        return result


_EVERYWHERE = (-1,)
"""Stands for all columns."""


def with_lanes(
    transfers: list[Transfer], tile: Tile, bundles: Mapping[str, Bundle], is_hosts: Callable[[Key], bool]
) -> dict[Stream, Stream]:
    """For streams of a core that share the DMA channel of another stream, that stream; used if the tile has too few channels.
    Packet streams without a requested channel share: outgoing ones in turn; incoming ones by their producer, the host or
    tiles of the array (`is_hosts`). If no packets arrive, circuits from the host to this core alone share in turn, since they
    use one shim channel. Streams that request the same channel share it.
    """
    lane_of: dict[Stream, Stream] = {}
    for is_put in (False, True):
        streams = list(dict.fromkeys(t.stream for t in transfers if t.put is is_put))
        pins = {s: bundles[s[0][0]].asks(TILE_CHANNEL) for s in streams}
        lanes: dict[int, Stream] = {}
        for stream, pin in pins.items():
            if pin is not None:
                lane_of[stream] = lanes.setdefault(pin, stream)
        groups = len(lanes) + sum(pin is None for pin in pins.values())
        mobile = [s for s in streams if pins[s] is None and _may_share(bundles[s[0][0]])]
        free = tile.channels[is_put] - groups + len(mobile)
        if groups > tile.channels[is_put] and not mobile and not is_put:
            circuits = [s for s in streams if pins[s] is None and is_hosts(s[0]) and _is_single(bundles[s[0][0]])]
            free = tile.channels[is_put] - groups + len(circuits)
            lane_of |= {s: circuits[n % free] for n, s in enumerate(circuits) if free > 0}
            continue
        if groups <= tile.channels[is_put] or free < 1:
            continue
        if is_put:
            first = mobile[:free]
            lane_of |= {s: first[n % free] for n, s in enumerate(mobile)}
            continue
        of_host, of_tiles = ([s for s in mobile if is_hosts(s[0]) is host_side] for host_side in (True, False))
        if free > 1 and of_host and of_tiles:
            spare = free - 2
            for group in (of_host, of_tiles):
                count_alone = min(spare, len(group) - 1)
                spare -= count_alone
                lane_of |= dict.fromkeys(group[count_alone:], group[count_alone])
        else:
            lane_of |= dict.fromkeys(mobile[free - 1 :], mobile[free - 1])
    return {stream: lane for stream, lane in lane_of.items() if stream != lane}


def _may_share(bundle: Bundle) -> bool:
    return bundle.is_packet and not bundle.is_dedicated


def _is_single(bundle: Bundle) -> bool:
    """Whether each channel of the bundle is a circuit to one tile that may share its ends."""
    return bundle.kind == "dma_stream" and not bundle.broadcast and not bundle.is_dedicated


def lanes_of_memtile(streams: list[Stream], tile: Tile, bundles: Mapping[str, Bundle]) -> dict[Stream, Stream]:
    """For outgoing streams of a memtile that share the channel of another stream, that stream; used if the memtile has too
    few channels."""
    puts = [s for s in streams if s[1]]
    mobile = [s for s in puts if _may_share(bundles[s[0][0]])]
    free = tile.channels[1] - len(puts) + len(mobile)
    if len(puts) <= tile.channels[1] or free < 1:
        return {}
    return {s: mobile[n % free] for n, s in enumerate(mobile) if n >= free}


def on_lanes(tree: tuple[Transfer | Loop, ...], lanes: Mapping[Stream, Stream]) -> tuple[Any, ...]:
    """`tree` with its transfers on the shared channels."""
    return tuple(
        Loop(node.count, on_lanes(node.body, lanes))
        if isinstance(node, Loop)
        else replace(node, lane=lanes[node.stream])
        if node.stream in lanes
        else node
        for node in tree
    )


def preferences_of(streams: Iterable[Stream], bundles: Mapping[str, Bundle], *, memtile: bool) -> Preferences:
    """The channels that streams of a core or memtile request."""
    name = MEMTILE_LEAST if memtile else TILE_CHANNEL
    pinned = {s: number for s in streams if (number := bundles[s[0][0]].asks(name)) is not None}
    return Preferences(least=pinned) if memtile else Preferences(numbers=pinned)


def check_preferences(tile: Tile, preferences: Mapping[Stream, int], bundles: Mapping[str, Bundle]) -> None:
    """Raises an error if a requested channel does not exist, or if two circuits request one."""
    stream_of: dict[tuple[bool, int], Stream] = {}
    for stream, number in preferences.items():
        bundle, count = bundles[stream[0][0]], tile.channels[stream[1]]
        if not 0 <= number < count:
            name = TILE_CHANNEL if tile.kind == "core" else MEMTILE_LEAST
            raise error_at(bundle.op, f"{name} {number} is out of range [0, {count})")
        first_stream = stream_of.setdefault((stream[1], number), stream)
        if tile.kind == "core" and first_stream != stream and not (bundle.is_packet and bundles[first_stream[0][0]].is_packet):
            raise error_at(
                bundle.op,
                f"asks for {TILE_CHANNEL} {number}, and so does '@{first_stream[0][0]}'"
                f"{list(first_stream[0][1])} on the same tile; only packet channels (npu_dma_packet) share one",
            )
