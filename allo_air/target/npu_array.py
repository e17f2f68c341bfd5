"""Instructions that write single descriptors, runtime parameters and locks of the array (docs/sources.md#npu-instructions)."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.target.npu_bd import (
    BD_BASE,
    BD_STRIDE,
    LOCK_BASE,
    LOCK_STRIDE,
    QUEUE_BASE,
    BufferDescriptor,
    burst_of,
)
from allo_air.target.npu_words import BlockWrite, CreateScratchpad, Instruction, MaskWrite, UpdateRegister, Write

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoRearmBindingOp
    from allo_air.dialects._aiex_npu import DmaChannelResetForOp, DmaChannelResetOp, NpuCreateScratchpadOp
    from allo_air.dialects._aiex_tasks import SetLockOp
    from allo_air.mlir import AnyOp, ir

_RESET = 2
_CORE_CONTROL = 0x32000


def writebd(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.npu.writebd`."""
    kind = sequence.device.kind(op.column, op.row)
    attributes = op.operation.attributes
    values = {n: attributes[n].value for n in BufferDescriptor.names() if n in attributes}
    length = attributes["burst_length"].value if "burst_length" in attributes else 0
    if kind == "shim_noc":
        if length and length not in arch_of(sequence.device).burst_lengths:
            raise error_at(op, f"burst length {length}; {sequence.device.name} has {arch_of(sequence.device).burst_lengths}")
        values["burst"] = burst_of(sequence.device, length)
        sequence.claim(op, op.column, op.bd_id)
    count = sequence.device.tile(op.column, op.row).bds
    if not 0 <= op.bd_id < count:
        raise error_at(op, f"BD id {op.bd_id} does not exist; tile ({op.column}, {op.row}) has {count}")
    base = sequence.device.address(op.column, op.row, BD_BASE[kind] + BD_STRIDE * op.bd_id)
    return [BlockWrite(base, BufferDescriptor(**values).words(kind))]


