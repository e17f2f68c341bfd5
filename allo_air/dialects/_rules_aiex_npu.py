"""Rules of the NPU controller's operations: register writes, queues, synchronization, control packets."""

from __future__ import annotations

from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_PACKET_ID, MAX_PACKET_TYPE, MAX_REPEAT
from allo_air.device import Device
from allo_air.dialects._aiex_npu import (
    WRITEBD_FIELDS,
    ControlPacketOp,
    NpuDmaWaitOp,
    NpuLoadPdiOp,
    NpuPreemptOp,
    NpuPushQueueOp,
    NpuSyncOp,
    NpuWriteBdOp,
)
from allo_air.dialects._places import device_of, symbols_in_sequence
from allo_air.dialects._rules import Report, rule
from allo_air.errors import nearest, suggestion
from allo_air.mlir import ir

_RANGES = (
    ("d1_size", 0x3FF, "D1 Size exceeds the [0:1023] range."),
    ("d0_stride", 0xFFFFF, "D0 Stride exceeds the [0:1M-1] range."),
    ("d1_stride", 0xFFFFF, "D1 Stride exceeds the [0:1M-1] range."),
    ("d2_stride", 0xFFFFF, "D2 Stride exceeds the [0:1M-1] range."),
    ("iteration_size", 0x3F, "Iteration Size exceeds the [0:63] range."),
    ("iteration_stride", 0xFFFFF, "Iteration Stride exceeds the [0:1M-1] range."),
    ("packet_id", MAX_PACKET_ID, "Packet ID exceeds the maximum supported by 5 bits."),
    ("packet_type", MAX_PACKET_TYPE, "Packet Type exceeds the maximum supported by 3 bits."),
)
"""Fields of `aiex.npu.writebd` with their largest value and the error message."""

_COLUMN_BITS, _ROW_BITS = 7, 5
"""Bits of a tile's column and row in the address of a register, above its 20 bits in the tile."""


@rule("aiex.npu.dma_wait")
def wait_symbol(op: NpuDmaWaitOp, report: Report) -> None:
    """The symbol is defined in this device, or in one that the sequence loads."""
    if device_of(op, report) is None or op.symbol in (symbols := symbols_in_sequence(op, report)):
        return
    names = [name for name, item in symbols.items() if item.name in _WAITED]
    near = suggestion(tuple(f"@{name}" for name in nearest(op.symbol, names)))
    report.error(op, f"couldn't find symbol in parent device: '{op.symbol}'{near}")


_WAITED = ("aie.objectfifo", "aie.shim_dma_allocation")


@rule("aiex.npu.write32", "aiex.npu.maskwrite32", "aiex.npu.blockwrite")
def register_address(op: ir.OpView, report: Report) -> None:
    """Column and row are both given or both missing; a buffer has its own tile."""
    if (op.column is None) != (op.row is None):
        missing = "row" if op.row is None else "column"
        report.warning(op, f"gives {'column' if missing == 'row' else 'row'} without {missing}, so address is taken as it is")
    elif op.column is not None and op.buffer is not None:
        report.warning(op, "gives both buffer and column/row; the buffer decides")
    elif op.column is not None:
        _check_tile(op, op.column, op.row, report)


@rule("aiex.npu.push_queue")
def push_queue(op: NpuPushQueueOp, report: Report) -> None:
    """BD, channel and repeat count exist."""
    device = device_of(op, report)
    if op.repeat_count is not None and not 0 <= op.repeat_count < MAX_REPEAT:
        report.error(op, f"Repeat count exceeds the [0:{MAX_REPEAT - 1}] range. Found {op.repeat_count}")
        return
    if device is None or not _check_tile(op, op.column, op.row, report):
        return
    tile = device.tile(op.column, op.row)
    if op.bd_id is not None and not 0 <= op.bd_id < tile.bds:
        report.error(op, f"BD ID exceeds the maximum ID. Found {op.bd_id}, maximum {tile.bds - 1}")
    elif not 0 <= op.channel < tile.channels[op.direction]:
        report.error(op, f"channel {op.channel} does not exist: the tile has {tile.channels[op.direction]} of this direction")


