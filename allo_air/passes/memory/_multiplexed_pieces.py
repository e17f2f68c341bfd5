"""Multiplexed pieces of an operand on several channels.

`air-alternate-l2-channels` puts the pieces of one operand in front of those of another. Here each such piece is divided into
parts, each on a channel of its own, so that no channel carries all of them. `allo.multiplexed` gives the number of channels,
those of one column or of two.

* If a piece is read along its rows, or if the other operand goes to pairs of memtiles, the buffer stays whole and its parts
  are rows, so that runs in external memory keep their length. Channels of the second column fill it from the adjacent memtile
  (`allo.into_adjacent_memtile`). Cores that take the piece in several steps run in lockstep (`allo.in_lockstep`). If the
  other operand comes in quarters, parts are sent one after another, since lockstep then does not bound the distance of cores.
* Other pieces become several buffers along the dimension in which they are read, cut at whole steps if slices of another
  operand come in between. Parts over channels of the second column are in the adjacent memtile (`allo.adjacent_memtile`).

If a piece cannot be divided into so many parts, half as many are tried, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

from allo_air.core.names import channel_of
from allo_air.core.walking import walk_named
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import ADJACENT, GET, IN_LOCKSTEP, INTO_ADJACENT, MULTIPLEXED, PUT, STEPS_APART
from allo_air.passes.memory._channel_interleave import retarget
from allo_air.passes.memory._panels import Panel, Steps, piece_of, steps_of
from allo_air.passes.memory._parts import feed, fill_rows, split_buffer, split_steps
from allo_air.passes.memory._slabs import Channels
from allo_air.plan.schema import plan_or_unplanned

_OF_COLUMN = 2
"""Channels of a shim in each direction."""


def split_multiplexed(function: ir.Operation, module: ir.Operation) -> None:
    """Splits transfers that are multiplexed on the first channel of a bundle among several channels."""
    for segment in walk_named(function, "air.segment"):
        _divide(segment, module, plan_or_unplanned(function).route("b").channels)


def _divide(segment: ir.Operation, module: ir.Operation, paired: int) -> None:
    """Divides the pieces that are multiplexed on one channel, if all can be divided. With `paired` channels the others go to a
    pair of memtiles; 0: to one each.
    """
    multiplexed = [b for b in buffers_in(segment) if any(t.name == GET and _is_divided(t) for t in b.transfers)]
    pieces = [piece for piece in (piece_of(b, module) or steps_of(b, module) for b in multiplexed) if piece is not None]
    if not pieces or len(pieces) < len(multiplexed) or len({piece.far for piece in pieces}) > 1:
        return
    parts = pieces[0].get.attributes[MULTIPLEXED].value
    if parts > _OF_COLUMN and (paired or pieces[0].axis == 1):
        in_step = paired or _are_taken_in_steps(pieces, Channels(module))
        if in_step and all(piece.shape[0] % parts == 0 for piece in pieces):
            _fill_rows(pieces, parts, module, paired)
            return
        parts = _OF_COLUMN
    count = next((n for n in (parts, parts // 2) if n > 1 and all(n in piece.parts(n) for piece in pieces)), 1)
    if count > 1 and not paired:
        _split(pieces, count, segment, module)


def _are_taken_in_steps(pieces: Sequence[Panel | Steps], channels: Channels) -> bool:
    """Whether the cores read each piece in at least STEPS_APART steps, so that cores that share it stay within a piece of one
    another.
    """
    return all(
        prod(memref_of(get).type.shape) * STEPS_APART <= prod(piece.shape)
        for piece in pieces
        for reading in piece.readings
        for get in channels.other(reading.put_op)
    )


def _fill_rows(pieces: Sequence[Panel | Steps], count: int, module: ir.Operation, paired: int) -> None:
    """Fills each piece over the given number of channels, with a part of its rows on each."""
    name = channel_of(pieces[0].get)
    distance = prod(Channels(module).declared[name].opview.size) // paired if paired else 1
    feed(replace(pieces[0], axis=0), count)
    for piece in pieces:
        if not paired:
            piece.buffer.alloc.attributes[IN_LOCKSTEP] = ir.UnitAttr.get()
        for get in fill_rows(piece.get, count)[paired // 2 or _OF_COLUMN :]:
            get.attributes[INTO_ADJACENT] = ir.UnitAttr.get()
    for end in (GET, PUT):
        for number, part in enumerate(_multiplexed(module, end, name)):
            retarget(part, name, number % count * distance)


def _split(pieces: Sequence[Panel | Steps], count: int, segment: ir.Operation, module: ir.Operation) -> None:
    """Splits each piece into the given number, each on its own channel."""
    name = channel_of(pieces[0].get)
    feed(pieces[0], count)
    for piece in pieces:
        if isinstance(piece, Steps):
            split_steps(piece, count)
        else:
            split_buffer(piece, count)
    allocs = {b.value: b.alloc for b in buffers_in(segment)}
    for end in (GET, PUT):
        for number, part in enumerate(_multiplexed(module, end, name)):
            if end == GET and number % count >= _OF_COLUMN:
                allocs[memref_of(part)].attributes[ADJACENT] = ir.UnitAttr.get()
            retarget(part, name, number % count)


def _multiplexed(module: ir.Operation, end: str, name: str) -> list[Any]:
    return [t for t in walk_named(module, end) if _is_divided(t) and channel_of(t) == name]


def _is_divided(transfer: AnyOp) -> bool:
    """Whether a transfer is multiplexed and is to be divided."""
    return MULTIPLEXED in transfer.attributes and transfer.attributes[MULTIPLEXED].value > 1
