"""AIEX operations of the NPU's controller: register writes, transfers, queues, synchronization."""

from __future__ import annotations

from allo_air.dialects._enums import DMA_DIR, PACKET, SCRATCHPAD_FUNC
from allo_air.dialects._fields import ANY, INDEX, MEMREF, attr, operand, result
from allo_air.dialects._fields import I32 as VALUE
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I32, I32S, I64, I64S, SYM_NAME, SYMBOL, TYPE, UI8, UI32, UI64, UNIT
from allo_air.dialects._op import Op


class NpuDmaMemcpyNdOp(Op, name="aiex.npu.dma_memcpy_nd"):
    """A transfer of a host buffer by shim BD `id` on the channel that `metadata` names; lists outermost first, in elements."""

    memref = operand(MEMREF)
    offsets = operand(ANY, "variadic")
    sizes = operand(ANY, "variadic")
    strides = operand(ANY, "variadic")
    static_offsets = attr(I64S)
    static_sizes = attr(I64S)
    static_strides = attr(I64S)
    packet = attr(PACKET, optional=True)
    metadata = attr(SYMBOL)
    id = attr(I64)
    issue_token = attr(BOOL, default=False)
    d0_zero_before = attr(I64, default=0)
    d1_zero_before = attr(I64, default=0)
    d2_zero_before = attr(I64, default=0)
    d0_zero_after = attr(I64, default=0)
    d1_zero_after = attr(I64, default=0)
    d2_zero_after = attr(I64, default=0)
    burst_length = attr(I64, default=0)
    offset_parameter = attr(SYMBOL, optional=True)
    offset_state_table_idx = attr(UI8, optional=True)
    assembly = (
        "npu_coordinates() $memref mixed($offsets, $static_offsets) mixed($sizes, $static_sizes)"
        " mixed($strides, $static_strides) (`,` `packet` `=` $packet^)? `)` attr-dict `:` type($memref)"
    )


class NpuDmaWaitOp(Op, name="aiex.npu.dma_wait"):
    """Waits for the completion token of the channel that `symbol` names."""

    symbol = attr(SYMBOL)
    assembly = "attr-dict"


class NpuWrite32Op(Op, name="aiex.npu.write32"):
    """Writes one register."""

    address_operand = operand(VALUE, "optional")
    value_operand = operand(VALUE, "optional")
    address = attr(UI32, optional=True)
    value = attr(UI32, optional=True)
    buffer = attr(SYMBOL, optional=True)
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    assembly = {
        "2026-03": "attr-dict",
        "2026-08": "`(` ssa($address, $address_operand) `,` ssa($value, $value_operand) `)` attr-dict `:` i32s(2)",
    }


class NpuMaskWrite32Op(Op, name="aiex.npu.maskwrite32"):
    """Writes the bits of one register that `mask` names."""

    address_operand = operand(VALUE, "optional")
    value_operand = operand(VALUE, "optional")
    mask_operand = operand(VALUE, "optional")
    address = attr(UI32, optional=True)
    value = attr(UI32, optional=True)
    mask = attr(UI32, optional=True)
    buffer = attr(SYMBOL, optional=True)
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    assembly = {
        "2026-03": "attr-dict",
        "2026-08": (
            "`(` ssa($address, $address_operand) `,` ssa($value, $value_operand) `,` ssa($mask, $mask_operand) `)` attr-dict"
            " `:` i32s(3)"
        ),
    }


class NpuBlockWriteOp(Op, name="aiex.npu.blockwrite"):
    """Writes consecutive registers."""

    data = operand(MEMREF)
    address = attr(UI32)
    buffer = attr(SYMBOL, optional=True)
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    assembly = "`(` $data `)` attr-dict `:` type($data)"


class NpuAddressPatchOp(Op, name="aiex.npu.address_patch"):
    """Writes the address of host argument `arg_idx`, plus `arg_plus` bytes, into the BD at register `addr`."""

    arg_plus_operand = operand(VALUE, "optional")
    addr_operand = operand(VALUE, "optional")
    addr = attr(UI32, optional=True)
    arg_idx = attr(I32)
    arg_plus = attr(I32, optional=True)
    assembly = {
        "2026-03": "attr-dict",
        "2026-08": (
            "`(` ssa($arg_plus, $arg_plus_operand) `:` i32s(1) `)` (`addr` $addr_operand^ `:` type($addr_operand))? attr-dict"
        ),
    }


