"""Numbers the descriptors of tasks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.passes.npu._task_origins import CONFIGURES, origins, steps
from allo_air.target.npu_sequence import Sequence
from allo_air.target.npu_state import State
from allo_air.target.npu_unroll import CONTROL_FLOW, unroll

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp
    from allo_air.mlir import AnyOp, ir

_END = ("aiex.dma_await_task", "aiex.dma_free_task")
_START = "aiex.dma_start_task"


def number(device_op: ir.Operation, view: RuntimeSequenceOp) -> None:
    """Gives each descriptor of a sequence the lowest number that is unused by tasks in flight and by its own task. In
    sequences with loops, descriptors of a loop-carried task are never freed; descriptors of pools get no number here.
    """
    unroll(view, partial=True)
    state: State = Sequence(device_op.opview, view)
    bds_of_task: dict[Any, list[tuple[tuple[int, int], int]]] = {}
    result = steps(view)
    flat = not any(op.name in CONTROL_FLOW for op in result)
    tokens: dict[Any, int] = {}
    channels: dict[Any, tuple[Any, bool]] = {}
    running: Counter[Any] = Counter()
    for op in [o.opview for o in result]:
        name = op.operation.name
        if name == "aiex.npu.dma_memcpy_nd":
            column, *_ = state.allocation(op, op.metadata)
            state.taken.setdefault((column, 0), set()).add(op.id)
        elif name in CONFIGURES:
            channel = _channel(state, op)
            bds_of_task[op.task] = []
            channels[op.task] = channel, bool(op.issue_token)
            if op.bd_id_operand is not None:
                continue
            for bd in sorted((o.opview for o in walk_named(op, "aie.dma_bd")), key=lambda bd: bd.bd_id is None):
                bd.bd_id = state.bd_for(bd, channel, bd.bd_id)
                bds_of_task[op.task].append((channel[:2], bd.bd_id))
        elif name == _START and op.task in channels:
            channel, token = channels[op.task]
            tokens[channel] = tokens.get(channel, 0) + token
            running[op.task] += 1
        elif name in _END:
            if name == _END[0] and op.task in channels:
                if flat:
                    _awaited(op, channels[op.task][0], tokens)
                running[op.task] -= 1
                if running[op.task] > 0 and _is_in_one_block(op.task):
                    continue
            tasks = [o.results[0] for o in origins(op.task)]
            for place, bd_id in bds_of_task.pop(tasks[0], []) if len(tasks) == 1 else []:
                state.taken[place].discard(bd_id)


def _is_in_one_block(task: ir.Value) -> bool:
    """Whether a task is started and awaited in the block that configures it, so that these are in order."""
    return all(use.owner.operation.block == task.owner.operation.block for use in task.uses)


def _awaited(op: AnyOp, channel: tuple[int, ...], tokens: dict[tuple[int, ...], int]) -> None:
    """Records the wait for a token of a channel; DiagnosticError if none is outstanding."""
    if not tokens.get(channel):
        column, row, direction, index = channel
        name = f"{('S2MM', 'MM2S')[direction]} {index} of tile ({column}, {row})"
        raise error_at(
            op, f"waits for a token of {name}, for which no token is outstanding; start a task with issue_token before"
        )
    tokens[channel] -= 1


def _channel(state: State, op: ir.OpView) -> tuple[int, int, int, int]:
    if op.OPERATION_NAME == "aiex.dma_configure_task_for":
        column, direction, channel = state.allocation(op, op.alloc)
        return column, 0, direction, channel
    column, row = state.place(op, op.tile)
    return column, row, op.direction, op.channel
