"""AIEX operations of the NPU's controller: register writes, transfers, queues, synchronization."""

from __future__ import annotations

from allo_air.dialects._enums import DMA_DIR, PACKET
from allo_air.dialects._fields import ANY, MEMREF, attr, operand
from allo_air.dialects._kinds import BOOL, I32, I32S, I64, I64S, SYMBOL, UI8, UI32, UI64
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

    address = attr(UI32)
    value = attr(UI32)
    buffer = attr(SYMBOL, optional=True)
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    assembly = "attr-dict"


class NpuMaskWrite32Op(Op, name="aiex.npu.maskwrite32"):
    """Writes the bits of one register that `mask` names."""

    address = attr(UI32)
    value = attr(UI32)
    mask = attr(UI32)
    buffer = attr(SYMBOL, optional=True)
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    assembly = "attr-dict"


class NpuBlockWriteOp(Op, name="aiex.npu.blockwrite"):
    """Writes consecutive registers."""

    data = operand(MEMREF)
    address = attr(UI32)
    buffer = attr(SYMBOL, optional=True)
    column = attr(I32, optional=True)
    row = attr(I32, optional=True)
    assembly = "`(` $data `)` attr-dict `:` type($data)"


class NpuAddressPatchOp(Op, name="aiex.npu.address_patch"):
    """Puts the address of host argument `arg_idx`, plus `arg_plus` bytes, into a BD."""

    addr = attr(UI32)
    arg_idx = attr(I32)
    arg_plus = attr(I32)
    assembly = "attr-dict"


class NpuSyncOp(Op, name="aiex.npu.sync"):
    """Waits for completion tokens of a channel in a range of tiles."""

    column = attr(I32)
    row = attr(I32)
    direction = attr(I32)
    channel = attr(I32)
    column_num = attr(I32)
    row_num = attr(I32)
    assembly = "attr-dict"


class NpuPushQueueOp(Op, name="aiex.npu.push_queue"):
    """Queues a BD on a channel."""

    column = attr(I32)
    row = attr(I32)
    direction = attr(DMA_DIR)
    channel = attr(I32)
    issue_token = attr(BOOL)
    repeat_count = attr(I32)
    bd_id = attr(I32)
    assembly = "`(` $column `,` $row `,` $direction `:` $channel `)` attr-dict"


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

    buffer = attr(SYMBOL)
    index = attr(UI32)
    value = attr(I32)
    assembly = "`(` rtp_buffer() $index `,` $value `)` rtp_attributes()"


class NpuLoadPdiOp(Op, name="aiex.npu.load_pdi"):
    """Loads a device configuration."""

    device_ref = attr(SYMBOL, optional=True)
    id = attr(I32, optional=True)
    size = attr(I32, optional=True)
    address = attr(UI64, optional=True)
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
