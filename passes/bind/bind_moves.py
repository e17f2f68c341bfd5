"""bind-moves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import ChannelGetOp, ChannelOp, ChannelPutOp, LaunchOp, SegmentOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.moves import Streams, Transfer, Walk, moves_of
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.names import Names


@dataclass(frozen=True)
class BindMoves(Pass):
    """Turns a function that only moves elements into a launch whose channels go from external memory to external memory.

    What it moves stands in its plan (`outline-moves`); its body goes. The first transfers of all streams come first, so that
    all begin. The segment of the launch is empty.

    Before:

        func.func private @f_moves(%x: memref<64xf32>, %y: memref<80xf32>) attributes {allo.plan = {moves = [...]}} {
          memref.copy ...

    After:

        air.channel @moves_0 [1, 1]
        func.func private @f_moves(%x: memref<64xf32>, %y: memref<80xf32>) attributes {allo.plan = {moves = [...]}} {
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
                with function.location:
                    _bind(function, streams, names)


def _bind(function: ir.Operation, streams: Streams, names: Names) -> None:
    [block] = function.regions[0].blocks
    *body, end = [o.operation for o in block.operations]
    for op in reversed(body):
        op.erase()
    channel = names.fresh("moves")
    ChannelOp(sym_name=channel, size=[len(streams), 1], ip=ir.InsertionPoint(function))
    launch = LaunchOp.build([], list(block.arguments), ip=ir.InsertionPoint(end))
    terminator = launch.block.operations[0]
    number = names.fresh(function.attributes["sym_name"].value)
    segment = SegmentOp.build([], [], sym_name=number, ip=ir.InsertionPoint(terminator))
    constants = Indices()
    for several in zip_longest(*streams):
        for place, transfer in enumerate(several):
            if transfer is not None:
                _transfer(launch, segment, channel, place, transfer, constants)


def _transfer(launch: Any, segment: Any, channel: str, place: int, transfer: Transfer, constants: Indices) -> None:
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
    for walk, kind, side in ((transfer.source, ChannelPutOp, "src"), (transfer.target, ChannelGetOp, "dst")):
        named = zip((f"{side}_offsets", f"{side}_sizes", f"{side}_strides"), lists(walk), strict=True)
        fields = {side: arguments[walk.argument], **dict(named)}
        kind(chan_name=channel, indices=indices, **fields, ip=ir.InsertionPoint(segment))
