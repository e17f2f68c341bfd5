"""Lowers runtime sequences by the rules that also write their words, so that both are one."""

from __future__ import annotations

from typing import Any

from allo_air.dialects import aiex
from allo_air.dialects.aiex import WRITEBD_FIELDS
from allo_air.mlir import ir
from allo_air.passes.npu._emit import Emitter
from allo_air.target import npu_sequence, npu_tasks
from allo_air.target.npu_sequence import rule_of
from allo_air.target.npu_unroll import unroll
from allo_air.target.npu_words import Sync

_TASK_ENDS = ("aiex.dma_await_task", "aiex.dma_free_task")
_BURST = "burst_length"


class Lowering:
    """The sequences of one device."""

    def __init__(self, device_op: Any):
        self.device_op = device_op.opview
        self.emitter = Emitter(device_op)

    def to_registers(self, view: Any, names: tuple[str, ...]) -> None:
        """Replaces operations called one of `names` by their instructions, all others being followed for their effects."""
        unroll(view)
        sequence = npu_sequence.Sequence(self.device_op, view)
        done = []
        for op in [o.operation.opview for o in view.body.blocks[0].operations]:
            rule = rule_of(op.operation.name)
            if rule is None:
                continue
            instructions = rule(sequence, op)
            if op.operation.name in names:
                for instruction in instructions:
                    self.emitter.put(instruction, op)
                done.append(op.operation)
        for op in done:
            op.erase()

    def tasks(self, view: Any) -> None:
        """Replaces tasks by descriptors, queue pushes and waits."""
        unroll(view)
        sequence = npu_sequence.Sequence(self.device_op, view)
        done = []
        for op in [o.operation.opview for o in view.body.blocks[0].operations]:
            name = op.operation.name
            if name == "aiex.dma_configure_task":
                self._configure(sequence, op)
            elif name == "aiex.dma_configure_task_for":
                column, direction, channel = sequence.allocation(op, op.alloc)
                self._bds(sequence, op, (column, 0, direction, channel), sequence.packets.get(op.alloc))
            elif name == "aiex.dma_start_task":
                npu_tasks.start_task(sequence, op)
                self._push(sequence.task(op, op.task), op)
            elif name in _TASK_ENDS:
                for instruction in npu_tasks.LOWERINGS[name](sequence, op):
                    assert isinstance(instruction, Sync)
                    self.emitter.put(instruction, op)
            else:
                rule = rule_of(name)
                if rule is not None:
                    rule(sequence, op)
                continue
            done.append(op.operation)
        for op in reversed(done):
            op.erase()

    def _configure(self, sequence: Any, op: Any) -> None:
        column, row = sequence.place(op, op.tile)
        self._bds(sequence, op, (column, row, op.direction, op.channel), op.packet)

    def _bds(self, sequence: Any, op: Any, channel: Any, packet: Any) -> None:
        column, row, *_ = channel
        i32 = ir.IntegerType.get_signless(32)
        for written in npu_tasks.write_bds(sequence, op, channel, op.body, {}, packet):
            values = {name: getattr(written.descriptor, name, 0) for name in WRITEBD_FIELDS}
            values |= {"column": column, "row": row, "bd_id": written.number, _BURST: written.op.burst_length or 0}
            own = ("column", "row", "bd_id")
            rest = {name: ir.IntegerAttr.get(i32, value) for name, value in values.items() if name not in own}
            aiex.NpuWriteBdOp(
                column=column, row=row, bd_id=written.number, attributes=rest, loc=op.location, ip=ir.InsertionPoint(op)
            )
            for instruction in written.address:
                self.emitter.put(instruction, op)

    def _push(self, task: Any, op: ir.Operation) -> None:
        column, row, direction, channel = task.channel
        aiex.NpuPushQueueOp(
            column=column,
            row=row,
            direction=direction,
            channel=channel,
            issue_token=task.token,
            repeat_count=task.repeat,
            bd_id=task.bds[0],
            loc=op.location,
            ip=ir.InsertionPoint(op),
        )
