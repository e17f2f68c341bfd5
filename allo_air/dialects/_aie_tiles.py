"""AIE operations of the device itself: tiles, memories, locks, cores and their DMA programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import STACK_BYTES
from allo_air.core.walking import OF_ITS_OWN
from allo_air.dialects._enums import (
    BD_DIMS,
    BD_ITERATION,
    BD_PADS,
    DEVICE,
    DMA_DIR,
    LOCK_ACTION,
    LOCK_BLOCKING,
    PACKET,
    TILE_TYPE,
)
from allo_air.dialects._fields import I1, INDEX, MEMREF, attr, operand, region, result, successor
from allo_air.dialects._fields import I32 as I32_VALUE
from allo_air.dialects._fields import I64 as I64_VALUE
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I32, I64, STRING, SYM_NAME, SYMBOL, UI8
from allo_air.dialects._op import Op

if TYPE_CHECKING:
    from allo_air.asm.state import State
    from allo_air.mlir import ir

OF_ITS_OWN.add("air.herd_local_id")  # of a core in its herd

DEVICE_BODY = "`(` $tile `)` $body attr-dict"


def at_tile(prefix: str) -> Any:
    """Names a result after the tile it belongs to: `lock_0_2`."""

    @staticmethod  # type: ignore[misc]
    def result_names(state: State) -> list[str]:
        place = state.tile_of(0)
        return [state.symbol() or (f"{prefix}_{place}" if place else prefix)]

    return result_names


class DeviceOp(Op, name="aie.device"):
    """The configuration of one array.

    In memory the body holds one `builtin.module`, which carries the symbol table that the bindings cannot attach here; the text
    shows its operations directly in the device. `ops` and `module` reach them.
    """

    device = attr(DEVICE)
    sym_name = attr(SYM_NAME, default="main")
    body = region()
    traits = ("isolated", "no_terminator")
    assembly = "device()"

    @property
    def module(self) -> ir.OpView:
        """The hidden module that holds the device's operations."""
        return self.regions[0].blocks[0].operations[0]

    @property
    def body_region(self) -> Any:
        """The region that holds the device's operations."""
        return self.module.regions[0]

    @property
    def block(self) -> Any:
        """The block that holds the device's operations."""
        return self.module.regions[0].blocks[0]


class EndOp(Op, name="aie.end"):
    """Ends the body of a core, a DMA program and the like."""

    traits = ("terminator",)
    assembly = "attr-dict"


class TileOp(Op, name="aie.tile"):
    """The tile at column `col`, row `row`."""

    col = attr(I32)
    row = attr(I32)
    allocation_scheme = attr(STRING, optional=True)
    tile = result(INDEX)
    parents = ("aie.device", "builtin.module")  # tests of mlir-aie have tiles of no device
    assembly = "`(` $col `,` $row `)` attr-dict"

    @staticmethod
    def result_names(state: State) -> list[str]:
        return [state.tile_name(state.integer("col"), state.integer("row"))]


class LogicalTileOp(Op, name="aie.logical_tile"):
    """A tile of a kind whose column or row is still open."""

    tile_type = attr(TILE_TYPE)
    col = attr(I32, optional=True)
    row = attr(I32, optional=True)
    allocation_scheme = attr(STRING, optional=True)
    tile = result(INDEX)
    parents = ("aie.device",)
    assembly = "`<` $tile_type `>` `(` unknown($col) `,` unknown($row) `)` attr-dict"

    @staticmethod
    def result_names(state: State) -> list[str]:
        names = ("logical_core", "logical_mem", "logical_shim_noc", "logical_shim_pl")
        return [names[state.integer("tile_type")]]


class BufferOp(Op, name="aie.buffer"):
    """A buffer in the data memory of `tile`; unless `aligned` is false, its address is a multiple of the tile's bus width."""

    tile = operand(INDEX)
    sym_name = attr(STRING, optional=True)
    address = attr(I32, optional=True)
    mem_bank = attr(I32, optional=True)
    aligned = attr(BOOL, optional=True)
    initial_value = attr(ANY_ATTR, optional=True)
    buffer = result(MEMREF)
    assembly = "`(` $tile `)` attr-dict `:` type($buffer) initial_value()"
    result_names = at_tile("buffer")


class ExternalBufferOp(Op, name="aie.external_buffer"):
    """A buffer in external memory."""

    sym_name = attr(STRING, optional=True)
    address = attr(I64, optional=True)
    buffer = result(MEMREF)
    assembly = "attr-dict `:` type($buffer)"

    @staticmethod
    def result_names(state: State) -> list[str]:
        return [state.symbol()]


class LockOp(Op, name="aie.lock"):
    """A lock of `tile`; `init` is its value at start."""

    tile = operand(INDEX)
    lockID = attr(I32, optional=True)
    init = attr(I32, optional=True)
    sym_name = attr(STRING, optional=True)
    lock = result(INDEX)
    assembly = "`(` $tile (`,` $lockID^)? `)` attr-dict"
    result_names = at_tile("lock")


class UseLockOp(Op, name="aie.use_lock"):
    """Acquires or releases `lock` by `value` (1 where it is left out), or by `amount`, which a core computes."""

    lock = operand(INDEX)
    amount = operand(I32_VALUE, "optional")
    action = attr(LOCK_ACTION)
    value = attr(I32, optional=True)
    blocking = attr(LOCK_BLOCKING, optional=True)
    acq_en = attr(BOOL, optional=True)
    assembly = {
        "2026-03": "`(` $lock `,` $action lock_value() `)` attr-dict",
        "2026-08": "`(` $lock `,` $action `,` ssa($value, $amount) `)` attr-dict",
    }


class CoreOp(Op, name="aie.core"):
    """The program of the core of `tile`."""

    tile = operand(INDEX)
    stack_size = attr(I32, default=STACK_BYTES)
    elf_file = attr(STRING, optional=True)
    link_with = attr(STRING, optional=True)
    link_files = attr(ANY_ATTR, optional=True)
    link_merge_files = attr(ANY_ATTR, optional=True)
    emit_parameter_sync_preamble = attr(BOOL, optional=True)
    dynamic_objfifo_lowering = attr(BOOL, optional=True)
    body = region()
    core = result(INDEX)
    parents = ("aie.device", "builtin.module")
    assembly = DEVICE_BODY
    result_names = at_tile("core")


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

    `pad_value` is what the channel's BDs pad with (AIE2p memtiles).
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
    """A channel and its BDs, one a region; unless `loop` is false the chain starts again after the last.

    IRDL has no variadic regions: in memory the only region holds an `aie.dma_region` a BD, which the text does not show.
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

    In a runtime sequence offset, length, sizes and strides may be values: then the attribute is missing and the operand is
    there. `dimensions` holds DYNAMIC where `size_operands` and `stride_operands`, each in the order of the list, stand.
    `iteration` walks the address over the executions of the BD.
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
    """Goes on with the BD in block `dest`."""

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
    """A chain of BDs over the buffers given as arguments."""

    sym_name = attr(SYM_NAME)
    body = region()
    parents = ("aie.device",)
    assembly = "$sym_name arguments_region($body)"


class RuntimeSequenceOp(Op, name="aie.runtime_sequence"):
    """The program of the NPU's controller. Its arguments are the host's buffers, and scalars that are given for each run."""

    sym_name = attr(SYM_NAME, default="sequence")
    emit_parameter_sync_preamble = attr(BOOL, optional=True)
    body = region()
    traits = ("no_terminator",)
    parents = ("aie.device",)
    assembly = {"2026-03": "($sym_name^)? arguments_region($body)", "2026-08": "($sym_name^)? sequence_region($body)"}
