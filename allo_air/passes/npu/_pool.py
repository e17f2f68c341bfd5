"""Allocates BDs of tasks at run time: takes them from the pool of their tile, and returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes.npu._task_origins import CONFIGURES, origins, steps
from allo_air.target.npu_sequence import Sequence
from allo_air.target.npu_unroll import CONTROL_FLOW, unroll

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp
    from allo_air.dialects._aiex_tasks import DMAConfigureTaskOp

_ENDS = ("aiex.dma_await_task", "aiex.dma_free_task")


def use_bd_pools(device_op: ir.Operation, view: RuntimeSequenceOp) -> None:
    """Makes tasks take their BD from a pool, in sequences whose run-time loops or branches start or end tasks."""
    unroll(view, partial=True)
    result = steps(view)
    outermost = [op for op in result if op.name in CONTROL_FLOW]
    if not any(walk_named(op, *CONFIGURES, *_ENDS) for op in outermost):
        return
    state = Sequence(device_op.opview, view)
    numbers: dict[Any, Any] = {}
    chains = [op.opview for op in result if op.name in CONFIGURES and len(walk_named(op, "aie.dma_bd")) > 1]
    _reserve(state, view, chains)
    kept_for = {task.task for task in chains}
    for op in [o for o in result if o.name in CONFIGURES and o.results[0] not in kept_for]:
        new, number = _popped(state, op.opview)
        numbers[new.task] = number
    for end in [o.opview for o in steps(view) if o.name in _ENDS and o.operands[0] not in kept_for]:
        places = {_tile(state, op.opview) for op in origins(end.task)}
        if len(places) != 1:
            raise error_at(end, f"ends a task of one of {counted(len(places), 'tile')}; expected one")
        [(column, row)] = places
        number = _number(end.task, numbers)  # may recreate the terminator after `end`
        loc_and_ip = {"loc": end.location, "ip": ir.InsertionPoint.after(end.operation)}
        aiex.DmaBdPoolPushOp(column=column, row=row, bd_id=number, **loc_and_ip)


def _reserve(state: Sequence, view: ir.OpView, chains: list[DMAConfigureTaskOp]) -> None:
    """Reserves the lowest BDs of the pools for chains, whose ids are then constants. Each iteration configures a chain
    again, so the chain must end within it."""
    first_free: dict[tuple[int, int], int] = {}
    for task in chains:
        bds = [o.opview for o in walk_named(task, "aie.dma_bd")]
        if task.bd_id_operand is not None or task.bd_id is not None or any(bd.bd_id is not None for bd in bds):
            raise error_at(task, "has a BD id in a sequence whose loops stay, where BDs come from a pool; leave it out")
        users = [use.owner.operation for use in task.task.uses]
        if any(u.block != task.operation.block for u in users) or not any(u.name in _ENDS for u in users):
            raise error_at(
                task,
                f"has a chain of {len(bds)} BDs in a sequence whose loops stay, and does not end in its round;"
                " await or free it in the block that configures it",
            )
        place = _tile(state, task)
        first = first_free.get(place, 0)
        if first + len(bds) > (most := state.device.tile(*place).bds):
            raise error_at(task, f"has a chain of {len(bds)} BDs; tile {place} has {most}, of which chains before have {first}")
        first_free[place] = first + len(bds)
        for number, bd in enumerate(bds, first):
            bd.bd_id = number
    with ir.InsertionPoint.at_block_begin(view.body.blocks[0]):
        for (column, row), count in first_free.items():
            for _ in range(count):
                aiex.DmaBdPoolPopOp(column=column, row=row, loc=view.location)


def _tile(state: Sequence, task: ir.OpView) -> tuple[int, int]:
    if CONFIGURES[0] == task.OPERATION_NAME:
        column, row = state.place(task, task.tile)
        return column, row
    return state.allocation(task, task.alloc)[0], 0


def _popped(state: Sequence, task: ir.OpView) -> tuple[Any, Any]:
    """The task with a BD from the pool, and the BD's number."""
    bds = walk_named(task, "aie.dma_bd")
    if not bds:
        raise error_at(task, "has no BD; expected at least one aie.dma_bd")
    if task.bd_id_operand is not None:
        return task, task.bd_id_operand
    if task.bd_id is not None or bds[0].opview.bd_id is not None:
        raise error_at(task, "has a BD id in a sequence whose loops stay, where BDs come from a pool; leave it out")
    column, row = _tile(state, task)
    loc_and_ip = {"loc": task.location, "ip": ir.InsertionPoint(task)}
    number = aiex.DmaBdPoolPopOp(column=column, row=row, **loc_and_ip).bd_id
    fields = {
        "issue_token": task.issue_token,
        "repeat_count": task.repeat_count,
        "repeat_count_operand": task.repeat_count_operand,
        "bd_id_operand": number,
    }
    new: Any
    if CONFIGURES[0] == task.OPERATION_NAME:
        place = {"tile": task.tile, "direction": task.direction, "channel": task.channel, "packet": task.packet}
        new = aiex.DMAConfigureTaskOp(**place, **fields, **loc_and_ip)
    else:
        new = aiex.DMAConfigureTaskForOp(alloc=task.alloc, **fields, **loc_and_ip)
    for block in list(task.body.blocks):
        block.append_to(new.body)
    task.task.replace_all_uses_with(new.task)
    task.operation.erase()
    return new, number


