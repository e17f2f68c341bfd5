"""Instructions of DMA tasks and BD chains (docs/sources.md#npu-instructions).

Configuring a task writes its BDs, starting it queues the first, awaiting it waits for its token; BDs without an id get the
lowest free one of their tile, which is free again after the await or the free of its task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_REPEAT
from allo_air.core.diagnostics import error_at
from allo_air.device import CORE_BD, MEM_BD, MEMTILE_WINDOW, SHIM_BD
from allo_air.dialects._places import size_stride_pairs
from allo_air.errors import counted
from allo_air.target.npu_bd import (
    BD_BASE,
    BD_STRIDE,
    OWN_LOCKS,
    BufferDescriptor,
)
from allo_air.target.npu_padding import padding_of
from allo_air.target.npu_parameters import moved_by, refuse_parameter
from allo_air.target.npu_shim import Transfer, of_transfer, padded
from allo_air.target.npu_views import argument_of, patched_bytes
from allo_air.target.npu_words import BlockWrite, Instruction, MaskWrite, Patch, Sync

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

_FORMATS = {"mem": replace(MEM_BD, wrap_bits=MEM_BD.wrap_bits[:2]), "core": CORE_BD, "shim_noc": SHIM_BD}
"""The third dimension of a task is the last of its descriptor, which the length ends: its wrap is not written."""

Channel = tuple[int, int, int, int]
"""Column, row, direction, number."""


@dataclass
class Task:
    """A configured task."""

    channel: Channel
    bds: list[int]
    token: bool
    repeat: int
    running: int = field(default=0)  # starts whose tokens are not awaited yet
    ended: bool = field(default=False)
    awaited: bool = field(default=False)  # and not freed since: IRON's sequences also free awaited tasks


def configure_task(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.dma_configure_task`."""
    column, row = sequence.place(op, op.tile)
    return _configure(sequence, op, (column, row, op.direction, op.channel), op.body, {}, op.packet)


