"""air-divide-l2-riders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import BESIDE, GET, PUT, RIDES
from allo_air.passes.memory._alternate import on
from allo_air.passes.memory._panels import piece_of
from allo_air.passes.memory._parts import feed, split_buffer

_OF_COLUMN = 2
"""Channels of a shim in each direction."""


@dataclass(frozen=True)
class AirDivideL2Riders(Pass):
    """Divides what rides on the first channel of a bundle among several.

    The pieces in L2 of an operand that `air-alternate-l2-channels` let ride in front of those of another one become several
    each, along the dimension in which they are read, of which each rides on a channel of its own, in front of what that brings.
    So no channel carries all of it beside its own. As many as `air.rides` says, those of one column or of two: what comes over
    the channels of the second is in the memtile beside (`air.beside`). Of what is not read in so many equal parts, half as many
    are made, or none. What `air-alternate-l2-channels` lets take turns is divided already, by pieces.

    Before:

        air.channel.put @in[%c0, %c0] (%v[%k, %c0] [%c32, %c8] [%c8, %c1]) {air.rides = 2} : (memref<128x8xf32>)
        air.channel.put @in[%c0, %c0] (%a[%c0, %k] [%c64, %c32] [%c128, %c1]) : (memref<128x128xf32>)
        air.channel.put @in[%c1, %c0] (%a[%c64, %k] [%c64, %c32] [%c128, %c1]) : (memref<128x128xf32>)

    After, and so at the other end:

        air.channel.put @in[%c0, %c0] (%v[%k, %c0] [%c16, %c8] [%c8, %c1]) {air.rides = 2} : (memref<128x8xf32>)
        air.channel.put @in[%c1, %c0] (%v[%k + 16, %c0] [%c16, %c8] [%c8, %c1]) {air.rides = 2} : (memref<128x8xf32>)
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
    pieces = [piece for piece in (piece_of(buffer, module) for buffer in riding) if piece is not None]
    if not pieces or len(pieces) < len(riding) or len({piece.far for piece in pieces}) > 1:
        return
    asked, name = pieces[0].get.attributes[RIDES].value, pieces[0].get.attributes["chan_name"].value
    count = next((n for n in (asked, asked // 2) if n > 1 and all(n in piece.parts(n) for piece in pieces)), 1)
    if count == 1:
        return
    feed(pieces[0], count)
    for piece in pieces:
        split_buffer(piece, count)
    allocs = {b.value: b.alloc for b in buffers_in(segment)}
    for end in (GET, PUT):
        for number, part in enumerate(_riders(module, end, name)):
            if end == GET and number % count >= _OF_COLUMN:
                allocs[memref_of(part)].attributes[BESIDE] = ir.UnitAttr.get()
            on(part, name, number % count)


def _riders(module: ir.Operation, end: str, name: str) -> list[Any]:
    return [t for t in walk_named(module, end) if RIDES in t.attributes and t.attributes["chan_name"].value == name]
