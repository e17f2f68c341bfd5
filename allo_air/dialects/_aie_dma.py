"""AIE operations of DMA programs: channels, buffer descriptors (BDs), and the names of shim channels."""

from __future__ import annotations

from allo_air.dialects._aie_tiles import DEVICE_BODY, at_tile
from allo_air.dialects._enums import BD_DIMS, BD_ITERATION, BD_PADS, DMA_DIR, PACKET
from allo_air.dialects._fields import I1, INDEX, MEMREF, attr, operand, region, result, successor
from allo_air.dialects._fields import I32 as I32_VALUE
from allo_air.dialects._fields import I64 as I64_VALUE
from allo_air.dialects._kinds import BOOL, I32, I64, STRING, SYM_NAME, SYMBOL, UI8
from allo_air.dialects._op import Op


class MemOp(Op, name="aie.mem"):
    """The DMA program of a core tile."""

    tile = operand(INDEX)
    body = region()
    mem = result(INDEX)
    parents = ("aie.device", "builtin.module")
    assembly = DEVICE_BODY
    result_names = at_tile("mem")


class MemTileDMAOp(Op, name="aie.memtile_dma"):
    """The DMA program of a memtile."""

    tile = operand(INDEX)
    body = region()
    dma = result(INDEX)
    parents = ("aie.device", "builtin.module")
    assembly = DEVICE_BODY
    result_names = at_tile("memtile_dma")


class ShimDMAOp(Op, name="aie.shim_dma"):
    """The DMA program of a shim tile."""

    tile = operand(INDEX)
    body = region()
    dma = result(INDEX)
    parents = ("aie.device", "builtin.module")
    assembly = DEVICE_BODY
    result_names = at_tile("shim_dma")


class DMAStartOp(Op, name="aie.dma_start"):
    """Starts a channel at the BD in block `dest`; block `chain` starts the next channel or ends.

    `pad_value` is the padding value of the channel's BDs (AIE2p memtiles).
    """

    channel_dir = attr(DMA_DIR)
    channel_index = attr(I32)
    repeat_count = attr(I32, default=0)
    pad_value = attr(I32, optional=True)
    dest = successor()
    chain = successor()
    valid = result(I1)
    traits = ("terminator",)
    parents = ("aie.mem", "aie.memtile_dma", "aie.shim_dma", "func.func")
    assembly = "`(` $channel_dir `,` $channel_index `,` $dest `,` $chain (`,` `repeat_count` `=` $repeat_count^)? `)` attr-dict"


class DMAOp(Op, name="aie.dma"):
    """A channel and its BDs, one per region; unless `loop` is false, the chain restarts after the last. IRDL has no variadic
    regions: in memory, the only region has an `aie.dma_region` for each BD, which the text does not show.
    """

    channel_dir = attr(DMA_DIR)
    channel_index = attr(I32)
    loop = attr(BOOL, default=True)
    repeat_count = attr(I32, default=0)
    pad_value = attr(I32, optional=True)
    sym_name = attr(STRING, optional=True)
    bds = region(variadic=True)
    valid = result(I1)
    traits = ("no_terminator",)
    parents = ("aie.mem", "aie.memtile_dma", "aie.shim_dma")
    assembly = "`(` $channel_dir `,` $channel_index `)` attr-dict $bds"


class DMARegionOp(Op, name="aie.dma_region"):
    """Holds one BD of an `aie.dma`; the text shows its region only."""

    body = region()
    traits = ("no_terminator",)
    parents = ("aie.dma",)
    assembly = "generic"


class DMABDOp(Op, name="aie.dma_bd"):
    """A buffer descriptor: `len` elements of `buffer` from `offset`, in the order of `dimensions` (outermost first).

    In a runtime sequence, offset, length, sizes and strides may be values: then the operand replaces the attribute.
    `dimensions` has DYNAMIC for entries in `size_operands` and `stride_operands`, which are in the order of the list.
    `iteration` advances the address with each execution of the BD.
    """

    buffer = operand(MEMREF)
    offset_operand = operand(I32_VALUE, "optional")
    len_operand = operand(I32_VALUE, "optional")
    size_operands = operand(I64_VALUE, "variadic")
    stride_operands = operand(I64_VALUE, "variadic")
    offset = attr(I32, default=0)
    len = attr(I32, optional=True)
    dimensions = attr(BD_DIMS, optional=True)
    pad_dimensions = attr(BD_PADS, optional=True)
    pad_value = attr(I32, optional=True)
    bd_id = attr(I32, optional=True)
    packet = attr(PACKET, optional=True)
    next_bd_id = attr(I32, optional=True)
    burst_length = attr(I32, optional=True)
    iteration = attr(BD_ITERATION, optional=True)
    offset_parameter = attr(SYMBOL, optional=True)
    offset_state_table_idx = attr(UI8, optional=True)
    assembly = {
        "2026-03": (
            "`(` $buffer `:` type($buffer) (`,` $offset^ (`,` bd_len($len)^ (`,` $dimensions^)? (`,` $pad_dimensions^)?"
            " (`,` `pad_value` `=` $pad_value^)?)?)? `)` attr-dict"
        ),
        "2026-08": (
            "`(` $buffer `:` type($buffer) bd_offset($offset, $offset_operand, $len, $len_operand)"
            " bd_lists($dimensions, $size_operands, $stride_operands) (`pad` $pad_dimensions^)? `)` attr-dict"
        ),
    }

    @property
    def is_static(self) -> bool:
        """Whether offset, length, sizes and strides are all known."""
        return len(self.operands) == 1


class DMABDPacketOp(Op, name="aie.dma_bd_packet"):
    """The packet header of the block's BD; an earlier spelling of `packet` on `aie.dma_bd`."""

    packet_type = attr(I32)
    packet_id = attr(I32)
    assembly = "`(` $packet_type `,` $packet_id `)` attr-dict"


class NextBDOp(Op, name="aie.next_bd"):
    """Continues with the BD in block `dest`."""

    dest = successor()
    traits = ("terminator",)
    assembly = "$dest attr-dict"


class ShimDMAAllocationOp(Op, name="aie.shim_dma_allocation"):
    """Names the shim DMA channel that a runtime sequence programs."""

    tile = operand(INDEX)
    sym_name = attr(SYM_NAME)
    channel_dir = attr(DMA_DIR)
    channel_index = attr(I64)
    plio = attr(BOOL, default=False)
    packet = attr(PACKET, optional=True)
    parents = ("aie.device",)
    assembly = "$sym_name shim_allocation() attr-dict"


class BDChainOp(Op, name="aie.bd_chain"):
    """A chain of BDs on the buffers passed as arguments."""

    sym_name = attr(SYM_NAME)
    body = region()
    parents = ("aie.device",)
    assembly = "$sym_name arguments_region($body)"
