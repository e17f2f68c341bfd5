"""Transfers of the sequence: tasks on shim DMAs, and groups of them that end together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.aie.iron.errors import IronMissing, IronRuntimeError, IronTypeError, IronValueError
from allo_air.aie.iron.values import Memory, Scalar, converted
from allo_air.aie.iron.writing import Writer, writer

_DIMS = 4


class Task:
    """A transfer that was started; a value that loops carry."""

    kind = "index"

    def __init__(self, name: str, waits: bool):
        self.name, self.waits = name, waits
        self.ended = False

    def await_(self) -> None:
        """Waits until it is done; it must have been made with `wait=True`."""
        self._end("aiex.dma_await_task")
        self.ended = False

    def free(self) -> None:
        """Gives back its descriptors."""
        self._end("aiex.dma_free_task")

    def _end(self, op: str) -> None:
        if self.ended:
            raise IronRuntimeError("the task has ended already")
        writer("a task ends", "sequence").op(f"{op}({self.name})")
        self.ended = True


class TaskGroup:
    """Tasks that end together: `finish` awaits those that wait, then frees all."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.open = True
        sequence_of(writer("TaskGroup", "sequence")).groups.append(self)

    def finish(self) -> None:
        """Ends all its tasks."""
        if not self.open:
            raise IronRuntimeError("TaskGroup.finish: the group has been finished already")
        self.open = False
        end_all(self.tasks)


class Started:
    """What the sequence has started: groups, and tasks that are in none."""

    def __init__(self) -> None:
        self.groups: list[TaskGroup] = []
        self.loose: list[Task] = []

    def close(self, strict: bool) -> None:
        """Ends what is in no group; refuses groups that are left open."""
        if strict and self.groups and self.loose:
            raise IronRuntimeError("the sequence has transfers in task groups and others in none; put all in groups, or none")
        if any(g.open for g in self.groups):
            raise IronRuntimeError("the sequence leaves a TaskGroup open; call finish()")
        end_all(self.loose)


def sequence_of(made: Writer) -> Started:
    """What the sequence that `made` writes has started."""
    if made.started is None:
        made.started = Started()
    assert isinstance(made.started, Started)
    return made.started


def end_all(tasks: Sequence[Task]) -> None:
    """Awaits those that wait, then frees all."""
    for task in tasks:
        if task.waits and not task.ended:
            task.await_()
    for task in tasks:
        if not task.ended:
            task.free()


def transfer(
    handle: Any,
    buffer: Any,
    tap: Any = None,
    *,
    wait: bool = False,
    group: TaskGroup | None = None,
    sizes: Any = None,
    strides: Any = None,
    offset: Any = None,
    transfer_len: int | None = None,
    managed: bool = True,
    start: bool = True,
    packet: Any = None,
    offset_parameter: Any = None,
    **others: Any,
) -> Task:
    """Configures and, but for `start=False`, starts the transfer of `buffer` at `handle`."""
    out = writer("a transfer stands", "sequence")
    for name, value in (("packet", packet), ("offset_parameter", offset_parameter), *others.items()):
        if value is not None:
            raise IronMissing(f"ObjectFifo '{handle.name}', transfer: {name} is not there yet")
    if not isinstance(buffer, Memory):
        raise IronTypeError(
            f"ObjectFifo '{handle.name}': a transfer takes an argument of the sequence, got {type(buffer).__name__}"
        )
    if tap is not None and (sizes is not None or strides is not None or offset is not None):
        raise IronValueError(f"ObjectFifo '{handle.name}': a transfer takes a tap, or offset, sizes and strides, not both")
    first, lengths, steps = _pattern(buffer, tap, sizes, strides, offset)
    if any(isinstance(n, Scalar) for n in (first, transfer_len, *lengths, *steps)):
        task = Task(_at_run_time(out, handle, buffer, first, transfer_len, lengths, steps, wait), wait)
        if start:
            out.op(f"aiex.dma_start_task({task.name})")
        if managed:
            (group.tasks if group is not None else sequence_of(out).loose).append(task)
        return task
    length = prod(lengths[1:]) if transfer_len is None else transfer_len
    dims = ", ".join(f"<size = {a}, stride = {b}>" for a, b in zip(lengths, steps, strict=True))
    flags = ["issue_token = true"] if wait else []
    flags += [f"repeat_count = {lengths[0] - 1} : i32"] if lengths[0] > 1 else []
    name = out.fresh()
    attributes = f" {{{', '.join(flags)}}}" if flags else ""
    with out.region(f"{name} = aiex.dma_configure_task_for @{handle.name} {{", f"}}{attributes}"):
        out.op(f"aie.dma_bd({buffer.name} : {buffer.type.memref}, {first}, {length}, [{dims}])")
        out.op("aie.end")
    if start:
        out.op(f"aiex.dma_start_task({name})")
    task = Task(name, wait)
    if managed:
        (group.tasks if group is not None else sequence_of(out).loose).append(task)
    return task


def _at_run_time(
    out: Writer, handle: Any, buffer: Memory, start: Any, length: Any, sizes: list[Any], steps: list[Any], wait: bool
) -> str:
    """A transfer of which some numbers are values of the sequence."""
    count: Any = length
    if count is None:
        count = 1
        for n in sizes[1:]:
            count = n * count if isinstance(n, Scalar) else count * n

    def shown(given: Any, kind: str) -> str:
        return converted(given, kind).name if isinstance(given, Scalar) else str(int(given))

    lists = [", ".join(shown(n, "i64") for n in numbers) for numbers in (sizes, steps)]
    fields = f"offset = {shown(start, 'i32')} len = {shown(count, 'i32')} sizes = [{lists[0]}] strides = [{lists[1]}]"
    repeats, flags = sizes[0], ["issue_token = true"] if wait else []
    again = ""
    if isinstance(repeats, Scalar):
        again = f" repeat {converted(repeats - 1, 'i32').name} : i32"
    elif repeats > 1:
        flags.append(f"repeat_count = {repeats - 1} : i32")
    name, attributes = out.fresh(), f" {{{', '.join(flags)}}}" if flags else ""
    with out.region(f"{name} = aiex.dma_configure_task_for @{handle.name}{again} {{", f"}}{attributes}"):
        out.op(f"aie.dma_bd({buffer.name} : {buffer.type.memref} {fields})")
        out.op("aie.end")
    return name


def _integer(given: Any) -> Any:
    return given if isinstance(given, Scalar) else int(given)


def _pattern(buffer: Memory, tap: Any, sizes: Any, strides: Any, offset: Any) -> tuple[Any, list[Any], list[Any]]:
    """Offset, sizes and strides, four of each; a whole buffer is one row."""
    if tap is not None:
        sizes, strides, offset = tap.sizes, tap.strides, tap.offset
    if sizes is None:
        sizes, strides = [buffer.type.size - _integer(0 if offset is None else offset)], [1]
    if strides is None:
        strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    if len(sizes) != len(strides) or len(sizes) > _DIMS:
        raise IronValueError(
            f"a transfer has {len(sizes)} sizes and {len(strides)} strides; at most {_DIMS} of each, as many of both"
        )
    missing = _DIMS - len(sizes)
    start = _integer(0 if offset is None else offset)
    return start, [1] * missing + [_integer(n) for n in sizes], [0] * missing + [_integer(n) for n in strides]
