"""Builds the device of one segment: cores, buffers, programs, streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import STACK_BYTES
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.match import NoMatch, expect_match
from allo_air.core.names import sym_name_of
from allo_air.core.walking import parents, walk_named
from allo_air.dialects import aie
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import COLUMNS
from allo_air.passes.to_aie import _cascade as cascade
from allo_air.passes.to_aie import _shared as shared
from allo_air.passes.to_aie._binary import plan_binary
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._by_channel import frees_of, plan_by_channel
from allo_air.passes.to_aie._core_rows import join_rows
from allo_air.passes.to_aie._cores import MARK, CoreClone, Known
from allo_air.passes.to_aie._design import Buffer, Flow, Place, Port, Transfer
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._herds import PlacedHerd, Settings, integer, placed_herds
from allo_air.passes.to_aie._limits import check_memory, check_program, fits, left_memory
from allo_air.passes.to_aie._memtiles import memtile_programs
from allo_air.passes.to_aie._mmio import Constants
from allo_air.passes.to_aie._objectfifos import lower_to_fifos
from allo_air.passes.to_aie._outer_memory import OuterMemory
from allo_air.passes.to_aie._packets import PacketIds, check_wishes, on_lanes, wishes_of, with_lanes
from allo_air.passes.to_aie._parameters import Parameters
from allo_air.passes.to_aie._phases import Item, read, sequences, tree
from allo_air.passes.to_aie._placement import place_buffers
from allo_air.passes.to_aie._program import Planned, plan, rings_of
from allo_air.passes.to_aie._relays import Relay
from allo_air.passes.to_aie._reuse import reuse
from allo_air.passes.to_aie._segment import Contents, Placed
from allo_air.passes.to_aie._sequences import LockScheme, Run, Step
from allo_air.passes.to_aie._shared_buffers import Held, held_by_several
from allo_air.passes.to_aie._shim_programs import shim_programs
from allo_air.passes.to_aie._streams import Ends, HostEnds, cascades, flows, ordered
from allo_air.passes.to_aie._symbols import copy_symbols, object_files
from allo_air.passes.to_aie._traces import add_flows
from allo_air.passes.to_aie._words import items

if TYPE_CHECKING:
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp


@dataclass(frozen=True)
class Core:
    """A core: its code, the first of its herds, and the buffers and transfers in it."""

    op: Any
    herd: Any
    body: Any
    clone: CoreClone
    held: list[Buffer]
    has_parameters: bool
    head: Any = None
    """The branch to the code, at the start of each round, of a core with locks by channel."""


@dataclass(frozen=True)
class Built:
    """The facts of a built device that the host's side needs."""

    flows: list[Flow]
    shims: dict[Key, Port]
    ids: dict[Key, tuple[int, ...]]
    turns: list[tuple[Place, tuple[Transfer, ...]]]
    herds: list[PlacedHerd]
    stamps: dict[Key, Any]
    """The packet headers of channels that the host puts into or gets from."""


