"""Writes a schedule as instructions. Each channel's data is in one host buffer, in stream order, so that a task is one BD."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.device import Coordinate, Device
from allo_air.program.control.actions import Start
from allo_air.program.control.schedule import Channel, Schedule, Task
from allo_air.sim.control import Control
from allo_air.sim.layout import Layout
from allo_air.target.npu_bd import LOCK_BASE, LOCK_STRIDE
from allo_air.target.npu_shim import Transfer, transfer_instructions
from allo_air.target.npu_words import Instruction, Sync, Write, stream

if TYPE_CHECKING:
    from allo_air.mlir import ir

_HEADER = 4
_START = 1
"""Value of a herd's lock once its parameters are written."""


class Writer:
    """Writes the words of a schedule for one device."""

    def __init__(self, schedule: Schedule, places: dict[Channel, int], spans: dict[Task, tuple[int, int]], layout: Layout):
        """`places` are the numbers of the host buffers by channel; `spans` are offset and length of each task's data in them,
        in bytes.
        """
        self.schedule, self.places, self.spans, self.layout = schedule, places, spans, layout
        self.device: Device = layout.device
        self.instructions: list[tuple[Instruction, Any]] = []
        self._running: dict[Channel, deque[Task]] = defaultdict(deque)
        self._counts: dict[Channel, int] = defaultdict(int)
        locks = layout.locks.values()
        self._herd_locks = {k.tile: k for k in locks if k.name == f"__air_herd_lock_{k.tile[0]}_{k.tile[1]}"}

    def control(self) -> Control:
        """The instruction stream, and the operation that each instruction belongs to."""
        starts = deque(self.schedule.starts)
        self._release_other_cores()
        for task in self.schedule.tasks:
            while starts and starts[0][0] <= task.round:
                round_, start = starts.popleft()
                self._need(round_)
                self._herd(start)
            self._need(task.round)
            self._begin(task)
        for _, start in starts:
            self._herd(start)
        for channel in sorted(self._running, key=lambda c: c[1]):
            while self._running[channel]:
                self._end(channel)
        return self._encoded()

    def _need(self, round_: int) -> None:
        """Writes waits for the tasks that must have ended before round `round_`."""
        for earlier in [n for n in self.schedule.needed if n <= round_]:
            moves_needed = self.schedule.needed[earlier]
            for channel, queue in self._running.items():
                last = max((i for i, task in enumerate(queue) if not moves_needed.isdisjoint(task.moves)), default=-1)
                for _ in range(last + 1):
                    self._end(channel)

    def _begin(self, task: Task) -> None:
        column, direction, number = task.channel
        queue = self._running[task.channel]
        if len(queue) == QUEUE_DEPTH:
            self._end(task.channel)
        begin, size = self.spans[task]
        count = self._counts[task.channel]
        self._counts[task.channel] += 1
        bd = QUEUE_DEPTH * (2 * direction + number) + count % QUEUE_DEPTH
        transfer = Transfer((size // 4, 1, 1, 1), (1, 0, 0, 0), begin, 32, task.packet)
        place = self.places[task.channel]
        for transfer_instruction in transfer_instructions(
            transfer, self.device, column, direction, number, bd, place, token=True
        ):
            self.instructions.append((transfer_instruction, task.moves[0].op))
        queue.append(task)

    def _end(self, channel: Channel) -> None:
        task = self._running[channel].popleft()
        column, direction, number = channel
        self.instructions.append((Sync(column, 0, direction, number), task.moves[-1].op))

    def _herd(self, start: Start) -> None:
        """Writes the parameters into `__air_herd_rtp_COL_ROW` of each core, then releases `__air_herd_lock_COL_ROW`."""
        buffers = {b.name: b for b in self.layout.buffers.values()}
        for column, row in _tiles(start):
            buffer = buffers.get(f"__air_herd_rtp_{column}_{row}")
            if buffer is None:
                raise error_at(start.op, f"passes parameters to core ({column}, {row}), which has no buffer for them")
            for i, value in enumerate(start.values):
                address = self.device.address(column, row, buffer.offset + 4 * i)
                self.instructions.append((Write(address, value), start.op))
        for place in _tiles(start):
            self._release(place, start.op)

    def _release_other_cores(self) -> None:
        """Releases the locks of cores that wait for a lock and have no parameters."""
        waiting = {place for _, start in self.schedule.starts for place in _tiles(start)}
        for place in [p for p in self._herd_locks if p not in waiting]:
            self._release(place, self._herd_locks[place].op)

    def _release(self, place: Coordinate, op: ir.Operation) -> None:
        if (lock := self._herd_locks.get(place)) is not None:
            offset = LOCK_BASE[self.device.kind(*place)] + LOCK_STRIDE * lock.id
            self.instructions.append((Write(self.device.address(*place, offset), _START), op))

    def _encoded(self) -> Control:
        starts, offset = [], _HEADER
        for item, _ in self.instructions:
            starts.append(offset)
            offset += len(item.words())
        words = np.array(stream(self.device, [item for item, _ in self.instructions]), np.uint32)
        return Control(words, starts, [op for _, op in self.instructions])


def _tiles(start: Start) -> list[tuple[int, int]]:
    """The cores of a herd, as placed by the metadata of `air-to-aie`."""
    top = start.op
    while top.parent is not None:
        top = top.parent.operation
    for segment in walk_named(top, "airrt.segment_metadata"):
        if start.segment not in (None, sym_name_of(segment)):
            continue
        for herd in walk_named(segment, "airrt.herd_metadata"):
            a = herd.attributes
            if a["sym_name"].value == start.herd:
                x, y, columns, rows = (a[n].value for n in ("loc_x", "loc_y", "size_x", "size_y"))
                return [(x + i, y + j) for i in range(columns) for j in range(rows)]
    raise error_at(start.op, f"starts herd '{start.herd}', which airrt.module_metadata does not place; run air-to-aie first")
