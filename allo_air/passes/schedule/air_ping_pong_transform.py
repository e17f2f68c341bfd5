"""air-ping-pong-transform."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_post_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import HOIST
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes._ir.tokens import drop_all_unused_joins
from allo_air.passes.schedule._carried_token import with_token
from allo_air.passes.schedule._ping_pong_buffers import UNROLL, Buffer, OmitSpace, buffers
from allo_air.passes.schedule._ping_pong_fitness import reason_against
from allo_air.passes.schedule._ping_pong_isolate import isolate
from allo_air.passes.schedule._ping_pong_transform import Ring, transform

_RESIDENT = "air.shared_resident_ring"


@dataclass(frozen=True)
class AirPingPongTransform(Pass):
    """Doubles the buffers of the loops that `air-label-scf-for-to-ping-pong` marked.

    The buffers move out of the loop, and iterations become pairs: the first one uses the ping buffers, the second one the pong
    buffers. The loop carries four tokens: ping buffers free, pong buffers free, last work done, last filling done. The filling
    of a buffer waits for the previous filling, and for the work two iterations before. Work waits for the previous work. The
    filling of the second iteration also waits for the work of the first, as in mlir-air. A last odd iteration uses the ping
    buffers, in a loop of its own. Transfers that do not use the buffers get a loop of their own. A loop of asynchronous
    operations without a loop-carried token gets one first.

    With `keep-memref-dealloc`, deallocations stay in the loop, once per iteration, as marks for the end of a buffer's use;
    otherwise the buffers are deallocated after the loop. Loops of one block that are marked `air.shared_resident_ring` use the
    same pair of buffers, one loop after another. Buffers in `omit-memory-space` are not doubled.

    Before:

        %0 = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %s) -> (!air.async.token) {
          %a, %m = air.execute -> (memref<16xi32, 2>) { memref.alloc() {hoist_alloc = true} ... }
          %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<16xi32, 2>)
          %2 = air.execute [%1] { "work"(%m) }
          %3 = air.execute [%2] { memref.dealloc %m }
          scf.yield %2
        } {unroll = 2 : i32}

    After:

        %b, %pong = air.execute [%s] -> (memref<16xi32, 2>) { memref.alloc() ... }
        %a, %ping = air.execute [%b] -> (memref<16xi32, 2>) { memref.alloc() ... }
        %0:4 = scf.for %i = %c0 to %c64 step %c32 iter_args(%free0 = %a, %free1 = %a, %work = %a, %fill = %a) -> (...) {
          %1 = air.channel.get async [%fill, %free0, %a] @in[] (%ping[] [] []) : (memref<16xi32, 2>)
          %2 = air.execute [%work, %1] { "work"(%ping) }
          %3 = air.channel.get async [%1, %free1, %2, %b] @in[] (%pong[] [] []) : (memref<16xi32, 2>)
          %4 = air.execute [%2, %3] { "work"(%pong) }
          scf.yield %2, %4, %4, %3
        }
        %5 = air.execute [%0#1] { memref.dealloc %ping }
        %6 = air.execute [%0#1] { memref.dealloc %pong }
    """

    name = "air-ping-pong-transform"
    keep_memref_dealloc: bool = False
    """Leave deallocations in the loop, as marks of where a buffer's use ends."""
    omit_memory_space: OmitSpace = ""
    """The memory whose buffers are not doubled."""

    def run(self, op: AnyOp, /) -> None:
        rings: dict[Any, Ring] = {}
        for loop in [with_token(o) for o in walk_post_order(op) if o.name == "scf.for" and UNROLL in o.attributes]:
            results = [b for b in buffers(loop, self.omit_memory_space) if HOIST in b.alloc.attributes]
            if not results:
                continue
            _check(loop, results)
            count = Loop(loop).trips()
            if count is not None and count < 2:
                _remove_marks(loop, results)
                continue
            isolate(loop, results)
            if _RESIDENT not in loop.attributes:
                transform(loop, results, self.keep_memref_dealloc)
                continue
            place = loop.block, tuple(b.value.type for b in results)
            rings[place] = transform(loop, results, self.keep_memref_dealloc, rings.get(place))
        drop_all_unused_joins(op)
        fold_greedily(op)


def _check(loop: AnyOp, items: list[Buffer]) -> None:
    factor = getattr(loop.attributes[UNROLL], "value", None)
    if factor != 2:
        raise error_at(loop, f"is to be unrolled by {loop.attributes[UNROLL]}, and ping-pong has two buffers; write unroll = 2")
    reason = reason_against(loop, items)
    if reason is not None:
        raise error_at(loop, f"cannot have ping-pong buffers: it {reason}, or drop its unroll attribute")


def _remove_marks(loop: ir.Operation, items: list[Buffer]) -> None:
    """Removes the marks from a loop with at most one iteration."""
    del loop.attributes[UNROLL]
    for b in items:
        del b.alloc.attributes[HOIST]
