"""Prints a design as operations of the AIE dialect, in sections of the device: tiles, locks, buffers, programs, streams."""

from __future__ import annotations

from typing import Any

from allo_air.dialects import aie
from allo_air.dialects.air import WaitAllOp
from allo_air.mlir import ir
from allo_air.passes._to_aie.design import BD, Flow, Place, Ring, TileProgram

SECTIONS = ("shims", "memtiles", "cores", "locks", "buffers", "symbols", "programs", "flows", "allocations")
_INDEX_BITS = "#dlti.dl_spec<index = 32 : i64>"


class DeviceBuilder:
    """An `aie.device` under construction; whatever is built goes to the end of its section."""

    def __init__(self, before: Any, device: str, name: str, where: Any):
        self.where = where
        spec = ir.Attribute.parse(_INDEX_BITS)
        self.op = aie.DeviceOp(
            device=device, sym_name=name, attributes={"dlti.dl_spec": spec}, loc=where, ip=ir.InsertionPoint(before)
        )
        holder = self.op.regions[0].blocks.append()
        module = ir.Operation.create("builtin.module", regions=1, loc=where, ip=ir.InsertionPoint(holder))
        self.block = module.regions[0].blocks.append()
        self._ends = {s: WaitAllOp(deps=[], loc=where, ip=ir.InsertionPoint(self.block)).operation for s in SECTIONS}
        self.tiles: dict[Place, Any] = {}
        self.locks: dict[tuple[Place, int], Any] = {}
        self.buffers: dict[int, Any] = {}

    def ip(self, section: str) -> Any:
        """Where the next operation of `section` goes."""
        return ir.InsertionPoint(self._ends[section])

    def finish(self) -> None:
        """Takes the marks of the sections away."""
        for end in self._ends.values():
            end.erase()

    def tile(self, place: Place, memtile_rows: tuple[int, ...]) -> Any:
        """The value of the tile at `place`."""
        if place not in self.tiles:
            section = "shims" if place[1] == 0 else "memtiles" if place[1] in memtile_rows else "cores"
            self.tiles[place] = aie.TileOp(col=place[0], row=place[1], loc=self.where, ip=self.ip(section)).tile
        return self.tiles[place]

    def buffer(self, number: int, kind: Any, tile: Any, where: Any) -> Any:
        """A buffer called after its number."""
        made = aie.BufferOp(tile=tile, sym_name=f"buf{number}", buffer=kind, loc=where, ip=self.ip("buffers")).buffer
        self.buffers[number] = made
        return made

    def program(self, program: TileProgram, tile: Any, memtile: bool) -> None:
        """The locks and the DMA program of a tile."""
        for lock in program.locks:
            made = aie.LockOp(tile=tile, lockID=lock.number, init=lock.init, loc=self.where, ip=self.ip("locks"))
            self.locks[program.place, lock.number] = made.lock
        if not program.rings:
            return
        kind = aie.MemTileDMAOp if memtile else aie.MemOp
        holder = kind(tile=tile, loc=self.where, ip=self.ip("programs"))
        self._rings(holder.regions[0], program)

    def _rings(self, region: Any, program: TileProgram) -> None:
        """A block that starts each ring, a block for each BD, and one that ends."""
        starts = [region.blocks.append() for _ in program.rings]
        bodies = [[region.blocks.append() for _ in ring.bds] for ring in program.rings]
        end = region.blocks.append()
        aie.EndOp(loc=self.where, ip=ir.InsertionPoint(end))
        for ring, start, after, blocks in zip(program.rings, starts, [*starts[1:], end], bodies, strict=True):
            self._start(ring, start, after, blocks)
            for bd, block, following in zip(ring.bds, blocks, [*blocks[1:], blocks[0]], strict=True):
                self._bd(program.place, bd, block, following)

    def _start(self, ring: Ring, start: Any, after: Any, blocks: list[Any]) -> None:
        aie.DMAStartOp(
            channel_dir="MM2S" if ring.sends else "S2MM",
            channel_index=ring.channel,
            dest=blocks[0],
            chain=after,
            loc=self.where,
            ip=ir.InsertionPoint(start),
        )

    def _bd(self, place: Place, bd: BD, block: Any, following: Any) -> None:
        ip = ir.InsertionPoint(block)
        if bd.hold.acquire:
            self.use_lock(place, *bd.hold.acquire, release=False, ip=ip)
        dims = ", ".join(f"array<i64: {size}, {stride}>" for size, stride in bd.dims)
        aie.DMABDOp(
            buffer=self.buffers[bd.buffer],
            offset=bd.walk.offset,
            len=bd.walk.length,
            dimensions=ir.Attribute.parse(f"#aie.bd_dim_layout_array<[{dims}]>") if bd.dims else None,
            loc=self.where,
            ip=ip,
        )
        if bd.hold.release:
            self.use_lock(place, *bd.hold.release, release=True, ip=ip)
        aie.NextBDOp(dest=following, loc=self.where, ip=ip)

    def use_lock(self, place: Place, lock: int, amount: int, *, release: bool, ip: Any) -> None:
        """Takes `amount` from a lock of the tile at `place`, or gives it."""
        action = "Release" if release else "AcquireGreaterEqual"
        aie.UseLockOp(lock=self.locks[place, lock], action=action, value=amount, loc=self.where, ip=ip)

    def herd_lock(self, place: Place, number: int) -> int:
        """Lock `number` of the core at `place`, by which the host lets its herd go (airrt-to-npu); returns its number."""
        name = f"__air_herd_lock_{place[0]}_{place[1]}"
        made = aie.LockOp(tile=self.tiles[place], lockID=number, init=0, sym_name=name, loc=self.where, ip=self.ip("locks"))
        self.locks[place, number] = made.lock
        return number

    def flow(self, flow: Flow) -> None:
        """One `aie.flow` for each destination of a stream."""
        source, _, channel = flow.source
        for dest, _, dest_channel in flow.dests:
            aie.FlowOp(
                source=self.tiles[source],
                dest=self.tiles[dest],
                source_bundle="DMA",
                source_channel=channel,
                dest_bundle="DMA",
                dest_channel=dest_channel,
                loc=self.where,
                ip=self.ip("flows"),
            )
