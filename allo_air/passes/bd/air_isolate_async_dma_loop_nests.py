"""air-isolate-async-dma-loop-nests."""

from dataclasses import dataclass
from typing import Literal

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.scope import is_in_scope
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes._ir.prune_tokens import prune_tokens
from allo_air.passes._ir.tokens import drop_all_unused_joins
from allo_air.passes.bd._herd_loops import sink_into_herd
from allo_air.passes.bd._isolate import isolate
from allo_air.passes.bd._merge_herds import merge_herds


@dataclass(frozen=True)
class AirIsolateAsyncDmaLoopNests(Pass):
    """Splits asynchronous `scf.for` loops outside of herds, so that independent transfers have separate loops.

    `scope` selects the loops: those in segments, in launches (with their segments), or all of a function. Operations stay in
    one loop if they access a buffer that one of them writes, use the same end of a channel, use each other's values or wait
    for each other. A loop that then contains only a herd moves into the herd, if that shares no buffer with the outside. Loops
    with synchronous operations stay unchanged. Herds of one name in a block, which are the work of the same cores in turn, then
    become one herd, the last of them, if they share only L1 buffers with the outside.
    Dependences become as short as canonicalize makes them.

    Before:

        %1 = scf.for %k = %c0 to %c8 step %c1 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.get async [%t] @a[] (%m[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
          %3 = air.channel.get async [%t] @b[] (%n[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
          %4 = air.wait_all async [%2, %3]
          scf.yield %4 : !air.async.token
        }

    After:

        %1 = scf.for %k = %c0 to %c8 step %c1 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.get async [%t] @a[] (%m[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
          scf.yield %2 : !air.async.token
        }
        %3 = scf.for %k = %c0 to %c8 step %c1 iter_args(%t = %0) -> (!air.async.token) {
          %4 = air.channel.get async [%t] @b[] (%n[%k] [%c1] [%c1]) : (memref<8xf32, 1>)
          scf.yield %4 : !air.async.token
        }
        %5 = air.wait_all async [%1, %3]
    """

    name = "air-isolate-async-dma-loop-nests"
    anchor = "builtin.module"
    scope: Literal["func", "segment", "launch"] = "segment"
    """Which loops to split: those in segments, in launches, or all of a function."""

    merge_herds: bool = True
    """Herds of one name in a block become one."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        loops = [o for o in walk_post_order(op) if o.name == "scf.for" and is_in_scope(o, self.scope)]
        for loop in loops:
            for part in isolate(loop):
                sink_into_herd(part)
        for scope in walk_named(op, "func.func" if self.scope == "func" else f"air.{self.scope}"):
            if self.merge_herds:
                merge_herds(scope)
            drop_all_unused_joins(scope)
            prune_tokens(walk_named(scope, *ASYNC))
            fold_greedily(scope)
