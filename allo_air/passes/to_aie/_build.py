"""Builds the device of one segment: cores, buffers, programs, streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from allo_air.arch import arch_of
from allo_air.core.match import NoMatch, expect_match
from allo_air.core.walking import parents, walk_named
from allo_air.dialects import aie
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import COLUMNS
from allo_air.passes.to_aie._binary import plan_binary
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._by_channel import frees_of, plan_by_channel
from allo_air.passes.to_aie._cores import MARK
from allo_air.passes.to_aie._design import Flow, Place, Port, Transfer
from allo_air.passes.to_aie._device_cores import Core, DeviceCores
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._herds import PlacedHerd, Settings, integer
from allo_air.passes.to_aie._limits import check_program, fits
from allo_air.passes.to_aie._memtiles import memtile_programs
from allo_air.passes.to_aie._mmio import Constants
from allo_air.passes.to_aie._objectfifos import lower_to_fifos
from allo_air.passes.to_aie._packets import PacketIds, check_preferences, on_lanes, preferences_of, with_lanes
from allo_air.passes.to_aie._periods import items
from allo_air.passes.to_aie._phases import Item, read, sequences, tree
from allo_air.passes.to_aie._placement import place_buffers
from allo_air.passes.to_aie._program import Planned, plan, rings_of
from allo_air.passes.to_aie._progress import mark_progress
from allo_air.passes.to_aie._relays import Relay
from allo_air.passes.to_aie._segment import Contents
from allo_air.passes.to_aie._sequences import LockScheme, Run, Step
from allo_air.passes.to_aie._shim_programs import shim_programs
from allo_air.passes.to_aie._streams import Ends, HostEnds, cascades, flows, ordered
from allo_air.passes.to_aie._traces import add_flows


@dataclass(frozen=True)
class Built:
    """The properties of a built device that the host program needs."""

    flows: list[Flow]
    shims: dict[Key, Port]
    ids: dict[Key, tuple[int, ...]]
    turns: list[tuple[Place, tuple[Transfer, ...]]]
    herds: list[PlacedHerd]
    stamps: dict[Key, Any]
    """The packet headers of the host's channels."""


