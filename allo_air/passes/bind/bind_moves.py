"""bind-moves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from math import prod
from typing import Any

from allo_air import dialects
from allo_air.access.dims import span
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import ChannelGetOp, ChannelOp, ChannelPutOp, LaunchOp, SegmentOp
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir, memref, scf
from allo_air.passes._analysis.moves import Streams, Transfer, Walk, moves_of
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.names import Names

L2 = 1
"""Memory space of memtiles."""


@dataclass(frozen=True)
class BindMoves(Pass):
    """Turns a function that only moves elements into a launch with channels from external memory to external memory.

    The plan of the function (`outline-moves`) lists the transfers; its body is erased. The first transfers of all streams are
    emitted first, so that all streams start. The launch's segment is empty, unless memtiles transpose the data: then it is
    received and sent there.

    Before:

        func.func private @f_moves(%x: memref<64xf32>, %y: memref<80xf32>)
            attributes {allo.plan = {family = "move", routes = [...]}} {
          memref.copy ...

    After:

        air.channel @moves_0 [1, 1]
        func.func private @f_moves(%x: memref<64xf32>, %y: memref<80xf32>)
            attributes {allo.plan = {family = "move", routes = [...]}} {
          air.launch () in () args(%a=%x, %b=%y) : memref<64xf32>, memref<80xf32> {
            air.channel.put @moves_0[%c0, %c0] (%a[%c0] [%c64] [%c1]) : (memref<64xf32>)
            air.channel.get @moves_0[%c0, %c0] (%b[%c16] [%c64] [%c1]) : (memref<80xf32>)
            air.segment @f_moves_0 { }
          }
          return
    """

    name = "bind-moves"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        names = Names(op)
        for function in walk_named(op, "func.func"):
            streams = moves_of(function)
            if streams is not None and len(function.regions[0].blocks):
                dialects.load(op.context, ("air",))
                _check(function, streams)
                with function.location:
                    _bind(function, streams, names)


def _check(function: ir.Operation, streams: Streams) -> None:
    """Raises an error for an invalid plan: one without transfers, or with transfers whose ends differ in size or are outside of
    the arguments.
    """
    arguments = list(function.regions[0].blocks[0].arguments)
    if not streams or not all(streams):
        raise error_at(function, "has no plan of moves, or one with an empty stream; run outline-moves")
    for transfer in (t for stream in streams for t in stream):
        if transfer.source.count != transfer.target.count:
            text = f"{counted(transfer.source.count, 'element')} to {transfer.target.count}"
            raise error_at(function, f"has a plan that moves {text}; both ends of a transfer need the same number of elements")
        for walk in (transfer.source, transfer.target):
            if not 0 <= walk.argument < len(arguments):
                raise error_at(
                    function, f"has a plan that moves argument {walk.argument}, and {counted(len(arguments), 'argument')}"
                )
            kind = arguments[walk.argument].type
            first, last = span(walk.dims, walk.first)
            if kind.has_static_shape and not 0 <= first <= last < prod(kind.shape):
                raise error_at(function, f"has a plan that moves elements {first} to {last} of {kind}")


def _bind(function: ir.Operation, streams: Streams, names: Names) -> None:
    [block] = function.regions[0].blocks
    *body, end = [o.operation for o in block.operations]
    for op in reversed(body):
        op.erase()
    are_transposed = all(stream[0].turn for stream in streams)
    channels = [names.fresh("moves"), *([names.fresh("turned")] if are_transposed else [])]
    for name in channels:
        ChannelOp(sym_name=name, size=[len(streams), 1], ip=ir.InsertionPoint(function))
    launch = LaunchOp.build([], list(block.arguments), ip=ir.InsertionPoint(end))
    terminator = launch.block.operations[0]
    number = names.fresh(sym_name_of(function))
    segment = SegmentOp.build([], [], sym_name=number, ip=ir.InsertionPoint(terminator))
    constants = Indices()
    for several in zip_longest(*streams):
        for place, transfer in enumerate(several):
            if transfer is not None:
                _transfer(launch, segment, channels, place, transfer, constants)
    if are_transposed:
        element = block.arguments[streams[0][0].source.argument].type.element_type
        for place, stream in enumerate(streams):
            with ir.InsertionPoint(segment.block.operations[-1]):
                _transpose_in_l2(channels, place, stream, element)


def _transpose_in_l2(channels: list[str], place: int, stream: tuple[Transfer, ...], element: ir.Type) -> None:
    """Makes a buffer in L2 receive one tile after another, and send each in another order."""
    tile_walk = stream[0].turn
    size = prod(n for n, _ in tile_walk)
    zero, one, index, rounds = (index_constant(n) for n in (0, 1, place, sum(t.source.count for t in stream) // size))
    loop = scf.ForOp(zero, rounds, one)
    with ir.InsertionPoint(loop.body):
        kind = ir.MemRefType.get([size], element, memory_space=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), L2))
        buffer = memref.alloc(kind, [], [])
        offsets, sizes, strides = (
            [index_constant(n) for n in each] for each in ([0] * len(tile_walk), *zip(*tile_walk, strict=True))
        )
        ChannelGetOp(chan_name=channels[0], indices=[index, zero], dst=buffer)
        walk = {"src_offsets": offsets, "src_sizes": sizes, "src_strides": strides}
        ChannelPutOp(chan_name=channels[1], indices=[index, zero], src=buffer, **walk)
        memref.dealloc(buffer)
        scf.yield_([])


def _transfer(
    launch: LaunchOp, segment: AnyOp, channels: list[str], place: int, transfer: Transfer, constants: Indices
) -> None:
    arguments = launch.body_args

    def value(number: int) -> Any:
        return constants.constant(number, segment)

    def lists(walk: Walk) -> list[list[Any]]:
        dims = [*walk.dims]
        if not dims or dims[-1][1] != 1:
            dims.append((1, 1))
        offsets = [0] * (len(dims) - 1) + [walk.first]
        return [[value(n) for n in each] for each in (offsets, [n for n, _ in dims], [s for _, s in dims])]

    indices = [value(place), value(0)]
    for walk, kind, side, channel in (
        (transfer.source, ChannelPutOp, "src", channels[0]),
        (transfer.target, ChannelGetOp, "dst", channels[-1]),
    ):
        named = zip((f"{side}_offsets", f"{side}_sizes", f"{side}_strides"), lists(walk), strict=True)
        fields = {side: arguments[walk.argument], **dict(named)}
        kind(chan_name=channel, indices=indices, **fields, ip=ir.InsertionPoint(segment))