class DeviceOf:
    """Lowers one segment (or a herd outside of any) to the device that `builder` makes."""

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
        self.constants, self.numbers = constants, numbers
        self.unit, self.contents, self.bundles = unit, contents, dict(bundles)
        self.builder, self.settings = builder, settings
        self.buffers = list(contents.buffers)
        self.cores: dict[Place, Core] = {}
        self.known = Known()
        self.herds: list[PlacedHerd] = []
        self.shared_locks: dict[Place, int] = {}
        self.turns: list[tuple[Place, tuple[Transfer, ...]]] = []
        """The resources of a core's DMA channel that several AIR channels share."""
        self.held: dict[tuple[Any, Place], Held] = {}
        """L1 buffers that cores of different herds share."""
        self.items: dict[Place, list[Item]] = {}
        self.header_keys: set[Key] = set()
        """Channels of packets that come with their headers."""
        self.in_memory: set[Key] = set()
        """Channels that cores share memory instead of."""
        self.cascaded: dict[Key, tuple[dict[Place, Any], dict[Place, Any]]] = {}

    def build(self, module: ir.Operation, host: HostEnds, relays: Sequence[Relay], named: int) -> Built:
        """Fills the device; returns what it needs of the host. `named` buffers have a name already."""
        self.herds, on_core = placed_herds(self.contents.herds, self.settings)
        self.held = held_by_several(self.contents.herds, self.herds)
        for place, herds in on_core.items():
            self.cores[place] = self._core(place, herds, module)
        self._settle()
        if not self.settings.fifos:
            self._share(host)
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
            every = [*(t for core in self.cores.values() for t in core.clone.transfers), *items(self.contents.tree)]
            numbers = {key: tuple(dict.fromkeys(_id(t.op) for t in every if t.key == key)) for key in {t.key for t in every}}
            return Built(streams, shims, numbers, [], self.herds, {})
        for buffer in self.contents.buffers:
            tile = self._tile(homes[buffer.number])
            self.builder.buffer(buffer.number, buffer.type, tile, buffer.op.location)
        ends: dict[Key, Ends] = {}
        self.items = {place: read(c.body, c.clone.buffers, c.clone.transfers) for place, c in self.cores.items()}
        for place, core in self.cores.items():
            self._core_program(place, core, ends)
        self._memtile_programs(homes, ends, host)
        ends = self._in_order(ends, host)
        streams, shims = flows(ends, host, self.bundles, self.settings.device, relays, ids, self.numbers.next, self.header_keys)
        self._streams(streams, shims)
        if self.settings.trace and self.cores:
            flow_ids = {number for flow in streams for number in flow.ids}
            add_flows(self.builder, self.cores, shims.values(), self.settings.device, self.unit, flow_ids)
        if self.settings.by_channel or host.transfers:
            mine = {key[0] for key in shims}
            self.builder.external(dict.fromkeys(buffer for name, buffer in host.buffers if name in mine))
        shim_programs(self.builder, host.transfers, shims, self.bundles, self.settings.device)
        self.builder.finish(named)
        every = [*(t for core in self.cores.values() for t in core.clone.transfers), *items(self.contents.tree)]
        numbers = {key: tuple(dict.fromkeys(_id(t.op) for t in every if t.key == key)) for key in ends}
        stamps = {key: self.builder.stamps[key] for key in shims if key in self.builder.stamps}
        return Built(streams, shims, numbers, self.turns, self.herds, stamps)

    def _in_order(self, ends: Mapping[Key, Ends], host: HostEnds) -> dict[Key, Ends]:
        """Channels as mlir-air makes their flows: those of memtiles as the segment uses them, those between cores backwards."""
        outside, inside = {*host.puts, *host.gets}, dict.fromkeys(t.key for t in items(self.contents.tree))
        between = [key for key in ends if key not in inside and key[0] not in outside]
        rest = [key for key in ends if key[0] in outside]
        return {key: ends[key] for key in (*(k for k in inside if k in ends), *rest, *reversed(between))}

    # Packets.

    def _packet_ids(self, host: HostEnds) -> dict[Key, tuple[int, ...]]:
        """The ids of channels that carry packets; BDs say those of channels that have one, unless the source writes it."""
        every = [*(t for core in self.cores.values() for t in core.clone.transfers), *items(self.contents.tree)]
        keys = list(dict.fromkeys(t.key for t in every if self.bundles[t.key[0]].is_packet))
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
            if bundle.keeps_headers and not any(t.key == key and t.put and t.walk.offset for t in every if len(bundle.shape)):
                self.header_keys.add(key)  # of a bundle the channel with the start of the buffer, which is the header
            elif len(ids) == 1 and not bundle.writes_headers:
                self.builder.stamps[key] = ir.Attribute.parse(f"#aie.packet_info<0 : i64, {ids[0]} : i64>")
        return packet_ids

    def _lanes(self, host: HostEnds) -> None:
        """Makes packets of a core share DMA channels if there are too few channels."""
        for place, core in self.cores.items():
            tile, transfers = self.settings.device.tile(*place), core.clone.transfers
            check_wishes(
                tile, wishes_of(dict.fromkeys(t.stream for t in transfers), self.bundles, memtile=False).numbers, self.bundles
            )
            left = [t for t in transfers if t.key not in self.in_memory]
            lanes = with_lanes(left, tile, self.bundles, lambda key: key[0] in host.puts)
            transfers[:] = on_lanes(tuple(transfers), lanes)

    # Cores.

    def _core(self, place: Place, herds: list[tuple[Placed, tuple[int, ...]]], module: ir.Operation) -> Core:
        builder, where = self.builder, herds[0][0].op.location
        tile = self._tile(place)
        stack = self.settings.stack_size
        op = aie.CoreOp(
            tile=tile, attributes=_herd_of(*herds[0]), **({"stack_size": stack} if stack != STACK_BYTES else {}), loc=where,
            ip=builder.ip("programs"),
        )  # fmt: skip
        entry = op.regions[0].blocks.append()
        loops, by_channel = self.settings.emit_while_loop, self.settings.by_channel and not self.settings.fifos
        first = op.regions[0].blocks.append() if by_channel else None
        body = op.regions[0].blocks.append() if loops or by_channel else entry
        results: dict[Any, tuple[Buffer, Any]] = {}

        def buffer(alloc: AnyOp) -> tuple[Buffer, Any]:
            if (shared := self._held_at(alloc, place)) is not None:
                return self._held_buffer(shared, tile)
            if alloc.results[0] not in results:
                new = Buffer(len(self.buffers), alloc.results[0].type, alloc)
                self.buffers.append(new)
                name = f"{sym_name_of(alloc)}_{'_'.join(map(str, herds[0][1]))}" if "sym_name" in alloc.attributes else ""
                results[alloc.results[0]] = new, builder.buffer(new.number, new.type, tile, alloc.location, name)
            return results[alloc.results[0]]

        def to_cascade(transfer: ChannelGetOp | ChannelPutOp, bundle: Bundle, memref: ir.Value, core: CoreClone) -> None:
            put = transfer.OPERATION_NAME.endswith("put")
            key = bundle.key(transfer, [n for v in transfer.indices if (n := core.number(v)) is not None], put)
            self.cascaded.setdefault(key, ({}, {}))[0 if put else 1][place] = transfer
            cascade.lower(transfer, memref, arch_of(self.settings.device).cascade_bits, core)

        outer = OuterMemory(builder, body if first is None else first)
        parameters = Parameters(builder, place, self.settings.device.tile(*place).memory, tile, body, outer)
        clone = CoreClone(body, entry, self.bundles, buffer, to_cascade, parameters.value, self.known, self.constants)
        for placed, ids in herds:
            clone.herd(placed.op, ids, placed.numbers, placed.held)
        join_rows(body, clone, self.settings.device.tile(*place))
        for gone in reuse(body, clone, self.settings.device.tile(*place).bds):
            del results[gone.op.results[0]], builder.buffers[gone.number]
        copy_symbols(clone.symbols, module, builder)
        linked = {f for placed, _ in herds if (f := placed.op.link_with)} | object_files(clone.symbols, module)
        if len(linked) > 1:
            raise error_at(herds[0][0].op, f"links with {', '.join(sorted(linked))}; a core takes one object file")
        if linked:
            op.link_with = linked.pop()
        head = None
        again = body if first is None else first
        for block in (entry, body) if loops else (entry,) if first is not None else ():
            ir.Operation.create("cf.br", successors=[again], loc=where, ip=ir.InsertionPoint(block))
        if first is not None:
            head = ir.Operation.create("cf.br", successors=[body], loc=where, ip=ir.InsertionPoint(first))
        if not loops:
            aie.EndOp(loc=where, ip=ir.InsertionPoint(body))
        clone.settle_constants(by_ids=by_channel)
        held = [b for b, _ in (*results.values(), *parameters.buffers.values())]
        check_memory(place, held, self.settings.device, self.settings.stack_size, herds[0][0].op)
        return Core(op, herds[0][0].op, body, clone, held, bool(parameters.buffers), head)

    def _held_at(self, alloc: AnyOp, place: Place) -> Held | None:
        """The buffer for `alloc` at `place` that cores of other herds use, too."""
        return next((h for (value, _), h in self.held.items() if value == alloc.results[0] and place in h.cores), None)

    def _held_buffer(self, held: Held, tile: ir.Value) -> tuple[Buffer, Any]:
        if held.buffer is None:
            held.buffer = Buffer(len(self.buffers), held.alloc.results[0].type, held.alloc)
            self.buffers.append(held.buffer)
            held.value = self.builder.buffer(held.buffer.number, held.buffer.type, tile, held.alloc.location)
        return held.buffer, held.value

    def _settle(self) -> None:
        """Puts what cores of different herds share into the memory of one."""
        for held in self.held.values():
            if held.buffer is None:
                continue
            number = held.buffer.number
            moving = {p for p in held.cores if any(t.buffer == number for t in self.cores[p].clone.transfers)}
            home = held.settle(moving, self.settings.device)
            held.value.owner.operation.operands[0] = self._tile(home)
            self.cores[home].held.append(held.buffer)
            check_memory(home, self.cores[home].held, self.settings.device, self.settings.stack_size, held.op)

    def _share(self, host: HostEnds) -> None:
        """Makes neighbouring cores exchange data through memory if they have too few DMA channels."""
        if not arch_of(self.settings.device).semaphore_locks:
            return
        clones = {place: core.clone for place, core in self.cores.items()}
        elsewhere = {t.key[0] for t in items(self.contents.tree)} | {*host.puts, *host.gets}
        settings = self.settings
        free = {p: left_memory(p, c.held, settings.device, settings.stack_size) for p, c in self.cores.items()}
        for channel in shared.choose(clones, elsewhere, settings.device, free):
            kind = shared.kind_of(channel.key, clones[channel.source])
            new = Buffer(len(self.buffers), kind, self.unit)
            self.buffers.append(new)
            self.cores[channel.home].held.append(new)
            self.in_memory.add(channel.key)
            count = self.shared_locks.get(channel.home, 0)
            self.shared_locks[channel.home] = count + 2
            last = self.settings.device.tile(*channel.home).locks - 1
            shared.lower(channel, clones, self.builder, new, last - count)
        for place, core in self.cores.items():
            check_memory(place, core.held, self.settings.device, self.settings.stack_size, core.herd)

    def _core_program(self, place: Place, core: Core, ends: dict[Key, Ends]) -> None:
        clone = core.clone
        item = self.items[place]
        steps, handshakes = sequences(item, clone.in_turns)
        for held in self.held.values():
            if held.home == place and held.buffer is not None:
                handshakes -= {held.buffer.number}
                if turns := held.steps(self.items):
                    steps[held.buffer.number] = turns
        shared = {t.stream for t in clone.transfers if t.lane is not None and not t.put}
        if shared:
            self.turns += [(place, ring) for stream, ring in rings_of(tree(item)).items() if stream in shared]
        waits = walk_named(core.op, "air.wait_all")
        marks = {clone.transfers[o.attributes[MARK].value]: o for o in waits if MARK in o.attributes}
        device = self.settings.device
        schemes = dict.fromkeys(steps, LockScheme.ONE_TAKER) if self.settings.locks is LockScheme.ONE_TAKER else {}
        planner = partial(plan, schemes=schemes) if arch_of(device).semaphore_locks else plan_binary
        wishes = wishes_of(dict.fromkeys(t.stream for t in clone.transfers), self.bundles, memtile=False)
        tile = device.tile(*place)
        planned = None
        if self.settings.by_channel and not clone.in_turns and not any(place in held.cores for held in self.held.values()):
            planned = plan_by_channel(place, item, frees_of(waits), core.head, tile, wishes, binary=planner is plan_binary)
        more = self._more_locks(place)
        if planned is None or not fits(planned.program, device, more):
            planned = planner(place, tree(item), steps, handshakes, tile, wishes)
        if not fits(planned.program, device, more) and planner is not plan_binary:
            schemes = dict.fromkeys(steps, LockScheme.FEWEST)
            planned = plan(place, tree(item), steps, handshakes, tile, wishes, schemes)
        self.builder.add_locks(planned.program, self._tile(place))
        self._finish(place, planned, clone.transfers, core.op, ends)
        for hold in planned.core:
            at = marks[hold.op] if isinstance(hold.op, Transfer) else hold.op
            after = hold.release and at is hold.op if hold.after is None else hold.after
            ip = ir.InsertionPoint.after(at) if after else ir.InsertionPoint(at)
            self.builder.use_lock(place, hold.lock, hold.amount, release=hold.release, ip=ip, where=at.location)
        for held in self.held.values():
            if held.home == place and held.buffer is not None and held.buffer.number in steps:
                self._name_locks(place, held.buffer.number, steps[held.buffer.number], planned)
        for mark in waits:  # several stand for a transfer that is done again
            mark.erase()
        if self.settings.herd_lock or core.has_parameters:
            lock = self.builder.herd_lock(place, len(planned.program.locks))
            start = core.body if core.has_parameters else core.op.regions[0].blocks[0]
            self.builder.use_lock(place, lock, 1, release=False, ip=ir.InsertionPoint.at_block_begin(start))

    def _name_locks(self, place: Place, buffer: int, steps: Sequence[Step], planned: Planned) -> None:
        """Names the locks of a buffer that cores share, by what the first of them does with these: it fills it."""
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
            for _, (c, r), (width, height) in self.herds
            if width > 1
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
        order = [(place, programs[place]) for place in dict.fromkeys((*sends, *programs))]  # as mlir-air meets them
        for place, (planned, _) in reversed(order):
            self.builder.add_locks(planned.program, self._tile(place))
        for place, (planned, transfers) in order:
            self._finish(place, planned, transfers, self.unit, ends)

    # Both.

    def _tile(self, place: Place) -> ir.OpResult:
        return self.builder.tile(place, self.settings.device.mem_rows)

    def _more_locks(self, place: Place) -> int:
        """The locks of a tile that no transfer takes: for its herd's parameters, and for L1 that cores share."""
        herd_lock = place in self.cores and (self.settings.herd_lock or self.cores[place].has_parameters)
        return int(herd_lock) + self.shared_locks.get(place, 0)

    def _finish(self, place: Place, planned: Planned, transfers: list[Transfer], op: AnyOp, ends: dict[Key, Ends]) -> None:
        """Checks and prints a tile's program, and notes its ends of streams."""
        device = self.settings.device
        names = [f"'@{key[0]}'{list(key[1])}" for key, _ in planned.channels]
        blamed = self.cores[place].herd if place in self.cores else self.unit
        check_program(planned.program, device, names, blamed, self._more_locks(place))
        self.builder.program(planned.program, self._tile(place), device.kind(*place) == "mem")
        first = {(t.key, t.put): t for t in reversed(transfers)}
        order = {stream: at for at, stream in enumerate(planned.channels)}
        mine = {end: t for end, t in first.items() if t.stream in order}  # cores share memory instead of the others
        for (key, put), transfer in sorted(mine.items(), key=lambda item: order[item[1].stream]):
            end = ends.setdefault(key, Ends())
            (end.puts if put else end.gets).append(((place, put, planned.channels[transfer.stream]), transfer.op))

    def _streams(self, streams: list[Flow], shims: dict[Key, Port]) -> None:
        builder = self.builder
        for place in dict.fromkeys(port[0] for port in shims.values()):
            self._tile(place)
        outer = [f for f in streams if f.key in shims or f.key in {t.key for t in items(self.contents.tree)}]
        for flow in outer:
            builder.flow(flow)
        for source, dest in reversed(cascades(self.cascaded)):
            aie.CascadeFlowOp(
                source_tile=builder.tiles[source], dest_tile=builder.tiles[dest], loc=builder.where, ip=builder.ip("flows")
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
                loc=builder.where,
                ip=builder.ip("allocations"),
            )


def _herd_of(placed: Placed, ids: tuple[int, ...]) -> dict[str, ir.Attribute]:
    """Attributes of a core that name its herd, the herd's size, and the core's ids in it."""
    herd = placed.op
    sizes = [constant_of(v) or 1 for v in herd.sizes]
    two = {"air.herd_size": [*sizes, 1][:2], "air.herd_local_id": [*ids, 0][:2]}
    attributes: dict[str, ir.Attribute] = {name: ir.DenseI64ArrayAttr.get(numbers) for name, numbers in two.items()}
    return attributes if herd.sym_name is None else {"air.herd_name": ir.StringAttr.get(herd.sym_name), **attributes}


def _id(op: ir.OpView) -> int:
    return integer(op, "id", -1)