class DeviceLowering:
    """Lowers one segment (or a herd outside of segments) to the device of `builder`."""

    def __init__(
        self,
        unit: ir.Operation,
        contents: Contents,
        bundles: Mapping[str, Bundle],
        builder: DeviceBuilder,
        settings: Settings,
        constants: Constants,
        numbers: PacketIds,
    ):
        self.numbers = numbers
        self.unit, self.contents, self.bundles = unit, contents, dict(bundles)
        self.builder, self.settings = builder, settings
        self.device_cores = DeviceCores(unit, contents, self.bundles, builder, settings, constants)
        self.cores, self.held = self.device_cores.cores, self.device_cores.held
        self.turns: list[tuple[Place, tuple[Transfer, ...]]] = []
        """The resources of a core's DMA channel that several AIR channels share."""
        self.items: dict[Place, list[Item]] = {}
        self.header_keys: set[Key] = set()
        """Packet channels that keep their headers."""

    def build(self, module: ir.Operation, host: HostEnds, relays: Sequence[Relay], named: int) -> Built:
        """Builds the device; returns the data for the host program. `named` buffers already have a name."""
        self.device_cores.build(module)
        if not self.settings.fifos:
            self.device_cores.share(host)
        ids = self._packet_ids(host)
        self._lanes(host)
        served: dict[Key, set[Place]] = {}
        for place, core in self.cores.items():
            for transfer in core.clone.transfers:
                served.setdefault(transfer.key, set()).add(place)
        homes = self._homes(served)
        if self.settings.fifos:
            streams, shims = lower_to_fifos(self, host, homes)
            self.builder.finish(named)
            all_transfers = [*(t for core in self.cores.values() for t in core.clone.transfers), *items(self.contents.tree)]
            numbers = {
                key: tuple(dict.fromkeys(_id(t.op) for t in all_transfers if t.key == key))
                for key in {t.key for t in all_transfers}
            }
            return Built(streams, shims, numbers, [], self.device_cores.herds, {})
        for buffer in self.contents.buffers:
            tile = self.device_cores.tile(homes[buffer.number])
            self.builder.buffer(buffer.number, buffer.type, tile, buffer.op.location)
        ends: dict[Key, Ends] = {}
        self.items = {place: read(c.body, c.clone.buffers, c.clone.transfers) for place, c in self.cores.items()}
        for place, core in self.cores.items():
            self._core_program(place, core, ends)
        self._memtile_programs(homes, ends, host)
        ends = self._flow_order(ends, host)
        streams, shims = flows(ends, host, self.bundles, self.settings.device, relays, ids, self.numbers.next, self.header_keys)
        self._streams(streams, shims)
        if self.settings.trace and self.cores:
            flow_ids = {number for flow in streams for number in flow.ids}
            add_flows(self.builder, self.cores, shims.values(), self.settings.device, self.unit, flow_ids)
        if self.settings.by_channel or host.transfers:
            channel_names = {key[0] for key in shims}
            self.builder.external(dict.fromkeys(buffer for name, buffer in host.buffers if name in channel_names))
        shim_programs(self.builder, host.transfers, shims, self.bundles, self.settings.device)
        self.builder.finish(named)
        all_transfers = [*(t for core in self.cores.values() for t in core.clone.transfers), *items(self.contents.tree)]
        numbers = {key: tuple(dict.fromkeys(_id(t.op) for t in all_transfers if t.key == key)) for key in ends}
        stamps = {key: self.builder.stamps[key] for key in shims if key in self.builder.stamps}
        return Built(streams, shims, numbers, self.turns, self.device_cores.herds, stamps)

    def _flow_order(self, ends: Mapping[Key, Ends], host: HostEnds) -> dict[Key, Ends]:
        """Channels in mlir-air's order of flows: those of memtiles in the segment's order, those between cores in reverse."""
        outside, inside = {*host.puts, *host.gets}, dict.fromkeys(t.key for t in items(self.contents.tree))
        between = [key for key in ends if key not in inside and key[0] not in outside]
        rest = [key for key in ends if key[0] in outside]
        return {key: ends[key] for key in (*(k for k in inside if k in ends), *rest, *reversed(between))}

    # Packets.

    def _packet_ids(self, host: HostEnds) -> dict[Key, tuple[int, ...]]:
        """The ids of packet channels. BDs set the id of a channel with one id, unless the source writes the header."""
        all_transfers = [*(t for core in self.cores.values() for t in core.clone.transfers), *items(self.contents.tree)]
        keys = list(dict.fromkeys(t.key for t in all_transfers if self.bundles[t.key[0]].is_packet))
        outside = {*host.puts, *host.gets}
        columns_of: dict[Key, set[int]] = {key: set() for key in keys if key[0] in outside}
        for (column, _), core in self.cores.items():
            for key in {t.key for t in core.clone.transfers} & columns_of.keys():
                columns_of[key].add(column)
        packet_ids = self.numbers.at_shims(columns_of)
        packet_ids |= self.numbers.inside(
            (k for k in keys if k[0] not in outside), {n for ids in packet_ids.values() for n in ids}
        )
        for key, ids in packet_ids.items():
            bundle = self.bundles[key[0]]
            if bundle.keeps_headers and not any(
                t.key == key and t.put and t.walk.offset for t in all_transfers if len(bundle.shape)
            ):
                self.header_keys.add(key)  # in a bundle, the channel with the start of the buffer, the header
            elif len(ids) == 1 and not bundle.writes_headers:
                self.builder.stamps[key] = ir.Attribute.parse(f"#aie.packet_info<0 : i64, {ids[0]} : i64>")
        return packet_ids

    def _lanes(self, host: HostEnds) -> None:
        """Makes packet channels of a core share DMA channels if there are too few."""
        for place, core in self.cores.items():
            tile, transfers = self.settings.device.tile(*place), core.clone.transfers
            preferences = preferences_of(dict.fromkeys(t.stream for t in transfers), self.bundles, memtile=False)
            check_preferences(tile, preferences.numbers, self.bundles)
            left = [t for t in transfers if t.key not in self.device_cores.in_memory]
            lanes = with_lanes(left, tile, self.bundles, lambda key: key[0] in host.puts)
            transfers[:] = on_lanes(tuple(transfers), lanes)

    # Cores.

    def _core_program(self, place: Place, core: Core, ends: dict[Key, Ends]) -> None:
        clone = core.clone
        item = self.items[place]
        steps, handshakes = sequences(item, clone.in_turns)
        for held in self.held.values():
            if held.home == place and held.buffer is not None:
                handshakes -= {held.buffer.number}
                if held_steps := held.steps(self.items):
                    steps[held.buffer.number] = held_steps
        shared = {t.stream for t in clone.transfers if t.lane is not None and not t.put}
        if shared:
            self.turns += [(place, ring) for stream, ring in rings_of(tree(item)).items() if stream in shared]
        waits = walk_named(core.op, "air.wait_all")
        marks = {clone.transfers[o.attributes[MARK].value]: o for o in waits if MARK in o.attributes}
        device = self.settings.device
        schemes = dict.fromkeys(steps, LockScheme.ONE_TAKER) if self.settings.locks is LockScheme.ONE_TAKER else {}
        planner = partial(plan, schemes=schemes) if arch_of(device).semaphore_locks else plan_binary
        preferences = preferences_of(dict.fromkeys(t.stream for t in clone.transfers), self.bundles, memtile=False)
        tile = device.tile(*place)
        planned = None
        if self.settings.by_channel and not clone.in_turns and not any(place in held.cores for held in self.held.values()):
            planned = plan_by_channel(place, item, frees_of(waits), core.head, tile, preferences, binary=planner is plan_binary)
        more = self.device_cores.more_locks(place)
        if planned is None or not fits(planned.program, device, more):
            planned = planner(place, tree(item), steps, handshakes, tile, preferences)
        if not fits(planned.program, device, more) and planner is not plan_binary:
            schemes = dict.fromkeys(steps, LockScheme.FEWEST)
            planned = plan(place, tree(item), steps, handshakes, tile, preferences, schemes)
        self.builder.add_locks(planned.program, self.device_cores.tile(place))
        self._finish(place, planned, clone.transfers, core.op, ends)
        for hold in planned.core:
            anchor = marks[hold.op] if isinstance(hold.op, Transfer) else hold.op
            after = hold.release and anchor is hold.op if hold.after is None else hold.after
            ip = ir.InsertionPoint.after(anchor) if after else ir.InsertionPoint(anchor)
            self.builder.use_lock(place, hold.lock, hold.amount, release=hold.release, ip=ip, location=anchor.location)
        for held in self.held.values():
            if held.home == place and held.buffer is not None and held.buffer.number in steps:
                self._name_locks(place, held.buffer.number, steps[held.buffer.number], planned)
        for mark in waits:  # several marks for a repeated transfer
            mark.erase()
        mark_progress(core.op)
        if self.settings.herd_lock or core.has_parameters:
            lock = self.builder.herd_lock(place, len(planned.program.locks))
            start = core.body if core.has_parameters else core.op.regions[0].blocks[0]
            self.builder.use_lock(place, lock, 1, release=False, ip=ir.InsertionPoint.at_block_begin(start))

    def _name_locks(self, place: Place, buffer: int, steps: Sequence[Step], planned: Planned) -> None:
        """Names the locks of a buffer that cores share, from the view of the first core, which fills it."""
        first = next((step for step in steps if isinstance(step, Run)), None)
        for hold in planned.core:
            if first is not None and hold.buffer == buffer and hold.op in (first.first, first.last):
                suffix = "cons_lock" if hold.release else "prod_lock"
                self.builder.lock_names.append((self.builder.locks[place, hold.lock], buffer, suffix))

    # Memtiles.

    def _homes(self, served: Mapping[Key, set[Place]]) -> dict[int, Place]:
        """The memtile of each buffer. A kernel that shares the array uses memtiles of all columns if its own have no room."""
        device, result = self.settings.device, self.contents
        wide = {
            (c + x, r + y)
            for _, (c, r), (width, height) in self.device_cores.herds
            if width > 1 and not self.settings.memtiles_in_turn
            for x in range(width)
            for y in range(height)
        }
        packets = frozenset(name for name, b in self.bundles.items() if b.is_packet and not b.is_dedicated)
        homes = place_buffers(result.buffers, result.tree, device, self._columns(), served, wide, packets)
        if isinstance(homes, NoMatch) and any(COLUMNS in p.attributes for p in parents(self.unit)):
            homes = place_buffers(result.buffers, result.tree, device, range(device.columns), served, wide, packets)
        return expect_match(homes)

    def _columns(self) -> range:
        """The columns of memtiles that the segment may use."""
        device = self.settings.device
        first = integer(self.unit, "x_loc", self.settings.col_offset)
        size = integer(self.unit, "x_size", device.columns - first)
        return range(max(0, first), min(device.columns, first + size))

    def _memtile_programs(self, homes: Mapping[int, Place], ends: dict[Key, Ends], host: HostEnds) -> None:
        outside = {*host.puts, *host.gets} if self.settings.by_channel else ()
        programs = memtile_programs(
            self.contents.tree, self.contents.buffers, homes, self.settings.device, self.bundles, self.settings.locks, outside
        )
        keys = ordered(dict.fromkeys(t.key for t in items(self.contents.tree)), host)
        sends = [place for put in (True, False) for key in keys for place, p in programs.items() if (key, put) in p[0].channels]
        order = [(place, programs[place]) for place in dict.fromkeys((*sends, *programs))]  # in mlir-air's order
        for place, (planned, _) in reversed(order):
            self.builder.add_locks(planned.program, self.device_cores.tile(place))
        for place, (planned, transfers) in order:
            self._finish(place, planned, transfers, self.unit, ends)

    # Both.

    def _finish(self, place: Place, planned: Planned, transfers: list[Transfer], op: AnyOp, ends: dict[Key, Ends]) -> None:
        """Checks and emits a tile's program, and records its ends of streams."""
        device = self.settings.device
        names = [f"'@{key[0]}'{list(key[1])}" for key, _ in planned.channels]
        blamed = self.cores[place].herd if place in self.cores else self.unit
        check_program(planned.program, device, names, blamed, self.device_cores.more_locks(place))
        self.builder.program(planned.program, self.device_cores.tile(place), device.kind(*place) == "mem")
        first = {(t.key, t.put): t for t in reversed(transfers)}
        order = {stream: position for position, stream in enumerate(planned.channels)}
        own_ends = {end: t for end, t in first.items() if t.stream in order}  # the other channels use shared memory
        for (key, put), transfer in sorted(own_ends.items(), key=lambda item: order[item[1].stream]):
            end = ends.setdefault(key, Ends())
            (end.puts if put else end.gets).append(((place, put, planned.channels[transfer.stream]), transfer.op))

    def _streams(self, streams: list[Flow], shims: dict[Key, Port]) -> None:
        builder = self.builder
        for place in dict.fromkeys(port[0] for port in shims.values()):
            self.device_cores.tile(place)
        outer = [f for f in streams if f.key in shims or f.key in {t.key for t in items(self.contents.tree)}]
        for flow in outer:
            builder.flow(flow)
        for source, dest in reversed(cascades(self.device_cores.cascaded, self.device_cores.cascade_orders)):
            aie.CascadeFlowOp(
                source_tile=builder.tiles[source], dest_tile=builder.tiles[dest], loc=builder.location, ip=builder.ip("flows")
            )
        for flow in streams:
            if flow not in outer:
                builder.flow(flow)
        for key, (place, sends, channel) in sorted(shims.items(), key=lambda item: item[1][1]):
            aie.ShimDMAAllocationOp(
                tile=builder.tiles[place],
                sym_name=self.bundles[key[0]].symbol(key),
                channel_dir="MM2S" if sends else "S2MM",
                channel_index=channel,
                loc=builder.location,
                ip=builder.ip("allocations"),
            )


def _id(op: ir.OpView) -> int:
    return integer(op, "id", -1)
