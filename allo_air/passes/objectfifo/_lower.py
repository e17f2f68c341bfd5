"""Lowers the objectFifos of a device, step by step."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.dialects.declarations import ANYWHERE, declarations
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design
from allo_air.passes.objectfifo import _channels as channels
from allo_air.passes.objectfifo import _cores as cores
from allo_air.passes.objectfifo import _link as link
from allo_air.passes.objectfifo import _programs as programs
from allo_air.passes.objectfifo import _rearm as rearm
from allo_air.passes.objectfifo import _spill as spill
from allo_air.passes.objectfifo._elements import Elements
from allo_air.passes.objectfifo._read import read
from allo_air.passes.objectfifo._streams import Streams

_LOWERED = (
    "aie.objectfifo.link",
    "aie.objectfifo.allocate",
    "aie.objectfifo.register_external_buffers",
    "aie.objectfifo",
)
"""Operations that are erased at the end, users first."""


def lower(device_op: ir.Operation, *, dynamic: bool, packets: bool, august: bool = False) -> None:
    """Rewrites an `aie.device` in place; DiagnosticError if a FIFO or its use cannot be lowered. With `august`, the result is
    that of mlir-aie of August 2026, otherwise of March (see the pass).
    """
    design = read(device_op)
    if not design.fifos:
        return
    _hoist_declarations(design)
    link.connect(design)
    spill.move(design, largest_first=august)
    channels.assign(design)
    Elements(design, numbered=not august).build()
    streams = Streams(design, packets)
    streams.build()
    programs.build(design, streams.packet_of, repeats=august)
    rearm.bind(design)
    cores.lower(design, dynamic=dynamic, carried=august)
    streams.rename()
    for name in _LOWERED:
        for op in [o.operation for o in design.block.operations if o.operation.name == name]:
            op.erase()


def _hoist_declarations(design: Design) -> None:
    """Moves buffers and locks that are declared in cores before them, since the loops around may be unrolled."""
    for core in declarations(design.op, "aie.core"):
        for op in walk_named(core, *ANYWHERE):
            op.move_before(core.operation)
