"""air-divide-l2-riders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import GET, PUT, RIDES
from allo_air.passes.memory._alternate import on
from allo_air.passes.memory._panels import piece_of
from allo_air.passes.memory._parts import feed, split_buffer


@dataclass(frozen=True)
class AirDivideL2Riders(Pass):
    """Brings half of what rides on the first channel of a bundle over the second.

    The pieces in L2 of an operand that `air-alternate-l2-channels` let ride in front of those of another one become two each,
    along the dimension in which they are read, of which the second rides on the next channel, in front of what that brings.
    So no channel carries all of it beside its own. What `air-alternate-l2-channels` lets take turns is divided already, by
    pieces; what is not read in two equal parts stays.

    Before:

        air.channel.put @in[%c0, %c0] (%v[%k, %c0] [%c32, %c8] [%c8, %c1]) {air.rides} : (memref<128x8xf32>)
        air.channel.put @in[%c0, %c0] (%a[%c0, %k] [%c64, %c32] [%c128, %c1]) : (memref<128x128xf32>)
        air.channel.put @in[%c1, %c0] (%a[%c64, %k] [%c64, %c32] [%c128, %c1]) : (memref<128x128xf32>)

    After, and so at the other end:

        air.channel.put @in[%c0, %c0] (%v[%k, %c0] [%c16, %c8] [%c8, %c1]) {air.rides} : (memref<128x8xf32>)
        air.channel.put @in[%c1, %c0] (%v[%k + 16, %c0] [%c16, %c8] [%c8, %c1]) {air.rides} : (memref<128x8xf32>)
        air.channel.put @in[%c0, %c0] (%a[%c0, %k] [%c64, %c32] [%c128, %c1]) : (memref<128x128xf32>)
        air.channel.put @in[%c1, %c0] (%a[%c64, %k] [%c64, %c32] [%c128, %c1]) : (memref<128x128xf32>)
    """

    name = "air-divide-l2-riders"
    anchor = "func.func"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        function = op.operation
        module = list(parents(function))[-1]
        with op.context, op.location:
            for segment in walk_named(function, "air.segment"):
                _divide(segment, module)


def _divide(segment: ir.Operation, module: ir.Operation) -> None:
    """Divides the pieces that ride on one channel, where all can be."""
    riding = [b for b in buffers_in(segment) if any(t.name == GET and RIDES in t.attributes for t in b.transfers)]
    pieces = [piece_of(buffer, module) for buffer in riding]
    halved = [piece for piece in pieces if piece is not None and 2 in piece.parts(2)]
    if not pieces or len(halved) < len(pieces) or len({piece.far for piece in halved}) > 1:
        return
    name = halved[0].get.attributes["chan_name"].value
    feed(halved[0], 2)
    for piece in halved:
        split_buffer(piece, 2)
    for end in (GET, PUT):
        for half in _riders(module, end, name)[1::2]:
            on(half, name, 1)


def _riders(module: ir.Operation, end: str, name: str) -> list[Any]:
    return [t for t in walk_named(module, end) if RIDES in t.attributes and t.attributes["chan_name"].value == name]
