"""Functions of the sequence that become NPU instructions: transfers by an objectFifo's name, waits, writes, packets."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.attributes import packet as header
from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.aie.building.scope import require
from allo_air.aie.building.values import Memory, Scalar, converted, value_of, wrapped
from allo_air.aie.dialects._aie_enum_gen import DMAChannelDir
from allo_air.aie.dialects._aie_fifos import symbol_of
from allo_air.dialects import aiex as _aiex
from allo_air.errors import counted
from allo_air.mlir import ir

_DIMS = 4
_DYNAMIC = -9223372036854775808


def npu_dma_memcpy_nd(
    metadata: object,
    bd_id: int,
    mem: ir.Value,
    tap: Any = None,
    offsets: Sequence[Any] | None = None,
    sizes: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    issue_token: bool | None = None,
    burst_length: int = 0,
    packet: object = None,
    *,
    offset_parameter: object = None,
    loc: object = None,
    ip: object = None,
    **keywords: object,
) -> Any:
    """Moves elements of `mem`, an argument of the sequence, over the objectFifo `metadata`."""
    name = symbol_of(metadata)
    require(f"npu_dma_memcpy_nd of '{name}'", "sequence")
    memory = wrapped(value_of(mem))
    if not isinstance(memory, Memory):
        raise IronTypeError(f"npu_dma_memcpy_nd of '{name}' moves an argument of the sequence, got {type(mem).__name__}")
    if tap is not None:
        if offsets is not None or sizes is not None or strides is not None:
            raise IronValueError(f"npu_dma_memcpy_nd of '{name}' takes a tap, or offsets, sizes and strides, not both")
        offsets, sizes, strides = [0, 0, 0, tap.offset], tap.sizes, tap.strides
    if sizes is None:
        sizes = [1, 1, 1, prod(memory.shape)]
    if strides is None:
        strides = [0 if _is(n, 1) else _count(sizes[i + 1 :]) for i, n in enumerate(sizes[:-1])] + [1]
    fields: dict[str, Any] = {}
    for key, value, fill in (("offsets", offsets or [], 0), ("sizes", sizes, 1), ("strides", strides, 0)):
        fixed, values = [], []
        for number in _full(value, fill):
            is_value = isinstance(number, ir.Value)
            fixed.append(_DYNAMIC if is_value else int(number))
            values += [converted(Scalar(number), "i64")] if is_value else []
        fields |= {f"static_{key}": fixed, key: values}
    if (result := header(packet)) is not None:
        fields["packet"] = result
    if offset_parameter is not None:
        fields["offset_parameter"] = symbol_of(offset_parameter)
    fields |= {n: v for n, v in keywords.items() if v is not None}
    fields |= {"id": int(bd_id), "issue_token": bool(issue_token), "burst_length": int(burst_length)}
    return _aiex.NpuDmaMemcpyNdOp(memref=memory, metadata=name, loc=loc, ip=ip, **fields)


NpuDmaMemcpyNd = npu_dma_memcpy_nd
"""The operation's class, which older programs call."""


def _full(numbers: Sequence[object], fill: int) -> list[Any]:
    if len(numbers) > _DIMS:
        raise IronValueError(f"npu_dma_memcpy_nd: {counted(len(numbers), 'dimension')}; at most {_DIMS}")
    return [fill] * (_DIMS - len(numbers)) + list(numbers)


def _is(operand: int, number: int) -> bool:
    return not isinstance(operand, ir.Value) and int(operand) == number


def _count(sizes: Sequence[object]) -> Any:
    count: Any = 1
    for n in sizes:
        count = n * count if isinstance(n, ir.Value) else count * n
    return count


def dma_wait(*metadata: object) -> None:
    """Waits for the transfers of these objectFifos."""
    require("dma_wait", "sequence")
    if not metadata:
        raise IronValueError("dma_wait waits for at least one queue; there is none")
    for each in metadata:
        _aiex.NpuDmaWaitOp(symbol=symbol_of(each))


npu_dma_wait = dma_wait


def npu_sync(
    column: object = 0,
    row: object = 0,
    direction: object = 0,
    channel: object = 0,
    column_num: object = 1,
    row_num: object = 1,
    **keywords: object,
) -> Any:
    """Waits for a channel's token."""
    refuse(keywords, "npu_sync", ignored=("loc", "ip"))
    require("npu_sync", "sequence")
    dma_direction = DMAChannelDir[direction] if isinstance(direction, str) else direction
    fields = {"column": column, "row": row, "direction": dma_direction, "channel": channel}
    return _aiex.NpuSyncOp(**_words(fields | {"column_num": column_num, "row_num": row_num}))


def npu_write32(
    address: object, value: object, column: int | None = None, row: int | None = None, buffer: object = None, **keywords: object
) -> Any:
    """Writes a register."""
    refuse(keywords, "npu_write32", ignored=("loc", "ip"))
    require("npu_write32", "sequence")
    return _aiex.NpuWrite32Op(**_words({"address": address, "value": value}), **_place(column, row, buffer))


def npu_maskwrite32(
    address: object,
    value: object,
    mask: object,
    column: int | None = None,
    row: int | None = None,
    buffer: object = None,
    **keywords: object,
) -> Any:
    """Writes the bits `mask` of a register."""
    refuse(keywords, "npu_maskwrite32", ignored=("loc", "ip"))
    require("npu_maskwrite32", "sequence")
    words = _words({"address": address, "value": value, "mask": mask})
    return _aiex.NpuMaskWrite32Op(**words, **_place(column, row, buffer))


