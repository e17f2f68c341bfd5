"""air-dma-to-channel."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes._ir.names import Names
from allo_air.passes.channel._hoist import hoist, misplaced_buffers, misplaced_transfers, pass_segment_ids
from allo_air.passes.channel._sequence import in_sequence
from allo_air.passes.channel._shim import shim_streams, upgrade, use_packets_above
from allo_air.passes.channel._split import split

_CHANNELS = 2
_DECLARED = ("air.channel", "aie.device", "airrt.module_metadata")
"""Operations after which new channels are inserted."""


@dataclass(frozen=True)
class AirDmaToChannel(Pass):
    """Replaces each DMA copy by a put and a get on a new channel, each in the hierarchy that owns its memory.

    L1 belongs to the herd, L2 to the segment, L3 to the surrounding code. The end on outer memory moves out of the herd (or
    segment), to directly before it: into an scf.parallel over the ids, with copies of the loops around the copy and of the
    computation of its offsets. A copy with a `broadcast_set` gets a channel with a `broadcast_shape` and one put for the whole
    set. Allocations, copies, puts and gets of outer memory move out in the same way. They run concurrently with the hierarchy;
    operations that waited for the hierarchy also wait for them, if they access the same buffers. A parallel loop around a copy
    becomes scf.for loops, since a channel needs an order. The channels between L3 and the cores of a segment become
    `dma_packet` if there are more than `shim-dma-channels-per-col` in one direction, with a warning; n channels that broadcast
    over n columns count as one. If the assembly of March 2026 is printed, this is done only if the option is set, since
    mlir-air did not do it then. With `count-cores`, the streams of a herd's cores are counted instead, in the column with the
    most streams, without a warning. With `force-shim-packet-flow`, all channels between L3 and cores become `dma_packet`.
    Each argument of a function has separate loop nests. With `share-nests`, arguments that one loop of the herd reads and
    writes share a nest. Errors: offsets that depend on values of the hierarchy, a grid without constant sizes, a broadcast_set
    that is not a box of cores.

    Before:

        air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<64x64xi32, 1> {
          %l1 = memref.alloc() : memref<32x32xi32, 2>
          %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%x]
          air.dma_memcpy_nd (%l1[] [] [], %m[%o, %c0] [%c32, %c32] [%c64, %c1]) : (memref<32x32xi32, 2>, memref<64x64xi32, 1>)
        }

    After:

        air.channel @channel_0 [2, 2]

        %done = scf.parallel (%x, %y) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) init (%start) -> !air.async.token {
          %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%x]
          %t = air.channel.put async [%start] @channel_0[%x, %y] (%l2[%o, %c0] [%c32, %c32] [%c64, %c1]) :
              (memref<64x64xi32, 1>)
          ...
        }
        air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) {
          %l1 = memref.alloc() : memref<32x32xi32, 2>
          air.channel.get @channel_0[%x, %y] (%l1[] [] []) : (memref<32x32xi32, 2>)
        }
        air.wait_all [%done]
    """

    name = "air-dma-to-channel"
    anchor = "builtin.module"
    shim_dma_channels_per_col: int | None = None
    """Shim DMA channels of one direction in a column; if more are needed, channels between L3 and cores carry packets. By
    default 2, and no limit if the assembly of March 2026 is printed."""
    count_cores: bool = False
    """Count the streams of a column's cores instead of the declared channels."""
    share_nests: bool = False
    """Let the transfers of one loop from and to function arguments share a loop nest outside, in the order of the cores."""
    force_shim_packet_flow: bool = False
    """All channels between L3 and cores carry packets."""

    def run(self, op: AnyOp, /) -> None:
        limit = _CHANNELS if self.shim_dma_channels_per_col is None else self.shim_dma_channels_per_col
        if limit < 1:
            raise OptionError(f"{self.name}: shim-dma-channels-per-col is {limit}, expected at least 1")
        dialects.load(op.context, ("air",))
        in_sequence(op)
        pass_segment_ids(op)
        names = Names(op)
        copies = walk_named(op, "air.dma_memcpy_nd")
        misplaced = misplaced_transfers(op)
        if copies or misplaced:
            tops = [o for o in op.regions[0].blocks[0].operations if o.operation.name not in _DECLARED]
            before = tops[0] if tops else op.regions[0].blocks[0].operations[0]
            externals = [*(external for copy in copies for external in split(copy, names, before)), *misplaced]
            streams = shim_streams(externals)
            hoist(op, externals + misplaced_buffers(op), share=self.share_nests)
            if self.count_cores:
                use_packets_above(op, streams, limit)
        by_itself = self.shim_dma_channels_per_col is not None or printed_state() == AUGUST
        if self.force_shim_packet_flow or (by_itself and not self.count_cores):
            upgrade(op, limit, force=self.force_shim_packet_flow)
        fold_greedily(op)