def _number(task: Any, numbers: dict[Any, Any]) -> Any:
    """The number of the BD of a task; loops and branches that carry the task also carry the number."""
    if task in numbers:
        return numbers[task]
    owner = task.owner
    if isinstance(owner, ir.Block):
        _carried(owner.owner.operation, task.arg_number - 1, numbers)
    elif owner.operation.name == "scf.for":
        return numbers[_carried(owner.operation, list(owner.operation.results).index(task), numbers)]
    elif owner.operation.name in ("scf.if", "scf.index_switch"):
        return numbers[_chosen(owner.operation, list(owner.operation.results).index(task), numbers)]
    else:
        raise error_at(owner, "gives a task that loops and branches do not carry; its BD is unknown")
    return numbers[task]


def _carried(loop: AnyOp, place: int, numbers: dict[ir.Value, ir.Value]) -> Any:
    """Makes a loop carry the number of the task at position `place`; returns the loop's result for the task."""
    first = _number(list(loop.operands)[3 + place], numbers)
    new = _again(loop, [*loop.operands, first])
    block = new.regions[0].blocks[0]
    argument = block.add_argument(first.type, new.location)
    numbers[block.arguments[1 + place]] = argument
    result = new.results[place]
    numbers[result] = new.results[len(new.results) - 1]
    _yield(block, place, numbers)
    return result


def _chosen(branch: ir.OpView, place: int, numbers: dict[ir.Value, ir.Value]) -> Any:
    """Makes a branch yield the number of the task at position `place`; returns the branch's result for the task."""
    new = _again(branch, list(branch.operands))
    result = new.results[place]
    numbers[result] = new.results[len(new.results) - 1]
    for region in new.regions:
        _yield(region.blocks[0], place, numbers)
    return result


def _again(op: Any, operands: list[ir.Value]) -> Any:
    """Replaces `op` by a copy with one more result, an i32."""
    types = [*(r.type for r in op.results), ir.IntegerType.get_signless(32)]
    attributes = {key: op.attributes[key] for key in op.attributes}
    loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
    new = ir.Operation.create(op.name, types, operands, attributes, regions=len(op.regions), **loc_and_ip)
    for old, region in zip(op.regions, new.regions, strict=True):
        for block in list(old.blocks):
            block.append_to(region)
    for old, result in zip(op.results, list(new.results)[:-1], strict=True):
        old.replace_all_uses_with(result)
    op.erase()
    return new


def _yield(block: ir.Block, place: int, numbers: dict[ir.Value, ir.Value]) -> None:
    number = _number(_last(block).operands[place], numbers)
    old = _last(block)
    scf.YieldOp([*old.operands, number], loc=old.location, ip=ir.InsertionPoint(old))
    old.erase()


def _last(block: ir.Block) -> Any:
    return block.operations[-1].operation
