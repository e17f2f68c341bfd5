"""Numbers of the descriptors of tasks."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_named
from allo_air.target.npu_sequence import Sequence
from allo_air.target.npu_state import State
from allo_air.target.npu_unroll import unroll

_CONFIGURE = ("aiex.dma_configure_task", "aiex.dma_configure_task_for")
_END = ("aiex.dma_await_task", "aiex.dma_free_task")


def number(device_op: Any, view: Any) -> None:
    """Gives each descriptor of a sequence the lowest number that no task in flight has."""
    unroll(view)
    state: State = Sequence(device_op.opview, view)
    held: dict[Any, list[tuple[tuple[int, int], int]]] = {}
    for op in [o.operation.opview for o in view.body.blocks[0].operations]:
        name = op.operation.name
        if name == "aiex.npu.dma_memcpy_nd":
            column, *_ = state.allocation(op, op.metadata)
            state.taken.setdefault((column, 0), set()).add(op.id)
        elif name in _CONFIGURE:
            channel = _channel(state, op)
            held[op.task] = []
            for bd in [o.opview for o in walk_named(op, "aie.dma_bd")]:
                bd.bd_id = state.bd_for(bd, channel, bd.bd_id)
                held[op.task].append((channel[:2], bd.bd_id))
        elif name in _END:
            for place, bd_id in held.pop(op.task, []):
                state.taken[place].discard(bd_id)


def _channel(state: State, op: Any) -> tuple[int, int, int, int]:
    if op.OPERATION_NAME == "aiex.dma_configure_task_for":
        column, direction, channel = state.allocation(op, op.alloc)
        return column, 0, direction, channel
    column, row = state.place(op, op.tile)
    return column, row, op.direction, op.channel
