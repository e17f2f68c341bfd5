"""Replaces control packets of a runtime sequence by transfers from a host buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.dialects.declarations import device_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.controllers import allocation, shim_channel
from allo_air.target.control_packets import controller_of, controllers, packets_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp

_MM2S = 1


def send(device_op: AnyOp, sequence: RuntimeSequenceOp) -> None:
    """Rewrites the packets of `sequence`; DiagnosticError if a tile has no controller id, or no channel leads to it."""
    device, all_controllers = device_of(device_op), controllers(device_op.opview)
    packets = list(packets_of(sequence, device))
    if not packets:
        return
    names = {sym_name_of(o) for o in walk_named(device_op, "aie.shim_dma_allocation")}
    kind = ir.MemRefType.get([ir.ShapedType.get_dynamic_size()], ir.IntegerType.get_signless(32))
    block = sequence.body.blocks[0]
    buffer = block.add_argument(kind, sequence.location)
    offset = 0
    for packet in packets:
        column, row = packet.tile
        channel = shim_channel(device, row)
        name = allocation(column, channel)
        if name not in names:
            raise error_at(
                packet.op,
                f"goes to tile {packet.tile} by @{name}, which does not exist; run "
                "aie-generate-column-control-overlay{route-shim-to-tile-ctrl=true} first",
            )
        length = len(packet.words(controller_of(packet, all_controllers)))
        loc_and_ip = {"loc": packet.op.location, "ip": ir.InsertionPoint(packet.op)}
        aiex.NpuDmaMemcpyNdOp(
            memref=buffer, offsets=[], sizes=[], strides=[],
            static_offsets=[0, 0, 0, offset], static_sizes=[1, 1, 1, length], static_strides=[0, 0, 0, 1],
            metadata=name, id=0, issue_token=True, **loc_and_ip,
        )  # fmt: skip
        place = {"column": column, "row": 0, "direction": _MM2S, "channel": channel}
        aiex.NpuSyncOp(**place, column_num=1, row_num=1, **loc_and_ip)
        packet.op.operation.erase()
        offset += length