class NpuSyncOp(Op, name="aiex.npu.sync"):
    """Waits for completion tokens of a channel in a range of tiles."""

    column_operand = operand(VALUE, "optional")
    row_operand = operand(VALUE, "optional")
    direction_operand = operand(VALUE, "optional")
    channel_operand = operand(VALUE, "optional")
    column_num_operand = operand(VALUE, "optional")
    row_num_operand = operand(VALUE, "optional")
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    direction = attr(I32, optional=True)
    channel = attr(I32, optional=True)
    column_num = attr(I32, optional=True)
    row_num = attr(I32, optional=True)
    assembly = {
        "2026-03": "attr-dict",
        "2026-08": (
            "`(` ssa($column, $column_operand) `,` ssa($row, $row_operand) `,` ssa($direction, $direction_operand) `,`"
            " ssa($channel, $channel_operand) `,` ssa($column_num, $column_num_operand) `,`"
            " ssa($row_num, $row_num_operand) `)` attr-dict `:` i32s(6)"
        ),
    }


class NpuPushQueueOp(Op, name="aiex.npu.push_queue"):
    """Queues a BD on a channel."""

    bd_id_operand = operand(VALUE, "optional")
    repeat_count_operand = operand(VALUE, "optional")
    column = attr(I32)
    row = attr(I32)
    direction = attr(DMA_DIR)
    channel = attr(I32)
    issue_token = attr(BOOL)
    repeat_count = attr(I32, optional=True)
    bd_id = attr(I32, optional=True)
    assembly = {
        "2026-03": "`(` $column `,` $row `,` $direction `:` $channel `)` attr-dict",
        "2026-08": (
            "`(` $column `,` $row `,` $direction `:` $channel `)` `bd_id` ssa($bd_id, $bd_id_operand)"
            " `repeat` ssa($repeat_count, $repeat_count_operand) attr-dict `:` i32s(2)"
        ),
    }


WRITEBD_FIELDS = (
    "column", "row", "bd_id", "buffer_length", "buffer_offset", "enable_packet", "out_of_order_id", "packet_id", "packet_type",
    "d0_size", "d0_stride", "d1_size", "d1_stride", "d2_size", "d2_stride", "iteration_current", "iteration_size",
    "iteration_stride", "next_bd", "use_next_bd", "valid_bd", "lock_rel_val", "lock_rel_id", "lock_acq_enable", "lock_acq_val",
    "lock_acq_id", "d0_zero_before", "d1_zero_before", "d2_zero_before", "d0_zero_after", "d1_zero_after", "d2_zero_after",
    "burst_length",
)  # fmt: skip
"""Fields of `aiex.npu.writebd`, each an i32."""


class NpuWriteBdOp(Op, name="aiex.npu.writebd"):
    """Writes a whole buffer descriptor; the fields are WRITEBD_FIELDS."""

    column = attr(I32)
    row = attr(I32)
    bd_id = attr(I32)
    assembly = "attr-dict"


class NpuRtpWriteOp(Op, name="aiex.npu.rtp_write"):
    """Writes word `index` of a runtime-parameter buffer."""

    value_operand = operand(VALUE, "optional")
    buffer = attr(SYMBOL)
    index = attr(UI32)
    value = attr(I32, optional=True)
    assembly = {
        "2026-03": "`(` rtp_buffer() $index `,` $value `)` rtp_attributes()",
        "2026-08": "`(` rtp_buffer() $index `,` ssa($value, $value_operand) `)` rtp_attributes() `:` i32s(1)",
    }


class NpuLoadPdiOp(Op, name="aiex.npu.load_pdi"):
    """Loads a device configuration."""

    device_ref = attr(SYMBOL, optional=True)
    id = attr(I32, optional=True)
    size = attr(I32, optional=True)
    address = attr(UI64, optional=True)
    expand_mode = attr(ANY_ATTR, optional=True)
    assembly = "attr-dict"


