"""air-alternate-l2-channels."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.loops import NO_PING_PONG
from allo_air.passes.memory._channel_interleave import Interleave, interleave_loop, interleave_of, multiplex, widen_bundle
from allo_air.passes.memory._slabs import Channels, Split
from allo_air.passes.memory._split import new_ids, split_all
from allo_air.passes.memory._widen import bundles, launches_of, run_bytes, splits
from allo_air.plan.plan import Route
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class AirAlternateL2Channels(Pass):
    """Brings the operands of a matrix multiplication over the channels of their routes, if all its cores lie along one
    dimension of the result (`spread` in the plan).

    Each core has its own part of one operand. If its route has several `channels`, a loop must bring this operand piece by
    piece, each piece into a buffer that lives for one iteration. The other operand is multiplexed: each of its pieces precedes
    a piece on the first channel (`allo.multiplexed`, the number of channels among which `air-split-l2-pieces` divides it).
    Transfers that share a channel with it in its loop move too.

    * If pieces alternate (`alternating`), odd pieces, and the multiplexed pieces before them, get channels of their own.
    * Otherwise, a buffer is split in two, with a channel for each half. Transfers that shared the channel of the multiplexed
      operand use the second one.
    * If pieces go to pairs of memtiles (`memtiles`), the channels are declared here, and `air-split-l2-pieces` divides the
      pieces among them.

    Before:
        %1 = scf.for %k = %c0 to %c128 step %c32 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.put async [%t] @in[%c0, %c0] (%b[%k, %c0] [%c32, %c64] [%c64, %c1]) : (memref<128x64xf32>)
        }
        %3 = scf.for %k = %c0 to %c128 step %c32 iter_args(%t = %0) -> (!air.async.token) {  // in the segment
          %m = memref.alloc() : memref<32x64xf32, 1>
          air.channel.get async [%t] @in[%c0, %c0] (%m[] [] []) : (memref<32x64xf32, 1>)
        }
    After:
        %1 = scf.for %k = %c0 to %c128 step %c64 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.put async [%t] @in[%c0, %c0] (%b[%k, %c0] [%c32, %c64] [%c64, %c1]) : (memref<128x64xf32>)
          %4 = air.channel.put async [%2] @in[%c1, %c0] (%b[%k + 32, %c0] [%c32, %c64] [%c64, %c1]) : (memref<128x64xf32>)
        }
        %3 = scf.for %k = %c0 to %c128 step %c64 iter_args(%t = %0) -> (!air.async.token) {
          %m = memref.alloc() : memref<32x64xf32, 1>
          %5 = air.channel.get async [%t] @in[%c0, %c0] (%m[] [] []) : (memref<32x64xf32, 1>)
          %n = memref.alloc() : memref<32x64xf32, 1>
          air.channel.get async [%5] @in[%c1, %c0] (%n[] [] []) : (memref<32x64xf32, 1>)
        }
    """

    name = "air-alternate-l2-channels"
    anchor = "func.func"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        large, small = plan_or_unplanned(op).spread_routes
        if large.channels == 1:
            return
        module = list(parents(op.operation))[-1]
        with op.context, op.location:
            for _, segment in launches_of(op.operation):
                channels = Channels(module, each=True)
                ordered = sorted(bundles(segment, channels), key=lambda w: -w.each)
                interleaves = (interleave_of(w, channels) for w in ordered)
                if interleave := next((i for i in interleaves if i is not None and i.multiplexed), None):
                    _route(interleave, segment, module, large, small)


def _route(interleave: Interleave, segment: ir.Operation, module: ir.Operation, large: Route, small: Route) -> None:
    """Gives the pieces of `interleave` and the multiplexed operand the channels of their routes."""
    channels = Channels(module, each=True)
    if large.alternating > 1:
        interleave_loop(interleave, channels, new_ids(module))
        if large.memtiles > 1:  # the unrolled iteration already has two of each buffer
            interleave.near.attributes[NO_PING_PONG] = ir.UnitAttr.get()
    elif large.memtiles > 1:
        multiplex(interleave, channels, small.channels)
        widen_bundle(channels.declared[interleave.wide.name], large.channels * len(interleave.ends))
    elif halves := splits(interleave.wide, channels, _is_as_long, sys.maxsize):
        interleave = _split(halves, interleave, segment, channels, module)
        multiplex(interleave, Channels(module, each=True), small.channels, apart=True)


def _is_as_long(plan: Split) -> bool:
    """Whether the halves of a buffer have contiguous runs as long as those of the whole."""
    [shared] = plan.shared
    return plan.count == 2 and run_bytes(shared.far, shared.cut) >= run_bytes(shared.far)


def _split(
    halves: list[Split], interleave: Interleave, segment: ir.Operation, channels: Channels, module: ir.Operation
) -> Interleave:
    """Applies the splits to the bundle of `interleave`; returns the same plan for the halves, with the multiplexed operand."""
    name = split_all(halves, interleave.wide.name, channels, module)
    channels = Channels(module, each=True)
    [wide] = [w for w in bundles(segment, channels) if w.name == name]
    result = interleave_of(wide, channels)
    assert result is not None, "halves alternate as the whole buffers do"
    return replace(result, multiplexed=interleave.multiplexed)
