"""Operations of a runtime sequence for its traces: the packet buffer, and the events that start and stop units."""

from __future__ import annotations

from collections.abc import Mapping

from allo_air.device import Device
from allo_air.dialects import aiex
from allo_air.dialects.aiex import WRITEBD_FIELDS
from allo_air.mlir import ir
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE

_BD = 15
"""The shim BD of traces, as in mlir-aie; tasks take the lowest free one."""
_EVENT_GENERATE, _BROADCAST = 0x34008, 0x34010
"""Registers of a shim's event unit: broadcast n is configured 4 n bytes after the first (AM025)."""
START_EVENT, STOP_EVENT = 127, 126
"""The shim's USER_EVENT_1 and USER_EVENT_0, which the sequence makes and the shim broadcasts, as in mlir-aie."""
START, STOP = 15, 14
"""Broadcasts that start and stop traces, as in mlir-aie."""


def write(place: tuple[int, int], address: int, value: int) -> None:
    """Emits a write of a register of the tile at `place`."""
    aiex.NpuWrite32Op(column=place[0], row=place[1], address=address, value=value)


def receive(
    device: Device,
    column: int,
    channel: int,
    number: int,
    argument: int,
    offset: int,
    size: int,
    bd: int = _BD,
    burst: int = 0,
) -> None:
    """Emits the shim's BD for packets with id `number` of an S2MM channel, `size` bytes at byte `offset` of an argument, and
    its push to the channel's queue, without a token.
    """
    fields = {"buffer_length": size // 4, "buffer_offset": offset, "enable_packet": 1, "packet_id": number, "valid_bd": 1}
    fields |= {"burst_length": burst}
    i32 = ir.IntegerType.get_signless(32)
    rest = {n: ir.IntegerAttr.get(i32, fields.get(n, 0)) for n in WRITEBD_FIELDS if n not in ("column", "row", "bd_id")}
    aiex.NpuWriteBdOp(column=column, row=0, bd_id=bd, attributes=rest)
    address = device.address(column, 0, BD_BASE["shim_noc"] + BD_STRIDE * bd + 4)
    aiex.NpuAddressPatchOp(addr=address, arg_idx=argument, arg_plus=offset)
    aiex.NpuPushQueueOp(column=column, row=0, direction=0, channel=channel, issue_token=False, repeat_count=0, bd_id=bd)


def broadcast(column: int, events: Mapping[int, int]) -> None:
    """Makes the shim of `column` broadcast events, by broadcast channel, to all tiles."""
    for number, event in events.items():
        write((column, 0), _BROADCAST + 4 * number, event)


def generate(column: int, event: int) -> None:
    """Generates an event of the shim of `column`."""
    write((column, 0), _EVENT_GENERATE, event)
