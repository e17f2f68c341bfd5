"""Emits a design as operations of the AIE dialect, in sections of the device: tiles, locks, buffers, programs, streams."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, pairwise
from typing import Any

from allo_air.arch import arch_of
from allo_air.core.names import sym_name_of
from allo_air.device import Device
from allo_air.dialects import aie
from allo_air.dialects._places import paired
from allo_air.dialects.air import L2, WaitAllOp
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.to_aie._bundles import Key
from allo_air.passes.to_aie._design import BD, Flow, Place, Port, Ring, TileProgram, in_text_order

SECTIONS = (
    "shims",
    "memtiles",
    "cores",
    "memtile_locks",
    "locks",
    "buffers",
    "external",
    "programs",
    "symbols",
    "flows",
    "rings",
    "allocations",
)
_INDEX_BITS = "#dlti.dl_spec<index = 32 : i64>"


class DeviceBuilder:
    """An `aie.device` under construction; new operations go to the end of their section."""

    def __init__(self, before: Any, device: Device, name: str, location: ir.Location, *, logical: bool = False):
        self.location, self.device, self.logical = location, device, logical
        self.lock_names: list[tuple[Any, int, str]] = []
        """Locks with a buffer's name: the lock, the buffer's number, and the suffix."""
        self.stamps: dict[Key, ir.Attribute] = {}
        """The packet header of a channel's BDs, if they have one."""
        self._acquire = "AcquireGreaterEqual" if arch_of(device).semaphore_locks else "Acquire"
        spec = ir.Attribute.parse(_INDEX_BITS)
        self.op = aie.DeviceOp(
            device=device.name, sym_name=name, attributes={"dlti.dl_spec": spec}, loc=location, ip=ir.InsertionPoint(before)
        )
        self.block = self.op.add_block()
        self._ends = {s: WaitAllOp(deps=[], loc=location, ip=ir.InsertionPoint(self.block)).operation for s in SECTIONS}
        self.tiles: dict[Place, Any] = {}
        self.locks: dict[tuple[Place, int], Any] = {}
        self.buffers: dict[int, Any] = {}
        self._given: dict[Any, str] = {}
        self._circuits: set[tuple[Port, tuple[Place, int]]] = set()
        self._globals: list[tuple[AnyOp, AnyOp]] = []
        """Symbols of memory of which cores only use the type, each with the operation of the core that refers to it."""
        self._externals: dict[ir.Value, Any] = {}
        """The `aie.external_buffer` of each host buffer."""

    def ip(self, section: str) -> Any:
        """The insertion point for the next operation of `section`."""
        return ir.InsertionPoint(self._ends[section])

    def finish(self, named: int) -> None:
        """Names and orders buffers, locks and programs as mlir-air does, and erases the sections' end markers.

        Buffers are numbered from `named` on: those of cores first, core by core, then those of memtiles, each in the reverse
        order of allocation. The text lists them, and the programs, with the highest number first.
        """
        last_first = [self.buffers[n] for n in sorted(self.buffers, reverse=True)]
        in_mem = [b for b in last_first if is_in(b.type, L2)]
        order = {place: position for position, place in enumerate(self.tiles)}
        in_cores = sorted((b for b in last_first if b not in in_mem), key=lambda b: order[self._home(b)])
        first = next((o.operation for o in self.block.operations if o.operation.name == "aie.buffer"), None)
        numbers = count(named)
        for buffer in [*in_cores, *in_mem]:
            result = buffer.owner.operation
            result.attributes["sym_name"] = ir.StringAttr.get(self._given.get(buffer) or f"buf{next(numbers)}")
            if result != first:
                result.move_before(first)
            first = result
        for lock, number, suffix in self.lock_names:
            name = sym_name_of(self.buffers[number].owner.operation)
            lock.owner.operation.attributes["sym_name"] = ir.StringAttr.get(f"{name}_{suffix}")
        programs = [o.operation for o in self.block.operations if o.operation.name in ("aie.core", "aie.mem")]
        for op in sorted(programs, key=lambda op: (order[self._home(op)], op.name == "aie.mem"), reverse=True):
            op.move_before(self._ends["programs"])
        self._place_globals()
        for end in self._ends.values():
            end.erase()

    def shims_last(self) -> None:
        """Moves shim tiles after the other tiles."""
        shims = [tile.owner.operation for (_, row), tile in self.tiles.items() if row == 0]
        ops = [tile.owner.operation for (_, row), tile in self.tiles.items() if row > 0]
        if shims and ops:
            last = max(ops, key=list(self.block.operations).index)
            for op in shims:
                op.move_after(last)
                last = op

    @staticmethod
    def _home(declared: ir.Operation | ir.Value) -> Place:
        """The tile of a buffer, core or program."""
        tile = (declared.owner if isinstance(declared, ir.Value) else declared).operands[0].owner.opview
        return tile.col, tile.row

    def tile(self, place: Place, memtile_rows: tuple[int, ...]) -> Any:
        """The value of the tile at `place`."""
        if place not in self.tiles:
            section = "shims" if place[1] == 0 else "memtiles" if place[1] in memtile_rows else "cores"
            if self.logical and section != "cores":
                self.tiles[place] = self._logical_tile(place, memtile_rows)
            else:
                self.tiles[place] = aie.TileOp(col=place[0], row=place[1], loc=self.location, ip=self.ip(section)).tile
        return self.tiles[place]

    def _logical_tile(self, place: Place, memtile_rows: tuple[int, ...]) -> Any:
        """A shim or memtile with a given column, and a row if the column has several."""
        is_mem = place[1] in memtile_rows
        row = place[1] if is_mem and len(memtile_rows) > 1 else None
        kind = "MemTile" if is_mem else "ShimPLTile" if self.device.kind(*place) == "shim_pl" else "ShimNOCTile"
        section = "memtiles" if is_mem else "shims"
        return aie.LogicalTileOp(tile_type=kind, col=place[0], row=row, loc=self.location, ip=self.ip(section)).tile

    def buffer(self, number: int, kind: ir.MemRefType, tile: ir.Value, location: ir.Location, name: str = "") -> Any:
        """A buffer, identified by its number until it gets its name: `name`, if it is given and unused."""
        buffer = aie.BufferOp(tile=tile, buffer=kind, loc=location, ip=self.ip("buffers")).buffer
        self.buffers[number] = buffer
        if name and name not in self._given.values():
            self._given[buffer] = name
        return buffer

    def core_global(self, kind: ir.MemRefType, prefix: str, block: ir.Block) -> ir.Value:
        """A new symbol for memory of type `kind` that only the core of `block` refers to; returns the reference."""
        name = prefix + (f"_{len(self._globals)}" if self._globals else "")
        op = memref.GlobalOp(name, ir.TypeAttr.get(kind), sym_visibility="public", loc=self.location, ip=self.ip("external"))
        read = memref.GetGlobalOp(kind, name, loc=self.location, ip=ir.InsertionPoint(block))
        self._globals.append((op.operation, read.operation))
        return read.result

    def _place_globals(self) -> None:
        """Moves the symbols that cores refer to before their programs, and the references after the core's first wait."""
        before = {n: o for o, n in pairwise([o.operation for o in self.block.operations])}
        for named, read in self._globals:
            core = read.parent.operation
            program = before.get(core)
            if program is None or program.name != "aie.mem" or program.operands[0] != core.operands[0]:
                program = core
            named.move_before(program)
            read.move_before(list(read.block.operations)[-1].operation)

    def external(self, buffers: Iterable[ir.Value]) -> None:
        """Names the host's buffers with a rank."""
        ranked = [b for b in buffers if isinstance(b.type, ir.MemRefType)]
        for index, buffer in enumerate(ranked):
            name = "__air_external_buffer" + (f"_{index}" if index else "")
            op = aie.ExternalBufferOp(buffer=buffer.type, sym_name=name, loc=self.location, ip=self.ip("external"))
            self._externals[root_of(buffer)] = op.operation.results[0]

    def external_number(self, root: ir.Value) -> int:
        """The (negative) number of the host's buffer `root` in BDs."""
        return -1 - list(self._externals).index(root)

    def add_locks(self, program: TileProgram, tile: ir.Value) -> None:
        """The locks of a tile."""
        section = "memtile_locks" if program.place[1] in (0, *self.device.mem_rows) else "locks"
        for lock in reversed(program.locks):
            op = aie.LockOp(tile=tile, lockID=lock.number, init=lock.init, loc=self.location, ip=self.ip(section))
            self.locks[program.place, lock.number] = op.lock

    def program(self, program: TileProgram, tile: ir.Value, memtile: bool) -> None:
        """Emits the DMA program of a tile. Its locks must exist, also those of adjacent tiles."""
        if not program.rings:
            return
        kind = aie.ShimDMAOp if program.place[1] == 0 else aie.MemTileDMAOp if memtile else aie.MemOp
        holder = kind(tile=tile, loc=self.location, ip=self.ip("programs" if kind is aie.MemOp else "rings"))
        self._rings(holder.regions[0], program)

    def _rings(self, region: ir.Region, program: TileProgram) -> None:
        """Emits a block that starts each ring, followed by a block for each of its BDs; the end block comes after the
        first ring."""
        rings, starts, bodies = in_text_order(program.rings), [], []
        for ring in rings:
            starts.append(region.blocks.append())
            bodies.append([region.blocks.append() for _ in ring.bds])
            if ring is rings[0]:
                end = region.blocks.append()
        aie.EndOp(loc=self.location, ip=ir.InsertionPoint(end))
        for ring, start, after, blocks in zip(rings, starts, [*starts[1:], end], bodies, strict=True):
            self._start(ring, start, after, blocks)
            for bd, block, following in zip(ring.bds, blocks, [*blocks[1:], blocks[0]], strict=True):
                self._bd(program.place, bd, block, following)

    def _start(self, ring: Ring, start: ir.Block, after: ir.Block, blocks: list[ir.Block]) -> None:
        aie.DMAStartOp(
            channel_dir="MM2S" if ring.sends else "S2MM",
            channel_index=ring.channel,
            dest=blocks[0],
            chain=after,
            loc=ring.bds[0].location or self.location,
            ip=ir.InsertionPoint(start),
        )

    def _bd(self, place: Place, bd: BD, block: ir.Block, following: ir.Block) -> None:
        ip, place = ir.InsertionPoint(block), bd.home or place
        if bd.hold.acquire:
            self.use_lock(place, *bd.hold.acquire, release=False, ip=ip, location=bd.location)
        aie.DMABDOp(
            buffer=self.buffers[bd.buffer] if bd.buffer >= 0 else list(self._externals.values())[-1 - bd.buffer],
            offset=bd.walk.offset,
            len=bd.walk.length,
            dimensions=paired(bd.dims, "bd_dim_layout_array"),
            pad_dimensions=paired(bd.walk.pads, "bd_pad_layout_array") if bd.walk.pads else None,
            packet=self.stamps.get(bd.key) if bd.key else None,
            attributes={"task_id": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 0)},
            loc=bd.location or self.location,
            ip=ip,
        )
        if bd.hold.release:
            self.use_lock(place, *bd.hold.release, release=True, ip=ip, location=bd.location)
        aie.NextBDOp(dest=following, loc=bd.location or self.location, ip=ip)

    def use_lock(
        self, place: Place, lock: int, amount: int, *, release: bool, ip: ir.InsertionPoint, location: ir.Location | None = None
    ) -> None:
        """Acquires or releases `amount` of a lock of the tile at `place`; for a binary lock, `amount` is the state."""
        action = "Release" if release else self._acquire
        aie.UseLockOp(lock=self.locks[place, lock], action=action, value=amount, loc=location or self.location, ip=ip)

    def herd_lock(self, place: Place, number: int) -> int:
        """Lock `number` of the core at `place`, with which the host starts its herd (airrt-to-npu); returns its number."""
        name = f"__air_herd_lock_{place[0]}_{place[1]}"
        op = aie.LockOp(tile=self.tiles[place], lockID=number, init=0, sym_name=name, loc=self.location, ip=self.ip("locks"))
        self.locks[place, number] = op.lock
        return number

    def flow(self, flow: Flow) -> None:
        """One `aie.flow` for each destination of a stream; for packets, one `aie.packet_flow` for each destination and id."""
        source, _, channel = flow.source
        for number, (dest, _, dest_channel) in flow.packets:
            op = aie.PacketFlowOp(
                ID=number, keep_pkt_header=True if flow.keeps_headers else None, loc=self.location, ip=self.ip("flows")
            )
            inside = {"loc": self.location, "ip": ir.InsertionPoint(op.regions[0].blocks.append())}
            aie.PacketSourceOp(tile=self.tiles[source], bundle="DMA", channel=channel, **inside)
            aie.PacketDestOp(tile=self.tiles[dest], bundle="DMA", channel=dest_channel, **inside)
            aie.EndOp(**inside)
        if flow.ids:
            return
        for dest, _, dest_channel in flow.dests:
            if (flow.source, (dest, dest_channel)) in self._circuits:
                continue  # several channels alternate
            self._circuits.add((flow.source, (dest, dest_channel)))
            aie.FlowOp(
                source=self.tiles[source],
                dest=self.tiles[dest],
                source_bundle="DMA",
                source_channel=channel,
                dest_bundle="DMA",
                dest_channel=dest_channel,
                loc=self.location,
                ip=self.ip("flows"),
            )