def configure_task_for(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.dma_configure_task_for`."""
    column, direction, channel = sequence.allocation(op, op.alloc)
    return _configure(sequence, op, (column, 0, direction, channel), op.body, {}, sequence.packets.get(op.alloc))


def start_bd_chain(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.dma_start_bd_chain`."""
    column, row = sequence.place(op, op.tile)
    return _chain(sequence, op, (column, row, op.direction, op.channel), None)


def start_bd_chain_for(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.dma_start_bd_chain_for`."""
    column, direction, channel = sequence.allocation(op, op.alloc)
    return _chain(sequence, op, (column, 0, direction, channel), sequence.packets.get(op.alloc))


def _chain(sequence: ir.OpView, op: ir.OpView, channel: Channel, packet: ir.Attribute | None) -> list[Instruction]:
    chain = sequence.chains.get(op.symbol)
    if chain is None:
        raise error_at(op, f"names @{op.symbol}, which is not an aie.bd_chain of the device")
    values = dict(zip(chain.body.blocks[0].arguments, op.args, strict=True))
    return _configure(sequence, op, channel, chain.body, values, packet) + _start(sequence, op, sequence.tasks[op.task])


def _configure(
    sequence: ir.OpView, op: AnyOp, channel: Channel, body: ir.Region, values: Mapping[ir.Value, ir.Value], packet: object
) -> list[Instruction]:
    instructions: list[Instruction] = []
    for written in write_bds(sequence, op, channel, body, values, packet):
        kind = sequence.device.kind(channel[0], channel[1])
        instructions += [BlockWrite(written.base, written.descriptor.words(kind)), *written.address]
    return instructions


@dataclass(frozen=True)
class WrittenBD:
    """One BD of a task: its number, the address and contents of its registers, and how the address of its buffer is set."""

    op: Any
    number: int
    base: int
    descriptor: BufferDescriptor
    address: list[Instruction]


def write_bds(
    sequence: Any, op: Any, channel: Channel, body: ir.Region, values: Mapping[ir.Value, ir.Value], packet: object
) -> list[WrittenBD]:
    """Configures the task of `op` and returns its BDs in the order of the chain."""
    blocks = _in_order(op, body)
    if not blocks:
        raise error_at(op, "has no BD; expected at least one aie.dma_bd")
    bds = [next(o for o in block.operations if o.operation.name == "aie.dma_bd") for block in blocks]
    ids: list[int] = []
    first = getattr(op, "bd_id", None)
    for i, bd in enumerate(bds):
        ids.append(sequence.bd_for(bd, channel, first if i == 0 and first is not None else bd.bd_id))
    repeat = op.repeat_count or 0
    if not 0 <= repeat < MAX_REPEAT:
        raise error_at(op, f"repeats {counted(repeat + 1, 'time')}; a queue holds at most {MAX_REPEAT}")
    written_bds = []
    for block, bd, number in zip(blocks, bds, ids, strict=True):
        last = block.operations[-1]
        next_ = None
        if last.operation.name == "aie.next_bd":
            next_ = next(i for b, i in zip(blocks, ids, strict=True) if b == _past_entry(last.dest, blocks))
        written_bds.append(_descriptor(sequence, bd, channel, number, values, block, next_, packet))
    sequence.tasks[op.task] = Task(channel, ids, bool(op.issue_token), repeat)
    return written_bds


def _in_order(op: AnyOp, body: ir.Region) -> list[Any]:
    """The blocks with a BD in the order of the chain."""
    blocks = list(body.blocks)
    results: list[Any] = []
    block = blocks[0] if blocks else None
    while block is not None and block not in results:
        names = [o.operation.name for o in block.operations]
        if "aie.dma_bd" in names:
            results.append(block)
        last = block.operations[-1]
        block = last.operation.successors[0] if names[-1] == "aie.next_bd" else None
    return results


def _past_entry(block: ir.Block, blocks: list[ir.Block]) -> Any:
    return block if block in blocks else blocks[0]


def _descriptor(
    sequence: Any,
    bd: ir.OpView,
    channel: Channel,
    number: int,
    values: Mapping[ir.Value, ir.Value],
    block: ir.Block,
    next_: int | None,
    packet: Any,
) -> WrittenBD:
    column, row, direction, _ = channel
    kind = sequence.device.kind(column, row)
    buffer = values.get(bd.buffer, bd.buffer)
    transfer = _transfer(sequence, bd, kind, bd.packet or packet, sends=bool(int(direction)))
    result = of_transfer(transfer, sequence.device, kind)
    more = _locks(sequence, bd, block, (column, row), kind)
    if next_ is not None:
        more |= {"next_bd": next_, "use_next_bd": 1}
    result = replace(result, **more) if more else result
    base = sequence.device.address(column, row, BD_BASE[kind] + BD_STRIDE * number)
    return WrittenBD(bd, number, base, result, _address(sequence, bd, buffer, base, kind, (column, row), transfer.byte_offset))


def _transfer(sequence: ir.OpView, bd: ir.OpView, kind: str, packet: ir.Attribute | None, *, sends: bool) -> Transfer:
    """The access pattern of a BD, checked against the fields of its tile's BDs."""
    memref = bd.buffer.type
    bits = sequence.bits(memref)
    dims = size_stride_pairs(bd.dimensions) if bd.dimensions is not None else []
    length = bd.len if bd.len is not None else prod(memref.shape) - bd.offset
    if len(dims) > 4:
        raise error_at(
            bd, f"has {counted(len(dims), 'dimension')}; a task's BD has at most 4, the outermost being its iteration"
        )
    pads = padding_of(bd, kind, len(dims), bits, sends=sends)
    sizes = [n for n, _ in reversed(dims)] or [length]
    strides = [s for _, s in reversed(dims)] or [1]
    if (moved := prod(padded(sizes, pads)[:3])) != length:
        raise error_at(bd, _lengths(length, moved))
    sizes += [1] * (4 - len(sizes))
    strides += [0] * (4 - len(strides))
    params = size_stride_pairs(packet)[0] if packet is not None else None
    transfer = Transfer(tuple(sizes), tuple(strides), bd.offset * bits // 8, bits, params, bd.burst_length or 0, pads)
    if problems := transfer.problems(_FORMATS[kind]):
        raise error_at(bd, "; ".join(problems))
    bursts = arch_of(sequence.device).burst_lengths
    if transfer.burst and (kind != "shim_noc" or transfer.burst not in bursts):
        raise error_at(bd, f"burst length {transfer.burst}; shim tiles of {sequence.device.name} have {bursts}")
    return transfer


def _locks(sequence: Any, bd: AnyOp, block: ir.Block, place: tuple[int, int], kind: str) -> dict[str, int]:
    """Fields of the acquire before a BD and the release after it; both or none."""
    uses = [o for o in block.operations if o.operation.name == "aie.use_lock"]
    if not uses:
        return {}
    if len(uses) != 2 or uses[0].action == 1 or uses[1].action != 1:
        raise error_at(
            bd, f"has {counted(len(uses), 'lock operation')} in its block; expected none, or an acquire and then a release"
        )
    acquire = uses[0]
    ids = []
    for use in uses:
        lock = use.lock.owner.opview
        if sequence.place(use, lock.tile) != place:
            raise error_at(use, "uses a lock of another tile; a task's BD uses locks of its own")
        ids.append(sequence.lock_id(use, lock) + OWN_LOCKS[kind])
    values = [1 if use.value is None else use.value for use in uses]
    return {
        "lock_acq_enable": 1,
        "lock_acq_id": ids[0],
        "lock_acq_val": -values[0] if acquire.action == 2 else values[0],
        "lock_rel_id": ids[1],
        "lock_rel_val": values[1],
    }


def _address(
    sequence: Any, bd: AnyOp, buffer: ir.Value, base: int, kind: str, place: tuple[int, int], offset: int
) -> list[Instruction]:
    """Writes the buffer's address into the BD: by a patch for a host buffer, directly for a buffer of the tile."""
    host = argument_of(sequence, buffer)
    if host is not None:
        if kind != "shim_noc":
            raise error_at(
                bd, "DDR memory (runtime input arguments) can only be referred to on shim tiles; other DMAs do not reach it"
            )
        argument, start = host
        bits = sequence.bits(buffer.type)
        return [Patch(base + 4, argument, patched_bytes(bd, start + offset, bits)), *moved_by(sequence, bd, base, bits)]
    refuse_parameter(bd)
    owner = getattr(buffer, "owner", None)
    if owner is None or not hasattr(owner, "operation") or owner.operation.name != "aie.buffer" or kind == "shim_noc":
        raise error_at(bd, "moves a buffer that is neither an argument of the sequence on a shim nor an aie.buffer of its tile")
    view = owner.operation.opview
    if sequence.place(bd, view.tile) != place:
        raise error_at(bd, "moves a buffer of another tile")
    address = sequence.buffer_address(bd, view) + offset
    if kind == "core":
        return [MaskWrite(base, address // 4 << 14, 0x0FFFC000)]
    if arch_of(sequence.device).memtile_window:
        address += MEMTILE_WINDOW
    return [MaskWrite(base + 4, address // 4, 0x7FFFF)]


def start_task(sequence: Any, op: ir.OpView) -> list[Instruction]:
    """`aiex.dma_start_task`."""
    return _start(sequence, op, sequence.task(op, op.task))


def _start(sequence: ir.OpView, op: ir.OpView, task: Task) -> list[Instruction]:
    instructions: list[Instruction] = sequence.queue(op, task.channel, task.bds[0], task.repeat, token=task.token)
    task.running += task.token
    for bd in task.bds[1:]:
        sequence.occupy(task.channel, bd)
    return instructions


def _lengths(length: int, moved: int) -> str:
    rule = "Buffer descriptor length does not match length of transfer expressed by lowest three dimensions of data layout"
    return f"{rule} transformation strides/wraps: {counted(length, 'element')}, and these come to {moved}"


def await_task(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.dma_await_task`: one wait for each start; the last one frees the BDs."""
    task = sequence.task(op, op.task)
    if not task.token:
        raise error_at(op, "Cannot wait on a BD that is not configured to issue a token; set issue_token = true on the task")
    sequence.wait(op, task.channel)
    task.running -= 1
    if not task.running:
        _release(sequence, task)
        task.awaited = True
    column, row, direction, channel = task.channel
    return [Sync(column, row, direction, channel)]


def free_task(sequence: ir.OpView, op: ir.OpView) -> list[Instruction]:
    """`aiex.dma_free_task`; a task that was awaited has no BDs any more, and may be freed once."""
    result = sequence.tasks.get(op.task)
    if result is not None and result.awaited:
        result.awaited = False
        return []
    task = sequence.task(op, op.task)
    _release(sequence, task)
    sequence.vacate(task.channel, task.bds)
    return []


def _release(sequence: ir.OpView, task: Task) -> None:
    task.ended = True
    column, row, *_ = task.channel
    for bd in task.bds:
        sequence.taken.get((column, row), set()).discard(bd)


LOWERINGS: dict[str, Callable[[Any, Any], list[Instruction]]] = {
    "aiex.dma_configure_task": configure_task,
    "aiex.dma_configure_task_for": configure_task_for,
    "aiex.dma_start_bd_chain": start_bd_chain,
    "aiex.dma_start_bd_chain_for": start_bd_chain_for,
    "aiex.dma_start_task": start_task,
    "aiex.dma_await_task": await_task,
    "aiex.dma_free_task": free_task,
}
"""The rules by operation name."""
