"""air-specialize-channel-wrap-and-stride."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.constants import Indices
from allo_air.passes.bd._constant_order import drop_unused_constants
from allo_air.passes.bd._lists import CHANNEL_ENDS, shorten
from allo_air.passes.bd._loops import specialize


@dataclass(frozen=True)
class AirSpecializeChannelWrapAndStride(Pass):
    """Folds loops around puts and gets into dimensions of their access lists, and shortens the lists.

    Memtiles and shims run no program: their transfers must be buffer descriptors, which have a few (size, stride) dimensions.
    A loop with constant bounds around one put or get becomes its leading dimension, with stride 0 if it only repeats. Other
    loops that only move data are unrolled into chains, unless all their iterations are equal: rings of descriptors repeat by
    themselves. Unit dimensions are dropped and dense neighbours merged. All results respect the limits of the buffer's tile
    (number of dimensions, sizes, strides, repetitions). Cores run their loops themselves: in a herd nothing is unrolled.
    Elements move in the same order as before.
    `scope` selects segments with their herds, launches, or whole functions.

    Before:

        %0 = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %s) -> (!air.async.token) {
          %1 = air.channel.put async [%t] @a[] (%m[%c0, %i] [%c16, %c16] [%c64, %c1]) : (memref<16x64xi32, 1>)
          scf.yield %1 : !air.async.token
        }
        %2 = air.channel.put async @b[] (%n[%c1, %c0] [%c8, %c8] [%c8, %c1]) : (memref<16x8xi32, 1>)

    After:

        %0 = air.channel.put async [%s] @a[] (%m[%c0, %c0, %c0] [%c4, %c16, %c16] [%c16, %c64, %c1]) : (memref<16x64xi32, 1>)
        %2 = air.channel.put async @b[] (%n[%c8] [%c64] [%c1]) : (memref<16x8xi32, 1>)
    """

    name = "air-specialize-channel-wrap-and-stride"
    scope: Literal["segment", "launch", "func"] = "segment"
    """Where to work: in segments and their herds, in launches, or in whole functions."""

    def run(self, op: AnyOp, /) -> None:
        named = {"segment": "air.segment", "launch": "air.launch", "func": "func.func"}[self.scope]
        for scope in walk_named(op, named):
            for region in scope.regions:
                for block in region.blocks:
                    specialize(block)
            indices, values = Indices(), IndexValues()
            for end in walk_named(scope, *CHANNEL_ENDS):
                shorten(end, indices, values)
            drop_unused_constants(scope)
