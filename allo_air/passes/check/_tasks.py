"""Checks the tasks of runtime sequences: tasks in a channel's queue, BDs of a tile in flight, and the fields of BDs.

A task is in flight from `dma_start_task` until it is awaited or freed. Awaiting a task also ends the tasks that were started
before it on the same channel, since a channel runs its tasks in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from allo_air.arch.limits import MAX_REPEAT, QUEUE_DEPTH
from allo_air.core.walking import walk_named
from allo_air.dialects.aie import ShimDMAAllocationOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._bd_fields import check_bd
from allo_air.passes.check._dma_programs import DIRECTIONS
from allo_air.passes.check._tiles import DeviceUse, Place

_CONFIGURE = ("aiex.dma_configure_task", "aiex.dma_configure_task_for")
_LOOPS = ("scf.for", "scf.while", "scf.if", "scf.parallel", "affine.for")
Channel = tuple[Place, int, int]


@dataclass(eq=False)
class _Task:
    op: Any
    channel: Channel
    bds: int


@dataclass(eq=False)
class _State:
    """Tasks by their SSA value, tasks that hold BDs, and tasks started on each channel, oldest first."""

    tasks: dict[Any, _Task] = field(default_factory=dict)
    configured: list[_Task] = field(default_factory=list)
    queued: dict[Channel, list[_Task]] = field(default_factory=dict)


def check_tasks(use: DeviceUse, findings: Findings) -> None:
    """Reports runtime sequences that overflow a queue or need more BDs than a tile has, and tasks with BDs that exceed
    fields.
    """
    names = {view.sym_name: view for view in map(ShimDMAAllocationOp, use.called("aie.shim_dma_allocation"))}
    static = {t.place: len({bd for _, bds in t.chains for bd in bds}) for t in use}
    for sequence in use.called("aie.runtime_sequence"):
        state = _State()
        for loop in walk_named(sequence, *_LOOPS):
            if walk_named(loop, "aiex.dma_start_task"):
                findings.undecided(loop, "how many tasks it starts; they are counted as if it ran once")
        for op in walk_named(sequence, *_CONFIGURE, "aiex.dma_start_task", "aiex.dma_await_task", "aiex.dma_free_task"):
            if op.name in _CONFIGURE:
                _configure(use, op, names, state, static, findings)
            elif op.operands[0] in state.tasks:
                _step(use, op, state, findings)


def _configure(
    use: DeviceUse, op: ir.Operation, names: Mapping[str, AnyOp], state: _State, static: dict[Place, int], findings: Findings
) -> None:
    channel = _channel(use, op, names)
    if channel is None:
        findings.undecided(op, "which tile it programs")
        return
    place = channel[0]
    bds = walk_named(op, "aie.dma_bd")
    task = _Task(op, channel, len(bds))
    state.tasks[op.results[0]] = task
    state.configured.append(task)
    tile = use.device.tile(*place)
    bd_count = sum(t.bds for t in state.configured if t.channel[0] == place) + static.get(place, 0)
    if bd_count > tile.bds:
        findings.error(
            op,
            f"{use.name(place)}: {bd_count} BDs in flight exceed the {tile.bds} that it has; await or free an earlier task of "
            "the tile before this one",
            code="resource.limit",
        )
    repeat = op.attributes["repeat_count"].value if "repeat_count" in op.attributes else 0
    if not 0 <= repeat < MAX_REPEAT:
        findings.error(
            op, f"{use.name(place)}: repeat_count {repeat} exceeds {MAX_REPEAT - 1} (8 bits); split the task", code="bd.field"
        )
    if tile.bd is not None:
        for bd in bds:
            check_bd(bd, tile.bd, use.name(place), findings, sends=channel[1] == 1, iteration=3)


def _channel(use: DeviceUse, op: ir.Operation, names: Mapping[str, AnyOp]) -> Channel | None:
    if op.name == "aiex.dma_configure_task":
        place = use.place(op.opview.tile)
        return None if place is None else (place, op.opview.direction, op.opview.channel)
    allocation: Any = names.get(op.opview.alloc)
    place = use.place(allocation.tile) if allocation is not None else None
    return None if place is None else (place, allocation.channel_dir, allocation.channel_index)


def _step(use: DeviceUse, op: ir.Operation, state: _State, findings: Findings) -> None:
    task = state.tasks[op.operands[0]]
    queue = state.queued.setdefault(task.channel, [])
    if op.name == "aiex.dma_start_task":
        queue.append(task)
        if len(queue) > QUEUE_DEPTH + 1:
            place, direction, index = task.channel
            findings.warning(
                op,
                f"{use.name(place)}: task {len(queue)} in flight on {DIRECTIONS[direction]} {index}, whose queue holds"
                f" {QUEUE_DEPTH} besides the running one; the hardware silently drops further ones: await an earlier one first",
                code="queue.may-overflow",
            )
        return
    done = [task]
    if op.name == "aiex.dma_await_task" and task in queue:
        done = queue[: queue.index(task) + 1]
    for ended in done:
        if ended in queue:
            queue.remove(ended)
    if task in state.configured:
        state.configured.remove(task)
