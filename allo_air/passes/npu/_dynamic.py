"""Lowers tasks with run-time sizes, offsets or repeats: operations compute the instruction words. The constant words of a
buffer descriptor are written as one block, with zeros for the values. It is followed by a separate write of each register
that depends on a value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_PATCH, MAX_REPEAT
from allo_air.core.diagnostics import error_at
from allo_air.dialects import aiex
from allo_air.dialects._places import size_stride_pairs
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes.npu._symbolic import Number, Symbolic
from allo_air.passes.npu._task_origins import origins
from allo_air.target import npu_tasks
from allo_air.target.bd_layout import LAYOUTS
from allo_air.target.npu_array import lock_register
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, FIELDS, QUEUE_BASE, BufferDescriptor, burst_of
from allo_air.target.npu_loose import LoopSequence
from allo_air.target.npu_padding import padding_of
from allo_air.target.npu_views import argument_of, patched_bytes
from allo_air.target.npu_words import BlockWrite, Instruction

if TYPE_CHECKING:
    from allo_air.device import Device
    from allo_air.dialects._aie_dma import DMABDOp
    from allo_air.dialects._aiex_npu import NpuDmaMemcpyNdOp, NpuPushQueueOp
    from allo_air.dialects._aiex_tasks import DMAAwaitTaskOp, DMAConfigureTaskOp, DMAStartTaskOp, SetLockOp
    from allo_air.passes.npu._emit import Emitter

_DYNAMIC = -(2**63)
_SHIM = "shim_noc"
_MOST = 1023


@dataclass
class Pending:
    """A configured task: its channel, first BD and repeat count, as numbers or values."""

    channel: tuple[int, int, int, int]
    bd: Number
    repeat: Number
    token: bool


class Dynamic:
    """Lowers the operations with run-time values of one sequence."""

    def __init__(self, emitter: Emitter, sequence: LoopSequence) -> None:
        self.emitter, self.sequence = emitter, sequence
        self.tasks: dict[Any, Pending] = {}

    def memcpy(self, op: NpuDmaMemcpyNdOp) -> None:
        """`aiex.npu.dma_memcpy_nd`."""
        sequence, s = self.sequence, Symbolic(op)
        column, direction, channel = sequence.allocation(op, op.metadata)
        host = argument_of(sequence, op.memref)
        if host is None:
            raise error_at(op, "moves a buffer that is not an argument of the runtime sequence")
        sequence.check_bd(op, column, op.id)
        bits = sequence.bits(op.memref.type)
        lists = [_filled(s, getattr(op, f"static_{k}"), list(getattr(op, k))) for k in ("offsets", "sizes", "strides")]
        offsets, sizes, strides = ([*reversed(numbers)] for numbers in lists)
        start: Number = 0
        for offset, stride in zip(offsets, strides, strict=True):
            start = s.add(start, s.mul(offset, stride))
        start = s.div(s.mul(start, bits), 8)
        packet = size_stride_pairs(op.packet)[0] if op.packet is not None else None
        static = _static(sequence.device, packet, op.burst_length)
        fields = _pattern(s, sizes, strides, bits, None)
        self._write(s, op, column, op.id, static, fields)
        self._patch(s, op, op.memref, (column, op.id), host, start)
        token = op.issue_token or direction == 0
        repeat = s.sub(sizes[3], 1)
        self._push(s, op, Pending((column, 0, direction, channel), op.id, repeat, token), registers=True)

    def configure(self, op: Any, channel: Any, packet: object) -> None:
        """Configures a task; the number of its first BD may be a run-time value."""
        sequence, s = self.sequence, Symbolic(op)
        column, row, *_ = channel
        kind = sequence.device.kind(column, row)
        blocks = npu_tasks._in_order(op, op.body)
        if not blocks:
            raise error_at(op, "has no BD; expected at least one aie.dma_bd")
        bds = [next(o for o in block.operations if o.operation.name == "aie.dma_bd") for block in blocks]
        pooled = op.bd_id_operand is not None
        if pooled and len(bds) > 1:
            raise error_at(op, "takes its BD from a pool, and has a chain of several; a pool gives one at a time")
        first = s.of(op.bd_id_operand) if pooled else op.bd_id
        ids: list[Number] = [first if i == 0 and first is not None else bd.bd_id for i, bd in enumerate(bds)]
        for bd, number in zip(bds, ids, strict=True):
            if number is None:
                sequence.bd_for(bd, channel, None)
        for block, bd, number in zip(blocks, bds, ids, strict=True):
            last = block.operations[-1].operation
            links: dict[str, int] = {}
            if last.name == "aie.next_bd":
                target = npu_tasks._past_entry(last.successors[0], blocks)
                links = {"next_bd": next(n for b, n in zip(blocks, ids, strict=True) if b == target), "use_next_bd": 1}
            self._bd(s, op, bd, block, channel, kind, number, links, bd.packet or packet)
        repeat = s.of(op.repeat_count_operand) if op.repeat_count_operand is not None else op.repeat_count or 0
        self.tasks[op.task] = Pending(channel, ids[0], repeat, bool(op.issue_token))

    def _bd(
        self,
        s: Symbolic,
        op: DMAConfigureTaskOp,
        bd: DMABDOp,
        block: Any,
        channel: Any,
        kind: str,
        number: Number,
        links: Any,
        packet: Any,
    ) -> None:
        sequence, (column, row, *_) = self.sequence, channel
        if bd.is_static and isinstance(number, int):
            result = npu_tasks._descriptor(sequence, bd, channel, number, {}, block, links.get("next_bd"), packet)
            self.emitter.put(BlockWrite(result.base, result.descriptor.words(kind)), op)
            for instruction in result.address:
                self.emitter.put(instruction, op)
            return
        if kind != _SHIM:
            raise error_at(bd, "has values of the runtime sequence; only BDs of shim tiles take them")
        host = argument_of(sequence, bd.buffer)
        if host is None:
            raise error_at(bd, "moves a buffer that is not an argument of the runtime sequence")
        bits = sequence.bits(bd.buffer.type)
        offset = s.of(bd.offset_operand) if bd.offset_operand is not None else bd.offset or 0
        length = s.of(bd.len_operand) if bd.len_operand is not None else bd.len
        if length is None:
            length = s.sub(prod(bd.buffer.type.shape), offset)
        sizes: list[Number] = [length]
        strides: list[Number] = [1]
        if bd.dimensions is not None:
            columns = [list(c) for c in zip(*size_stride_pairs(bd.dimensions), strict=True)]
            values = (list(bd.size_operands), list(bd.stride_operands))
            sizes, strides = (_filled(s, c, v)[::-1] for c, v in zip(columns, values, strict=True))
        padding_of(bd, kind, len(sizes), bits)
        sizes += [1] * (4 - len(sizes))
        strides += [0] * (4 - len(strides))
        parameters = size_stride_pairs(packet)[0] if packet is not None else None
        static = _static(sequence.device, parameters, bd.burst_length or 0)
        static = replace(static, **links, **npu_tasks._locks(sequence, bd, block, (column, row), kind))
        self._write(s, op, column, number, static, _pattern(s, sizes, strides, bits, length))
        self._patch(s, op, bd.buffer, (column, number), host, s.div(s.mul(offset, bits), 8))

    def start(self, op: DMAStartTaskOp) -> None:
        """`aiex.dma_start_task`."""
        result = origins(op.task)
        if len(result) != 1 or result[0].results[0] not in self.tasks:
            raise error_at(
                op, "starts a task that is not configured before, or one of several; start each where it is configured"
            )
        self._push(Symbolic(op), op, self.tasks[result[0].results[0]], registers=False)

    def wait(self, op: DMAAwaitTaskOp) -> None:
        """`aiex.dma_await_task`."""
        pending_tasks = [self.tasks[o.results[0]] for o in origins(op.task) if o.results[0] in self.tasks]
        channels = {task.channel for task in pending_tasks}
        if len(channels) != 1:
            raise error_at(op, f"waits for a task of one of {counted(len(channels), 'channel')}; expected one")
        if not all(task.token for task in pending_tasks):
            raise error_at(
                op, "Cannot wait on a BD that is not configured to issue a token; set issue_token = true on the task"
            )
        column, row, direction, channel = channels.pop()
        fields = {"column": column, "row": row, "direction": direction, "channel": channel}
        aiex.NpuSyncOp(**fields, column_num=1, row_num=1, loc=op.location, ip=ir.InsertionPoint(op))

    def push_queue(self, op: NpuPushQueueOp) -> None:
        """`aiex.npu.push_queue`, as a write of the queue's register."""
        s = Symbolic(op)
        bd = s.of(op.bd_id_operand) if op.bd_id_operand is not None else op.bd_id
        repeat = s.of(op.repeat_count_operand) if op.repeat_count_operand is not None else op.repeat_count
        pending = Pending((op.column, op.row, op.direction, op.channel), bd, repeat, op.issue_token)
        self._push(s, op, pending, registers=True)

    def rtp_write(self, op: ir.OpView) -> None:
        """`aiex.npu.rtp_write`."""
        buffer = self.sequence.buffers.get(op.buffer)
        if buffer is None:
            raise error_at(op, f"writes into @{op.buffer}, which is not an aie.buffer of the device")
        place = self.sequence.place(op, buffer.tile)
        address = self.sequence.device.address(*place, self.sequence.buffer_address(op, buffer) + 4 * op.index)
        aiex.NpuWrite32Op(address=address, value_operand=op.value_operand, loc=op.location, ip=ir.InsertionPoint(op))

    def set_lock(self, op: SetLockOp) -> None:
        """`aiex.set_lock`, as a write of the lock's register."""
        loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        most = arch_of(self.sequence.device).max_lock_value
        aiex.NpuAssertBdFieldOp(value=op.value_operand, max=most, **loc_and_ip)
        aiex.NpuWrite32Op(address=lock_register(self.sequence, op), value_operand=op.value_operand, **loc_and_ip)

    def _push(self, s: Symbolic, op: AnyOp, task: Pending, *, registers: bool) -> None:
        column, row, direction, number = task.channel
        loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        if not isinstance(task.repeat, int):
            self._guard(s, op, task.repeat, MAX_REPEAT - 1)
        if not registers:
            bd = {"bd_id": task.bd} if isinstance(task.bd, int) else {"bd_id_operand": s.word(task.bd)}
            times = (
                {"repeat_count": task.repeat} if isinstance(task.repeat, int) else {"repeat_count_operand": s.word(task.repeat)}
            )
            place = {"column": column, "row": row, "direction": direction, "channel": number}
            aiex.NpuPushQueueOp(**place, issue_token=task.token, **bd, **times, **loc_and_ip)
            return
        instructions: list[Instruction] = self.sequence.token_route(task.channel, token=task.token)
        for instruction in instructions:
            self.emitter.put(instruction, op)
        kind = self.sequence.device.kind(column, row)
        word = s.joined(s.masked(task.bd, 0x3F if kind == "mem" else 0xF), s.shifted(s.masked(task.repeat, 0xFF), 16))
        word = s.joined(word, int(task.token) << 31)
        register = self.sequence.device.address(column, row, QUEUE_BASE[kind][direction] + 8 * number)
        self._write32(s, op, register, word)

    def _write(
        self, s: Symbolic, op: AnyOp, column: int, bd: Number, static: BufferDescriptor, fields: dict[str, Number]
    ) -> None:
        """Emits the writes of a shim BD: constant words as a block, if its number is constant, then words with run-time
        values."""
        layout = LAYOUTS[_SHIM]
        constant_fields = {name: n for name, n in fields.items() if isinstance(n, int)}
        words: dict[int, Number] = dict(enumerate(replace(static, **constant_fields).words(_SHIM)))
        constant = dict(words)
        for name, number in fields.items():
            if not isinstance(number, int):
                bits = layout[FIELDS[name]]
                if bits.width < 32:
                    self._guard(s, op, number, (1 << bits.width) - 1)
                words[bits.word] = s.joined(s.shifted(s.masked(number, (1 << bits.width) - 1), bits.shift), words[bits.word])
        base = self.sequence.device.address(column, 0, BD_BASE[_SHIM])
        if isinstance(bd, int):
            place: Number = base + BD_STRIDE * bd
            zeroed = tuple(0 if not isinstance(words[i], int) and constant[i] == 0 else constant[i] for i in range(len(words)))
            self.emitter.put(BlockWrite(place, zeroed), op)
        else:
            place = s.add(s.mul(bd, BD_STRIDE), base)
        for i, word in words.items():
            if not isinstance(word, int) or not isinstance(bd, int):
                self._write32(s, op, s.add(place, 4 * i), word)

    def _patch(
        self, s: Symbolic, op: AnyOp, buffer: ir.Value, place: tuple[int, Number], host: tuple[int, int], offset: Number
    ) -> None:
        """Writes the address of a part of `buffer`, which begins at `host` (argument and byte), into a BD (column and
        number)."""
        column, bd = place
        bits = self.sequence.bits(buffer.type)
        base = s.add(s.mul(bd, BD_STRIDE), self.sequence.device.address(column, 0, BD_BASE[_SHIM]) + 4)
        register = {"addr": base} if isinstance(base, int) else {"addr_operand": s.word(base)}
        loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        first = s.add(offset, host[1])
        if isinstance(first, int):
            plus: dict[str, object] = {"arg_plus": patched_bytes(op, first, bits)}
        else:
            if host[1] + prod(buffer.type.shape) * bits // 8 > MAX_PATCH:
                self._guard(s, op, s.div(first, MAX_PATCH), 0)
            plus = {"arg_plus_operand": s.word(first)}
        aiex.NpuAddressPatchOp(**register, **plus, arg_idx=host[0], **loc_and_ip)

    def _write32(self, s: Symbolic, op: AnyOp, address: Number, word: Number) -> None:
        register = {"address": address} if isinstance(address, int) else {"address_operand": s.word(address)}
        value = {"value": word & 0xFFFFFFFF} if isinstance(word, int) else {"value_operand": s.word(word)}
        aiex.NpuWrite32Op(**register, **value, loc=op.location, ip=ir.InsertionPoint(op))

    def _guard(self, s: Symbolic, op: AnyOp, number: Number, most: int) -> None:
        aiex.NpuAssertBdFieldOp(value=s.word(number), max=most, loc=op.location, ip=ir.InsertionPoint(op))