def rtp_write(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.npu.rtp_write`."""
    buffer = sequence.buffers.get(op.buffer)
    if buffer is None:
        raise error_at(op, f"writes into @{op.buffer}, which is not an aie.buffer of the device")
    column, row = sequence.place(op, buffer.tile)
    size = prod(buffer.buffer.type.shape) * sequence.bits(buffer.buffer.type) // 32
    if op.index >= size:
        raise error_at(op, f"writes word {op.index} of @{op.buffer}, which has {size}")
    address = sequence.device.address(column, row, sequence.buffer_address(op, buffer) + 4 * op.index)
    return [Write(address, op.value)]


def set_lock(sequence: Any, op: Any) -> list[Instruction]:
    """`aiex.set_lock`."""
    most = arch_of(sequence.device).max_lock_value
    if not 0 <= op.value <= most:
        raise error_at(op, f"sets a lock to {op.value}; a lock holds 0 to {most}")
    return [Write(lock_register(sequence, op), op.value)]


def lock_register(sequence: Any, op: SetLockOp) -> int:
    """The address of the register that holds the lock of `op`."""
    lock = op.lock.owner.opview
    column, row = sequence.place(op, lock.tile)
    kind = sequence.device.kind(column, row)
    return int(sequence.device.address(column, row, LOCK_BASE[kind] + LOCK_STRIDE * sequence.lock_id(op, lock)))


def channel_reset(sequence: Any, op: Any) -> list[Instruction]:
    """`aiex.dma_channel_reset`: bit 1 of the channel's control register, set and cleared."""
    column, row = sequence.place(op, op.tile)
    return reset_channel(sequence, op, (column, row, op.direction, op.channel))


def reset_channel(sequence: Any, op: DmaChannelResetForOp | DmaChannelResetOp, channel: Any) -> list[Instruction]:
    """Resets a channel of a core tile or a memtile."""
    column, row, direction, number = channel
    kind = sequence.device.kind(column, row)
    if kind not in ("core", "mem") or not 0 <= number < sequence.device.tile(column, row).channels[direction]:
        raise error_at(op, f"resets channel {number} of tile ({column}, {row}); core tiles and memtiles have channels to reset")
    sequence.flush(channel)
    return _pulsed(sequence.device.address(column, row, QUEUE_BASE[kind][direction] + 8 * number - 4))


def core_reset(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.core_reset`: bit 1 of the core's control register, set and cleared."""
    column, row = sequence.place(op, op.tile)
    if sequence.device.kind(column, row) != "core":
        raise error_at(op, f"resets the core of tile ({column}, {row}), which has none")
    return _pulsed(sequence.device.address(column, row, _CORE_CONTROL))


def _pulsed(address: int) -> list[Instruction]:
    return [MaskWrite(address, _RESET, _RESET), MaskWrite(address, 0, _RESET)]


def channel_reset_for(sequence: Any, op: Any) -> list[Instruction]:
    """The instructions of a channel reset for an objectFifo: resets its channels, sets its locks, and queues its first BDs."""
    binding = binding_of(sequence, op)
    instructions: list[Instruction] = []
    for channel in channels_of(sequence, binding):
        instructions += reset_channel(sequence, op, channel)
    for lock, count in zip(binding.locks, binding.lock_inits, strict=True):
        instructions += [_lock_write(sequence, op, lock, count)]
    for channel, bd, repeat in heads_of(sequence, op, binding):
        instructions += sequence.queue(op, channel, bd, repeat, token=False)
    return instructions


def binding_of(sequence: Any, op: ir.OpView) -> Any:
    """The `aie.objectfifo_rearm_binding` that a reset names."""
    rearm = sequence.rearms.get(op.symbol) or sequence.rearms.get(f"{op.symbol}_rearm")
    if rearm is None:
        raise error_at(
            op,
            f"names @{op.symbol}, which has no aie.objectfifo_rearm_binding; aie-objectFifo-stateful-transform makes it of an"
            " objectFifo",
        )
    return rearm


def channels_of(sequence: ir.OpView, binding: ObjectFifoRearmBindingOp) -> list[tuple[int, int, int, int]]:
    """Column, row, direction and number of the channels to reset: those of shims are the sequence's own."""
    places = [sequence.place(binding, tile) for tile in binding.channels]
    entries = zip(places, binding.channel_dirs, binding.channel_indices, strict=True)
    return [(*place, direction, index) for place, direction, index in entries if place[1] > 0]


def heads_of(sequence: Any, op: AnyOp, binding: ObjectFifoRearmBindingOp) -> list[tuple[tuple[int, int, int, int], int, int]]:
    """The channels to restart, each with its first BD and the repeat count of the task; channels of shims, and those
    without BDs (-1), are left out.
    """
    channels = [sequence.place(binding, tile) for tile in binding.channels]
    if channels and binding.head_bd_ids is None:
        raise error_at(op, f"needs the first BDs of @{binding.sym_name}, which have no number yet; run aie-assign-bd-ids first")
    repeats = binding.repeat_counts or [0] * len(channels)
    entries = zip(channels, binding.channel_dirs, binding.channel_indices, binding.head_bd_ids or [], repeats, strict=True)
    return [((*place, d, i), bd, repeat) for place, d, i, bd, repeat in entries if place[1] > 0 and bd >= 0]


def _lock_write(sequence: ir.OpView, op: ir.OpView, value: ir.OpResult, count: int) -> Write:
    lock = value.owner.opview
    column, row = sequence.place(op, lock.tile)
    offset = LOCK_BASE[sequence.device.kind(column, row)] + LOCK_STRIDE * sequence.lock_id(op, lock)
    return Write(sequence.device.address(column, row, offset), count)


def create_scratchpad(sequence: object, op: NpuCreateScratchpadOp) -> list[Instruction]:
    """`aiex.npu.create_scratchpad`."""
    return [CreateScratchpad(op.size)]


def update_from_scratchpad(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.npu.update_from_scratchpad`."""
    address = op.address
    if op.buffer is not None:
        buffer = sequence.buffers.get(op.buffer)
        if buffer is None:
            raise error_at(op, f"changes @{op.buffer}, which is not an aie.buffer of the device")
        column, row = sequence.place(op, buffer.tile)
        address = sequence.device.address(column, row, sequence.buffer_address(op, buffer) + 4 * op.address)
    elif op.column is not None and op.row is not None:
        address = sequence.device.address(op.column, op.row, op.address & 0xFFFFF)
    return [UpdateRegister(op.state_table_idx, op.func, op.func_arg, address)]


LOWERINGS: dict[str, Callable[[Any, Any], list[Instruction]]] = {
    "aiex.npu.writebd": writebd,
    "aiex.npu.rtp_write": rtp_write,
    "aiex.set_lock": set_lock,
    "aiex.dma_channel_reset": channel_reset,
    "aiex.dma_channel_reset_for": channel_reset_for,
    "aiex.core_reset": core_reset,
    "aiex.npu.create_scratchpad": create_scratchpad,
    "aiex.npu.update_from_scratchpad": update_from_scratchpad,
}
"""The rules by operation name."""
