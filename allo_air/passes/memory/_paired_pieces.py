"""Pieces of an operand on pairs of memtiles.

A piece in L2 becomes two along the dimension in which it is read. The second one has attribute `allo.adjacent_memtile`, and
`air-to-aie` puts it into the memtile next to that of the first, whose channels read both. Cores that take the same rows of
the result run in lockstep (`allo.in_lockstep`). Parts of a panel alternate between the two memtiles. A channel can thus carry
pieces that are twice as wide, in runs twice as long, with the same channels and memory. If parts of a panel are further apart
than one step of a shim's descriptor, the first half of them goes to the first memtile, provided that both ends of the channel
move equally many parts in a round.

If all cores lie along B (`spread` in the plan), pieces come in quarters over two channels of each column, which
`air-alternate-l2-channels` has declared, and half of the cores' streams start in the second memtile
(`allo.from_adjacent_memtile`). If they lie on two columns of four, quarters use the channels of two columns and alternate
between a memtile and its neighbour, so that all channels of the shims bring whole rows.
"""

from __future__ import annotations

from math import prod

from allo_air.core.names import channel_of
from allo_air.core.walking import walk_named
from allo_air.device import SHIM_BD
from allo_air.dialects.memrefs import element_bits
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import ADJACENT, GET, GROUP, IN_LOCKSTEP
from allo_air.passes._analysis.findings import Findings
from allo_air.passes._ir.constants import Indices
from allo_air.passes.memory._channel_interleave import retarget, widen_bundle
from allo_air.passes.memory._four_way_split import interleave_pieces, split_four_ways
from allo_air.passes.memory._panels import piece_of
from allo_air.passes.memory._parts import feed, split_buffer
from allo_air.passes.memory._slabs import Channels, places_of, reads_along_rows, runs_of
from allo_air.passes.memory._widen import launches_of
from allo_air.plan.plan import halves_array
from allo_air.plan.schema import plan_or_unplanned


def pair_memtiles(function: ir.Operation, module: ir.Operation) -> None:
    """Divides each piece of a paired operand between two adjacent memtiles, with a channel for each half."""
    columns = plan_or_unplanned(function).paired_columns
    result = (interleave_pieces if halves_array(columns) else split_four_ways) if columns else _pair_shared_operand
    paired = [result(segment, module) for _, segment in launches_of(function)]
    if not any(paired):
        findings = Findings()
        findings.remark(function, "has a plan for pairs of memtiles, but no operand that can be divided between two memtiles")
        findings.deliver()


def _pair_shared_operand(segment: ir.Operation, module: ir.Operation) -> bool:
    """Divides the operand that cores of several columns read over the same stream between two channels; returns False if that
    is impossible.
    """
    name = _shared_by_rows(segment, Channels(module))
    if name is None:
        return False
    _halve(segment, name, module)
    return _pair(segment, name, Channels(module, each=True))


def _shared_by_rows(segment: ir.Operation, channels: Channels) -> str | None:
    """The bundle of the operand that cores of several columns read over the same stream."""
    for buffer in buffers_in(segment):
        filled = [channel_of(t) for t in buffer.transfers if t.name == GET]
        if filled and reads_along_rows(buffer, channels):
            return filled[0]
    return None


def _halve(segment: ir.Operation, name: str, module: ir.Operation) -> None:
    """Splits the pieces of bundle `name` in two along the same dimension, if all can be split."""
    own = [b for b in buffers_in(segment) if any(t.name == GET and channel_of(t) == name for t in b.transfers)]
    results = [piece_of(buffer, module) for buffer in own]
    pieces = [piece for piece in results if piece is not None and 2 in piece.parts(2)]
    if len(pieces) < len(results) or len({piece.axis for piece in pieces}) > 1:
        return
    for piece in {piece.far: piece for piece in pieces}.values():
        feed(piece, 2)
    for piece in pieces:
        split_buffer(piece, 2)


def _pair(segment: ir.Operation, name: str, channels: Channels) -> bool:
    """Moves every second transfer of each channel, at both ends, to an additional channel; returns False if that is
    impossible.
    """
    declared, buffers = channels.declared[name], {b.value: b for b in buffers_in(segment)}
    gets = [t for t in walk_named(segment, GET) if channel_of(t) == name]
    width = prod(declared.opview.size)
    near = [[get for get in gets if width == 1 or places_of(get) == [place, 0]] for place in range(width)]
    far = [channels.other(item[0]) if item else [] for item in near]
    if sum(map(len, near)) < len(gets) or GROUP in declared.attributes or not all(map(_alternates, (*near, *far))):
        return False
    if any(memref_of(get) not in buffers for get in gets) or len({memref_of(get) for get in gets}) < len(gets):
        return False
    widen_bundle(declared, 2 * width)
    is_distant = any(map(_is_far_apart, far)) and all(len(a) == len(b) for a, b in zip(near, far, strict=True))
    constants = Indices()
    for place, ends in enumerate((*near, *far)):
        for number, end in enumerate(ends):
            second = number >= len(ends) // 2 if is_distant else number % 2 == 1
            if memref_of(end) in buffers:
                for mark in (ADJACENT, IN_LOCKSTEP)[not second :]:
                    buffers[memref_of(end)].alloc.attributes[mark] = ir.UnitAttr.get()
            retarget(end, name, place % width + second * width, constants)
    return True


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


def _alternates(ends: list[AnyOp]) -> bool:
    """Whether an end of a channel has an even number of transfers in each iteration of one block."""
    return bool(ends) and len(ends) % 2 == 0 and len({end.operation.block for end in ends}) == 1
