"""air-specialize-dma-broadcast."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.schedule._specialize import specialize_broadcasts
from allo_air.passes.schedule._split_channels import split_broadcast_channels

_MEMCPY = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


@dataclass(frozen=True)
class AirSpecializeDmaBroadcast(Pass):
    """Splits each transfer with a `broadcast_pattern` into one transfer for each group of cores that get the same data.

    The transfers are in the branches of a chain of conditions on the core; `broadcast_set` on each gives its cores, as symbols
    (s0, s1). Ids that are equal for all of a group become constants in its transfer, and with `fold-offsets` also in the
    operations that compute its offsets. A single group needs no condition. Each core must belong to exactly one group.
    Likewise, a bundle of channels with a `broadcast_shape` and several sources becomes one channel for each source, unless an
    index of a put is not constant. Transfers, puts and gets of a function are renumbered from 1.

    Before:

        #set = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0, s0 >= 0, -s0 + 1 >= 0)>
        %t = air.dma_memcpy_nd async (%l[] [] [], %m[%x] [%c8] [%c1]) {broadcast_pattern = #set, id = 1 : i32} : ...

    After:

        #set = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 3 >= 0)>
        #set1 = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 3 >= 0)>
        %t = affine.if #set()[%x, %y] -> !air.async.token {
          %u = air.dma_memcpy_nd async (%l[] [] [], %m[%c0] [%c8] [%c1]) {broadcast_set = #set, id = 1 : i32} : ...
          affine.yield %u : !air.async.token
        } else {
          %u = air.dma_memcpy_nd async (%l[] [] [], %m[%c1] [%c8] [%c1]) {broadcast_set = #set1, id = 2 : i32} : ...
          affine.yield %u : !air.async.token
        }
    """

    name = "air-specialize-dma-broadcast"
    anchor = "builtin.module"

    fold_offsets: bool = False
    """Replace the ids that are constant for a group also in the operations that compute offsets, not only in offsets that are
    ids themselves.
    """

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        i32 = ir.IntegerType.get_signless(32)
        split_broadcast_channels(op)
        for function in walk_named(op, "func.func"):
            specialize_broadcasts(function, computed=self.fold_offsets)
            for number, memcpy in enumerate(walk_named(function, *_MEMCPY), start=1):
                memcpy.attributes["id"] = ir.IntegerAttr.get(i32, number)
