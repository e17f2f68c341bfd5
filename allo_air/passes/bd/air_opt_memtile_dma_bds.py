"""air-opt-memtile-dma-bds."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named, walk_post_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.tokens import token_of
from allo_air.passes.bd._end_waits import SEGMENT_END, is_marked, mark_end, open_tokens
from allo_air.passes.bd._herd_loops import sink_into_herd
from allo_air.passes.bd._isolate import isolate
from allo_air.passes.bd._lists import CHANNEL_ENDS, shorten
from allo_air.passes.bd._loops import Rules, specialize


@dataclass(frozen=True)
class AirOptMemtileDmaBds(Pass):
    """Folds loops around the transfers of each segment into dimensions of their access lists, for the memtiles of `device`.

    Applies `air-isolate-async-dma-loop-nests`, then `air-specialize-channel-wrap-and-stride`, to the segment without its
    herds: independent transfers get separate loops, loops with constant bounds around one transfer become a dimension of its
    access list, other loops that only move data become chains of transfers. Loops that only repeat a transfer stay: a
    memtile's descriptors are rings. An asynchronous segment ends in a wait for everything it started, marked
    `air.segment_end`. `device` must be an NPU.

    Before:

        %1 = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %s) -> (!air.async.token) {
          %2 = air.channel.put async [%t] @a[] (%m[%c0, %i] [%c16, %c16] [%c64, %c1]) : (memref<16x64xi32, 1>)
          scf.yield %2 : !air.async.token
        }

    After:

        %1 = air.channel.put async [%s] @a[] (%m[%c0, %c0, %c0] [%c4, %c16, %c16] [%c16, %c64, %c1]) : (memref<16x64xi32, 1>)
        air.wait_all [%1] {air.segment_end}
    """

    name = "air-opt-memtile-dma-bds"
    anchor = "func.func"
    device: str = "xcvc1902"
    """The device whose memtiles limit the access patterns."""

    def run(self, op: AnyOp, /) -> None:
        device_option(self.name, self.device)
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            for segment in walk_named(op, "air.segment"):
                block = segment.regions[0].blocks[0]
                for loop in [o for o in walk_post_order(segment) if o.name == "scf.for" and not _in_herd(o)]:
                    for part in isolate(loop):
                        sink_into_herd(part)
                specialize(block, Rules(repeat=False, hierarchies=False))
                indices, values = Indices(), IndexValues()
                for end in walk_named(segment, *CHANNEL_ENDS):
                    if not _in_herd(end):
                        shorten(end, indices, values)
                if token_of(segment) is not None and not is_marked(segment, SEGMENT_END):
                    mark_end(block, SEGMENT_END, open_tokens([o.operation for o in block.operations]))


def _in_herd(op: ir.Operation) -> bool:
    return any(p.name == "air.herd" for p in parents(op))
