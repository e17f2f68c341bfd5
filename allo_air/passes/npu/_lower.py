"""Lowers runtime sequences by the same rules that write their instruction words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.dialects.aiex import WRITEBD_FIELDS
from allo_air.dialects.operands import operands_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes.npu._dynamic import Dynamic
from allo_air.passes.npu._emit import Emitter
from allo_air.passes.npu._task_origins import CONFIGURES, steps
from allo_air.target import npu_sequence, npu_tasks
from allo_air.target.npu_loose import LoopSequence
from allo_air.target.npu_parameters import refuse_parameter
from allo_air.target.npu_sequence import rule_of
from allo_air.target.npu_unroll import CONTROL_FLOW, unroll
from allo_air.target.npu_values import POOL, VALUED
from allo_air.target.npu_words import Sync

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp
    from allo_air.target.npu_sequence import Sequence
    from allo_air.target.npu_tasks import Task

_TASK_ENDS = ("aiex.dma_await_task", "aiex.dma_free_task")
_BURST = "burst_length"


def _has_values(op: AnyOp) -> bool:
    """Whether an operation, or a BD in it, has a run-time operand instead of an attribute."""
    if op.name == "aiex.npu.dma_memcpy_nd":
        view = op.opview
        return any(constant_of(v) is None for v in [*view.offsets, *view.sizes, *view.strides])
    if op.name not in VALUED:
        return False
    inner_ops = [op, *walk_named(op, "aie.dma_bd")]
    return any(value and name.endswith(("_operand", "_operands")) for o in inner_ops for name, value in operands_of(o).items())


def _refuse_parameters(op: AnyOp) -> None:
    """DiagnosticError if an operation with run-time values also has a scratchpad parameter as offset."""
    for bd in [op] if op.name == "aiex.npu.dma_memcpy_nd" else walk_named(op, "aie.dma_bd"):
        refuse_parameter(bd.opview)


class Lowering:
    """The sequences of one device."""

    def __init__(self, device_op: AnyOp):
        self.device_op = device_op.opview
        self.emitter = Emitter(device_op)

    def to_registers(self, view: RuntimeSequenceOp, names: tuple[str, ...]) -> None:
        """Replaces operations with a name in `names` by their instructions; the effects of all others are tracked."""
        if self._is_open(view):
            self._open_registers(view, names)
            return
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

    def tasks(self, view: RuntimeSequenceOp) -> None:
        """Replaces tasks by descriptors, queue pushes and waits."""
        if self._is_open(view):
            self._open_tasks(view)
            return
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

    def _is_open(self, view: AnyOp) -> bool:
        """Whether a sequence has loops, branches or run-time values after constant ones are unrolled."""
        unroll(view, partial=True)
        result = steps(view)
        return any(op.name in CONTROL_FLOW or op.name in POOL or _has_values(op) for op in result)

    def _open_registers(self, view: RuntimeSequenceOp, names: tuple[str, ...]) -> None:
        sequence = LoopSequence(self.device_op, view)
        dynamic = Dynamic(self.emitter, sequence)
        by_name: dict[str, Callable[[Any], None]] = {
            "aiex.npu.dma_memcpy_nd": dynamic.memcpy,
            "aiex.npu.push_queue": dynamic.push_queue,
            "aiex.npu.rtp_write": dynamic.rtp_write,
            "aiex.set_lock": dynamic.set_lock,
        }
        for op in steps(view):
            if op.name not in names:
                continue
            if op.name in by_name and _has_values(op):
                _refuse_parameters(op)
                by_name[op.name](op.opview)
            else:
                rule = rule_of(op.name)
                assert rule is not None
                for instruction in rule(sequence, op.opview):
                    self.emitter.put(instruction, op)
            op.erase()

    def _open_tasks(self, view: RuntimeSequenceOp) -> None:
        sequence = LoopSequence(self.device_op, view)
        dynamic = Dynamic(self.emitter, sequence)
        result = steps(view)
        for op in result:
            if op.name in CONFIGURES:
                _refuse_parameters(op)
            if op.name == "aiex.dma_configure_task":
                column, row = sequence.place(op.opview, op.opview.tile)
                dynamic.configure(op.opview, (column, row, op.opview.direction, op.opview.channel), op.opview.packet)
            elif op.name == "aiex.dma_configure_task_for":
                column, direction, channel = sequence.allocation(op.opview, op.opview.alloc)
                dynamic.configure(op.opview, (column, 0, direction, channel), sequence.packets.get(op.opview.alloc))
        for op in result:
            if op.name == "aiex.dma_start_task":
                dynamic.start(op.opview)
            elif op.name == "aiex.dma_await_task":
                dynamic.wait(op.opview)
        configures = [op for op in result if op.name in CONFIGURES]
        for op in [o for o in result if o.name in (*_TASK_ENDS, "aiex.dma_start_task")]:
            op.erase()
        for op in configures:
            if len(list(op.results[0].uses)):  # loop-carried values that are now unused
                op.results[0].replace_all_uses_with(index_constant(0, op.location, ir.InsertionPoint(op)))
            op.erase()

    def _configure(self, sequence: Sequence, op: ir.OpView) -> None:
        column, row = sequence.place(op, op.tile)
        self._bds(sequence, op, (column, row, op.direction, op.channel), op.packet)

    def _bds(self, sequence: Sequence, op: ir.OpView, channel: Any, packet: Any) -> None:
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

    def _push(self, task: Task, op: ir.Operation) -> None:
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
