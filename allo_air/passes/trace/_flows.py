"""Routes the packets of a device's trace units to a buffer of the host."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.dialects.memrefs import element_bits
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.controllers import tile_at
from allo_air.passes._ir.trace_host import START_EVENT, STOP_EVENT, broadcast, generate, receive
from allo_air.passes.trace._unit import Unit

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp, TileOp

_TRACE, _DMA = (int(BUNDLE.stored(name).split(" :")[0]) for name in ("Trace", "DMA"))


@dataclass(frozen=True)
class Choices:
    """Settings for receiving traces: the first packet id, the BD, the burst length, and the column (-1: that of the traced
    tile)."""

    first_id: int = 1
    bd: int = 15
    burst: int = 64
    column: int = -1
    distribute: bool = False


class Flows:
    """The traces of one device, and the destinations of their packets."""

    def __init__(self, device_op: Any, channel: int, argument: int, size: int, choices: Choices | None = None):
        if size <= 0 or size % 4:
            raise PassError(
                f"aie-insert-trace-flows: buffer-size={size}: expected a number of bytes above 0 that is a multiple of 4"
            )
        self.op, self.device = device_op, device_of(device_op)
        self.channel, self.argument, self.size = channel, argument, size
        self.choices = choices or Choices()
        self.units = [Unit(device_op, trace) for trace in declarations(device_op, "aie.trace")]
        self.hosts = [o.opview for o in walk_named(device_op, "aie.trace.host_config")]

    def run(self) -> None:
        """Adds flows, and operations to sequences that receive, start and stop the traces."""
        if self.units:
            self._check_once()
            self._number()
            column, channels = self._end()
            shim = tile_at(self.op, (column, 0))
            ends = [channels[i % len(channels)] for i in range(len(self.units))]
            for unit, channel in zip(self.units, ends, strict=True):
                self._flow(unit, shim, channel)
            for sequence in declarations(self.op, "aie.runtime_sequence"):
                self._sequence(sequence, column, ends)
        for host in self.hosts:
            host.operation.erase()

    def _check_once(self) -> None:
        """Checks that each unit of a tile is traced once."""
        visited: dict[Any, Any] = {}
        for unit in self.units:
            key = unit.place, unit.module.name
            if key in visited:
                raise error_at(
                    unit.op, f"traces the {unit.module.name} unit of tile {unit.place}, which @{visited[key]} does already"
                )
            visited[key] = unit.op.sym_name

    def _number(self) -> None:
        """Gives a packet id to each unit that has none."""
        used_ids = {flow.ID for flow in declarations(self.op, "aie.packet_flow")}
        used_ids |= {unit.packet.id for unit in self.units if unit.packet is not None}
        used_ids.discard(None)
        for unit in sorted(self.units, key=lambda unit: unit.place):
            if unit.packet is not None and unit.packet.id is not None:
                continue
            number = next(n for n in count(self.choices.first_id) if n not in used_ids)
            if number > MAX_PACKET_ID:
                raise error_at(unit.op, f"has no packet id, and all up to {MAX_PACKET_ID} are taken")
            used_ids.add(number)
            if unit.packet is not None:
                unit.packet.id = number
                continue
            ip = ir.InsertionPoint.at_block_begin(unit.op.body.blocks[0])
            unit.packet = aie.TracePacketOp(id=number, type=unit.module.packet_type, loc=unit.op.operation.location, ip=ip)

    def _end(self) -> tuple[int, list[int]]:
        """Column and channels of the receiving shim: the requested ones if they are free, otherwise others, possibly in
        another column."""
        used_channels = self._used_channels()
        first = self._column()
        for column in sorted(range(self.device.columns), key=lambda c: (c != first, c)):
            count_ = self.device.tile(column, 0).channels[0] if self.device.kind(column, 0) == "shim_noc" else 0
            channels = sorted(range(count_), key=lambda c: (c != self.channel, -c))
            free = [channel for channel in channels if (column, channel) not in used_channels]
            if free:
                return column, free if self.choices.distribute else free[:1]
        raise error_at(self.units[0].op, "has nowhere to go: no shim has a free S2MM channel")

    def _column(self) -> int:
        """The column whose shim is tried first."""
        values = [host.egress_shim_col for host in self.hosts if host.egress_shim_col is not None]
        if self.choices.column >= 0:
            values = [self.choices.column]
        if values and not 0 <= values[0] < self.device.columns:
            raise PassError(f"aie-insert-trace-flows: column {values[0]}: {self.device.name} has {self.device.columns} columns")
        return values[0] if values else self.units[0].place[0]

    def _used_channels(self) -> set[tuple[int, int]]:
        """Column and S2MM channel of shims at which flows end."""
        ends = [(o, o.dest, o.dest_bundle, o.dest_channel) for o in declarations(self.op, "aie.flow")]
        ends += [(o, o.tile, o.bundle, o.channel) for o in (p.opview for p in walk_named(self.op, "aie.packet_dest"))]
        places = {(place_of(o, tile), channel) for o, tile, bundle, channel in ends if bundle == _DMA}
        fifos = {
            (a.tile.owner.opview.col, a.channel_index)
            for a in declarations(self.op, "aie.shim_dma_allocation")
            if a.channel_dir == 0
        }
        return {(column, channel) for (column, row), channel in places if row == 0} | fifos

    def _flow(self, unit: Unit, shim: TileOp, channel: int) -> None:
        loc = {"loc": unit.op.operation.location}
        flow = aie.PacketFlowOp(ID=unit.packet.id, keep_pkt_header=True, ip=ir.InsertionPoint(self.op.opview.block), **loc)
        ip = ir.InsertionPoint(flow.ports.blocks.append())
        aie.PacketSourceOp(tile=unit.op.tile, bundle=_TRACE, channel=unit.module.channel, ip=ip, **loc)
        aie.PacketDestOp(tile=shim.result, bundle=_DMA, channel=channel, ip=ip, **loc)
        aie.EndOp(ip=ip, **loc)

    def _sequence(self, sequence: RuntimeSequenceOp, column: int, channels: list[int]) -> None:
        starts = [o.opview for o in walk_named(sequence, "aie.trace.start_config")]
        by_name = {unit.op.sym_name: unit for unit in self.units}
        ends_of = {unit.op.sym_name: channel for unit, channel in zip(self.units, channels, strict=True)}
        started = [by_name[s.trace_config] for s in starts if s.trace_config in by_name]
        if not started:
            return
        begins = {b: START_EVENT for unit in started if (b := unit.broadcast("aie.trace.start")) is not None}
        ends = {b: STOP_EVENT for unit in started if (b := unit.broadcast("aie.trace.stop")) is not None}
        used = list(dict.fromkeys(ends_of[unit.op.sym_name] for unit in started))
        argument, offset, size = self._buffer(sequence)
        part = size // len(used) // 4 * 4
        location = starts[-1].operation.location
        after = ir.InsertionPoint.after(starts[-1].operation)
        with location, after:
            for i, channel in enumerate(used):
                first = next(unit for unit in started if ends_of[unit.op.sym_name] == channel)
                bd = self.choices.bd - i
                offset_of_unit = offset + i * part
                receive(
                    self.device, column, channel, first.packet.id, argument, offset_of_unit, part, bd, self._burst(sequence)
                )
            broadcast(column, begins | ends)
            if begins:
                generate(column, START_EVENT)
        if ends:
            with location, ir.InsertionPoint(sequence.body.blocks[0]):
                generate(column, STOP_EVENT)

    def _host(self, sequence: AnyOp) -> Any:
        """The sequence's configuration of its trace buffer, or None."""
        results = [o.opview for o in walk_named(sequence, "aie.trace.host_config")]
        if len(results) > 1:
            raise error_at(results[1], "is the second of its runtime sequence, which has one trace buffer")
        return results[0] if results else None

    def _burst(self, sequence: AnyOp) -> int:
        return 0 if self._host(sequence) is None else self.choices.burst

    def _buffer(self, sequence: RuntimeSequenceOp) -> tuple[int, int, int]:
        """The argument that traces are written to, the offset of the first byte, and the number of bytes.

        A sequence with a host_config gets one more argument, or what lies after the data in the last one.
        """
        block, host = sequence.body.blocks[0], self._host(sequence)
        buffers = [a for a in block.arguments if isinstance(a.type, ir.MemRefType)]
        if host is None:
            return self.argument if self.argument >= 0 else len(buffers), 0, self.size
        size = host.buffer_size or self.size
        if size <= 0 or size % 4:
            raise error_at(host, f"has buffer_size {size}; expected a number of bytes above 0 that is a multiple of 4")
        if host.routing is not None and "single" not in str(host.routing) and str(host.routing) not in ("0", "0 : i32"):
            raise error_at(host, f"has routing {host.routing}; all traces go one way: single")
        if host.reuse_output_buffer:
            if not buffers:
                raise error_at(host, "reuses the last buffer of a runtime sequence that has none")
            kind = buffers[-1].type
            return len(buffers) - 1, prod(kind.shape) * (element_bits(kind) or 8) // 8, size
        block.add_argument(ir.MemRefType.get([size], ir.IntegerType.get_signless(8)), host.location)
        return len(buffers), 0, size
