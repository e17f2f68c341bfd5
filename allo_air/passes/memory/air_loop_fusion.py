"""air-loop-fusion."""

from dataclasses import dataclass
from typing import Literal

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.scope import is_in_scope
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes._ir.tokens import drop_all_unused_joins
from allo_air.passes.memory._fuse import fuse_nests
from allo_air.passes.memory._shrink import shrink
from allo_air.passes.memory._shrink_herds import buffers_on_device, is_herds_own, shrinking_in_herds
from allo_air.passes.memory._unroll import unroll_transfers


@dataclass(frozen=True)
class AirLoopFusion(Pass):
    """Fuses the perfect loop nests that fill and drain an L2 buffer into one loop, and shrinks the buffer to the part that it
    holds.

    Each iteration of the fused loop allocates the buffer, brings in a part of it, sends that part on and frees the buffer, so
    that L2 holds only that part. A nest with more iterations than the others keeps an inner loop. Nests are fused if that
    changes neither the data of a transfer nor the order in a channel, and if the herds at the other ends use the channels in
    step. They stay apart if the channel that fills the buffer later fills another one, and a loop of a herd takes data of both.
    Buffers whose loops and herds agree share a loop.
    `fusion-scope` selects the buffers: in segments, in launches, or all of a function. Parallel loops of transfers are
    unrolled first. Buffers that only transfers touch are shrunk to the accessed box, even if nothing is fused, and L1 buffers
    that herds take as operands to what a core uses. Herds do not wait for the fused loop, nor does it wait for them.

    Before:

        %t, %m = air.execute -> (memref<64x1024xbf16, 1>) { memref.alloc() ... }
        %1 = scf.for %k = %c0 to %c1024 step %c256 iter_args(%a = %t) -> (!air.async.token) {
          air.channel.get async [%a] @in[] (%m[%c0, %k] [%c64, %c256] [%c1024, %c1]) : (memref<64x1024xbf16, 1>)
        }
        %2 = scf.for %k = %c0 to %c1024 step %c64 iter_args(%a = %1) -> (!air.async.token) {
          air.channel.put async [%a] @out[] (%m[%c0, %k] [%c64, %c64] [%c1024, %c1]) : (memref<64x1024xbf16, 1>)
        }

    After:

        %1 = scf.for %k = %c0 to %c1024 step %c256 iter_args(%a = %0) -> (!air.async.token) {
          %t, %m = air.execute -> (memref<64x256xbf16, 1>) { memref.alloc() ... }
          %2 = air.channel.get async [%t, %a] @in[] (%m[%c0, %c0] [%c64, %c256] [%c256, %c1]) : (memref<64x256xbf16, 1>)
          %3 = scf.for %j = %c0 to %c256 step %c64 iter_args(%b = %2) -> (!air.async.token) {
            air.channel.put async [%t, %b] @out[] (%m[%c0, %j] [%c64, %c64] [%c256, %c1]) : (memref<64x256xbf16, 1>)
          }
        }
    """

    name = "air-loop-fusion"
    anchor = "func.func"
    fusion_scope: Literal["all", "segment", "launch"] = "segment"
    """The buffers to consider: those of segments, of launches, or all buffers of a function."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            self._rewrite(op.operation)

    def _rewrite(self, function: ir.Operation) -> None:
        unroll_transfers(function)
        fuse_nests(function, function, self.fusion_scope)
        indices = IndexValues()
        for buffer in buffers_in(function):
            if is_in_scope(buffer.home, self.fusion_scope):
                shrink(buffer, indices)
        for buffer in buffers_on_device(function):
            if is_herds_own(buffer) and (change := shrinking_in_herds(buffer)) is not None:
                change()
        for alloc in walk_named(function, "memref.alloc"):
            for name in _SHRUNK:
                if name in alloc.attributes:
                    del alloc.attributes[name]
        drop_all_unused_joins(function)
        fold_greedily(function)


_SHRUNK = ("air.shrinkage", "shrinkage")
"""Attributes of air-shrink-memref-sizes-by-access, which are removed: this pass shrinks buffers under other conditions."""
