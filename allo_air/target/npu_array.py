"""Instructions that write single descriptors, runtime parameters and locks of the array (docs/sources.md#npu-instructions)."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, LOCK_BASE, LOCK_STRIDE, BufferDescriptor, burst_of
from allo_air.target.npu_words import BlockWrite, Instruction, Write


def writebd(sequence: Any, op: Any) -> list[Instruction]:
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


def rtp_write(sequence: Any, op: Any) -> list[Instruction]:
    """`aiex.npu.rtp_write`."""
    buffer = sequence.buffers.get(op.buffer)
    if buffer is None:
        raise error_at(op, f"writes into @{op.buffer}, which is no aie.buffer of the device")
    column, row = sequence.place(op, buffer.tile)
    size = prod(buffer.buffer.type.shape) * sequence.bits(buffer.buffer.type) // 32
    if op.index >= size:
        raise error_at(op, f"writes word {op.index} of @{op.buffer}, which has {size}")
    address = sequence.device.address(column, row, sequence.buffer_address(op, buffer) + 4 * op.index)
    return [Write(address, op.value)]


def set_lock(sequence: Any, op: Any) -> list[Instruction]:
    """`aiex.set_lock`."""
    lock = op.lock.owner.opview
    column, row = sequence.place(op, lock.tile)
    kind = sequence.device.kind(column, row)
    offset = LOCK_BASE[kind] + LOCK_STRIDE * sequence.lock_id(op, lock)
    return [Write(sequence.device.address(column, row, offset), op.value)]


LOWERINGS: dict[str, Callable[[Any, Any], list[Instruction]]] = {
    "aiex.npu.writebd": writebd,
    "aiex.npu.rtp_write": rtp_write,
    "aiex.set_lock": set_lock,
}
"""By operation."""
