"""From the trace units of a device to a buffer of the host."""

from __future__ import annotations

from itertools import count
from typing import Any

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._analysis.controllers import tile_at
from allo_air.passes._ir.trace_host import START_EVENT, STOP_EVENT, broadcast, generate, receive
from allo_air.passes.trace._unit import Unit

_TRACE, _DMA = (int(BUNDLE.stored(name).split(" :")[0]) for name in ("Trace", "DMA"))


class Flows:
    """The traces of one device, and where their packets end."""

    def __init__(self, device_op: Any, channel: int, argument: int, size: int):
        if size <= 0 or size % 4:
            raise PassError(
                f"aie-insert-trace-flows: buffer-size={size}: wanted a number of bytes above 0 that is a multiple of 4"
            )
        self.op, self.device = device_op, device_of(device_op)
        self.channel, self.argument, self.size = channel, argument, size
        self.units = [Unit(device_op, trace) for trace in declarations(device_op, "aie.trace")]

    def run(self) -> None:
        """Adds flows, and to sequences what receives, starts and stops."""
        if not self.units:
            return
        self._number()
        column, channel = self._end()
        shim = tile_at(self.op, (column, 0))
        for unit in self.units:
            self._flow(unit, shim, channel)
        for sequence in declarations(self.op, "aie.runtime_sequence"):
            self._sequence(sequence, column, channel)

    def _number(self) -> None:
        """Gives a packet id to each unit that has none."""
        taken = {flow.ID for flow in declarations(self.op, "aie.packet_flow")}
        taken |= {unit.packet.id for unit in self.units if unit.packet is not None}
        for unit in self.units:
            if unit.packet is not None:
                continue
            number = next(n for n in count(1) if n not in taken)
            if number > MAX_PACKET_ID:
                raise error_at(unit.op, f"has no packet id, and all up to {MAX_PACKET_ID} are taken")
            taken.add(number)
            ip = ir.InsertionPoint.at_block_begin(unit.op.body.blocks[0])
            unit.packet = aie.TracePacketOp(id=number, type=unit.module.packet_type, loc=unit.op.operation.location, ip=ip)

    def _end(self) -> tuple[int, int]:
        """Column and channel of the shim that receives."""
        taken = self._taken()
        first = self.units[0].place[0]
        for column in sorted(range(self.device.columns), key=lambda c: (c != first, c)):
            channels = self.device.tile(column, 0).channels[0]
            for channel in (self.channel,) if self.channel >= 0 else reversed(range(channels)):
                if channel < channels and (column, channel) not in taken:
                    return column, channel
        wanted = f"S2MM {self.channel}" if self.channel >= 0 else "S2MM channel"
        raise error_at(self.units[0].op, f"has nowhere to go: no shim has a free {wanted} (shim-channel={self.channel})")

    def _taken(self) -> set[tuple[int, int]]:
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

    def _flow(self, unit: Unit, shim: Any, channel: int) -> None:
        at = {"loc": unit.op.operation.location}
        flow = aie.PacketFlowOp(ID=unit.packet.id, keep_pkt_header=True, ip=ir.InsertionPoint(self.op.opview.block), **at)
        ip = ir.InsertionPoint(flow.ports.blocks.append())
        aie.PacketSourceOp(tile=unit.op.tile, bundle=_TRACE, channel=unit.module.channel, ip=ip, **at)
        aie.PacketDestOp(tile=shim.result, bundle=_DMA, channel=channel, ip=ip, **at)
        aie.EndOp(ip=ip, **at)

    def _sequence(self, sequence: Any, column: int, channel: int) -> None:
        starts = [o.opview for o in walk_named(sequence, "aie.trace.start_config")]
        by_name = {unit.op.sym_name: unit for unit in self.units}
        started = [by_name[s.trace_config] for s in starts if s.trace_config in by_name]
        if not started:
            return
        begins = {b: START_EVENT for unit in started if (b := unit.broadcast("aie.trace.start")) is not None}
        ends = {b: STOP_EVENT for unit in started if (b := unit.broadcast("aie.trace.stop")) is not None}
        argument = self.argument if self.argument >= 0 else len(sequence.body.blocks[0].arguments)
        location = starts[-1].operation.location
        after = ir.InsertionPoint.after(starts[-1].operation)
        with location, after:
            receive(self.device, column, channel, started[0].packet.id, argument, 0, self.size)
            broadcast(column, begins | ends)
            if begins:
                generate(column, START_EVENT)
        if ends:
            with location, ir.InsertionPoint(sequence.body.blocks[0]):
                generate(column, STOP_EVENT)
