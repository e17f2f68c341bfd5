"""Divides pieces of an operand among several channels of each memtile of a pair, for the cores of two columns."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.names import channel_of
from allo_air.core.walking import walk_named
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import ADJACENT, FROM_ADJACENT, GET, INTO_ADJACENT, MULTIPLEXED, PUT
from allo_air.passes.memory._channel_interleave import retarget, widen_bundle
from allo_air.passes.memory._panels import Panel, piece_of
from allo_air.passes.memory._parts import feed, split_buffer
from allo_air.passes.memory._slabs import Channels, places_of

QUARTERS = 4
"""Channels over which a piece comes."""


def split_four_ways(segment: ir.Operation, module: ir.Operation) -> bool:
    """Divides pieces that share their channel with another operand among four channels each; returns False if they cannot be
    divided.

    `air-alternate-l2-channels` has declared these channels. The first two quarters go to one memtile and the others to the
    adjacent memtile, which also has the channels of the second half of the cores' streams.
    """
    name = _name(segment)
    pieces = _pieces(segment, module, name)
    if name is None or not pieces:
        return False
    width = prod(Channels(module).declared[name].opview.size) // QUARTERS
    _divide(pieces)
    for end in (GET, PUT):
        for place, own in enumerate(_by_place(module, end, name, width)):
            for number, transfer in enumerate(own):
                quarter = number % QUARTERS
                _move_to_channel(transfer, name, quarter * width + place, segment, adjacent=quarter >= QUARTERS // 2)
    _read_from_both(segment, name)
    return True


def interleave_pieces(segment: ir.Operation, module: ir.Operation) -> bool:
    """Divides pieces that alternate between two channels, and share them with another operand, among four channels each.

    Returns False if they cannot be divided. `air-alternate-l2-channels` made them alternate. Pieces of the first channel go to
    one memtile and the others to the adjacent memtile, which also has the channels of the second half of the cores' streams.
    The multiplexed operand goes to the first memtile and precedes the last quarter: cores have read both completely when they
    have read the piece.
    """
    name = _name(segment)
    pieces = _pieces(segment, module, name)
    if name is None or len(pieces) != 2:
        return False
    _divide(pieces)
    declared = Channels(module).declared[name]
    ends = [(end, number, own) for end in (GET, PUT) for number, own in enumerate(_by_place(module, end, name, 2))]
    multiplexed = [t for end in (GET, PUT) for t in walk_named(module, end) if _is_at(t, name) and MULTIPLEXED in t.attributes]
    widen_bundle(declared, 2 * QUARTERS)
    for transfer in multiplexed:
        turn = places_of(transfer)[0] or 0
        if turn and transfer.name == GET:
            transfer.attributes[INTO_ADJACENT] = ir.UnitAttr.get()
        retarget(transfer, name, turn * QUARTERS + QUARTERS - 1)
    for _, turn, own in ends:
        for number, transfer in enumerate(own):
            _move_to_channel(transfer, name, turn * QUARTERS + number % QUARTERS, segment, adjacent=turn > 0)
    _read_from_both(segment, name)
    return True


def _name(segment: ir.Operation) -> str | None:
    """The bundle whose transfers share their channel with a multiplexed operand."""
    return next((channel_of(t) for t in walk_named(segment, GET) if MULTIPLEXED in t.attributes), None)


def _pieces(segment: ir.Operation, module: ir.Operation, name: str | None) -> list[Panel]:
    """The buffers of bundle `name` without multiplexed operands; empty if a buffer has no quarters, or other quarters than the
    rest.
    """
    own = [b for b in buffers_in(segment) if any(_brings_data(t, GET, name) for t in b.transfers)]
    pieces = [piece_of(buffer, module) for buffer in own]
    whole = [piece for piece in pieces if piece is not None and QUARTERS in piece.parts(QUARTERS)]
    return whole if len(whole) == len(pieces) and len({piece.axis for piece in whole}) == 1 else []


def _divide(pieces: list[Panel]) -> None:
    """Divides each buffer into quarters, at both ends."""
    for piece in {piece.far: piece for piece in pieces}.values():
        feed(piece, QUARTERS)
    for piece in pieces:
        split_buffer(piece, QUARTERS)


def _by_place(module: ir.Operation, end: str, name: str, count: int) -> list[list[Any]]:
    """The transfers at an end of the first channels of bundle `name`, by channel, without multiplexed operands."""
    ops = [t for t in walk_named(module, end) if _brings_data(t, end, name)]
    return [[t for t in ops if places_of(t) == [place, 0]] for place in range(count)]


def _move_to_channel(transfer: AnyOp, name: str, place: int, segment: ir.Operation, *, adjacent: bool) -> None:
    """Moves a transfer to another channel; the buffer that a get fills may be in the adjacent memtile."""
    if adjacent and transfer.name == GET:
        allocs = {b.value: b.alloc for b in buffers_in(segment)}
        allocs[memref_of(transfer)].attributes[ADJACENT] = ir.UnitAttr.get()
    retarget(transfer, name, place)


def _read_from_both(segment: ir.Operation, name: str) -> None:
    """Gives the second half of the cores' streams their channels in the adjacent memtile."""
    for buffer in buffers_in(segment):
        puts = [t for t in buffer.transfers if t.name == PUT and any(_brings_data(g, GET, name) for g in buffer.transfers)]
        places = sorted({tuple(n or 0 for n in places_of(t)) for t in puts})
        for put_op in puts:
            if tuple(n or 0 for n in places_of(put_op)) in places[len(places) // 2 :]:
                put_op.attributes[FROM_ADJACENT] = ir.UnitAttr.get()


def _brings_data(transfer: AnyOp, end: str, name: str | None) -> bool:
    return transfer.name == end and _is_at(transfer, name) and MULTIPLEXED not in transfer.attributes


def _is_at(transfer: AnyOp, name: str | None) -> bool:
    return bool(channel_of(transfer) == name)
