"""Adds tracing of cores to a runtime sequence. A core's trace unit sends packets of events (docs/sources.md#hardware-flow)
along the packet flow from its Trace port. A shim channel writes the packets of all flows that end there to its part of an
additional argument of the sequence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.device import Device
from allo_air.dialects.aie import DeviceOp, RuntimeSequenceOp
from allo_air.dialects.declarations import device_of
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._ir.trace_host import START, START_EVENT, STOP, STOP_EVENT, broadcast, generate, receive, write

if TYPE_CHECKING:
    from allo_air.dialects._aie_streams import PacketDestOp, PacketSourceOp

TRACE, DMA = 9, 1
"""Bundles of a switch's ports (docs/sources.md#aie-dialect, WireBundle)."""

_TIMER_CONTROL = 0x34000
_CONTROL, _PACKET, _EVENTS, _PORTS = 0x340D0, 0x340D4, 0x340E0, 0x3FF00
"""Registers of a core's event unit (AM025)."""
_CORE_BROADCAST = 107
"""The core's event for broadcast 0; those for other broadcasts follow (aie-rt, XAIE_EVENT_BROADCAST_n_CORE)."""
_TRACED = (33, 34, 37, 75, 79, 26, 44, 45)
"""INSTR_EVENT_0 and _1, INSTR_VECTOR, PORT_RUNNING_0 and _1, LOCK_STALL, INSTR_LOCK_ACQUIRE_REQ and _RELEASE_REQ."""
_DMA_IN, _DMA_OUT = 1 << 5 | 1, 1
"""The ports that PORT_RUNNING_0 and _1 observe: the switch's master port 1 (DMA 0 in) and slave port 1 (DMA 0 out); bit 5
means master.
"""


@dataclass(frozen=True)
class TraceBuffer:
    """The trace buffer: `size` bytes for each shim channel that receives traces, from byte `offset` on."""

    size: int
    offset: int

    @classmethod
    def of(cls, name: str, size: int, offset: int) -> TraceBuffer | None:
        """The trace buffer from the options of pass `name`; None if nothing is traced."""
        for option, value in (("trace-size", size), ("trace-offset", offset)):
            if value < 0 or value % 4:
                raise PassError(f"{name}: {option}={value}: expected a number of bytes from 0 that is a multiple of 4")
        if offset and not size:
            raise PassError(f"{name}: trace-offset={offset} without a trace: give trace-size as well")
        return cls(size, offset) if size else None


@dataclass(frozen=True)
class _Traced:
    """A core, its packet id, and the destination: a shim's column and S2MM channel."""

    place: tuple[int, int]
    number: int
    end: tuple[int, int]


def add_traces(device_op: DeviceOp, sequence: RuntimeSequenceOp, buffer: TraceBuffer) -> None:
    """Starts the traces at the start of `sequence`, and stops them at its end."""
    device = device_of(device_op)
    traced = _traced(device_op, device)
    if not traced:
        raise error_at(
            device_op,
            "has no packet flow from the Trace port of a core to a shim's DMA, so there is nothing to trace; make it with"
            " air-to-aie{insert-trace-packet-flow=true}, or leave trace-size at 0",
        )
    ends = sorted({t.end for t in traced})
    block = sequence.body.blocks[0]
    words = (buffer.offset + buffer.size * len(ends)) // 4
    i32 = ir.IntegerType.get_signless(32)
    place = sum(isinstance(a.type, ir.ShapedType) for a in block.arguments)  # patches count only buffers, not scalars
    block.add_argument(ir.MemRefType.get([words], i32), sequence.operation.location)
    operations = list(block.operations)
    first = ir.InsertionPoint(operations[0]) if operations else ir.InsertionPoint(block)
    with sequence.operation.location, first:
        for core in traced:
            _core(core)
        for i, (column, channel) in enumerate(ends):
            number = next(t.number for t in traced if t.end == (column, channel))
            receive(device, column, channel, number, place, buffer.offset + i * buffer.size, buffer.size)
        broadcast(ends[0][0], {START: START_EVENT, STOP: STOP_EVENT})
        generate(ends[0][0], START_EVENT)
    with sequence.operation.location, ir.InsertionPoint(block):
        generate(ends[0][0], STOP_EVENT)


def _traced(device_op: DeviceOp, device: Device) -> list[_Traced]:
    results = []
    for flow in device_op.block.operations:
        if flow.operation.name != "aie.packet_flow":
            continue
        ports = [o for o in flow.ports.blocks[0].operations if o.operation.name in ("aie.packet_source", "aie.packet_dest")]
        source, *dests = sorted(ports, key=lambda o: o.operation.name != "aie.packet_source")
        if source.bundle != TRACE or len(dests) != 1 or dests[0].bundle != DMA:
            continue
        (column, row), (to, bottom) = (_place(p) for p in (source, dests[0]))
        if device.kind(column, row) == "core" and bottom == 0:
            results.append(_Traced((column, row), flow.ID, (to, dests[0].channel)))
    return results


def _place(port: PacketDestOp | PacketSourceOp) -> tuple[int, int]:
    owner = port.tile.owner.operation
    if "col" not in owner.attributes:
        raise error_at(port, "is on a tile without a place; place the tiles before (aie-place-tiles)")
    return owner.attributes["col"].value, owner.attributes["row"].value


def _core(core: _Traced) -> None:
    """Configures a core's trace unit: the timer is reset at the start of the trace, and packets have type 0 (core)."""
    start, stop = _CORE_BROADCAST + START, _CORE_BROADCAST + STOP
    write(core.place, _TIMER_CONTROL, start << 8)
    write(core.place, _CONTROL, stop << 24 | start << 16)
    write(core.place, _PACKET, core.number)
    for i in range(0, len(_TRACED), 4):
        write(core.place, _EVENTS + i, sum(event << 8 * n for n, event in enumerate(_TRACED[i : i + 4])))
    write(core.place, _PORTS, _DMA_OUT << 8 | _DMA_IN)