def npu_address_patch(addr: object, arg_idx: int, arg_plus: object = 0, **keywords: object) -> Any:
    """Writes the address of an argument into a BD."""
    refuse(keywords, "npu_address_patch", ignored=("loc", "ip"))
    require("npu_address_patch", "sequence")
    return _aiex.NpuAddressPatchOp(**_words({"addr": addr, "arg_plus": arg_plus}), arg_idx=int(arg_idx))


def npu_push_queue(
    column: int,
    row: int,
    direction: Any,
    channel: int,
    issue_token: bool = False,
    repeat_count: object = 0,
    bd_id: object = 0,
    **keywords: object,
) -> Any:
    """Puts a BD into a channel's queue."""
    refuse(keywords, "npu_push_queue", ignored=("loc", "ip"))
    require("npu_push_queue", "sequence")
    dma_direction = DMAChannelDir[direction] if isinstance(direction, str) else int(direction)
    return _aiex.NpuPushQueueOp(
        column=column, row=row, direction=dma_direction, channel=channel, issue_token=issue_token,
        **_words({"repeat_count": repeat_count, "bd_id": bd_id}),
    )  # fmt: skip


def npu_rtp_write(buffer: object, index: object, value: Any, **keywords: object) -> Any:
    """Writes an element of a buffer."""
    refuse(keywords, "npu_rtp_write", ignored=("loc", "ip"))
    require("npu_rtp_write", "sequence")
    if not hasattr(index, "__index__") or isinstance(index, ir.Value):
        raise IronTypeError(f"npu_rtp_write of '{symbol_of(buffer)}': the index is an integer, got {type(index).__name__}")
    if not isinstance(value, ir.Value) and int(value) != value:
        raise IronTypeError(f"npu_rtp_write of '{symbol_of(buffer)}' writes integers, got {value!r}")
    return _aiex.NpuRtpWriteOp(buffer=symbol_of(buffer), index=int(index), **_words({"value": value}, signed=True))


NpuWriteRTPOp = npu_rtp_write
"""The operation's class, which older programs call."""


def npu_writebd(**fields: int) -> Any:
    """Writes a whole BD, given by named fields; missing fields are 0."""
    require("npu_writebd", "sequence")
    declared = _aiex.NpuWriteBdOp.DECL.attrs
    blank = {n: 0 for n, a in declared.items() if not a.optional}
    own = {n: int(v) for n, v in fields.items() if n in declared and v is not None}
    i32 = ir.IntegerType.get_signless(32)
    rest = {n: ir.IntegerAttr.get(i32, int(v)) for n, v in fields.items() if n not in declared and v is not None}
    return _aiex.NpuWriteBdOp(**{**blank, **own}, attributes=rest)


def npu_blockwrite(
    data: object, address: int, column: int | None = None, row: int | None = None, buffer: object = None, **keywords: object
) -> Any:
    """Writes a run of registers."""
    refuse(keywords, "npu_blockwrite", ignored=("loc", "ip"))
    require("npu_blockwrite", "sequence")
    return _aiex.NpuBlockWriteOp(data=value_of(data), address=int(address), **_place(column, row, buffer))


def npu_load_pdi(device_ref: object = None, **fields: object) -> Any:
    """Loads the configuration of a device."""
    if device_ref is not None:
        fields["device_ref"] = symbol_of(device_ref)
    return _aiex.NpuLoadPdiOp(**{n: v for n, v in fields.items() if v is not None})


def npu_preempt(level: int = 0) -> Any:
    """A point at which the controller may preempt the run."""
    return _aiex.NpuPreemptOp(level=int(level))


def control_packet(
    address: int, opcode: int, stream_id: int, data: Sequence[int] | None = None, length: int | None = None, **keywords: object
) -> Any:
    """A packet that reads or writes registers."""
    refuse(keywords, "control_packet", ignored=("loc", "ip"))
    words = None if data is None else [int(n) for n in data]
    numbers = {"address": int(address), "opcode": int(opcode), "stream_id": int(stream_id)}
    return _aiex.ControlPacketOp(data=words, length=length, **numbers)


def set_lock_value(lock: object, value: object, **keywords: object) -> Any:
    """Sets a lock from the sequence."""
    refuse(keywords, "set_lock_value", ignored=("loc", "ip"))
    require("set_lock_value", "sequence")
    return _aiex.SetLockOp(lock=value_of(lock), **_words({"value": value}, signed=True))


set_lock = set_lock_value


def dma_channel_reset(tile: object, direction: Any, channel: int = 0) -> Any:
    """Resets a channel."""
    dma_direction = DMAChannelDir[direction] if isinstance(direction, str) else int(direction)
    return _aiex.DmaChannelResetOp(tile=value_of(tile), direction=dma_direction, channel=int(channel))


def core_reset(tile: object) -> Any:
    """Resets a core."""
    return _aiex.CoreResetOp(tile=value_of(tile))


def dma_channel_reset_for(fifo: object) -> Any:
    """Resets the channels and locks of an objectFifo."""
    return _aiex.DmaChannelResetForOp(symbol=symbol_of(fifo))


def _words(fields: dict[str, Any], signed: bool = False) -> dict[str, Any]:
    """Splits arguments into attributes (numbers) and operands (values)."""
    words: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, ir.Value):
            words[f"{name}_operand"] = converted(Scalar(value), "i32")
        else:
            number = int(value)
            unsigned = name in ("address", "mask", "addr") or (name == "value" and not signed)
            words[name] = number & 0xFFFFFFFF if unsigned else number
    return words


def _place(column: int | None, row: int | None, buffer: object) -> dict[str, Any]:
    fields = {"column": column, "row": row, "buffer": None if buffer is None else symbol_of(buffer)}
    return {n: v for n, v in fields.items() if v is not None}