@rule("aiex.npu.sync")
def sync(op: NpuSyncOp, report: Report) -> None:
    """Direction is 0 (S2MM) or 1 (MM2S)."""
    if op.direction is not None and op.direction not in (0, 1):
        report.warning(op, f"direction must be 0 (S2MM) or 1 (MM2S), found {op.direction}")
    if op.column is None or op.row is None or op.column_num is None or op.row_num is None:
        return
    if op.column_num < 1 or op.row_num < 1:
        report.warning(op, f"waits for no tile: column_num {op.column_num}, row_num {op.row_num}")
    else:
        _check_tile(op, op.column + op.column_num - 1, op.row + op.row_num - 1, report)


@rule("aiex.npu.writebd")
def write_bd(op: NpuWriteBdOp, report: Report) -> None:
    """Each field fits the BD's bits."""
    attributes = op.attributes
    fields = {name: attributes[name].value for name in WRITEBD_FIELDS if name in attributes}
    device = device_of(op, report)
    if device is None or not _check_tile(op, op.column, op.row, report):
        return
    tile = device.tile(op.column, op.row)
    if not 0 <= op.bd_id < tile.bds:
        report.error(op, f"BD ID exceeds the maximum ID. Found {op.bd_id}, maximum {tile.bds - 1}")
        return
    get = fields.get
    linear = get("d0_size", 0) >= 1 and get("d1_size", 0) == 1 and get("iteration_size", 0) == 0
    if not linear and get("d0_size", 0) > 0x3FF:
        report.error(op, f"D0 Size exceeds the [0:1023] range. Found {fields['d0_size']}")
        return
    for name, most, message in _RANGES:
        if not 0 <= get(name, 0) <= most:
            report.error(op, f"{message} Found {fields[name]}")
            return
    _check_shim_fields(op, fields, device, report)


def _check_shim_fields(op: NpuWriteBdOp, fields: dict[str, int], device: Device, report: Report) -> None:
    shim = device.tile(op.column, op.row).kind == "shim_noc"
    if shim and fields.get("d2_size", 0) != 0:
        report.error(op, f"ShimTile only supports 3 dimensions of sizes. Found d2_size {fields['d2_size']}")
    elif shim and any(value for name, value in fields.items() if "_zero_" in name):
        report.error(op, "ShimTile doesn't support zero padding.")
    elif not shim and fields.get("burst_length", 0) != 0:
        report.error(op, f"Only ShimTiles support burst length. Found {fields['burst_length']}")
    elif shim:
        check_burst(op, fields.get("burst_length", 0), device, report)


@rule("aiex.npu.load_pdi")
def load_pdi(op: NpuLoadPdiOp, report: Report) -> None:
    """The load names a device of the module, or an id (with address and size)."""
    if op.device_ref is None and op.id is None:
        report.warning(op, "names neither a device (device_ref) nor an id")


@rule("aiex.npu.preempt")
def preempt(op: NpuPreemptOp, report: Report) -> None:
    """There are four preemption levels."""
    if op.level > 3:
        report.warning(op, f"level must be in [0, 3], found {op.level}")


@rule("aiex.control_packet")
def control_packet(op: ControlPacketOp, report: Report) -> None:
    """Either data to write or a length to read."""
    if op.data is None and op.length is None:
        report.error(op, "expects data (to write) or length (to read)")
    elif op.data is not None and op.length is not None and op.length != len(op.data):
        report.error(op, f"length {op.length} does not match the {len(op.data)} words of data; leave it out")
    if not 0 <= op.opcode <= 3:
        report.warning(op, f"opcode {op.opcode} does not fit the packet's 2 bits, [0, 3]")
    if not 0 <= op.stream_id <= 31:
        report.warning(op, f"stream_id {op.stream_id} does not fit the packet's 5 bits, [0, 31]")


def check_burst(op: ir.OpView, length: int, device: Device, report: Report) -> bool:
    """Whether the shim DMA has bursts of `length` bytes (0: the longest)."""
    if length == 0 or length in arch_of(device).burst_lengths:
        return True
    report.error(
        op,
        "Requested burst length is not supported by the target. Supported burst lengths: "
        f"{' '.join(map(str, arch_of(device).burst_lengths))}, found {length}",
    )
    return False


def _check_tile(op: ir.OpView, column: int, row: int, report: Report) -> bool:
    device = device_of(op, report)
    if device is None or device.holds(column, row):
        return True
    text = f"names tile ({column}, {row}), but {device.name} has {device.columns} columns and {device.rows} rows"
    if 0 <= column < 1 << _COLUMN_BITS and 0 <= row < 1 << _ROW_BITS:
        report.warning(op, text)
    else:  # too large for a word of an instruction
        report.error(op, text)
    return False
