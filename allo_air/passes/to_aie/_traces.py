"""Packet flows that carry the traces of a device's cores to its shims."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import cycle

from allo_air.core.diagnostics import error_at
from allo_air.device import Device
from allo_air.dialects import aie
from allo_air.mlir import ir
from allo_air.passes.to_aie._design import Place, Port
from allo_air.passes.to_aie._emit import DeviceBuilder

_IDS = 32
"""Packet ids (5 bits)."""


def add_flows(
    builder: DeviceBuilder,
    cores: Iterable[Place],
    used_ports: Iterable[Port],
    device: Device,
    op: ir.Operation,
    ids: Collection[int] = (),
) -> None:
    """Adds a packet flow from the Trace port of each of `cores` to an S2MM channel, not in `used_ports`, of the nearest shim
    that has one. `ids` are used by other packets. Packets keep their headers, which identify the cores on a channel."""
    used = set(used_ports)
    shims = [c for c in range(device.columns) if device.kind(c, 0) == "shim_noc"]
    free = [((c, 0), False, n) for c in shims for n in range(device.tile(c, 0).channels[0]) if ((c, 0), False, n) not in used]
    if not free:
        raise error_at(
            op, "leaves no shim S2MM channel for traces: all bring results to external memory; use fewer, or do not trace"
        )
    numbers = [n % _IDS for n in range(1, _IDS + 1) if n % _IDS not in ids] or list(range(1, _IDS))
    for place, number in zip(cores, cycle(numbers), strict=False):
        shim, _, channel = min(free, key=lambda port, place=place: (abs(port[0][0] - place[0]), -port[2]))  # type: ignore[misc]
        flow = aie.PacketFlowOp(ID=number, keep_pkt_header=True, loc=builder.location, ip=builder.ip("flows"))
        inside = {"loc": builder.location, "ip": ir.InsertionPoint(flow.regions[0].blocks.append())}
        aie.PacketSourceOp(tile=builder.tile(place, device.mem_rows), bundle="Trace", channel=0, **inside)
        aie.PacketDestOp(tile=builder.tile(shim, device.mem_rows), bundle="DMA", channel=channel, **inside)
        aie.EndOp(**inside)
