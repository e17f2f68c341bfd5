"""Pieces of an operand that come to pairs of memtiles in quarters, over two channels of each, for the cores of two columns."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.operands import memref_of
from allo_air.mlir import ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import BESIDE, FROM_BESIDE, GET, PUT, RIDES
from allo_air.passes.memory._alternate import on
from allo_air.passes.memory._panels import piece_of
from allo_air.passes.memory._parts import feed, split_buffer
from allo_air.passes.memory._slabs import Channels, places_of

QUARTERS = 4
"""Channels over which a piece comes to a pair of memtiles."""


def bring_quarters(segment: ir.Operation, module: ir.Operation) -> bool:
    """Divides the pieces that something rides in front of among four channels each; False where they cannot be.

    `air-alternate-l2-channels` has declared these. The first two quarters come to one memtile, the others to the one beside
    it, where the second half of the cores' streams have their channels, too.
    """
    name = next((t.attributes["chan_name"].value for t in walk_named(segment, GET) if RIDES in t.attributes), None)
    if name is None:
        return False
    width = prod(Channels(module).declared[name].opview.size) // QUARTERS
    own = [b for b in buffers_in(segment) if any(_brings(t, GET, name) for t in b.transfers)]
    pieces = [piece_of(buffer, module) for buffer in own]
    whole = [piece for piece in pieces if piece is not None and QUARTERS in piece.parts(QUARTERS)]
    if len(whole) < len(pieces) or len({piece.axis for piece in whole}) > 1:
        return False
    for piece in {piece.far: piece for piece in whole}.values():
        feed(piece, QUARTERS)
    for piece in whole:
        split_buffer(piece, QUARTERS)
    buffers = {b.value: b for b in buffers_in(segment)}
    for end in (GET, PUT):
        found = [t for t in walk_named(module, end) if _brings(t, end, name)]
        for place, own_ends in enumerate([[t for t in found if places_of(t) == [place, 0]] for place in range(width)]):
            for number, transfer in enumerate(own_ends):
                quarter = number % QUARTERS
                if end == GET and quarter >= QUARTERS // 2:
                    buffers[memref_of(transfer)].alloc.attributes[BESIDE] = ir.UnitAttr.get()
                on(transfer, name, quarter * width + place)
    for buffer in buffers_in(segment):
        puts = [t for t in buffer.transfers if t.name == PUT and any(_brings(g, GET, name) for g in buffer.transfers)]
        places = sorted({tuple(n or 0 for n in places_of(t)) for t in puts})
        for put in puts:
            if tuple(n or 0 for n in places_of(put)) in places[len(places) // 2 :]:
                put.attributes[FROM_BESIDE] = ir.UnitAttr.get()
    return True


def _brings(transfer: Any, end: str, name: str) -> bool:
    return transfer.name == end and transfer.attributes["chan_name"].value == name and RIDES not in transfer.attributes
