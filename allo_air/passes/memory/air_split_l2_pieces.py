"""air-split-l2-pieces."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.memory._divided_pieces import divide_multiplexed, pair_pieces, pair_shared_pieces
from allo_air.passes.memory._parts import feed, panel_in_parts
from allo_air.plan.plan import Plan
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class AirSplitL2Pieces(Pass):
    """Splits the pieces that L2 holds of the operands of a matrix multiplication, as the routes of its plan say.

    * A panel, an L2 buffer that is filled once and read several times (`panel`), becomes `parts` in the order of the reads. A
      memtile's lock covers a whole buffer. With parts, the first can be read while others still arrive, and be refilled while
      others are still read. A buffer stays whole if it is read once for each fill, by more than one get, or not along one of
      its two dimensions.
    * An operand on pairs of memtiles (`memtiles`) is divided between two adjacent memtiles, among its `channels`: runs in
      external memory are longer.
    * An operand that is `multiplexed` on the channels of the other one is divided among several of these channels, so that no
      channel carries all of it.

    Before (a panel in two parts):

        air.channel.put @in[] (%a[%c0, %c0] [%c4, %c64] [%c64, %c1]) : (memref<4x64xi32>)
        %m = memref.alloc() : memref<4x64xi32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<4x64xi32, 1>)
        air.channel.put @out[] (%m[%c0, %c0, %c0, %c0] [%c3, %c8, %c4, %c8] [%c0, %c8, %c64, %c1]) : (memref<4x64xi32, 1>)

    After:

        air.channel.put @in[] (%a[%c0, %c0] [%c4, %c32] [%c64, %c1]) : (memref<4x64xi32>)
        air.channel.put @in[] (%a[%c0, %c32] [%c4, %c32] [%c64, %c1]) : (memref<4x64xi32>)
        %m = memref.alloc() : memref<4x32xi32, 1>
        %n = memref.alloc() : memref<4x32xi32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<4x32xi32, 1>)
        air.channel.get @in[] (%n[] [] []) : (memref<4x32xi32, 1>)
        scf.for %i = %c0 to %c3 step %c1 {
          air.channel.put @out[] (%m[%c0, %c0, %c0] [%c4, %c4, %c8] [%c8, %c32, %c1]) : (memref<4x32xi32, 1>)
          air.channel.put @out[] (%n[%c0, %c0, %c0] [%c4, %c4, %c8] [%c8, %c32, %c1]) : (memref<4x32xi32, 1>)
        }
    """

    name = "air-split-l2-pieces"
    anchor = "func.func"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        plan, module = plan_or_unplanned(op), list(parents(op.operation))[-1]
        large, small = plan.spread_routes
        with op.context, op.location:
            segments = walk_named(op.operation, "air.segment")
            for segment in segments:
                _split_panels(segment, module, plan)
            if plan.is_paired:
                paired = [pair_pieces(s, module, large) if plan.spread else pair_shared_pieces(s, module) for s in segments]
                if not any(paired):
                    findings = Findings()
                    message = "has a plan for pairs of memtiles, but no operand that can be divided between two memtiles"
                    findings.remark(op.operation, message)
                    findings.deliver()
            for segment in segments if small.multiplexed else []:
                divide_multiplexed(segment, module, small, large)


def _split_panels(segment: ir.Operation, module: ir.Operation, plan: Plan) -> None:
    """Splits the panels of a segment into as many parts as the plan says."""
    parts = max((route.parts for route in plan.routes if route.panel), default=1)
    for buffer in buffers_in(segment) if parts > 1 else []:
        panel = panel_in_parts(buffer, module, parts)
        if panel is not None:
            feed(panel, panel.axis, parts)
            panel.apply()
