"""Divides the pieces of operands in L2 among the channels of their routes.

* Pieces of an operand on pairs of memtiles (`memtiles`) become parts along the dimension in which they are read, one for each
  channel. The parts of the second half have attribute `allo.adjacent_memtile`, and `air-to-aie` puts them into the memtile next
  to that of the others. A channel can thus carry pieces that are twice as wide, in runs twice as long.

  If cores of several columns read them over the same stream, there are two channels, and the cores run in lockstep
  (`allo.in_lockstep`). Parts of a panel alternate between the two memtiles. If they are further apart than one step of a shim's
  descriptor, the first half of them goes to the first memtile, provided that both ends of the channel move equally many parts.

  If all cores lie along B, `air-alternate-l2-channels` has declared the channels, and half of the cores' streams start in the
  second memtile (`allo.from_adjacent_memtile`). If pieces alternate, each goes to one memtile as a whole. The multiplexed
  operand then precedes the last part, into the first memtile: cores have read both completely when they have read the piece.

* Multiplexed pieces are divided among `channels` of the other operand, so that no channel carries all of them. With `rows`,
  the buffer stays whole, so that runs in external memory keep their length. Channels of the second column fill it from the
  adjacent memtile (`allo.into_adjacent_memtile`), and cores run in lockstep. Otherwise pieces become several buffers along the
  dimension in which they are read, cut at whole steps if slices of another operand come in between. Parts over channels of the
  second column are in the adjacent memtile.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.core.names import channel_of
from allo_air.core.walking import walk_named
from allo_air.device import SHIM_BD
from allo_air.dialects.memrefs import element_bits
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import (
    ADJACENT,
    FROM_ADJACENT,
    GET,
    IN_LOCKSTEP,
    INTO_ADJACENT,
    MULTIPLEXED,
    PUT,
)
from allo_air.passes.memory._channel_interleave import retarget, widen_bundle
from allo_air.passes.memory._parts import Divided, feed, fill_rows, filled, piece_in_parts
from allo_air.passes.memory._slabs import Channels, places_of, reads_along_rows, runs_of
from allo_air.plan.plan import Route

_OF_COLUMN = 2
"""Channels of a shim in each direction."""


def pair_shared_pieces(segment: ir.Operation, module: ir.Operation) -> bool:
    """Divides the operand that cores of several columns read over the same stream between two channels; returns False if that
    is impossible.
    """
    channels = Channels(module)
    shared = [b for b in buffers_in(segment) if reads_along_rows(b, channels)]
    name = next((channel_of(t) for b in shared for t in b.transfers if t.name == GET), None)
    if name is None:
        return False
    _divide(_pieces(segment, module, name, 2))
    width = _width(module, name)
    near, far = (_by_place(module, end, name, width) for end in (GET, PUT))
    if any(len(own) % 2 or not own for own in (*near, *far)):
        return False
    is_distant = any(map(_is_far_apart, far)) and [*map(len, near)] == [*map(len, far)]
    widen_bundle(Channels(module).declared[name], 2 * width)
    allocs = {b.value: b.alloc for b in buffers_in(segment)}
    for own in (*near, *far):
        for number, end in enumerate(own):
            part = number * 2 // len(own) if is_distant else number % 2
            if end.name == GET:
                allocs[memref_of(end)].attributes[IN_LOCKSTEP] = ir.UnitAttr.get()
            place = places_of(end)[0] or 0 if width > 1 else 0
            _move(end, name, place + part * width, allocs, adjacent=part > 0)
    return True


def pair_pieces(segment: ir.Operation, module: ir.Operation, route: Route) -> bool:
    """Divides the pieces of a bundle with a multiplexed operand among the channels of `route`; returns False if that is
    impossible.
    """
    name = next((channel_of(t) for t in walk_named(segment, GET) if MULTIPLEXED in t.attributes), None)
    parts = route.channels // route.alternating
    pieces = [] if name is None else _pieces(segment, module, name, parts)
    if name is None or not pieces:
        return False
    _divide(pieces)
    alternate = route.alternating > 1
    width = _width(module, name) // (1 if alternate else parts)
    allocs = {b.value: b.alloc for b in buffers_in(segment)}
    ends = [(n, own) for end in (GET, PUT) for n, own in enumerate(_by_place(module, end, name, width))]
    if alternate:
        widen_bundle(Channels(module).declared[name], parts * width)
        for transfer in (t for end in (GET, PUT) for t in _multiplexed(module, end, name)):
            place = places_of(transfer)[0] or 0
            if place and transfer.name == GET:
                transfer.attributes[INTO_ADJACENT] = ir.UnitAttr.get()
            retarget(transfer, name, place * parts + parts - 1)
    for place, own in ends:
        for number, transfer in enumerate(own):
            part = number % parts
            if alternate:
                _move(transfer, name, place * parts + part, allocs, adjacent=place > 0)
            else:
                _move(transfer, name, part * width + place, allocs, adjacent=part >= parts // 2)
    _read_from_both(segment, name)
    return True


def divide_multiplexed(segment: ir.Operation, module: ir.Operation, route: Route, large: Route) -> None:
    """Divides the multiplexed pieces of `route` among channels of the other operand, whose route is `large`, if all can be
    divided.
    """
    count = route.channels
    buffers = [b for b in buffers_in(segment) if any(t.name == GET and _is_divided(t) for t in b.transfers)]
    results = [filled(b, module) if route.rows else piece_in_parts(b, module, count) for b in buffers]
    pieces = [piece for piece in results if piece is not None]
    if not pieces or len(pieces) < len(buffers) or len({piece.far for piece in pieces}) > 1:
        return
    name, first = channel_of(pieces[0].get), pieces[0]
    distance = _width(module, name) // large.channels if large.memtiles > 1 else 1
    feed(first, first.axis if isinstance(first, Divided) else first.dims[0], count)
    for piece in pieces:
        if isinstance(piece, Divided):
            piece.apply()
            continue
        if large.memtiles == 1:
            piece.buffer.alloc.attributes[IN_LOCKSTEP] = ir.UnitAttr.get()
        for get in fill_rows(piece.get, count)[_OF_COLUMN:]:
            get.attributes[INTO_ADJACENT] = ir.UnitAttr.get()
    allocs = {b.value: b.alloc for b in buffers_in(segment)}
    for end in (GET, PUT):
        for number, part in enumerate(t for t in _multiplexed(module, end, name) if _is_divided(t)):
            adjacent = not route.rows and number % count >= _OF_COLUMN
            _move(part, name, number % count * distance, allocs, adjacent=adjacent)


def _pieces(segment: ir.Operation, module: ir.Operation, name: str, parts: int) -> list[Divided]:
    """The buffers of bundle `name` in parts, without multiplexed operands; empty if they cannot be divided alike."""
    own = [b for b in buffers_in(segment) if any(_brings_data(t, GET, name) for t in b.transfers)]
    pieces = [piece for b in own if (piece := piece_in_parts(b, module, parts)) is not None]
    return pieces if len(pieces) == len(own) and len({piece.axis for piece in pieces}) == 1 else []


def _divide(pieces: Sequence[Divided]) -> None:
    """Divides each buffer into parts, at both ends."""
    for piece in {piece.far: piece for piece in pieces}.values():
        feed(piece, piece.axis, piece.count)
    for piece in pieces:
        piece.apply()


def _width(module: ir.Operation, name: str) -> int:
    """The number of channels of bundle `name`."""
    return prod(Channels(module).declared[name].opview.size)


def _by_place(module: ir.Operation, end: str, name: str, width: int) -> list[list[Any]]:
    """The transfers at an end of the first channels of bundle `name`, by channel, without multiplexed operands."""
    ops = [t for t in walk_named(module, end) if _brings_data(t, end, name)]
    return [[t for t in ops if width == 1 or places_of(t) == [place, 0]] for place in range(width)]


def _is_far_apart(puts: list[AnyOp]) -> bool:
    """Whether twice the distance between consecutive parts exceeds the largest stride of a shim's descriptor, so that each part
    needs a task.
    """
    runs = runs_of(puts[0])
    if len(puts) < 4 or runs is None:
        return False
    first, second = lists_of(puts[0])[0], lists_of(puts[1])[0]
    if not len(runs) == len(first) == len(second):
        return False
    elements = sum(run.size * run.stride for run, a, b in zip(runs, first, second, strict=True) if a != b)
    return 2 * elements * (element_bits(memref_of(puts[0]).type) or 0) // 32 > SHIM_BD.max_step


def _move(transfer: AnyOp, name: str, place: int, allocs: dict[ir.Value, ir.Operation], *, adjacent: bool) -> None:
    """Moves a transfer to another channel; the buffer that a get fills may be in the adjacent memtile."""
    if adjacent and transfer.name == GET:
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


def _brings_data(transfer: AnyOp, end: str, name: str) -> bool:
    return bool(transfer.name == end and channel_of(transfer) == name and MULTIPLEXED not in transfer.attributes)


def _multiplexed(module: ir.Operation, end: str, name: str) -> list[Any]:
    """The multiplexed transfers at an end of bundle `name`."""
    return [t for t in walk_named(module, end) if channel_of(t) == name and MULTIPLEXED in t.attributes]


def _is_divided(transfer: AnyOp) -> bool:
    """Whether a transfer is multiplexed and is to be divided."""
    return MULTIPLEXED in transfer.attributes and transfer.attributes[MULTIPLEXED].value > 1
