"""Lowers the objectFifos of a device, step by step."""

from __future__ import annotations

from typing import Any

from allo_air.passes._objectfifo import channels, cores, link, programs
from allo_air.passes._objectfifo.elements import Elements
from allo_air.passes._objectfifo.read import read
from allo_air.passes._objectfifo.streams import Streams

_LOWERED = (
    "aie.objectfifo.link",
    "aie.objectfifo.allocate",
    "aie.objectfifo.register_external_buffers",
    "aie.objectfifo",
)
"""Operations that are gone afterwards, users first."""


def lower(device_op: Any, *, dynamic: bool, packets: bool) -> None:
    """Rewrites an `aie.device` in place; DiagnosticError where a FIFO or its use cannot be built."""
    design = read(device_op)
    if not design.fifos:
        return
    link.connect(design)
    channels.assign(design)
    Elements(design).build()
    streams = Streams(design, packets)
    streams.build()
    programs.build(design, streams.packet_of)
    cores.lower(design, dynamic=dynamic)
    streams.rename()
    for name in _LOWERED:
        for op in [o.operation for o in design.block.operations if o.operation.name == name]:
            op.erase()
