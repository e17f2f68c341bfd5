"""Transfers of the sequence: tasks on shim DMAs, and groups of them that end together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import in_bytes
from allo_air.aie.building.errors import IronRuntimeError, IronTypeError, IronValueError, at_place, user_place
from allo_air.aie.building.scope import require
from allo_air.aie.building.values import Memory, as_integer, value_of, wrapped
from allo_air.aie.dialects._aie_fifos import symbol_of
from allo_air.aie.dialects._aiex_tasks import (
    bds,
    dma_await_task,
    dma_configure_task_for,
    dma_free_task,
    dma_start_task,
    shim_dma_bd,
)
from allo_air.aie.iron.modules import started_here
from allo_air.core.walking import defining_block
from allo_air.errors import counted
from allo_air.mlir import ir

_DIMS = 4


class Task:
    """A started transfer; loops can carry it as a value."""

    def __init__(self, ssa: object, waits: bool):
        self.ssa: Any = ssa
        self.waits = waits
        self.ended = False
        self.place = user_place()

    def carried(self, value: object) -> Task:
        """The task that a loop carries in `value`."""
        return Task(value, self.waits)

    def leave(self) -> None:
        """Marks the task as passed to a loop, whose users end it."""
        self.ended = True

    def await_(self) -> None:
        """Waits for the task, which must have been created with `wait=True`."""
        self._end(dma_await_task)
        self.ended = False

    def free(self) -> None:
        """Frees the task's BDs."""
        self._end(dma_free_task)

    def _end(self, end: Any) -> None:
        if self.ended:
            raise IronRuntimeError("the task has ended already")
        require("the end of a task", "sequence")
        if not _reaches(self.ssa):
            message = (
                "this transfer is in a loop or branch of the sequence and would end after it; put it into a TaskGroup that "
                "the loop's body makes and finishes, or call await_() or free() of the Task in the body"
            )
            raise at_place(IronRuntimeError(message), self.place)
        end(self.ssa)
        self.ended = True


def _reaches(value: ir.Value) -> bool:
    """Whether a value is defined in the block of the insertion point, or in one around it."""
    defined = defining_block(value)
    block = ir.InsertionPoint.current.block
    while block != defined:
        owner = block.owner.operation
        if owner.parent is None:
            return False
        block = owner.block
    return True


