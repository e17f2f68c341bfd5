"""air-rank-to-launch."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_unused, walk_named
from allo_air.dialects.air import RankOp, WaitAllOp
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._ir.serial import nest_over
from allo_air.passes._ir.tokens import token_of


@dataclass(frozen=True)
class AirRankToLaunch(Pass):
    """Runs the instances of each `air.rank`, which are for several devices, one after another on one device.

    The rank becomes a nest of scf.for over its sizes, and its universe is removed. Its dependences become an `air.wait_all`
    before, and each iteration ends with a wait for the operations that its body starts.

    Before:

        %u = air.universe.alloc(%c2)
        %t1 = air.rank async [%t0] universe(%u) (%r) in (%n=%c2) args(%x=%a) : memref<8xi32> {
          "use"(%r, %x) : (index, memref<8xi32>) -> ()
        }

    After:

        air.wait_all [%t0]
        scf.for %r = %c0 to %c2 step %c1 {
          "use"(%r, %a) : (index, memref<8xi32>) -> ()
        }
        %t1 = air.wait_all async
    """

    name = "air-rank-to-launch"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for rank in reversed(walk_named(op, "air.rank")):
            with op.context, rank.location, ir.InsertionPoint(rank):
                _serialize(RankOp(rank))
        for universe in walk_named(op, "air.universe.alloc"):
            if is_unused(universe.results[0]):
                universe.erase()


def _serialize(rank: RankOp) -> None:
    location = rank.location
    if len(rank.deps):
        WaitAllOp(deps=list(rank.deps))
    loops = nest_over(list(rank.sizes), location)
    ivs = [loop.induction_variable for loop in loops]
    for old, new in zip(rank.block.arguments, [*ivs, *rank.sizes, *rank.args], strict=True):
        old.replace_all_uses_with(new)
    [*body, _] = [o.operation for o in rank.block.operations]
    end = scf.YieldOp([], ip=ir.InsertionPoint(loops[-1].body)).operation if loops else rank.operation
    for op in body:
        op.move_before(end)
    started = [token for op in body if (token := token_of(op)) is not None]
    open_ = [t for t in started if not any(use.owner.operation.block == t.owner.operation.block for use in t.uses)]
    if open_:
        WaitAllOp(deps=open_, ip=ir.InsertionPoint(end))
    if len(rank.operation.results):
        rank.operation.results[0].replace_all_uses_with(WaitAllOp(deps=[], token=True).token)
    rank.operation.erase()
