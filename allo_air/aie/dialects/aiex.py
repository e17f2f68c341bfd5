"""Verbs of the sequence beside those of queues: transfers by name of the queue, waits, writes of registers and locks."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.aie.iron.errors import IronTypeError
from allo_air.aie.iron.tasks import Task
from allo_air.aie.iron.values import Memory, Scalar, converted
from allo_air.aie.iron.writing import writer

__all__ = [
    "dma_await_task", "dma_free_task", "dma_start_task", "dma_wait", "npu_dma_memcpy_nd", "npu_dma_wait", "npu_maskwrite32",
    "npu_rtp_write", "npu_sync", "npu_write32", "shim_dma_single_bd_task",
]  # fmt: skip
_PLACE = ("column", "row")


def npu_dma_memcpy_nd(
    metadata: Any, bd_id: int, mem: Any, tap: Any = None, offsets: Sequence[Any] | None = None,
    sizes: Sequence[Any] | None = None, strides: Sequence[Any] | None = None, issue_token: bool | None = None,
    burst_length: int = 0, packet: Any = None, **_: Any,
) -> None:  # fmt: skip
    """Moves elements of `mem`, an argument of the sequence, by the queue `metadata`."""
    out, name = writer("npu_dma_memcpy_nd", "sequence"), _name(metadata)
    if packet is not None:
        raise IronTypeError(f"npu_dma_memcpy_nd of '{name}': a packet is not there yet; leave it out")
    if not isinstance(mem, Memory):
        raise IronTypeError(f"npu_dma_memcpy_nd of '{name}' moves an argument of the sequence, got {type(mem).__name__}")
    if tap is not None:
        offsets, sizes, strides = [0, 0, 0, tap.offset], tap.sizes, tap.strides
    if sizes is None:
        sizes = [1, 1, 1, mem.type.size]
    if strides is None:
        strides = [0] * (4 - len(sizes)) + [prod(int(n) for n in sizes[i + 1 :]) for i in range(len(sizes))]
    lists = []
    for given, fill in ((offsets or [], 0), (sizes, 1), (strides, 0)):
        padded = [fill] * (4 - len(given)) + list(given)
        lists.append(", ".join(converted(n, "i64").name if isinstance(n, Scalar) else str(int(n)) for n in padded))
    flags = [f"id = {int(bd_id)} : i64", f"metadata = @{name}"]
    flags += ["issue_token = true"] if issue_token else []
    flags += [f"burst_length = {burst_length} : i64"] if burst_length else []
    text = "".join(f"[{numbers}]" for numbers in lists)
    out.op(f"aiex.npu.dma_memcpy_nd({mem.name}{text}) {{{', '.join(flags)}}} : {mem.type.memref}")


def dma_wait(*metadata: Any) -> None:
    """Waits for the transfers of these queues."""
    out = writer("dma_wait", "sequence")
    for each in metadata:
        out.op(f"aiex.npu.dma_wait {{symbol = @{_name(each)}}}")


npu_dma_wait = dma_wait


def npu_write32(address: int, value: int, column: int | None = None, row: int | None = None, **_: Any) -> None:
    """Writes a register."""
    _register("write32", {"address": address, "value": value}, column, row)


def npu_maskwrite32(address: int, value: int, mask: int, column: int | None = None, row: int | None = None, **_: Any) -> None:
    """Writes the bits `mask` of a register."""
    _register("maskwrite32", {"address": address, "value": value, "mask": mask}, column, row)


def npu_rtp_write(buffer: Any, index: int, value: int) -> None:
    """Writes an element of a buffer."""
    writer("npu_rtp_write", "sequence").op(f"aiex.npu.rtp_write(@{_name(buffer)}, {int(index)}, {int(value)})")


def npu_sync(column: int, row: int, direction: int, channel: int, column_num: int = 1, row_num: int = 1) -> None:
    """Waits for a channel's token."""
    fields = {"column": column, "row": row, "direction": direction, "channel": channel}
    fields |= {"column_num": column_num, "row_num": row_num}
    text = ", ".join(f"{n} = {int(v)} : i32" for n, v in fields.items())
    writer("npu_sync", "sequence").op(f"aiex.npu.sync {{{text}}}")


def shim_dma_single_bd_task(
    alloc: Any, mem: Any, tap: Any = None, offset: Any = None, sizes: Any = None, strides: Any = None,
    transfer_len: int | None = None, issue_token: bool = False, **_: Any,
) -> Task:  # fmt: skip
    """Configures a transfer of one BD; `dma_start_task` starts it."""
    from allo_air.aie.iron.tasks import transfer

    given = {"sizes": sizes, "strides": strides, "offset": offset, "transfer_len": transfer_len}
    return transfer(alloc, mem, tap, wait=issue_token, managed=False, start=False, **given)


def dma_start_task(*tasks: Task) -> None:
    """Starts configured transfers."""
    for task in tasks:
        writer("dma_start_task", "sequence").op(f"aiex.dma_start_task({task.name})")


def dma_await_task(*tasks: Task) -> None:
    """Waits for tasks."""
    for task in tasks:
        task.await_()


def dma_free_task(*tasks: Task) -> None:
    """Gives back their descriptors."""
    for task in tasks:
        task.free()


def _register(op: str, fields: dict[str, int], column: int | None, row: int | None) -> None:
    words = [f"{n} = {int(v) & 0xFFFFFFFF} : ui32" for n, v in fields.items()]
    words += [f"{n} = {v} : i32" for n, v in zip(_PLACE, (column, row), strict=True) if v is not None]
    writer(f"npu_{op}", "sequence").op(f"aiex.npu.{op} {{{', '.join(words)}}}")


def _name(given: Any) -> str:
    return given if isinstance(given, str) else str(given.name)