class NpuPreemptOp(Op, name="aiex.npu.preempt"):
    """A point at which the controller may be preempted."""

    level = attr(UI8)
    assembly = "attr-dict"


class ControlPacketOp(Op, name="aiex.control_packet"):
    """A control packet."""

    address = attr(UI32)
    length = attr(I32, optional=True)
    opcode = attr(I32)
    stream_id = attr(I32)
    data = attr(I32S, optional=True)
    assembly = "attr-dict"


class NpuAssertBdFieldOp(Op, name="aiex.npu.assert_bd_field"):
    """Guards `value`, which goes into a BD field and may be at most `max`."""

    value = operand(VALUE)
    max = attr(I32)
    assembly = "`(` $value `)` attr-dict `:` type($value)"


class NpuAssertBdDivisibleOp(Op, name="aiex.npu.assert_bd_divisible"):
    """Guards `value`, which must be a multiple of `divisor` (or 1, with `allow_unit`)."""

    value = operand(VALUE)
    divisor = attr(I32)
    allow_unit = attr(UNIT, optional=True)
    assembly = "`(` $value `)` attr-dict `:` type($value)"


class DmaBdPoolPopOp(Op, name="aiex.dma_bd_pool_pop"):
    """The lowest free BD id of the tile at `column`, `row`."""

    column = attr(I32)
    row = attr(I32)
    bd_id = result(VALUE)
    assembly = "`(` $column `,` $row `)` attr-dict `:` type($bd_id)"


class DmaBdPoolPushOp(Op, name="aiex.dma_bd_pool_push"):
    """Frees BD `bd_id` of the tile at `column`, `row`."""

    bd_id = operand(VALUE)
    column = attr(I32)
    row = attr(I32)
    assembly = "`(` $column `,` $row `)` `bd_id` $bd_id attr-dict `:` type($bd_id)"


class DmaChannelResetOp(Op, name="aiex.dma_channel_reset"):
    """Resets a DMA channel of a core tile or a memtile."""

    tile = operand(INDEX)
    direction = attr(DMA_DIR)
    channel = attr(I32)
    assembly = "`(` $tile `,` $direction `,` $channel `)` attr-dict"


class CoreResetOp(Op, name="aiex.core_reset"):
    """Resets the core of `tile`."""

    tile = operand(INDEX)
    assembly = "`(` $tile `)` attr-dict"


class DmaChannelResetForOp(Op, name="aiex.dma_channel_reset_for"):
    """Resets the channels of an objectFifo, sets its locks to their initial counts, and queues its BDs again."""

    symbol = attr(SYMBOL)
    assembly = "`(` $symbol `)` attr-dict"


class ScratchpadParameterOp(Op, name="aiex.scratchpad_parameter"):
    """A parameter that the host sets for each run, for cores or as the offset of BDs."""

    sym_name = attr(SYM_NAME)
    type = attr(TYPE)
    state_table_idx = attr(UI8, optional=True)
    kind = attr(I32, optional=True)
    assembly = "$sym_name `:` $type attr-dict"


class ReadScratchpadParameterOp(Op, name="aiex.read_scratchpad_parameter"):
    """The value of a parameter, in a core."""

    parameter = attr(SYMBOL)
    value = result(ANY)
    assembly = "$parameter attr-dict `:` type($value)"


class SyncScratchpadParametersFromHostOp(Op, name="aiex.sync_scratchpad_parameters_from_host"):
    """Updates the parameters in the cores and BDs that read them."""

    assembly = "attr-dict"


class NpuCreateScratchpadOp(Op, name="aiex.npu.create_scratchpad"):
    """A table of `size` bytes, written by the host for each run."""

    size = attr(UI32)
    assembly = "attr-dict"


class NpuUpdateFromScratchpadOp(Op, name="aiex.npu.update_from_scratchpad"):
    """Updates the 48-bit number at register `address` by a function of a table entry and `func_arg`: times, plus or minus."""

    func = attr(SCRATCHPAD_FUNC)
    state_table_idx = attr(UI8)
    address = attr(UI32)
    func_arg = attr(UI32, default=0)
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    buffer = attr(SYMBOL, optional=True)
    assembly = "`<` $func `>` attr-dict"