def _filled(s: Symbolic, static: list[int], values: list[ir.Value]) -> list[Number]:
    value = iter(values)
    return [s.of(next(value)) if n == _DYNAMIC else n for n in static]


def _static(device: Device, packet: Any, burst: int) -> BufferDescriptor:
    buffer_descriptor = BufferDescriptor(burst=burst_of(device, burst))
    if packet is None:
        return buffer_descriptor
    return replace(buffer_descriptor, enable_packet=1, packet_type=packet[0], packet_id=packet[1])


def _pattern(s: Symbolic, sizes: list[Number], strides: list[Number], bits: int, length: Number) -> dict[str, Number]:
    """The fields of an access pattern, innermost first, by the formulas of `allo_air.target.npu_shim`."""

    def words(elements: Number) -> Number:
        return s.div(s.mul(elements, bits), 32)

    def step(dimension: int) -> Number:
        stride = s.mul(strides[dimension], bits)
        if dimension == 0 and bits > 32:
            return 0
        return s.choose(s.compare("slt", stride, 32), 0, s.sub(s.div(stride, 32), 1))

    ones = s.both(s.compare("eq", sizes[1], 1), s.compare("eq", sizes[2], 1))
    run = s.both(s.compare("eq", strides[0], 1), s.compare("eq", strides[1], 0), s.compare("eq", strides[2], 0))
    long_ = s.either(s.compare("sgt", words(sizes[0]), _MOST), s.compare("sgt", sizes[1], _MOST))
    follows = s.both(
        s.either(s.compare("eq", sizes[0], 1), s.compare("eq", strides[0], 1)),
        s.either(s.compare("eq", sizes[1], 1), s.compare("eq", strides[1], sizes[0])),
        s.either(s.compare("eq", sizes[2], 1), s.compare("eq", strides[2], s.mul(sizes[0], sizes[1]))),
    )
    linear = s.either(s.both(ones, run), s.both(long_, follows))
    iterates = s.both(s.compare("sgt", sizes[3], 1), s.compare("sgt", strides[3], 0))
    total = words(length) if length is not None else s.mul(s.mul(words(sizes[0]), sizes[1]), sizes[2])
    d1 = s.choose(s.compare("sgt", sizes[1], 1), step(1), 0)
    d2 = s.choose(s.compare("sgt", sizes[2], 1), step(2), 0)
    return {
        "buffer_length": total,
        "d0_size": s.choose(linear, 0, words(sizes[0])),
        "d0_stride": s.choose(linear, 0, step(0)),
        "d1_size": s.choose(linear, 0, sizes[1]),
        "d1_stride": s.choose(linear, 0, d1),
        "d2_stride": s.choose(linear, 0, d2),
        "iteration_size": s.choose(iterates, s.sub(sizes[3], 1), 0),
        "iteration_stride": s.choose(iterates, step(3), 0),
    }