class TaskGroup:
    """Tasks that end together: `finish` awaits those created with `wait=True`, then frees all."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.open = True
        require("TaskGroup", "sequence")
        sequence_here().groups.append(self)

    def finish(self) -> None:
        """Ends all its tasks."""
        if not self.open:
            raise IronRuntimeError("TaskGroup.finish: the group has been finished already")
        self.open = False
        end_all(self.tasks)


RuntimeTaskGroup, DMATask = TaskGroup, Task
"""Names before July 2026."""


class Started:
    """The transfers that the sequence has started: groups, and tasks without a group."""

    def __init__(self) -> None:
        self.groups: list[TaskGroup] = []
        self.loose: list[Task] = []

    def close(self, strict: bool) -> None:
        """Ends the tasks without a group; an error if a group is still open."""
        if strict and self.groups and self.loose:
            raise IronRuntimeError("the sequence has transfers in task groups and others in none; put all in groups, or none")
        if any(g.open for g in self.groups):
            raise IronRuntimeError("the sequence leaves a TaskGroup open; call finish()")
        end_all(self.loose)


def sequence_here() -> Started:
    """The transfers that the current sequence has started."""
    result = started_here()
    return result if isinstance(result, Started) else Started()


def end_all(tasks: Sequence[Task]) -> None:
    """Awaits the tasks created with `wait=True`, then frees all."""
    for task in tasks:
        if task.waits and not task.ended:
            task.await_()
    for task in tasks:
        if not task.ended:
            task.free()


def transfer(handle: Any, buffer: object, tap: Any = None, **options: Any) -> Task:
    """Configures the transfer of `buffer` at an end of an objectFifo, and starts it unless `start=False`."""

    def configure(**settings: bool | None) -> Any:
        return dma_configure_task_for(handle.name, **settings)

    return transfer_on(f"ObjectFifo '{handle.name}'", configure, buffer, tap, block=handle.of.type.block, **options)


def transfer_on(
    who: str,
    configure: Callable[..., Any],
    buffer: object,
    tap: object = None,
    *,
    wait: bool = False,
    group: TaskGroup | None = None,
    sizes: object = None,
    strides: object = None,
    offset: object = None,
    transfer_len: int | None = None,
    managed: bool = True,
    block: int = 1,
    start: bool = True,
    packet: object = None,
    burst_length: int | None = None,
    offset_parameter: object = None,
    **keywords: Any,
) -> Task:
    """Like `transfer`, for the channel whose task `configure` creates; errors name `who`."""
    require("a transfer", "sequence")
    refuse(keywords, f"{who}: a transfer")
    memory = wrapped(value_of(buffer))
    if not isinstance(memory, Memory):
        raise IronTypeError(f"{who}: a transfer takes an argument of the sequence, got {type(buffer).__name__}")
    if tap is not None and (sizes is not None or strides is not None or offset is not None):
        raise IronValueError(f"{who}: a transfer takes a tap, or offset, sizes and strides, not both")
    whole = tap is None and sizes is None
    first, lengths, steps = _pattern(memory, tap, sizes, strides, 0 if whole and block > 1 else offset)
    if not whole:
        first, lengths, steps = in_bytes(first, lengths, steps, block)
        transfer_len = None if transfer_len is None else transfer_len * block
    fields: dict[str, Any] = {"burst_length": burst_length} if burst_length else {}
    if offset_parameter is not None:
        fields["offset_parameter"] = symbol_of(offset_parameter)
    outer = lengths[0]
    again = outer - 1 if isinstance(outer, ir.Value) or outer > 1 else None
    first, transfer_len = as_integer(first, "i32"), as_integer(transfer_len, "i32")
    if transfer_len is None and any(isinstance(n, ir.Value) for n in lengths[1:]):
        transfer_len = as_integer(_product(lengths[1:]), "i32")
    lengths, steps = ([as_integer(n, "i64") for n in numbers] for numbers in (lengths, steps))
    result = configure(issue_token=wait, repeat_count=again)
    with bds(result) as bd, bd[0]:
        shim_dma_bd(memory, None, first, lengths, steps, transfer_len, packet=packet, **fields)
    task = Task(result.operation.result, wait)
    if start:
        dma_start_task(task.ssa)
    if managed:
        (group.tasks if group is not None else sequence_here().loose).append(task)
    return task


def _product(numbers: Sequence[object]) -> Any:
    product: Any = 1
    for n in numbers:
        product = n * product if isinstance(n, ir.Value) else product * n
    return product


def _integer(number: Any) -> Any:
    return number if isinstance(number, ir.Value) else int(number)


def _pattern(buffer: Memory, tap: Any, sizes: Any, strides: Any, offset: object) -> tuple[Any, list[Any], list[Any]]:
    """Offset, sizes and strides, four of each; a whole buffer is one row."""
    if tap is not None:
        sizes, strides, offset = tap.sizes, tap.strides, tap.offset
    if sizes is None:
        sizes, strides = [prod(buffer.shape) - _integer(0 if offset is None else offset)], [1]
    if strides is None:
        strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    if len(sizes) != len(strides) or len(sizes) > _DIMS:
        raise IronValueError(
            f"a transfer has {counted(len(sizes), 'size')} and "
            f"{counted(len(strides), 'stride')}; at most {_DIMS} of each, as many of both"
        )
    missing = _DIMS - len(sizes)
    start = _integer(0 if offset is None else offset)
    return start, [1] * missing + [_integer(n) for n in sizes], [0] * missing + [_integer(n) for n in strides]
